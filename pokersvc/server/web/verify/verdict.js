/** The verdict of the verifier: a value to show, with what was checked and what cannot be seen. */

import { amount } from "./amounts.js";

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
  showed: 0,
});

/**
 * @param {number} count
 * @param {string} noun
 */
export const counted = (count, noun) => `${amount(count)} ${noun}${count === 1 ? "" : "s"}`;

/** @param {ReadonlyMap<number, number[]>} rounds by seat */
const sum = (rounds) => [...rounds.values()].reduce((all, some) => all + some.length, 0);

/**
 * Return rounds as part of a sentence: "rounds 1–4, 6".
 * @param {readonly number[]} rounds in ascending order
 */
export function spans(rounds) {
  /** @type {[number, number][]} */
  const found = [];
  for (const round of rounds) {
    const last = found.at(-1);
    if (last !== undefined && last[1] === round - 1) last[1] = round;
    else found.push([round, round]);
  }
  const said = found.map(([first, last]) => (first === last ? `${first}` : `${first} to ${last}`));
  return `${rounds.length === 1 ? "round" : "rounds"} ${said.join(", ")}`;
}

/**
 * Say who gave shares for which rounds, and which shares were missed.
 * @param {Together} together
 */
export function whoTookPart({ names: now, former, part, missed, replaced, unplayed }) {
  const names = now.map((name, seat) => [...(former.get(seat) ?? []), name].join(", then "));
  const said = [...part].sort(([a], [b]) => a - b).map(([seat, rounds]) => `${names[seat]} in ${spans(rounds)}`);
  const parts = [said.length > 0 ? `shuffled together by ${said.join("; ")}` : "no round was shuffled together"];
  const without = [...missed].sort(([a], [b]) => a - b).map(([seat, rounds]) => `${names[seat]}'s in ${spans(rounds)}`);
  parts.push(without.length > 0 ? `missed: ${without.join("; ")}` : "no share was missed");
  for (const [seat, times] of replaced) parts.push(`${names[seat]}'s key was replaced ${counted(times, "time")}`);
  if (unplayed.length > 0) parts.push(`${spans(unplayed)} not played, as no share came`);
  return parts.join("; ");
}

/** @type {(bySeed: number, rounds: number) => string} */
const roundsChecked = (bySeed, rounds) =>
  `${counted(bySeed, "round")} ${bySeed === 1 ? "was" : "were"} checked by seed and commitment, ` +
  `0 only by what was shown, and ${amount(rounds - bySeed)} not at all.`;

/** The verdict on the events so far: a value, whose sentences are written on demand. */
export class Verdict {
  #facts;

  /** @param {Facts} facts */
  constructor(facts) {
    const { problem, checked } = facts;
    this.#facts = facts;
    this.checked = Object.freeze(checked);
    this.problem = problem && Object.freeze({ code: problem.code, seq: problem.seq, sentence: problem.message });
    Object.freeze(this);
  }

  /** @returns {"good" | "broken" | "unknown"} */
  get state() {
    if (this.problem !== null) return "broken";
    return this.checked.events === 0 || this.checked.events < this.#facts.seenBefore ? "unknown" : "good";
  }

  get sentence() {
    const { checked, problem } = this;
    const { seenBefore, opened } = this.#facts;
    if (problem !== null) return problem.sentence;
    if (checked.events === 0) return "Nothing has been checked yet.";
    const events = counted(checked.events, "event");
    if (checked.events < seenBefore)
      return `${events} checked; this device has seen ${seenBefore} of this game before.`;
    const dealt = opened && checked.decks > 0 ? ", and the decks were dealt again from their seeds" : "";
    return `${events} checked: nothing was changed, left out or moved${dealt}.${this.#shuffles}`;
  }

  /** The words about a common shuffle; none if the dealer shuffles alone. */
  get #shuffles() {
    const { together, opened, opensSeeds } = this.#facts;
    if (together === null || together.round === 0) return "";
    const rounds = roundsChecked(opened ? together.checked : 0, together.shuffles);
    const said = `${whoTookPart(together)}. ${rounds}`;
    if (opened) return ` The decks follow from the shares: ${said}`;
    const when = opensSeeds === false ? "; only an auditor can check" : ", not yet checkable";
    return ` The decks are bound${when}: ${said}`;
  }

  get checks() {
    const { events, secrets } = this.checked;
    const { seenBefore, rulebook, together, opened } = this.#facts;
    if (events === 0) return [];
    const checks = [`The hashes and the order of ${counted(events, "event")}, from the first of this game.`];
    if (secrets > 0) checks.push(`${counted(secrets, "secret")} shown to you: what was committed to before.`);
    if (seenBefore > 0 && events >= seenBefore) {
      checks.push(`The same story as this device saw before, up to event ${seenBefore}.`);
    }
    if (together !== null && together.bindings.size > 0) {
      checks.push(`${counted(sum(together.part), "share")} of the shuffle: of its chain, signed, and before the deck.`);
      if (opened)
        checks.push(`The seeds of ${counted(together.checked, "round")}, from the shares and the dealer's part.`);
    }
    return [...checks, ...(rulebook?.checks(this.checked) ?? [])];
  }

  get unseen() {
    const { keeps, rulebook } = this.#facts;
    const unseen = [
      "Whoever serves this page could serve a false one: save the game's file and run `pokersvc verify` on it.",
      "Whether other players receive the same events, or the newest are kept back: compare the short form with them.",
    ];
    if (!keeps) unseen.push("This browser keeps nothing, so it does not notice when another story comes later.");
    if (this.checked.events > 0 && rulebook === null) unseen.push("This page does not know the rules of this game.");
    if (rulebook?.hasDecks) unseen.push(...this.#ofDecks());
    return [...unseen, ...(rulebook?.unseen() ?? [])];
  }

  #ofDecks() {
    const { opened, opensSeeds, together } = this.#facts;
    const tried =
      together === null
        ? "Whether the dealer tried several seeds before the first event was shown."
        : "Whether a share that was missed had been sent: a round without your share promises you nothing.";
    if (opened) return [tried];
    const dealt = "Whether the cards came from the decks that were shuffled";
    return [
      opensSeeds === false ? `${dealt}: this table keeps its seeds closed.` : `${dealt}, until the seeds are opened.`,
      tried,
    ];
  }
}
