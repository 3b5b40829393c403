/** How a page takes part in a common shuffle, with a browser's storage and a server in its place. */

import assert from "node:assert/strict";
import test from "node:test";
import { LINKS } from "../../pokersvc/server/web/app/device/keys.js";
import { TakesPart } from "../../pokersvc/server/web/app/device/takes-part.js";
import { fromHex } from "../../pokersvc/server/web/verify/bytes.js";
import { isSigned } from "../../pokersvc/server/web/verify/ed25519.js";
import { boundMessage, linkAfter, openedMessage } from "../../pokersvc/server/web/verify/shares.js";

const START = "11".repeat(32);
const HEAD = "22".repeat(32);

/** What IndexedDB has kept, as far as the page asks for it. @type {Map<string, any>} */
const kept = new Map();

/** @param {any} asked @param {any} result */
function answers(asked, result) {
  queueMicrotask(() => asked.onsuccess?.(Object.assign(asked, { result })));
  return asked;
}

const database = {
  close() {},
  transaction() {
    const change = /** @type {any} */ ({});
    change.objectStore = () => ({
      get: (/** @type {string} */ place) => answers({}, structuredClone(kept.get(place))),
      put: (/** @type {any} */ value, /** @type {string} */ place) => {
        kept.set(place, structuredClone(value));
        queueMicrotask(() => change.oncomplete());
      },
    });
    return change;
  },
};

/** @type {{ door: string, body: any, kept: any }[]} */
let sent = [];
let reachable = true;
let status = 200;

Object.assign(globalThis, {
  indexedDB: { open: () => answers({}, database) },
  fetch: async (/** @type {string} */ path, /** @type {RequestInit} */ init) => {
    const body = JSON.parse(String(init.body));
    sent.push({ door: path.split("/").at(-1) ?? "", body, kept: structuredClone(kept.get("table/1")) });
    if (!reachable) throw new TypeError("no network");
    return status === 200 ? Response.json({ events: [] }) : Response.json({ message: "No." }, { status });
  },
});
Object.defineProperty(globalThis, "navigator", {
  value: {
    locks: { request: async (/** @type {string} */ _, /** @type {any} */ __, /** @type {any} */ held) => held() },
  },
});

/** A seat that waits to be bound, at a table where nothing was asked yet. */
async function seated() {
  kept.clear();
  sent = [];
  reachable = true;
  const together = { start: START, bindings: new Map(), round: 0, awaited: /** @type {any} */ (null), waiting: [1] };
  const verifier = { together, verdict: { state: "good" }, count: 5, mayBind: true };
  const api = (/** @type {string} */ door) => `/api/tables/table/${door}`;
  const feed = { api, game: "table", seat: 1, verifier, snapshot: { count: 5 }, boundKeys: new Set(), redraw() {} };
  const takesPart = new TakesPart(/** @type {any} */ (feed));
  while (sent.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  const [{ body }] = /** @type {[{ body: any }]} */ (/** @type {unknown} */ (sent));
  return { body, feed, takesPart, together, verifier };
}

/** @param {Awaited<ReturnType<typeof seated>>} seat */
function bind({ body, feed, together, verifier }, first = 1) {
  const { key, tip, length } = body;
  together.bindings.set(1, { key, tip, length, first, known: first - 1, link: tip });
  feed.boundKeys.add(key);
  verifier.mayBind = false;
  sent = [];
}

test("a seat binds itself once, to what it has kept", async () => {
  const seat = await seated();
  const { key, tip, length, signature, renewal } = seat.body;
  assert.deepEqual([length, renewal], [LINKS, null]);
  assert.ok(isSigned(boundMessage(fromHex(START), 1, { key, tip, length }), fromHex(signature), fromHex(key)));
  assert.equal(sent[0]?.kept[0].key, key, "before it was sent");
  await seat.takesPart.look();
  assert.equal(sent.length, 1);
});

test("it opens its share once the log is read to its end, and has kept what it signed", async () => {
  const seat = await seated();
  bind(seat, 3);
  Object.assign(seat.together, { round: 4, awaited: { round: 4, head: HEAD } });
  for (const unread of [{ count: 4 }, { verdict: { state: "unknown" } }, { verdict: { state: "broken" } }]) {
    const { count, verdict } = seat.verifier;
    Object.assign(seat.verifier, unread);
    await seat.takesPart.look();
    assert.deepEqual(sent, []);
    Object.assign(seat.verifier, { count, verdict });
  }
  await seat.takesPart.look();
  const { door, body, kept: before } = /** @type {any} */ (sent[0]);
  const { share, signature } = body;
  assert.equal(door, "share");
  assert.deepEqual(linkAfter(fromHex(START), 1, fromHex(share), 2), fromHex(seat.body.tip));
  const message = openedMessage(fromHex(START), 1, { round: 4, share, head: HEAD });
  assert.ok(isSigned(message, fromHex(signature), fromHex(seat.body.key)));
  assert.deepEqual(before[0].signed, { 4: { head: HEAD, share, signature } });
});

test("what may have been lost is sent again under the same id", async () => {
  const seat = await seated();
  bind(seat);
  Object.assign(seat.together, { round: 1, awaited: { round: 1, head: HEAD } });
  reachable = false;
  await seat.takesPart.look();
  reachable = true;
  await seat.takesPart.look();
  await seat.takesPart.look();
  assert.equal(sent.length, 2);
  assert.deepEqual(sent[0]?.body, sent[1]?.body);
});

for (const [refusal, again] of /** @type {[number, number][]} */ ([
  [429, 1],
  [503, 1],
  [409, 0],
  [422, 0],
])) {
  test(`a share that is refused with ${refusal} is ${again ? "sent again by itself" : "not sent again"}`, async (t) => {
    const seat = await seated();
    bind(seat);
    Object.assign(seat.together, { round: 1, awaited: { round: 1, head: HEAD } });
    t.mock.timers.enable({ apis: ["setTimeout"] });
    status = refusal;
    await seat.takesPart.look();
    status = 200;
    t.mock.timers.tick(2000);
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(sent.length, 1 + again);
    if (again) assert.deepEqual(sent[0]?.body, sent[1]?.body);
  });
}

test("it signs one head a round, and no more once it was shown two", async () => {
  const seat = await seated();
  bind(seat);
  Object.assign(seat.together, { round: 1, awaited: { round: 1, head: HEAD } });
  await seat.takesPart.look();
  seat.together.awaited = { round: 1, head: "33".repeat(32) };
  await seat.takesPart.look();
  Object.assign(seat.together, { round: 2, awaited: { round: 2, head: HEAD } });
  await seat.takesPart.look();
  assert.equal(sent.length, 1);
  assert.equal(seat.takesPart.standing, "two_stories");
});

test("it stops where a share was opened that it did not sign", async () => {
  const seat = await seated();
  bind(seat);
  Object.assign(seat.together.bindings.get(1), { known: 1, link: "55".repeat(32) });
  Object.assign(seat.together, { round: 2, awaited: { round: 2, head: HEAD } });
  await seat.takesPart.look();
  assert.deepEqual([sent.length, seat.takesPart.standing], [0, "not_mine"]);
});

test("it renews a chain that is used up, by its old key", async () => {
  const seat = await seated();
  const before = seat.body.key;
  bind(seat);
  Object.assign(seat.together, { round: LINKS, waiting: [] });
  seat.verifier.mayBind = true;
  await seat.takesPart.look();
  const { key, tip, length, renewal } = /** @type {any} */ (sent[0]).body;
  assert.notEqual(key, before);
  assert.ok(isSigned(boundMessage(fromHex(START), 1, { key, tip, length }), fromHex(renewal), fromHex(before)));
});

test("it stops where another key was bound to its seat", async () => {
  const seat = await seated();
  bind(seat);
  await seat.takesPart.look();
  assert.equal(seat.takesPart.standing, "taking_part");
  Object.assign(seat.together.bindings.get(1), { key: "44".repeat(32) });
  Object.assign(seat.together, { round: 1, awaited: { round: 1, head: HEAD } });
  await seat.takesPart.look();
  assert.deepEqual([sent.length, seat.takesPart.standing], [0, "replaced"]);
});
