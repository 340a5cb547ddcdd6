// What an analysis or the exact solver has found, as a table and in words.

import { stream, ask } from "./api.js";
import { _, language, ngettext, numberText, percentText, valueText } from "./words.js";
import { actionElement, actionText, el, reasonText, say } from "./cards.js";

/** A panel that asks and shows the answer; `name` says what a player is called. */
export class Answer {
  constructor(name) {
    this.name = name;
    this.element = el("div", { class: "answer" });
    this.running = null;
  }

  /** Stop what runs, and show nothing. */
  clear() {
    this.running?.abort();
    this.running = null;
    this.element.replaceChildren();
  }

  /** Begin to ask: earlier questions are dropped. */
  begin(text) {
    this.clear();
    this.running = new AbortController();
    this.element.replaceChildren(el("p", { class: "soft", text }));
    return this.running.signal;
  }

  fail(error) {
    if (error.name === "AbortError") return;
    this.element.replaceChildren(el("p", { class: "problem", role: "alert", text: error.message }));
  }

  /**
   * Analyse the position, showing each better answer; `choose(action)`, if given, does an action, and
   * `state` is the game that the position comes from, if it comes from one.
   */
  async analyse(position, seconds, match, choose, state = null) {
    const signal = this.begin(_("Thinking …"));
    try {
      let last = null;
      await stream(
        "analyse",
        { line: position.line, seconds, match, state },
        (found) => {
          if (signal.aborted) return;
          last = found;
          this.showAnalysis(found, position, choose);
        },
        signal,
      );
      if (last && !signal.aborted) {
        const best = last.actions[0];
        say(_("Best: {action}, worth {value}.", { action: actionText(last.best, position), value: valueText(best.mean) }));
      }
    } catch (error) {
      this.fail(error);
    }
  }

  showAnalysis(found, position, choose) {
    const matched = found.actions.some((row) => row.match !== null);
    const head = [_("Action"), _("Value"), "±", _("Wins"), ...(matched ? [_("Wins match")] : [])];
    const rows = found.actions.map((row) =>
      el(
        "tr",
        { class: row.action === found.best ? "best" : null },
        el("th", { scope: "row" }, this.actionCell(row.action, position, choose)),
        el("td", { class: signClass(row.mean), text: valueText(row.mean) }),
        el("td", { text: row.stderr === null ? "–" : numberText(row.stderr, 2) }),
        el("td", {}, percentText(row.win), row.win === null ? null : el("meter", { min: 0, max: 1, value: row.win, "aria-hidden": "true" })),
        matched ? el("td", { text: percentText(row.match) }) : null,
      ),
    );
    const best = found.actions[0];
    this.element.replaceChildren(
      el("p", { class: "verdict" }, _("Best:"), " ", actionElement(found.best, position), " ", el("b", { text: valueText(best.mean) })),
      table(head, rows),
      el("p", { class: "closing", text: closingText(found, position) }),
      resultsText(best),
      el("p", { class: "soft", text: workText(found) }),
      el("p", {
        class: "soft",
        text: _("Value: expected game points for the player to move ({player}); ±: standard error; wins: chance to win the hand.", {
          player: this.name(found.player),
        }),
      }),
    );
  }

  /** The exact values of a position in which all cards are known. */
  async solve(position, choose) {
    const signal = this.begin(_("Solving …"));
    try {
      const found = await ask("solve", { line: position.line }, signal);
      if (!signal.aborted) this.showSolution(found, position, choose);
    } catch (error) {
      this.fail(error);
    }
  }

  showSolution(found, position, choose) {
    if (found.value === null) {
      this.element.replaceChildren(el("p", { class: "problem", text: _("The exact value was not found in time.") }));
      return;
    }
    const rows = found.actions.map((row) =>
      el(
        "tr",
        { class: row.action === found.best ? "best" : null },
        el("th", { scope: "row" }, this.actionCell(row.action, position, choose)),
        el("td", { class: signClass(row.value), text: valueText(row.value, 0) }),
      ),
    );
    const line = el("ol", { class: "line" });
    let trick = null;
    for (const step of found.line) {
      if (step.lead && (trick === null || trick.done)) {
        trick = { item: el("li", {}, el("span", { class: "soft", text: `${this.name(step.player)}: ` })), done: false };
        line.append(trick.item);
      }
      trick ??= { item: line.appendChild(el("li")), done: false };
      trick.item.append(actionElement(step.action, position), " ");
      trick.done = !step.lead;
    }
    const value = valueText(found.value, 0);
    this.element.replaceChildren(
      el("p", { class: "verdict" }, _("Exact value:"), " ", el("b", { text: value })),
      table([_("Action"), _("Value")], rows),
      el("p", { text: _("Best play of both, who see all cards:") }),
      line,
      found.outcome ? el("p", { text: outcomeText(found.outcome, this.name) }) : "",
      el("p", { class: "soft", text: _("Value: game points for the player to move when both see all cards and play their best.") }),
    );
    say(_("Exact value: {value}", { value }));
  }

  actionCell(action, position, choose) {
    if (!choose) return actionElement(action, position);
    const label = _("Do it: {action}", { action: actionText(action, position) });
    return el("button", { type: "button", class: "plain", title: label, "aria-label": label, on: { click: () => choose(action) } }, actionElement(action, position));
  }
}

function table(head, rows) {
  return el(
    "div",
    { class: "scroll" },
    el("table", {}, el("thead", {}, el("tr", {}, head.map((text) => el("th", { scope: "col", text })))), el("tbody", {}, rows)),
  );
}

const signClass = (value) => (value > 0 ? "good" : value < 0 ? "bad" : null);

/** How the hand came out for the best action, as often as it did. */
function resultsText(best) {
  const results = Object.entries(best.distribution).sort((one, other) => other[0] - one[0]);
  if (results.length < 2) return null;
  const text = results.map(([points, share]) => `${valueText(Number(points), 0)}: ${percentText(share)}`).join(" · ");
  return el("p", { class: "soft", text: _("Results of the best action: {results}", { results: text }) });
}

function workText(found) {
  if (found.exact) return _("Exact: nothing that matters is hidden.");
  if (!found.worlds) return _("By the learned policy alone, without looking ahead.");
  const worlds = ngettext("{count} world tried", "{count} worlds tried", found.worlds, { count: found.worlds.toLocaleString(language()) });
  return found.final ? worlds : `${worlds} …`;
}

/** Whether to close, with the numbers that say so. */
function closingText(found, position) {
  if (position.led) return "";
  if (!found.closing.legal) return _("Closing is not possible. {reason}", { reason: found.closing.reason });
  const close = found.actions.find((row) => row.action === "close");
  const others = found.actions.filter((row) => row.action !== "close" && row.mean !== null);
  if (!close || close.mean === null || !others.length) return "";
  // the next in the table above; with a large error it is too close to tell apart
  const other = others.find((row) => row.action === found.best) || others[0];
  const numbers = {
    close: valueText(close.mean),
    other: valueText(other.mean),
    action: actionText(other.action, position),
  };
  if (close.match !== null) {
    numbers.close = percentText(close.match);
    numbers.other = percentText(other.match);
    return found.best === "close"
      ? _("Close: that wins the match with {close}, {action} with {other}.", numbers)
      : _("Do not close: that wins the match with {close}, {action} with {other}.", numbers);
  }
  const gain = close.mean - other.mean;
  if (Math.abs(gain) < 2 * Math.hypot(close.stderr ?? Infinity, other.stderr ?? Infinity)) {
    return _("Closing ({close}) and {action} ({other}) are too close to tell apart.", numbers);
  }
  return gain > 0
    ? _("Close: that is worth {close}, {action} {other}.", numbers)
    : _("Do not close: that is worth {close}, {action} {other}.", numbers);
}

/** How a hand ended, in words. */
export function outcomeText(outcome, name) {
  if (outcome.winner === null) return _("The hand is void, nobody scores.");
  const values = { player: name(outcome.winner), reason: reasonText(outcome) };
  return ngettext(
    "{player}: {number} game point, {reason}.",
    "{player}: {number} game points, {reason}.",
    outcome.game_points,
    values,
  );
}

