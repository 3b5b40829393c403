/** Tables that shuffle together: games as Python played them, and every lie about them that `tests.web.shuffled` tells. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { getPublicKey, sign } from "../../pokersvc/server/web/vendor/noble-ed25519/index.js";
import { fromHex, toHex } from "../../pokersvc/server/web/verify/bytes.js";
import { isSigned } from "../../pokersvc/server/web/verify/ed25519.js";
import { boundMessage, linkAfter, openedMessage, roundSeed } from "../../pokersvc/server/web/verify/shares.js";
import { spans } from "../../pokersvc/server/web/verify/verdict.js";
import { digestOf, find, rehash, say } from "./forge.js";
import { vector, verified } from "./vectors.js";

/**
 * @typedef {{ name: string, of: string, code: string, seq: number, records: EventRecord[] }} Lie
 * @typedef {{ name: string, message: string, key: string, signature: string, valid: boolean }} Signed
 */

/** @type {(name: string) => any} */
const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));
/** @type {Lie[]} */
const LIES = read("lies.json");
/** @type {Signed[]} */
const SIGNED = read("signatures.json");

test("the test vectors of docs/shares.md hold", () => {
  const page = readFileSync(new URL("../../docs/shares.md", import.meta.url), "utf8");
  const { start: hex, secret, head, seats, renewal, rounds } = JSON.parse(/```json\n(.*?)```/s.exec(page)?.[1] ?? "");
  const start = fromHex(hex);
  for (const { seat, private_key, key, length, links, bound, opened } of seats) {
    assert.equal(toHex(getPublicKey(fromHex(private_key))), key);
    for (const [at, link] of links.slice(1).entries()) {
      assert.equal(toHex(linkAfter(start, seat, fromHex(links[at]))), link);
    }
    const binding = boundMessage(start, seat, { key, tip: links.at(-1), length });
    assert.equal(toHex(binding), bound.message);
    assert.equal(toHex(sign(binding, fromHex(private_key))), bound.signature);
    const { share, message, signature } = opened;
    assert.equal(toHex(openedMessage(start, seat, { round: rounds[0].round, share, head })), message);
    assert.ok(isSigned(fromHex(message), fromHex(signature), fromHex(key)));
  }
  const renewed = boundMessage(start, renewal.seat, renewal);
  assert.equal(toHex(linkAfter(start, renewal.seat, fromHex(renewal.root), renewal.length)), renewal.tip);
  assert.ok(isSigned(renewed, fromHex(renewal.signature), fromHex(renewal.key)));
  assert.ok(isSigned(renewed, fromHex(renewal.renewal), fromHex(seats[0].key)));
  for (const { round, shares, seed } of rounds) {
    /** @type {[number, string][]} */
    const given = Object.entries(shares).map(([seat, share]) => [Number(seat), share]);
    assert.equal(toHex(roundSeed(fromHex(secret), start, round, given)), seed);
  }
});

for (const { name, message, key, signature, valid } of SIGNED) {
  test(`a signature: ${name}`, () => {
    assert.equal(isSigned(fromHex(message), fromHex(signature), fromHex(key)), valid);
  });
}

/** What a game's own rounds and decks have to do with: the rest is the same in every game, and told in one. */
const OF_THE_GAME = /round|deck/;

for (const { name, of, code, seq, records } of LIES) {
  if (of !== "draw-together" && !OF_THE_GAME.test(name)) continue;
  test(`${of}: it is caught that ${name}`, () => {
    const told = vector(of);
    const first = records[0]?.seq ?? 0;
    const { problem } = verified({ ...told, records: [...told.records.slice(0, first - 1), ...records] }).verdict;
    assert.deepEqual([problem?.code, problem?.seq], [code, seq], problem?.sentence);
  });
}

const PARTS = {
  "draw-together":
    "shuffled together by Ann in rounds 1, 5 to 6; Bob in rounds 1 to 6; Cy in rounds 1 to 3, 5 to 6; " +
    "missed: Ann's in rounds 2, 4; Cy's in round 4; Cy's key was replaced 1 time.",
};

for (const name of ["draw-together", "market-together"]) {
  test(`${name}: the verdict says who took part, and whether it could be checked`, () => {
    const told = vector(name);
    const verifier = verified(told);
    const said = PARTS["draw-together"];
    const none = "0 rounds were checked by seed and commitment, 0 only by what was shown, and 6 not at all.";
    assert.ok(verifier.verdict.sentence.endsWith(`The decks are bound, not yet checkable: ${said} ${none}`));
    const { sentence, checked, checks, problem } = verifier.openSeeds(told.opened);
    assert.equal(problem, null);
    const all = "6 rounds were checked by seed and commitment, 0 only by what was shown, and 0 not at all.";
    assert.ok(sentence.endsWith(`The decks follow from the shares: ${said} ${all}`), sentence);
    assert.equal(checked.decks, 6);
    assert.equal(verifier.together?.checked, 6);
    assert.ok(checks.some((line) => line.startsWith("The seeds of 6 rounds, from the shares")));
  });

  test(`${name}: it is caught that a seed does not follow from the shares`, () => {
    const told = vector(name);
    const shuffled = find(told, "DeckShuffled");
    told.records.splice(shuffled.seq);
    const opened = told.opened.filter(({ seq }) => seq <= shuffled.seq);
    const one = opened.find(({ seq }) => seq === shuffled.seq);
    if (one === undefined) throw new Error("The seed of the first deck is not opened.");
    one.secret = JSON.stringify({ seed: "ab".repeat(32) });
    shuffled.digest = digestOf(one.salt, one.secret);
    const verifier = verified(rehash(told));
    assert.equal(verifier.verdict.problem, null, "a commitment says nothing before it is opened");
    const { problem } = verifier.openSeeds(opened);
    assert.deepEqual([problem?.code, problem?.seq], ["seeds", shuffled.seq]);
  });

  test(`${name}: it is caught that no deck follows from the shares`, () => {
    const told = vector(name);
    const last = find(told, "DeckShuffled", ({ seq }) => seq > 1).seq;
    const share = told.records.slice(0, last).findLast(({ type }) => type === "ShareOpened")?.seq ?? 0;
    const records = told.records.slice(0, share);
    const verifier = verified({ ...told, records });
    assert.equal(verifier.verdict.problem, null, "the rest of the command may be on its way");
    const { problem } = verifier.told(share, records.at(-1)?.hash ?? null);
    assert.deepEqual([problem?.code, problem?.seq], ["shares", share]);
  });
}

test("a table that keeps its seeds closed says that only an auditor can check", () => {
  const told = vector("draw-together");
  told.records.splice(find(told, "SharesAwaited").seq);
  say(told, "TableSet", (payload) => (payload.opens_seeds = false));
  const { sentence, problem } = verified(rehash(told)).verdict;
  assert.equal(problem, null);
  assert.ok(sentence.includes("The decks are bound; only an auditor can check: no round"), sentence);
});

test("it is caught that the seed of one deck is kept back", () => {
  const told = vector("draw-together");
  const second = find(told, "DeckShuffled", ({ seq }) => seq > find(told, "DeckShuffled").seq).seq;
  const { sentence, problem } = verified(told).openSeeds(told.opened.filter(({ seq }) => seq !== second));
  assert.deepEqual([problem?.code, problem?.seq], ["seeds", second]);
  assert.equal(sentence, `The seed of the deck of event ${second} was not opened.`);
});

test("what is dealt after the seeds were opened is not called checked", () => {
  const told = vector("draw-together");
  const next = find(told, "SharesAwaited", ({ seq }) => seq > find(told, "DeckShuffled").seq).seq;
  const verifier = verified({ ...told, records: told.records.slice(0, next - 1) });
  const early = verifier.openSeeds(told.opened.filter(({ seq }) => seq < next));
  assert.ok(early.sentence.includes("1 round was checked by seed and commitment, 0 only by what was shown, and 0 not"));
  for (const record of told.records.slice(next - 1)) verifier.take(record);
  const { problem, sentence } = verifier.verdict;
  assert.equal(problem?.code, "seeds");
  assert.ok(!sentence.includes("follow from the shares"), sentence);
});

test("it is caught that the dealer's secret is kept back", () => {
  const told = vector("draw-together");
  const { problem } = verified(told).openSeeds(told.opened.filter(({ seq }) => seq > 1));
  assert.deepEqual([problem?.code, problem?.seq], ["seeds", 1]);
});

test("rounds are said in spans", () => {
  assert.equal(spans([3]), "round 3");
  assert.equal(spans([1, 2, 3, 5, 8, 9]), "rounds 1 to 3, 5, 8 to 9");
});
