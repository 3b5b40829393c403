/** What the verifier says: a value to be shown, with what was checked and what cannot be seen. */

/** @typedef {import("./problem.js").Code} Code */
/** @typedef {import("./problem.js").Problem} Problem */
/** @typedef {import("./games/rulebook.js").Rulebook} Rulebook */

/**
 * How much was checked.
 * @typedef {object} Checked
 * @property {number} events whose hashes and order are right
 * @property {number} secrets that came open and are those that were committed to
 * @property {number} withheld secrets of which only the digest is here
 * @property {number} hands that were dealt, and are compared with what is shown of them
 * @property {number} cards that were compared with a deck that was dealt again
 * @property {number} chips how often chips moved, and the stacks and the pot were counted
 * @property {number} moves that the rules allow
 * @property {number} results awards, rankings and ends that follow from what was seen
 * @property {number} decks that were dealt again from their seeds, and cards compared
 * @property {number} decksInPart decks whose cards after a reshuffle could not all be followed
 */

/** @returns {Checked} */
export const nothingChecked = () => ({
  events: 0,
  secrets: 0,
  withheld: 0,
  hands: 0,
  cards: 0,
  chips: 0,
  moves: 0,
  results: 0,
  decks: 0,
  decksInPart: 0,
});

const numbers = new Intl.NumberFormat("en");

/**
 * Return a number with the noun it counts.
 * @param {number} count
 * @param {string} noun
 */
export const counted = (count, noun) => `${numbers.format(count)} ${noun}${count === 1 ? "" : "s"}`;

/**
 * Return a list of cards or seats as a sentence has it.
 * @param {readonly unknown[]} items
 */
export const listed = (items) => (items.length === 0 ? "none" : items.join(" "));

/**
 * What a verdict is made of.
 * @typedef {object} Facts
 * @property {Checked} checked
 * @property {Problem | null} problem
 * @property {number} seenBefore how many events this device had seen of the game
 * @property {number} unread events of types that are not known here
 * @property {boolean} keeps whether this device keeps heads
 * @property {boolean} opened whether the seeds were opened
 * @property {boolean | null} opensSeeds whether the table opens them; null where it did not say
 * @property {Rulebook | null} rulebook
 */

/** The verdict on the events so far: a value, whose sentences are written when they are asked for. */
export class Verdict {
  #facts;

  /** @param {Facts} facts */
  constructor(facts) {
    const { problem, checked } = facts;
    this.#facts = facts;
    /** How much was checked. */
    this.checked = Object.freeze(checked);
    /** What is wrong, if the state is broken. */
    this.problem = problem && Object.freeze({ code: problem.code, seq: problem.seq, sentence: problem.message });
    Object.freeze(this);
  }

  /** @returns {"good" | "broken" | "unknown"} */
  get state() {
    if (this.problem !== null) return "broken";
    return this.checked.events === 0 || this.checked.events < this.#facts.seenBefore ? "unknown" : "good";
  }

  /** The verdict in one sentence. */
  get sentence() {
    const { checked, problem } = this;
    const { seenBefore, opened } = this.#facts;
    if (problem !== null) return problem.sentence;
    if (checked.events === 0) return "Nothing has been checked yet.";
    const events = counted(checked.events, "event");
    if (checked.events < seenBefore)
      return `${events} checked; this device has seen ${seenBefore} of this game before.`;
    const dealt = opened && checked.decks > 0 ? ", and the decks were dealt again from their seeds" : "";
    return `${events} checked: nothing was changed, left out or moved${dealt}.`;
  }

  /** What was checked, a sentence each. */
  get checks() {
    const { events, secrets } = this.checked;
    const { seenBefore, rulebook } = this.#facts;
    if (events === 0) return [];
    const checks = [`The hashes and the order of ${counted(events, "event")}, from the first of this game.`];
    if (secrets > 0) checks.push(`${counted(secrets, "secret")} shown to you: what was committed to before.`);
    if (seenBefore > 0 && events >= seenBefore) {
      checks.push(`The same story as this device saw before, up to event ${seenBefore}.`);
    }
    return [...checks, ...(rulebook?.checks(this.checked) ?? [])];
  }

  /** What it cannot see, a sentence each. */
  get unseen() {
    const { keeps, rulebook, unread } = this.#facts;
    const unseen = [
      "Whoever serves this page could serve a false one: save the game's file and run `pokersvc verify` on it.",
      "Whether other players receive the same events, or the newest are kept back: compare the short form with them.",
    ];
    if (!keeps) unseen.push("This browser keeps nothing, so it does not notice when another story comes later.");
    if (this.checked.events > 0 && rulebook === null) unseen.push("This page does not know the rules of this game.");
    if (unread > 0) unseen.push(`${counted(unread, "event")} of types that this page does not know.`);
    if (rulebook?.hasDecks) unseen.push(...this.#ofDecks());
    return [...unseen, ...(rulebook?.unseen() ?? [])];
  }

  #ofDecks() {
    const { opened, opensSeeds } = this.#facts;
    const tried = "Whether the dealer tried several seeds before the first event was shown.";
    if (opened) return [tried];
    const dealt = "Whether the cards came from the decks that were shuffled";
    return [
      opensSeeds === false ? `${dealt}: this table keeps its seeds closed.` : `${dealt}, until the seeds are opened.`,
      tried,
    ];
  }
}
