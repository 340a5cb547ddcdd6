// A hand or a match against the computer. The state is the server's, signed, and kept in the browser.

import { ask } from "./api.js";
import { _, cardName, levels, ngettext, rules } from "./words.js";
import { actionText, cardImage, cardText, deedText, el, moveByArrows, options, say, suitName, suitSign } from "./cards.js";
import { Answer, outcomeText } from "./answer.js";

const KEPT = "santase.game";
const CHOICES = "santase.game-choices";
const HINT_SECONDS = 2;
const ME = 0;

export class Play {
  /** `analyse` takes a position's line, and the game it comes from, to the other half of the page. */
  constructor(element, analyse) {
    this.element = element;
    this.analyseLine = analyse;
    this.board = null;
    this.busy = false;
    this.hint = new Answer((player) => this.nameOf(player));
  }

  nameOf(player) {
    return player === ME ? _("You") : _("Computer");
  }

  async begin() {
    this.build();
    const state = localStorage.getItem(KEPT);
    if (state) {
      try {
        this.take(await ask("game/look", { state }));
      } catch (error) {
        this.complain(error);
        // a state of another server may be of use there again, so it is not thrown away yet
      }
    }
    this.show();
    await this.letComputerPlay();
  }

  build() {
    const kept = readChoices();
    this.choices = {
      rules: el("select", { id: "game-rules" }, options(rules().map((one) => [one.name, one.name]), kept.rules)),
      match: el("select", { id: "game-match" }, options([["match", _("a match")], ["hand", _("one hand")]], kept.match)),
      level: el("select", { id: "game-level" }, options(levels().map((one) => [one.name, one.title]), kept.level)),
      first: el("select", { id: "game-first" }, options([["", _("by lot")], ["0", _("You")], ["1", _("Computer")]], kept.first)),
    };
    const label = (name, text) => el("label", { for: `game-${name}` }, el("span", { text }), this.choices[name]);
    this.startForm = el(
      "form",
      { class: "start", on: { submit: (event) => { event.preventDefault(); this.start(); } } },
      el("h2", { text: _("New game") }),
      el("div", { class: "row" }, label("rules", _("Rules")), label("match", _("Play")), label("level", _("The computer")), label("first", _("Who leads first"))),
      el("div", { class: "row" },
        el("button", { type: "submit", class: "main", id: "game-start", text: _("Start") }),
        (this.backButton = el("button", { type: "button", text: _("Back to the game"), on: { click: () => { this.starting = false; this.show(); } } }))),
    );
    this.problem = el("p", { class: "problem", role: "alert", hidden: true });
    this.table = el("div", { class: "table" });
    this.side = el("div", { class: "side" });
    moveByArrows(this.table, () => [...this.table.querySelectorAll(".own button")]);
    this.element.replaceChildren(
      el("h2", { class: "unseen", text: _("Play") }),
      this.problem,
      this.startForm,
      el("div", { class: "columns game" }, this.table, this.side),
    );
    this.starting = false;
  }

  // ---------------------------------------------------------------- talking to the server

  complain(error) {
    this.problem.textContent = error.message;
    this.problem.hidden = false;
  }

  take(board) {
    this.board = board;
    localStorage.setItem(KEPT, board.state);
    this.problem.hidden = true;
  }

  /** Ask for a step of the game; what went wrong is said, and the game is as it was. */
  async step(path, body = {}) {
    if (this.busy) return false;
    this.busy = true;
    this.element.setAttribute("aria-busy", "true");
    try {
      const state = this.board?.state;
      this.take(await ask(`game/${path}`, state && path !== "new" ? { state, ...body } : body));
      return true;
    } catch (error) {
      this.complain(error);
      return false;
    } finally {
      this.busy = false;
      this.element.removeAttribute("aria-busy");
    }
  }

  async start() {
    const chosen = Object.fromEntries(Object.entries(this.choices).map(([name, select]) => [name, select.value]));
    localStorage.setItem(CHOICES, JSON.stringify(chosen));
    const first = chosen.first === "" ? null : Number(chosen.first);
    if (await this.step("new", { rules: chosen.rules, match: chosen.match === "match", level: chosen.level, first })) {
      this.starting = false;
      this.hint.clear();
      this.show();
      this.focusHand();
      await this.letComputerPlay();
    }
  }

  async letComputerPlay() {
    while (this.board && !this.board.position.over && this.board.position.toMove !== ME) {
      if (this.busy) return;
      this.show(_("The computer is thinking …"));
      if (!(await this.step("answer"))) {
        this.show();
        return;
      }
      this.announce();
    }
    this.show();
  }

  announce() {
    const { history, position } = this.board;
    const trick = history.at(-1);
    const deed = trick?.steps.at(-1);
    const parts = [];
    if (deed) {
      const lead = trick.steps.filter((one) => one.action.length === 2).length < 2;
      parts.push(deedText(deed.player, deed.action, lead, position, (player) => this.nameOf(player)));
    }
    if (trick && trick.taker !== null) parts.push(_("{player}: takes the trick", { player: this.nameOf(trick.taker) }));
    if (position.outcome) parts.push(outcomeText(position.outcome, (player) => this.nameOf(player)));
    say(parts.join(". "));
  }

  async act(action) {
    const { position } = this.board;
    if (position.over || position.toMove !== ME || this.busy) return;
    if (action === "call" && position.callIsWrong && this.confirming !== "call") {
      this.confirming = "call";
      this.show();
      this.element.querySelector("[data-key='call']")?.focus();
      return;
    }
    this.confirming = null;
    if (await this.step("play", { action })) {
      this.hint.clear();
      this.announce();
      this.show();
      await this.letComputerPlay();
    } else {
      this.show();
    }
    this.focusHand();
  }

  async undo() {
    this.confirming = null;
    if (await this.step("undo")) {
      this.hint.clear();
      say(_("Taken back."));
    }
    this.show();
    this.focusHand();
  }

  async nextHand() {
    if (await this.step("next")) {
      this.hint.clear();
      this.show();
      await this.letComputerPlay();
      this.focusHand();
    }
  }

  async download() {
    try {
      const { record } = await ask("game/record", { state: this.board.state });
      const url = URL.createObjectURL(new Blob([record], { type: "text/plain" }));
      el("a", { href: url, download: "santase-record.txt" }).click();
      setTimeout(() => URL.revokeObjectURL(url), 10000);
    } catch (error) {
      this.complain(error);
    }
  }

  giveHint() {
    const { position, match, score, over } = this.board;
    return this.hint.analyse(position, HINT_SECONDS, match && !over ? score : null, null, this.board.state);
  }

  focusHand() {
    if (this.element.hidden) return;
    const wanted = this.table.querySelector(".next-hand, .own button[tabindex='0'], .own button") || this.side.querySelector("button");
    wanted?.focus({ preventScroll: true });
  }

  // ---------------------------------------------------------------- what there is to see

  show(thinking = null) {
    const playing = this.board !== null && !this.starting;
    this.startForm.hidden = playing;
    this.backButton.hidden = this.board === null;
    this.table.hidden = this.side.hidden = !playing;
    if (!playing) return;
    const kept = document.activeElement?.dataset?.key;
    this.table.replaceChildren(...this.tableParts(thinking));
    this.showSide();
    if (kept) this.element.querySelector(`[data-key="${CSS.escape(kept)}"]`)?.focus({ preventScroll: true });
  }

  tableParts(thinking) {
    const { position } = this.board;
    const mine = position.toMove === ME && !position.over;
    const other = 1 - ME;
    return [
      this.player(other),
      el("div", { class: "cards theirs" },
        position.hands[other].map((card) => cardImage(card)),
        Array.from({ length: position.hidden[other] }, () => cardImage(null))),
      el("div", { class: "middle" }, this.talon(), this.trick()),
      el("p", { class: "message" }, thinking || this.message()),
      el("div", { class: "cards own", role: "group", "aria-label": _("Your hand") }, this.ownCards(mine)),
      this.player(ME),
      el("div", { class: "row deeds" }, this.deeds(mine)),
    ];
  }

  player(player) {
    const { position, score, match, dealer, matchTarget } = this.board;
    const tricks = ngettext("{number} trick", "{number} tricks", position.tricks[player]);
    const points = ngettext("{number} point", "{number} points", position.points[player]);
    const pending = position.pending[player] ? ", " + _("pending: {number}", { number: position.pending[player] }) : "";
    return el(
      "div",
      { class: `player ${position.toMove === player && !position.over ? "to-move" : ""}` },
      el("b", { text: this.nameOf(player) }),
      dealer === player ? el("span", { class: "soft", text: _("dealer") }) : null,
      el("span", { text: `${points}${pending} · ${tricks}` }),
      match ? el("span", { class: "score", text: _("match: {points} of {target}", { points: score[player], target: matchTarget }) }) : null,
    );
  }

  talon() {
    const { position } = this.board;
    const closed = position.closer !== null;
    const text = closed
      ? _("closed: {player}", { player: this.nameOf(position.closer) })
      : position.facedown
        ? ngettext("{number} card face down", "{number} cards face down", position.facedown)
        : _("talon exhausted");
    return el(
      "div",
      { class: `talon ${closed ? "closed" : ""}` },
      el("div", { class: "pile" },
        position.facedown && !closed && position.turned ? cardImage(position.turned, { class: "turned" }) : null,
        position.facedown ? cardImage(null, { alt: "", class: "pile-back" }) : null),
      el("p", { class: "soft" }, el("span", { text: _("trump") }), " ", el("span", { class: `trump suit-${position.trump}`, text: suitSign(position.trump), role: "img", "aria-label": suitName(position.trump) }), el("br"), text),
    );
  }

  /** The trick on the table, or the last one until the next is led. */
  trick() {
    const { history, position } = this.board;
    const last = history.at(-1);
    const plays = last ? last.steps.filter((step) => step.action.length === 2) : [];
    const done = last && last.taker !== null;
    const shown = [1 - ME, ME].map((player) => {
      const step = plays.find((one) => one.player === player);
      return el(
        "figure",
        { class: `${done ? "done" : ""} ${done && last.taker === player ? "taken" : ""}` },
        step ? cardImage(step.action) : el("div", { class: "no-card" }),
        el("figcaption", { class: "soft", text: this.nameOf(player) }),
      );
    });
    const declared = last?.steps.filter((step) => step.action.length > 2 && !done) || [];
    return el(
      "div",
      { class: "trick" },
      shown,
      declared.length
        ? el("p", { class: "declared", text: declared.map((step) => `${this.nameOf(step.player)}: ${deedName(step.action, position)}`).join(" · ") })
        : null,
    );
  }

  message() {
    const { position, history } = this.board;
    if (position.outcome) return outcomeText(position.outcome, (player) => this.nameOf(player));
    const last = history.at(-1);
    const taken = last && last.taker !== null ? _("{player}: takes the trick", { player: this.nameOf(last.taker) }) + ". " : "";
    if (position.toMove !== ME) return taken;
    if (position.led) return _("Reply to {card}.", { card: cardName(position.led) });
    return taken + _("You lead.");
  }

  ownCards(mine) {
    const { position } = this.board;
    const cards = [...position.hands[ME]].sort(bySuit(position.trump));
    return cards.map((card, index) => {
      const legal = mine && position.legal.includes(card);
      return el(
        "button",
        {
          type: "button", class: "card", "data-key": card, tabindex: index === 0 ? 0 : -1,
          "aria-disabled": legal ? null : "true", "aria-label": cardName(card), on: { click: () => this.act(card) },
        },
        cardImage(card, { alt: "" }),
      );
    });
  }

  deeds(mine) {
    const { board } = this;
    const { position } = board;
    const found = [];
    const button = (key, text, act, kind = null) => found.push(el("button", { type: "button", "data-key": key, class: kind, text, on: { click: act } }));
    if (position.over) {
      if (board.over) {
        found.push(el("p", { class: "verdict", text: this.gameOverText() }));
        button("new", _("New game"), () => { this.starting = true; this.show(); this.startForm.querySelector("#game-start").focus(); }, "main next-hand");
      } else {
        button("next", _("Next hand"), () => this.nextHand(), "main next-hand");
      }
    }
    if (mine) {
      for (const action of position.legal.filter((one) => one.length > 2)) {
        const wrong = action === "call" && position.callIsWrong;
        const text = wrong && this.confirming === "call"
          ? _("Call although you have {points}: the other wins. Really?", { points: position.points[ME] })
          : actionText(action, position);
        button(action, text, () => this.act(action), wrong ? (this.confirming === "call" ? "danger" : "quiet") : "deed");
      }
    }
    return found;
  }

  gameOverText() {
    const { winner, match, score } = this.board;
    if (winner === null) return _("Nobody has won.");
    const values = { score: `${score[ME]}:${score[1 - ME]}` };
    if (!match) return winner === ME ? _("You have won.") : _("The computer has won.");
    return winner === ME ? _("You have won the match {score}.", values) : _("The computer has won the match {score}.", values);
  }

  showSide() {
    const { board } = this;
    const { position } = board;
    const button = (key, text, act, enabled = true) =>
      el("button", { type: "button", "data-key": key, text, disabled: !enabled, on: { click: act } });
    const mine = position.toMove === ME && !position.over;
    this.side.replaceChildren(
      el("div", { class: "row" },
        button("hint", _("Hint"), () => this.giveHint(), mine),
        button("undo", _("Take back"), () => this.undo(), board.canUndo),
        button("analyse", _("Analyse this"), () => this.analyseLine(position.line, board.state)),
        board.results.length ? button("record", _("Save the record"), () => this.download()) : null,
        button("give-up", _("New game"), () => { this.starting = true; this.show(); this.startForm.querySelector("#game-start").focus(); })),
      this.hint.element,
      el("p", { class: "soft", text: this.standText() }),
      this.history(),
    );
  }

  standText() {
    const { hand, match, rules: name, level, undone } = this.board;
    const title = levels().find((one) => one.name === level)?.title || level;
    const parts = [name, title];
    if (match) parts.push(_("hand {number}", { number: hand }));
    if (undone) parts.push(ngettext("taken back once", "taken back {number} times", undone));
    return parts.join(" · ");
  }

  history() {
    const { history, position } = this.board;
    const rows = history.map((trick, index) =>
      el(
        "tr",
        {},
        el("td", { class: "soft", text: `${index + 1}.` }),
        el("td", {}, trick.steps.map((step) => [
          el("span", { class: step.player === ME ? "me" : "soft", text: step.player === trick.leader ? "" : " " }),
          step.action.length === 2 ? cardText(step.action) : el("span", { text: deedName(step.action, position) }), " ",
        ])),
        el("td", { class: "soft", text: trick.taker === null ? this.nameOf(trick.leader) : `${this.nameOf(trick.taker)} ${trick.points[ME]}:${trick.points[1 - ME]}` }),
      ),
    );
    return el(
      "details",
      { class: "history", open: true },
      el("summary", { text: _("Tricks of this hand") }),
      el("table", {}, el("thead", {}, el("tr", {}, el("th", { scope: "col", text: _("Trick") }), el("th", { scope: "col", text: _("Played") }), el("th", { scope: "col", text: _("Taken by, points") }))), el("tbody", {}, rows)),
    );
  }
}

function deedName(action, position) {
  return actionText(action, { ...position, marriages: {} });
}

/** Trumps first, then suit by suit, red and black in turn; strong cards first. */
function bySuit(trump) {
  const order = "SHCD";
  const place = (card) => (card[1] === trump ? -1 : order.indexOf(card[1])) * 10 + "ATKQJ9".indexOf(card[0]);
  return (one, other) => place(one) - place(other);
}

function readChoices() {
  const usual = { rules: "santase", match: "match", level: "medium", first: "" };
  try {
    return { ...usual, ...JSON.parse(localStorage.getItem(CHOICES) || "{}") };
  } catch {
    return usual;
  }
}
