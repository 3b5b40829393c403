/** Lines of chat as the page takes them. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { sayer, unread, withSaid } from "../../pokersvc/server/web/app/log/said-lines.js";

/** @param {number} number @param {number} seat */
const line = (number, seat, text = "hi") => ({ name: `P${seat}`, number, said_at: "", seat, text });

test("lines come in order, each once, and deleted ones go", () => {
  const first = withSaid([], { deleted: [], lines: [line(2, 1), line(1, 2)] });
  assert.deepEqual(
    first.map((one) => one.number),
    [1, 2],
  );
  const again = withSaid(first, { deleted: [1], lines: [line(2, 1), line(3, 2)] });
  assert.deepEqual(
    again.map((one) => one.number),
    [2, 3],
  );
  assert.equal(
    withSaid([], { deleted: [], lines: Array.from({ length: 400 }, (_, at) => line(at + 1, 1)) }).length,
    300,
  );
});

test("unread are later lines of others who are not muted", () => {
  const lines = [line(1, 2), line(2, 1), line(3, 2), line(4, 3)];
  assert.equal(unread(lines, 0, 1, []), 3);
  assert.equal(unread(lines, 1, 1, [3]), 1);
  assert.equal(unread(lines, 4, null, []), 0);
});

test("a line is never a name alone", () => {
  assert.equal(sayer({ ...line(1, 2), name: "Dealer" }), "Seat 2, Dealer");
  assert.equal(sayer({ ...line(1, 0), name: "Seat 2, Ann" }), "Host");
});
