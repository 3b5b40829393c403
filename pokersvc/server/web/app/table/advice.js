/** The server's advice: a table of every discard, the best first. */

/** A card as people write it: 10D. */
const CARD = /\b(10|[2-9TJQKA])([CDHS])\b/gi;

/**
 * @param {string} row
 * @returns {string[]}
 */
function named(row) {
  return [...row.matchAll(CARD)].map(
    ([, face = "", suit = ""]) => (face === "10" ? "T" : face.toUpperCase()) + suit.toLowerCase(),
  );
}

/**
 * Read the table: its heading, then a row for each discard.
 * @param {string[]} lines
 * @param {any} view
 * @param {number | null} me
 * @returns {Advice}
 */
export function readAdvice(lines, view, me) {
  const [heading = "", best] = lines;
  if (best === undefined || !heading.startsWith("discard") || me === null) {
    return { best: null, text: lines.length ? lines : ["There is no advice for this choice."] };
  }
  const hand = view.seats[me - 1].cards;
  const cards = named(best).filter((card) => hand.includes(card));
  return { best: { cards, type: "Discard" }, text: lines, worth: worthOf(heading, best) };
}

/**
 * Return the value of the best discard: wins 69.32 %, or a value of the house.
 * @param {string} heading
 * @param {string} row
 */
function worthOf(heading, row) {
  const [, aim] = heading.split(/\s+/);
  const value = row.split(/\s+/).find((word) => /^[0-9]+(\.[0-9]+)?(±.*)?$/.test(word)) ?? "";
  return aim === "win" ? `wins ${value} %` : `${aim} ${value}`;
}
