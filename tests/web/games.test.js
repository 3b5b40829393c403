/** What a server cannot do even if it makes every hash anew: each lie is told in a real game. */

import assert from "node:assert/strict";
import test from "node:test";
import { FRESH_DECK } from "../../pokersvc/server/web/verify/cards.js";
import { canonical } from "../../pokersvc/server/web/verify/form.js";
import { Situation } from "../../pokersvc/server/web/verify/games/draw_poker/situation.js";
import { cardDigest } from "../../pokersvc/server/web/verify/games/streets/commitments.js";
import { digestOf, find, rechain, say } from "./forge.js";
import { VECTORS, vector, verified } from "./vectors.js";

/** @typedef {import("./vectors.js").Vector} Vector */

/** How many decks can be compared with cards that were seen, wholly and in part. @type {Record<string, number[]>} */
const DECKS = {
  draw: [4, 0],
  "draw-forked": [1, 0],
  "draw-watched": [2, 0], // in one round nobody showed a card
  "draw-ten": [2, 0], // in the second round nobody showed one; the first had a second deck, of discards
  "draw-straddled": [4, 0],
  "draw-forgone": [4, 0],
  market: [1, 0],
  "market-forgone": [3, 0],
  kalah: [0, 0],
  "draw-cash": [8, 0],
  "draw-newcomers": [5, 0],
  "draw-shown": [2, 0],
  "draw-together": [6, 0],
  "market-together": [6, 0],
};

for (const game of VECTORS) {
  test(`${game.name}: every event is good, and every card is one of the decks that were shuffled`, () => {
    const verifier = verified(game);
    const { state: before, problem, checked: events } = verifier.verdict;
    assert.deepEqual([before, problem, events.events], ["good", null, game.records.length]);
    assert.deepEqual([verifier.head, verifier.spoken], [game.head, game.spoken], "as in Python");
    verifier.openSeeds(game.opened);
    const { state, checked, unseen } = verifier.openSeeds(game.opened); // once more, as after a reconnect
    assert.equal(state, "good");
    assert.ok(checked.results > 0);
    assert.deepEqual(
      [game.name, checked.decks, checked.decksInPart],
      [game.name, ...(DECKS[game.name.replace("-before", "")] ?? [])],
    );
    assert.ok(checked.cards > 0 || checked.decks === 0);
    assert.doesNotMatch(unseen.join("\n"), /does not know/);
  });
}

for (const game of VECTORS) {
  test(`${game.name}: nothing is said to be checked before it was`, () => {
    const verifier = verified({ ...game, records: game.records.slice(0, 1) });
    assert.deepEqual(verifier.verdict.checks, ["The hashes and the order of 1 event, from the first of this game."]);
  });
}

/** @param {{ reason: string }} end */
function other(end) {
  end.reason = end.reason === "rounds" ? "last_player" : "rounds";
}

/** @param {{ reproducible: boolean, seats: { kind: string }[] }} start */
function timed(start) {
  start.reproducible = true;
  for (const seat of start.seats) seat.kind = "smart/2.5s";
}

/** @param {Vector} told */
function bots(told) {
  say(told, "GameStarted", ({ seats }) => {
    for (const seat of seats) seat.kind = "random";
  });
}

/** @type {[string, string, string, (told: Vector) => void][]} Lies that show while the game is on. */
const LIES = [
  ["draw", "an ante is another", "chips", (told) => say(told, "AntePosted", (ante) => (ante.amount += 1))],
  ["draw", "a bet is more than there is", "chips", (told) => say(told, "Bet", (bet) => (bet.amount = 5000))],
  ["draw", "a bet is no number", "not_a_record", (told) => say(told, "Bet", (bet) => (bet.amount = "92"))],
  ["draw", "a call is less than the bet", "chips", (told) => say(told, "Called", (call) => (call.amount -= 1))],
  ["draw", "another seat bets", "move", (told) => say(told, "Bet", (bet) => (bet.seat = 2))],
  ["draw", "a bet is left out", "move", (told) => drop(told, "Bet")],
  ["draw", "a field has no name", "not_a_record", (told) => say(told, "DeckShuffled", (deck) => (deck[""] = 1))],
  ["draw", "the game ends for another reason", "move", (told) => say(told, "GameEnded", (end) => other(end))],
  [
    "draw",
    "two have one name",
    "move",
    (told) => say(told, "GameStarted", ({ seats }) => (seats[1].name = seats[0].name)),
  ],
  ["draw", "another shuffle is used", "move", (told) => say(told, "GameStarted", (start) => (start.shuffle = 2))],
  ["draw-cash", "a bot buys chips", "move", (told) => bots(told)],
  [
    "kalah",
    "a bot with a time limit is asked again",
    "seeds",
    (told) => say(told, "GameStarted", (start) => timed(start)),
  ],
  ["draw", "the pot goes to the loser", "result", (told) => say(told, "PotAwarded", (pot) => (pot.shares[0].seat = 3))],
  ["draw", "chips vanish in the end", "result", (told) => say(told, "GameEnded", (end) => (end.stacks[0] -= 1))],
  ["draw", "another one wins in the end", "result", (told) => say(told, "GameEnded", (end) => (end.winners = [1]))],
  ["draw", "a deck has no seed", "not_a_record", (told) => delete find(told, "DeckShuffled").digest],
  [
    "draw",
    "a hand has a card twice",
    "cards",
    (told) => ownHand(told, (cards) => cards.splice(0, 1, ...cards.slice(1, 2))),
  ],
  ["draw", "a shown hand is another", "cards", (told) => swapShown(told)],
  ["draw", "a name is where a hand should be", "not_a_record", (told) => say(told, "HandsOpened", nameForHands)],
  ["draw-watched", "the opener is out", "move", (told) => say(told, "OpenerChosen", (opener) => (opener.seat = 9))],
  ["draw-ten", "a blind is another", "chips", (told) => say(told, "BlindPosted", (blind) => (blind.amount = 2))],
  ["draw-ten", "a raise costs less", "chips", (told) => say(told, "Raised", (raise) => (raise.amount -= 1))],
  ["draw-ten", "fewer cards are shuffled anew", "move", (told) => say(told, "DeckReshuffled", (deck) => deck.count--)],
  ["draw-ten", "the button stands still", "move", (told) => say(told, "RoundStarted", stay, (r) => r.seq > 9)],
  ["draw-straddled", "a straddle is larger", "chips", (told) => say(told, "Posted", (post) => (post.amount += 1))],
  ["draw-straddled", "another seat straddles", "move", (told) => say(told, "Posted", (post) => (post.seat = 2))],
  ["draw-straddled", "nobody straddles", "move", (told) => drop(told, "Posted")],
  ["draw-straddled", "somebody straddles twice", "move", (told) => again(told, "Posted")],
  ["draw-straddled", "a straddle is an extra blind", "move", (told) => say(told, "Posted", (p) => (p.kind = "extra"))],
  ["draw-straddled", "a blind is passed over", "move", (told) => drop(told, "BlindPosted")],
  ["market", "a card is dealt twice", "cards", (told) => say(told, "HandsDealt", dealTwice)],
  ["market", "a card is swapped that is not held", "move", (told) => say(told, "SwapProposed", notHeld)],
  ["market", "another hand is the best", "result", (told) => say(told, "HandsRanked", ({ hands }) => hands.reverse())],
  ["market", "the points are others", "result", (told) => say(told, "GameEnded", (end) => end.scores.reverse())],
  ["draw-forgone", "a seat forgoes twice", "move", (told) => again(told, "RoundForgone")],
  ["draw-forgone", "a seat forgoes that there is not", "move", (told) => say(told, "RoundForgone", forgoNobody)],
  ["draw-forgone", "a seat is asked that forwent", "move", (told) => drop(told, "RoundForgone")],
  ["draw-forgone", "a round is forgone before it is dealt", "move", (told) => early(told, "DeckShuffled")],
  ["market-forgone", "a seat forgoes twice", "move", (told) => again(told, "RoundForgone")],
  ["market-forgone", "a seat forgoes that there is not", "move", (told) => say(told, "RoundForgone", forgoNobody)],
  ["market-forgone", "the turn of one who forwent is skipped", "move", (told) => drop(told, "RoundForgone")],
  ["market-forgone", "a market is forgone before it is dealt", "move", (told) => early(told, "DeckShuffled")],
  ["market-forgone", "one who forwent scores", "result", (told) => say(told, "HandsRanked", scoresToo)],
  [
    "draw-cash",
    "somebody brings other chips",
    "chips",
    (told) => say(told, "SatDown", (one) => (one.amount = 10 ** 6)),
  ],
  ["draw-cash", "a taken seat is taken again", "move", (told) => say(told, "SatDown", (one) => (one.seat = 3))],
  ["draw-newcomers", "a newcomer has no name", "move", (told) => say(told, "SatDown", (one) => (one.name = null))],
  ["draw-newcomers", "a newcomer has another's name", "move", (told) => say(told, "SatDown", (o) => (o.name = "p1"))],
  [
    "draw-newcomers",
    "a newcomer's name is too long",
    "not_a_record",
    (told) => say(told, "SatDown", (o) => (o.name = "C".repeat(21))),
  ],
  ["draw-newcomers", "a newcomer takes a seat", "move", (told) => say(told, "SatDown", (one) => (one.seat = 1))],
  ["draw-cash", "a purchase is above the stack", "chips", (told) => say(told, "ChipsBought", (b) => (b.amount = 2000))],
  ["draw-cash", "an empty seat buys chips", "move", (told) => say(told, "ChipsBought", (one) => (one.seat = 10))],
  ["draw-cash", "chips stay behind", "chips", (told) => say(told, "GotUp", (one) => (one.amount -= 1))],
  ["draw-cash", "nobody sits out who does", "move", (told) => drop(told, "SatOut")],
  ["draw-cash", "a seat sits out twice", "move", (told) => again(told, "SatOut")],
  ["draw-cash", "a seat is back that was not away", "move", (told) => say(told, "SatIn", (one) => (one.seat = 4))],
  ["draw-cash", "a missed blind is forgiven", "move", (told) => drop(told, "Posted")],
  ["draw-cash", "a missed blind costs more", "chips", (told) => say(told, "Posted", (post) => (post.amount += 1))],
  ["draw-cash", "another seat makes up for a blind", "move", (told) => say(told, "Posted", (post) => (post.seat = 4))],
  ["draw-cash", "the house takes more", "chips", (told) => say(told, "RakeTaken", (rake) => (rake.amount += 1))],
  ["draw-cash", "the house takes nothing", "move", (told) => drop(told, "RakeTaken")],
  ["draw-cash", "the house takes of another pot", "move", (told) => say(told, "RakeTaken", (rake) => (rake.pot += 1))],
  [
    "draw-shown",
    "another card is shown than was dealt",
    "cards",
    (told) => say(told, "CardsShown", (one) => (one.cards = [one.cards[0] === "As" ? "Kd" : "As"])),
  ],
  [
    "draw-shown",
    "another salt is opened",
    "cards",
    (told) => say(told, "CardsShown", (o) => (o.salts = ["0".repeat(32)])),
  ],
  ["draw-shown", "salts are missing", "cards", (told) => say(told, "CardsShown", (one) => (one.salts = []))],
  ["draw-shown", "no card is shown", "cards", (told) => say(told, "CardsShown", (one) => (one.cards = one.salts = []))],
  ["draw-shown", "another seat shows the card", "cards", (told) => say(told, "CardsShown", (one) => (one.seat = 3))],
  ["draw-shown", "a seat shows that there is not", "move", (told) => say(told, "CardsShown", (one) => (one.seat = 4))],
  ["draw-shown", "a card is shown twice", "cards", (told) => again(told, "CardsShown")],
  ["draw-shown", "a card is shown before the award", "move", (told) => early(told, "PotAwarded", "CardsShown")],
  ["draw-shown", "a card is shown after the next round began", "move", (told) => late(told)],
  ["draw-shown", "a deal lacks a digest", "cards", (told) => say(told, "HandDealt", (one) => one.digests.pop())],
  ["draw", "a card is shown by a bot", "move", (told) => botShows(told)],
  ["kalah", "a hole has more beans", "move", (told) => say(told, "BeansSown", (sown) => (sown.beans += 1))],
  ["kalah", "the last bean falls elsewhere", "move", (told) => say(told, "BeansSown", (sown) => (sown.last_hole = 6))],
  ["kalah", "nothing is captured", "move", (told) => drop(told, "BeansCaptured")],
  ["kalah", "a pot has more beans", "result", (told) => say(told, "GameEnded", (end) => (end.pots[0] += 1))],
];

for (const [name, lie, code, tell] of LIES) {
  test(`${name}: it is caught that ${lie}`, () => {
    const told = vector(name);
    tell(told);
    const { state, problem } = verified(rechain(told)).verdict;
    assert.deepEqual([state, problem?.code], ["broken", code], problem?.sentence);
  });
}

test("a person's seat without chips is an open one since version 4 of the start", () => {
  const [start] = vector("draw-newcomers").records;
  const payload = JSON.parse(start?.payload ?? "");
  const open = (/** @type {number} */ version) =>
    new Situation(/** @type {any} */ ({ payload, version })).stillOpen.length;
  assert.equal(open(4), 3);
  assert.equal(open(3), 0);
});

test("an honest game that is forged without a lie is good", () => {
  const told = rechain(vector("draw"));
  assert.equal(verified(told).openSeeds(told.opened).state, "good");
});

test("one's own cards that do not come are missed once all events are there", () => {
  const told = vector("draw");
  withholdOwn(told);
  const verifier = verified(told);
  assert.equal(verifier.verdict.state, "good");
  assert.equal(verifier.told(told.records.length, told.head).problem?.code, "own_cards");
});

// By an engine whose deals are the same for people and programs: here a program is made a person.

test("who takes over a seat does not see the hands from before", () => {
  const told = vector("draw-before");
  say(told, "GameStarted", ({ seats }) => (seats[1].kind = "human"));
  withholdOwn(told);
  const at = told.records.findIndex(({ type }) => type === "Bet" || type === "Checked" || type === "Folded");
  const replaced = { ...told.records[at], type: "SeatReplaced", payload: '{"seat":2}', command_id: "replaced" };
  told.records.splice(at, 0, /** @type {any} */ (replaced));
  rechain(told);
  assert.equal(verified(told).told(told.records.length, told.head).state, "good");
});

test("who moves to another device goes on seeing the hands from before", () => {
  const moved = (/** @type {Vector} */ told) => {
    say(told, "GameStarted", ({ seats }) => (seats[1].kind = "human"));
    const at = told.records.findIndex(({ type }) => type === "Bet" || type === "Checked" || type === "Folded");
    const changed = { ...told.records[at], type: "DeviceChanged", payload: '{"seat":2}', command_id: "changed" };
    told.records.splice(at, 0, /** @type {any} */ (changed));
    return rechain(told);
  };
  const honest = moved(vector("draw-before"));
  assert.equal(verified(honest).told(honest.records.length, honest.head).state, "good");
  const told = vector("draw-before");
  withholdOwn(told);
  moved(told);
  assert.equal(verified(told).told(told.records.length, told.head).problem?.code, "own_cards");
});

/** @type {[string, string, string, (told: Vector) => void][]} Lies that only the opened seeds show. */
const UNFAIR = [
  ["draw", "a card was swapped", "deck", (told) => swapCard(told)],
  ["draw", "an opened seed is false", "seeds", ({ opened }) => Object.assign(opened[1] ?? {}, { secret: seed("00") })],
  ["draw", "a salt is false", "seeds", ({ opened }) => Object.assign(opened[1] ?? {}, { salt: "00".repeat(16) })],
  ["draw", "a seed is not opened", "seeds", ({ opened }) => opened.splice(1, 1)],
  ["draw", "a secret is opened that was not there", "seeds", ({ opened }) => opened.push({ ...SECRET, seq: 2 })],
  ["draw", "nothing was opened", "not_a_record", (told) => Object.assign(told, { opened: null })],
  ["draw", "a seed does not follow from the game's text", "seeds", (told) => anotherDeck(told, 1, "11")],
  ["draw-watched", "it was another deck", "deck", (told) => anotherDeck(told, 1, "11")],
  ["draw-watched", "another seat was drawn to open", "deck", (told) => moveOpener(told)],
  ["draw-watched", "a seed was used twice", "seeds", (told) => [1, 2].map((at) => anotherDeck(told, at, "22"))],
  ["draw-ten", "it was another deck", "deck", (told) => anotherDeck(told, 1, "11")],
  ["market", "it was another deck", "deck", (told) => anotherDeck(told, 1, "11")],
];

for (const [name, lie, code, tell] of UNFAIR) {
  test(`${name}: the seeds show that ${lie}`, () => {
    const told = vector(name);
    tell(told);
    const verifier = verified(rechain(told));
    assert.equal(verifier.verdict.problem, null);
    const { state, problem } = verifier.openSeeds(told.opened);
    assert.deepEqual([state, problem?.code], ["broken", code], problem?.sentence);
  });
}

const SECRET = { secret: "{}", salt: "00".repeat(16) };
/** @param {string} byte */
const seed = (byte) => JSON.stringify({ seed: byte.repeat(32) });

/** Another seed is committed to than the one that dealt. @type {(told: Vector, at: number, byte: string) => void} */
function anotherDeck({ records, opened }, at, byte) {
  const one = /** @type {Opened} */ (opened[at]);
  one.secret = seed(byte);
  Object.assign(records[one.seq - 1] ?? {}, { digest: digestOf(one.salt, one.secret) });
}

/** @param {any} payload */
const forgoNobody = (payload) => (payload.seat = 9);
/** @param {any} payload */
const scoresToo = ({ hands }) => hands.push({ cards: ["2c", "3c", "4c", "5c", "7d"], points: 1, seat: 2 });

/** @type {(told: Vector, type: string) => void} */
function again(told, type) {
  const record = find(told, type);
  told.records.splice(told.records.indexOf(record), 0, structuredClone(record));
}

/** What comes first is told before another event. @type {(told: Vector, before: string, type?: string) => void} */
function early(told, before, type = "RoundForgone") {
  const moved = find(told, type);
  told.records.splice(told.records.indexOf(moved), 1);
  told.records.splice(told.records.indexOf(find(told, before)), 0, moved);
}

/** A card of the first round is shown when the next one has begun. @param {Vector} told */
function late(told) {
  const moved = find(told, "CardsShown");
  told.records.splice(told.records.indexOf(moved), 1);
  const begun = told.records.findLastIndex(({ type }) => type === "RoundStarted");
  told.records.splice(begun + 1, 0, moved);
}

/** A bot shows a card after the first round. @param {Vector} told */
function botShows(told) {
  const ended = find(told, "RoundEnded");
  const payload = JSON.stringify({ cards: ["As"], salts: ["0".repeat(32)], seat: 1 });
  told.records.splice(told.records.indexOf(ended) + 1, 0, { ...ended, type: "CardsShown", payload });
}

/** @type {(told: Vector, type: string) => void} */
function drop(told, type) {
  told.records.splice(told.records.indexOf(find(told, type)), 1);
}

/** @type {(told: Vector, change: (cards: string[]) => void) => void} */
function ownHand(told, change) {
  const record = find(told, "HandDealt", ({ secret }) => secret !== undefined);
  const { cards, salts } = JSON.parse(record.secret ?? "");
  change(cards);
  record.secret = JSON.stringify({ cards, salts });
  if (salts === undefined) return; // a deal of an engine before digests of single cards
  const digests = cards.map((/** @type {string} */ card, /** @type {number} */ at) => cardDigest(salts[at], card));
  record.payload = canonical({ ...JSON.parse(record.payload), digests });
}

/** A card that the viewer never sees. @param {Vector} told */
function notIn(told) {
  const all = JSON.stringify(told.records);
  return FRESH_DECK.find((card) => !all.includes(card)) ?? "2c";
}

/** The viewer is dealt another card, and it stays that one. @param {Vector} told */
function swapCard(told) {
  const card = notIn(told);
  ownHand(told, (cards) => {
    cards[0] = card;
  });
  swapShown(told, card);
}

/** In a round that the viewer plays to its showdown, another hand is shown for it. @param {Vector} told */
function swapShown(told, card = notIn(told)) {
  say(told, "HandsRevealed", ({ hands }) => (hands[0].cards[0] = card));
}

/** @param {any} payload */
const nameForHands = (payload) => (payload.hands = "Ann");
/** @param {any} payload */
const stay = (payload) => (payload.button = 1);
/** @param {any} payload */
const dealTwice = ({ hands }) => (hands[0].cards[0] = hands[1].cards[0]);
/** @param {any} payload */
const notHeld = (payload) => ([payload.gives, payload.gets] = [payload.gets, payload.gives]);

/** Another seat that is still in opens, and so bets. @param {Vector} told */
function moveOpener(told) {
  const at = told.records.length;
  const opener = find(told, "OpenerChosen");
  const bettor = JSON.parse(opener.payload).seat;
  told.records.splice(told.records.indexOf(opener) + 1, at);
  opener.payload = JSON.stringify({ ...JSON.parse(opener.payload), seat: (bettor % 4) + 1 });
  told.opened = told.opened.filter(({ seq }) => seq <= told.records.length);
}

/** The viewer's first hand is withheld. @param {Vector} told */
function withholdOwn(told) {
  const record = find(told, "HandDealt", ({ secret }) => secret !== undefined);
  record.digest = digestOf(record.salt ?? "", record.secret ?? "");
  delete record.salt;
  delete record.secret;
  return told.records.indexOf(record);
}
