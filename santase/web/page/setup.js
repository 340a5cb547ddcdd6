// Setting a position up: cards are clicked to their places, the server checks as one goes.

import { ask } from "./api.js";
import { _, cardName, ngettext, rules } from "./words.js";
import { RANKS, SUITS, el, moveByArrows, options, rankText, say, suitSign } from "./cards.js";
import { Answer } from "./answer.js";

const KEPT = "santase.draft";
const PLACES = ["mine", "other", "turned", "led", "won", "lost", "gone", "talon"];
const PAUSE = 150; // milliseconds after a change before it is checked

// where an error of a field of the notation is shown
const FIELDS = {
  rules: "rules", talon: "talon", turned: "turned", played: "played", turn: "turn", points: "points",
  tricks: "tricks", pending: "pending", closed: "closed", known: "known",
};

const empty = () => ({
  rules: "santase", me: 0, places: {}, talon: [], trump: null, leader: 0, declared: null, marriages: [0, 0],
  closer: null, closing: null, hidden: null, facedown: null, tricks: null, points: null, pending: null, known: null,
});

export class Setup {
  constructor(element) {
    this.element = element;
    this.draft = empty();
    this.active = "mine";
    this.position = null;
    this.answer = new Answer((player) => this.nameOf(player));
    this.fields = {};
  }

  nameOf(player) {
    return player === this.draft.me ? _("You") : _("The other");
  }

  async begin() {
    try {
      this.draft = { ...empty(), ...JSON.parse(localStorage.getItem(KEPT) || "{}") };
    } catch {
      this.draft = empty();
    }
    this.build();
    this.show();
    await this.check();
  }

  // ---------------------------------------------------------------- what there is to see

  build() {
    const names = {
      mine: _("Your hand"), other: _("The other's hand"), turned: _("Turned card"), led: _("Led to the trick"),
      won: _("Tricks you took"), lost: _("Tricks the other took"), gone: _("Played, taker unknown"),
      talon: _("Talon, next card first"),
    };
    this.places = names;
    this.rulesChoice = el("select", { id: "rules", on: { change: (e) => this.set({ rules: e.target.value }) } });
    this.line = el("textarea", { id: "line", rows: 2, spellcheck: "false", autocomplete: "off", autocapitalize: "off" });
    this.line.addEventListener("keydown", (event) => {
      if (event.key === "Enter") {
        event.preventDefault();
        this.read(this.line.value);
      }
    });
    this.placeButtons = el("div", { class: "places", role: "radiogroup", "aria-label": _("Place for the cards you choose") });
    for (const [index, place] of PLACES.entries()) {
      this.placeButtons.append(
        el(
          "button",
          { type: "button", role: "radio", class: `place place-${place}`, "data-place": place, on: { click: () => this.choosePlace(place) } },
          el("kbd", { text: String(index + 1), "aria-hidden": "true" }),
          el("span", { class: "place-name", text: names[place] }),
          el("span", { class: "place-count" }),
        ),
      );
    }
    moveByArrows(this.placeButtons, () => [...this.placeButtons.children]);
    this.placeButtons.addEventListener("focusin", (event) => {
      if (event.target.dataset.place && event.target.matches(":focus-visible")) this.choosePlace(event.target.dataset.place);
    });
    this.deck = el("div", { class: "deck", role: "group", "aria-label": _("All cards") });
    this.deck.addEventListener("keydown", (event) => {
      const place = PLACES[Number(event.key) - 1];
      if (place && event.target.dataset.card && !event.ctrlKey && !event.altKey && !event.metaKey) {
        event.preventDefault();
        this.choosePlace(place);
        this.put(event.target.dataset.card, place);
      }
    });
    moveByArrows(this.deck, () => [...this.deck.querySelectorAll("button")], () => this.ranks.length);

    this.status = el("p", { id: "status", class: "status" });
    this.buttons = {
      analyse: this.button(_("What should I play?"), () => this.analyse(), "main"),
      solve: this.button(_("Exact values"), () => this.solve()),
    };
    this.seconds = el("select", { id: "seconds" }, options([1, 3, 10, 20].map((number) => [String(number), _("{number} s", { number })]), "1"));
    this.matchMine = this.numberInput("match-mine", _("Your game points"));
    this.matchOther = this.numberInput("match-other", _("The other's game points"));

    const left = el(
      "div",
      { class: "column" },
      this.fieldset("rules", _("Rules"), [
        el("div", { class: "row" }, this.rulesChoice,
          this.button(_("Deal"), () => this.deal(false)),
          this.button(_("Deal open"), () => this.deal(true)),
          this.button(_("Clear"), () => this.replace({ ...empty(), rules: this.draft.rules }))),
      ]),
      this.fieldset("cards", _("Cards: choose a place, then the cards"), [
        this.placeButtons, this.deck,
        this.errorLine("hand-mine"), this.errorLine("hand-other"), this.errorLine("turned"), this.errorLine("talon"), this.errorLine("played"),
        el("p", { class: "soft", text: _("With the keyboard: arrows go from card to card, Enter puts one down or takes it up, 1 to 8 put it to the place of that number.") }),
      ]),
      this.numbers(),
      this.fieldset("line", _("Position as a line"), [
        this.line,
        el("div", { class: "row" },
          this.button(_("Read"), () => this.read(this.line.value)),
          this.button(_("Copy"), () => this.copy())),
      ]),
    );
    const right = el(
      "div",
      { class: "column answers" },
      el("h2", { text: _("Answer") }),
      this.status,
      el("div", { class: "row" }, this.buttons.analyse, el("label", { for: "seconds", text: _("Time") }), this.seconds, this.buttons.solve),
      el("details", {}, el("summary", { text: _("In a match") }),
        el("p", { class: "soft", text: _("With the score of the match, what is best is best for the match.") }),
        el("div", { class: "row" },
          el("label", {}, _("Your game points"), " ", this.matchMine),
          el("label", {}, _("The other's game points"), " ", this.matchOther))),
      this.answer.element,
    );
    this.element.replaceChildren(el("h2", { class: "unseen", text: _("Analyse") }), el("div", { class: "columns" }, left, right));
  }

  button(text, act, kind = null) {
    return el("button", { type: "button", class: kind, text, on: { click: act } });
  }

  fieldset(name, legend, children) {
    return el("fieldset", { "data-field": name }, el("legend", { text: legend }), children, this.errorLine(name));
  }

  errorLine(name) {
    const line = el("p", { class: "problem", id: `problem-${name}`, hidden: true });
    this.fields[name] = { line };
    return line;
  }

  numberInput(id, label, most = 250) {
    return el("input", { id, type: "number", min: 0, max: most, inputmode: "numeric", "aria-label": label, class: "number" });
  }

  /** A pair of numbers, mine and the other's; empty is found by the server. */
  pair(name, legend) {
    const inputs = [0, 1].map((side) => {
      const input = this.numberInput(`${name}-${side}`, legend + ": " + (side ? _("The other") : _("You")));
      input.addEventListener("input", () => this.readPair(name));
      return input;
    });
    this.pairs[name] = inputs;
    return this.fieldset(name, legend, [
      el("div", { class: "row" },
        el("span", { class: "soft", text: _("You") }), inputs[0],
        el("span", { class: "soft", text: _("The other") }), inputs[1]),
      name === "points" ? (this.offers = el("div", { class: "row offers" })) : null,
    ]);
  }

  choice(name, act) {
    return el("select", { id: name, on: { change: (event) => act(event.target.value) } });
  }

  numbers() {
    this.pairs = {};
    const you = [["mine", _("You")], ["other", _("The other")]];
    const suits = SUITS.map((suit) => [suit, suitSign(suit)]);
    this.leader = this.choice("leader", (value) => this.set({ leader: this.seat(value) }));
    this.leader.append(...options(you));
    this.declared = this.choice("declared", (value) => this.set({ declared: value || null }));
    this.declared.append(...options([["", _("none")], ...suits]));
    this.trump = this.choice("trump", (value) => this.set({ trump: value || null }));
    this.trump.append(...options([["", _("as the turned card")], ...suits]));
    this.closer = this.choice("closer", (value) => this.set({ closer: value ? this.seat(value) : null }));
    this.closer.append(...options([["", _("nobody")], ...you]));
    this.me = this.choice("me", (value) => this.turnAround(Number(value)));
    this.me.append(...options([["0", _("player 0")], ["1", _("player 1")]]));
    this.closing = [this.numberInput("closing-0", _("Points of the one who did not close, then")), this.numberInput("closing-1", _("Tricks of the one who did not close, then"))];
    for (const input of this.closing) {
      input.addEventListener("input", () => {
        const values = this.closing.map((one) => one.value.trim());
        this.set({ closing: values.every((value) => value !== "") ? values.map(Number) : null }, false);
      });
    }
    this.closingRow = el("div", { class: "row" },
      el("label", {}, _("Points of the one who did not close, then"), " ", this.closing[0]),
      el("label", {}, _("Tricks of the one who did not close, then"), " ", this.closing[1]));
    this.marriages = [0, 1].map((side) => {
      const select = el("select", { id: `marriages-${side}`, "aria-label": side ? _("Marriages of the other") : _("Your marriages") },
        options([0, 20, 40, 60, 80, 100].map((points) => [String(points), String(points)]), "0"));
      select.addEventListener("change", () => this.set({ marriages: this.bySeat(this.marriages.map((one) => Number(one.value))) }));
      return select;
    });
    this.single = {
      facedown: this.numberInput("facedown", _("Cards face down in the talon"), 11),
      hidden: this.numberInput("hidden", _("Hidden cards of the other"), 12),
    };
    for (const [name, input] of Object.entries(this.single)) {
      input.addEventListener("input", () => this.set({ [name]: numberOf(input) }, false));
    }
    this.known = el("input", { id: "known", class: "wide", spellcheck: "false", autocomplete: "off", autocapitalize: "off",
      on: { input: (event) => this.set({ known: event.target.value.trim() || null }, false) } });
    return el(
      "div",
      { class: "numbers" },
      this.fieldset("turn", _("On lead, or has led"), [
        el("div", { class: "row" }, this.leader, el("label", {}, _("has just declared"), " ", this.declared)),
      ]),
      this.fieldset("marriages", _("Points of marriages declared"), [
        el("div", { class: "row" },
          el("span", { class: "soft", text: _("You") }), this.marriages[0],
          el("span", { class: "soft", text: _("The other") }), this.marriages[1]),
      ]),
      this.pair("points", _("Points, if not as the tricks make them")),
      this.pair("tricks", _("Tricks taken, if not as laid")),
      this.fieldset("closed", _("Talon closed by"), [el("div", { class: "row" }, this.closer), this.closingRow]),
      el("details", { class: "more" }, el("summary", { text: _("More") }),
        this.fieldset("trump", _("Trump suit, once the turned card has been drawn"), [this.trump]),
        this.pair("pending", _("Points pending")),
        this.fieldset("facedown", _("Cards face down in the talon"), [this.single.facedown]),
        this.fieldset("hidden", _("Hidden cards of the other"), [this.single.hidden]),
        this.fieldset("me", _("You are"), [this.me]),
        this.fieldset("known", _("What else is known of the hands"), [
          this.known, el("p", { class: "soft", text: _("As the twelfth field of a position: holds0/lacks0/holds1/lacks1") }),
        ])),
    );
  }

  /** Bring all that is shown up to the draft. */
  show() {
    const { draft } = this;
    const preset = rules().find((one) => one.name === draft.rules);
    this.rulesChoice.replaceChildren(
      ...options([...rules().map((one) => [one.name, one.name]), ...(preset ? [] : [[draft.rules, draft.rules]])], draft.rules),
    );
    const cards = new Set(preset ? preset.cards : rules()[0].cards);
    this.ranks = RANKS.filter((rank) => [...cards].some((card) => card[0] === rank));
    if (this.deck.dataset.ranks !== this.ranks.join("")) this.buildDeck();
    this.showCards();
    this.leader.value = this.side(draft.leader);
    this.declared.value = draft.declared || "";
    this.trump.value = draft.trump || "";
    this.closer.value = draft.closer === null ? "" : this.side(draft.closer);
    this.me.value = String(draft.me);
    this.closingRow.hidden = draft.closer === null || (preset && !preset.keepsClosing);
    for (const side of [0, 1]) {
      this.closing[side].value = draft.closing ? draft.closing[side] : "";
      this.marriages[side].value = String(draft.marriages[this.seat(side)]);
      for (const name of ["points", "tricks", "pending"]) {
        this.pairs[name][side].value = draft[name] ? draft[name][this.seat(side)] : "";
      }
    }
    for (const [name, input] of Object.entries(this.single)) input.value = draft[name] ?? "";
    this.known.value = draft.known || "";
  }

  buildDeck() {
    this.deck.dataset.ranks = this.ranks.join("");
    this.deck.replaceChildren(
      ...SUITS.flatMap((suit) =>
        this.ranks.map((rank) =>
          el(
            "button",
            { type: "button", class: `deck-card suit-${suit}`, "data-card": rank + suit, tabindex: -1, on: { click: () => this.put(rank + suit, this.active) } },
            el("span", { class: "deck-rank", text: rankText(rank) + suitSign(suit) }),
            el("span", { class: "deck-place", "aria-hidden": "true" }),
          ),
        ),
      ),
    );
    this.deck.className = `deck ranks-${this.ranks.length}`;
    this.deck.firstChild.tabIndex = 0;
  }

  showCards() {
    const { places, talon } = this.draft;
    for (const button of this.deck.children) {
      const { card } = button.dataset;
      const place = places[card];
      const short = place ? String(PLACES.indexOf(place) + 1) + (place === "talon" ? `·${talon.indexOf(card) + 1}` : "") : "";
      button.className = `deck-card suit-${card[1]} ${place ? `at-${place}` : ""}`;
      button.lastChild.textContent = short;
      const where = place ? this.places[place] : _("nowhere yet");
      button.setAttribute("aria-label", `${cardName(card)}: ${where}`);
      button.setAttribute("aria-pressed", String(place === this.active));
    }
    for (const button of this.placeButtons.children) {
      const { place } = button.dataset;
      const count = Object.values(places).filter((one) => one === place).length;
      const chosen = place === this.active;
      button.setAttribute("aria-checked", String(chosen));
      button.tabIndex = chosen ? 0 : -1;
      button.lastChild.textContent = String(count);
      const cards = ngettext("{number} card", "{number} cards", count);
      button.setAttribute("aria-label", `${this.places[place]}: ${cards}`);
    }
  }

  // ---------------------------------------------------------------- seats: mine and the other's

  seat(side) {
    return side === "mine" || side === 0 ? this.draft.me : 1 - this.draft.me;
  }

  side(seat) {
    return seat === this.draft.me ? "mine" : "other";
  }

  /** A pair of mine and the other's, by player. */
  bySeat(pair) {
    return this.draft.me === 0 ? pair : [pair[1], pair[0]];
  }

  /** Sit down in the other seat: nothing on the table changes. */
  turnAround(me) {
    if (me === this.draft.me) return;
    const { draft } = this;
    const swapped = { me, leader: 1 - draft.leader, closer: draft.closer === null ? null : 1 - draft.closer };
    for (const name of ["marriages", "points", "tricks", "pending"]) swapped[name] = draft[name] && [draft[name][1], draft[name][0]];
    if (draft.known) {
      const hands = draft.known.split("/");
      if (hands.length === 4) swapped.known = [hands[2], hands[3], hands[0], hands[1]].join("/");
    }
    this.set(swapped);
  }

  // ---------------------------------------------------------------- what one does

  choosePlace(place) {
    this.active = place;
    this.showCards();
  }

  /** Put a card to a place, or take it away from there. */
  put(card, place) {
    const places = { ...this.draft.places };
    let talon = this.draft.talon.filter((one) => one !== card);
    if (places[card] === place) {
      delete places[card];
      say(_("{card}: nowhere yet", { card: cardName(card) }));
    } else {
      if (place === "turned" || place === "led") {
        for (const [one, where] of Object.entries(places)) if (where === place) delete places[one];
      }
      places[card] = place;
      if (place === "talon") talon = [...talon, card];
      say(`${cardName(card)}: ${this.places[place]}`);
    }
    const change = { places, talon };
    if (place === "turned" && places[card]) change.trump = null;
    // what was typed or read goes by the cards that lay there before
    for (const name of ["facedown", "hidden"]) change[name] = null;
    this.set(change);
  }

  readPair(name) {
    const values = this.pairs[name].map(numberOf);
    const typed = values.every((value) => value !== null) ? this.bySeat(values) : null;
    this.set({ [name]: typed }, false);
  }

  set(change, showing = true) {
    Object.assign(this.draft, change);
    this.answer.clear();
    if (showing) this.show();
    this.later();
  }

  replace(draft) {
    this.draft = { ...empty(), ...draft };
    this.answer.clear();
    this.show();
    return this.check();
  }

  later() {
    clearTimeout(this.timer);
    this.position = null;
    this.enable();
    this.timer = setTimeout(() => this.check(), PAUSE);
  }

  async check() {
    clearTimeout(this.timer);
    localStorage.setItem(KEPT, JSON.stringify(this.draft));
    const asked = JSON.stringify(this.draft);
    try {
      const checked = await ask("check", { draft: this.draft });
      if (asked === JSON.stringify(this.draft)) this.showChecked(checked);
    } catch (error) {
      this.showProblem(null, error.message);
    }
  }

  showChecked(checked) {
    this.position = checked.position || null;
    this.showFound(checked);
    if (checked.error && Object.keys(this.draft.places).length === 0 && !this.draft.trump) {
      // nothing has been laid yet, so nothing is wrong
      this.showProblem();
      this.status.replaceChildren(el("span", { class: "soft", text: _("Lay the cards that you see, or have a hand dealt.") }));
    } else if (checked.error) {
      this.showProblem(this.place(checked.error.field), checked.error.message, checked.error.field);
    } else {
      this.showProblem();
      const { position } = checked;
      this.line.value = position.line;
      const text = position.over
        ? _("The hand is over.")
        : _("The position is right. To move: {player}.", { player: this.nameOf(position.toMove) });
      this.status.replaceChildren(el("span", { class: "good", text: `✓ ${text}` }));
      if (!position.over && position.legal === null) {
        this.status.append(" ", el("span", { class: "soft", text: _("Of the other's hidden hand nothing can be asked.") }));
      }
    }
    this.enable();
  }

  /** Where the problem of a field of the notation is shown. */
  place(field) {
    if (field === "hand0" || field === "hand1") return Number(field[4]) === this.draft.me ? "hand-mine" : "hand-other";
    return FIELDS[field] || null;
  }

  showProblem(place = null, message = null, field = null) {
    for (const { line } of Object.values(this.fields)) {
      line.hidden = true;
      line.textContent = "";
    }
    for (const marked of this.element.querySelectorAll("[aria-invalid]")) marked.removeAttribute("aria-invalid");
    if (message === null) return;
    let owner = null;
    if (place && this.fields[place]) {
      const { line } = this.fields[place];
      const hand = place.startsWith("hand-") ? this.places[place.slice(5)] : null;
      owner = hand || this.places[place] || (place === "played" ? _("Cards played") : line.closest("fieldset").firstChild.textContent);
      line.textContent = hand ? `${hand}: ${message}` : message;
      line.hidden = false;
      const details = line.closest("details");
      if (details) details.open = true;
      for (const input of line.parentElement.querySelectorAll("input, select")) {
        input.setAttribute("aria-invalid", "true");
        input.setAttribute("aria-describedby", line.id);
      }
    }
    const text = owner || field ? `${owner || field}: ${message}` : message;
    this.status.replaceChildren(el("span", { class: "bad", text }));
  }

  /** The numbers that the server has found, where none were typed, and marriages to choose from. */
  showFound({ values, offers }) {
    for (const name of ["points", "tricks", "pending"]) {
      for (const side of [0, 1]) this.pairs[name][side].placeholder = values[name] ? values[name][this.seat(side)] : "";
    }
    for (const [name, input] of Object.entries(this.single)) input.placeholder = values[name] ?? "";
    this.offers.replaceChildren(
      ...(offers.length ? [el("span", { class: "soft", text: _("Possible:") })] : []),
      ...offers.map((offer) => {
        const [mine, other] = this.bySeat(offer.points);
        const declared = this.bySeat(offer.marriages);
        const text = _("{mine} to {other} (marriages {declared})", { mine, other, declared: declared.join("/") });
        return this.button(text, () => this.set({ marriages: offer.marriages, points: null, pending: null }));
      }),
    );
  }

  enable() {
    const { position } = this;
    this.buttons.analyse.disabled = !position || position.over || position.legal === null;
    this.buttons.solve.disabled = !position || !position.full || position.over;
  }

  analyse() {
    const mine = numberOf(this.matchMine);
    const other = numberOf(this.matchOther);
    let match = mine === null && other === null ? null : [mine ?? 0, other ?? 0];
    if (match && this.position.toMove !== this.draft.me) match = [match[1], match[0]];
    const { position, source } = this;
    const state = source?.line === position.line ? source.state : null;
    return this.answer.analyse(position, Number(this.seconds.value), match, (action) => this.go(action), state);
  }

  solve() {
    return this.answer.solve(this.position, (action) => this.go(action));
  }

  /** Do an action and go on from there. */
  async go(action) {
    try {
      const { draft } = await ask("after", { line: this.position.line, action });
      await this.replace(draft);
    } catch (error) {
      this.status.replaceChildren(el("span", { class: "bad", text: error.message }));
    }
  }

  /** Take a position from a line; `state` is the game that it comes from, if it comes from one. */
  async read(line, state = null) {
    this.source = { line, state };
    try {
      const { draft } = await ask("read", { line });
      await this.replace(draft);
    } catch (error) {
      this.answer.clear();
      this.showProblem("line", error.message);
      this.line.value = line;
      this.line.setAttribute("aria-invalid", "true");
      this.line.setAttribute("aria-describedby", "problem-line");
    }
  }

  async deal(open) {
    try {
      const { draft } = await ask("deal", { rules: this.draft.rules, open });
      await this.replace(draft);
    } catch (error) {
      this.showProblem("rules", error.message);
    }
  }

  async copy() {
    const line = this.position ? this.position.line : this.line.value;
    try {
      await navigator.clipboard.writeText(line);
      this.status.replaceChildren(el("span", { class: "good", text: _("Copied.") }));
      say(_("Copied."));
    } catch {
      this.line.select(); // to be copied by hand
    }
  }
}

function numberOf(input) {
  const text = input.value.trim();
  return text === "" || !/^\d{1,3}$/.test(text) || Number(text) > 250 ? null : Number(text);
}

