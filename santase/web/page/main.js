// The two halves of the page, and which of them is shown.

import { _, chooseLanguage, language, languages, loadWords, version } from "./words.js";
import { el, moveByArrows, options } from "./cards.js";
import { Setup } from "./setup.js";
import { Play } from "./play.js";

const KEPT = "santase.tab";

async function begin() {
  await loadWords();
  document.title = _("Santase: analyse and play");
  const halves = { setup: _("Analyse"), play: _("Play") };
  const tabs = document.getElementById("tabs");
  tabs.setAttribute("aria-label", _("Parts of the page"));

  function show(chosen) {
    localStorage.setItem(KEPT, chosen);
    for (const name of Object.keys(halves)) {
      const tab = document.getElementById(`tab-${name}`);
      tab.setAttribute("aria-selected", String(name === chosen));
      tab.tabIndex = name === chosen ? 0 : -1;
      document.getElementById(name).hidden = name !== chosen;
    }
  }

  for (const [name, text] of Object.entries(halves)) {
    tabs.append(el("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": name, text, on: { click: () => show(name) } }));
  }
  moveByArrows(tabs, () => [...tabs.children]);

  document.getElementById("language").append(
    el(
      "select",
      { id: "choose-language", "aria-label": _("Language"), on: { change: (event) => chooseLanguage(event.target.value) } },
      options(Object.entries(languages()), language()),
    ),
  );

  const setup = new Setup(document.getElementById("setup"));
  const play = new Play(document.getElementById("play"), (line, state) => {
    show("setup");
    setup.read(line, state);
  });
  show(localStorage.getItem(KEPT) === "play" ? "play" : "setup");
  document.body.append(el("footer", { class: "soft", text: `santase ${version()}` }));
  await Promise.all([setup.begin(), play.begin()]);
  document.body.dataset.ready = "yes";
}

begin().catch((error) => {
  document.querySelector("main").append(el("p", { class: "problem", role: "alert", text: error.message }));
});
