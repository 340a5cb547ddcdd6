// Elements, cards, and what actions are called.

import { _, cardName } from "./words.js";

const SIGNS = { C: "♣", D: "♦", H: "♥", S: "♠" };
export const SUITS = ["S", "H", "D", "C"];
export const RANKS = ["A", "T", "K", "Q", "J", "9"];

/**
 * An element. `settings` are attributes; `on` are its events, `text` its text,
 * and what is null or false is left out. Text never becomes markup.
 */
export function el(name, settings = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(settings)) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "on") for (const [event, act] of Object.entries(value)) made.addEventListener(event, act);
    else if (key === "text") made.textContent = value;
    else if (key === "value") made.value = value;
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

/** Choices for a select: pairs of value and text. */
export function options(pairs, chosen) {
  return pairs.map(([value, text]) => el("option", { value, text, selected: value === chosen }));
}

const SUIT_NAMES = { C: () => _("clubs"), D: () => _("diamonds"), H: () => _("hearts"), S: () => _("spades") };

export const suitName = (suit) => SUIT_NAMES[suit]();
export const suitSign = (suit) => SIGNS[suit];
export const rankText = (rank) => (rank === "T" ? "10" : rank);

/** `KS` as K♠, in the colour of its suit. */
export function cardText(card) {
  return el("span", { class: `card-text suit-${card[1]}`, text: rankText(card[0]) + SIGNS[card[1]] });
}

/** The picture of a card, or of a back for null. */
export function cardImage(card, settings = {}) {
  const alt = card ? cardName(card) : _("hidden card");
  return el("img", { src: `/cards/${card || "back"}.svg`, alt, width: 100, height: 140, draggable: "false", ...settings });
}

/** What an action is called on a button or in a table. */
export function actionText(action, position) {
  if (action.startsWith("marriage-")) {
    const suit = SIGNS[action.at(-1)];
    const points = position.marriages[action];
    return points ? _("Declare {points} in {suit}", { points, suit }) : _("Declare {suit}", { suit });
  }
  if (action === "exchange") return _("Exchange for the turned card");
  if (action === "close") return _("Close the talon");
  if (action === "call") return _("Call {target}", { target: position.target });
  return rankText(action[0]) + SIGNS[action[1]];
}

/** The same, coloured where it is a card. */
export function actionElement(action, position) {
  return action.length === 2 ? cardText(action) : el("span", { text: actionText(action, position) });
}

/** Who did what, as one says it. */
export function deedText(player, action, lead, position, name) {
  const who = name(player);
  if (action.length === 2) {
    return lead
      ? _("{player}: leads {card}", { player: who, card: cardName(action) })
      : _("{player}: plays {card}", { player: who, card: cardName(action) });
  }
  return _("{player}: {action}", { player: who, action: actionText(action, position) });
}

const REASONS = {
  "call": () => _("by a right call"),
  "wrong call": () => _("by the other's wrong call"),
  "closing failed": () => _("because the closing failed"),
  "reached": () => _("by reaching the points"),
  "played out": () => _("with all cards played"),
  "last trick": () => _("by the last trick"),
};

export const reasonText = (outcome) => (REASONS[outcome.reason] ? REASONS[outcome.reason]() : outcome.reason);

/** Say something to those who listen to the page. */
export function say(text) {
  document.getElementById("said").textContent = text;
}

/** Arrow keys move among the elements that `find` gives; rows of `width`, or one row. */
export function moveByArrows(container, find, width = () => 0) {
  container.addEventListener("keydown", (event) => {
    const all = find();
    const at = all.indexOf(document.activeElement);
    if (at < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    const row = width() || all.length;
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -row, ArrowDown: row, Home: -at, End: all.length - 1 - at };
    if (!(event.key in steps)) return;
    const next = all[at + steps[event.key]];
    event.preventDefault();
    if (!next) return;
    for (const one of all) one.tabIndex = one === next ? 0 : -1;
    next.focus();
  });
}
