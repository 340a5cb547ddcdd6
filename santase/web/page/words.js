// The texts of the page, in the language that was chosen. They are marked with _ and ngettext as in
// the Python sources, stand in the same catalogue, and come from the server.

let words = null;

const KEPT = "santase.language";

/** Fetch the texts of the language chosen before, else of the one the server speaks. */
export async function loadWords() {
  const served = document.documentElement.lang || "en";
  for (const code of [localStorage.getItem(KEPT), served, "en"]) {
    if (!code || !/^[a-z]{2,3}$/.test(code)) continue;
    const answer = await fetch(`/words/${code}.json`);
    if (!answer.ok) continue;
    words = await answer.json();
    document.documentElement.lang = words.language;
    return;
  }
  throw new Error("no texts");
}

/** Speak another language from now on. */
export function chooseLanguage(code) {
  localStorage.setItem(KEPT, code);
  location.reload();
}

function filled(text, values) {
  return values ? text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole)) : text;
}

/** The text in the language chosen, with its placeholders filled. */
export function _(text, values) {
  return filled(words.texts[text] || text, values);
}

/** The text for that many. */
export function ngettext(one, many, number, values) {
  const [single, plural] = words.plurals[one] || [one, many];
  return filled(number === 1 ? single : plural, { number, ...values });
}

export const language = () => words.language;
export const languages = () => words.languages;
export const rules = () => words.rules;
export const levels = () => words.levels;
export const version = () => words.version;
export const cardName = (card) => words.cards[card] || card;

/** A number with so many digits after its decimal sign, as the language writes them. */
export function numberText(value, digits) {
  return value.toLocaleString(language(), { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** A number of game points with its sign, a real minus included. */
export function valueText(value, digits = 2) {
  if (value === null || value === undefined) return "–";
  const text = numberText(Math.abs(value), digits);
  return Number(Math.abs(value).toFixed(digits)) === 0 ? text : (value > 0 ? "+" : "−") + text;
}

/** A chance in per cent. */
export function percentText(share) {
  return share === null || share === undefined ? "–" : `${Math.round(100 * share)} %`;
}
