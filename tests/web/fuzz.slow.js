/**
 * Any character of any record of the vectors is changed: it is caught, or the record says the same as before.
 *
 * EVERY in the environment is 3 for a third of the characters; records begin with the first, second or third of them in turn.
 */

import assert from "node:assert/strict";
import test from "node:test";
import { Chain } from "../../pokersvc/server/web/verify/chain.js";
import { Problem } from "../../pokersvc/server/web/verify/problem.js";
import { VECTORS } from "./vectors.js";

const EVERY = Number(process.env.EVERY ?? 1);
const OTHERS = ['"', "\\", "{", "0", "1", "e", "E", " ", "\u00e9", "\ud800"];

/**
 * Return a text as a server might send it in the place of another; undefined if it is no JSON.
 * @param {string} text
 */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @type {(text: string, at: number, turn: number) => string[]} */
function changed(text, at, turn) {
  const character = text.charCodeAt(at);
  const other = OTHERS[turn % OTHERS.length] ?? "";
  const put = [String.fromCharCode(character ^ 1), other, ""].map(
    (one) => text.slice(0, at) + one + text.slice(at + 1),
  );
  return put.filter((one) => one !== text);
}

for (const { name, game, records } of VECTORS) {
  test(`${name}: every change of a character is caught`, () => {
    const chain = new Chain(game);
    let [tried, caught] = [0, 0];
    for (const [number, record] of records.entries()) {
      const text = JSON.stringify(record);
      for (let at = number % EVERY; at < text.length; at += EVERY) {
        for (const lie of changed(text, at, tried)) {
          tried += 1;
          const told = parsed(lie);
          if (told === undefined) caught += 1;
          else if (sameRecord(told, record)) continue;
          else caught += Number(isCaught(chain, told)) || assert.fail(lie);
        }
      }
      chain.take(record);
    }
    assert.ok(caught > (100 * records.length) / EVERY);
    assert.ok(caught > 0.99 * tried);
  });
}

/** @type {(chain: Chain, told: unknown) => boolean} */
function isCaught(chain, told) {
  try {
    chain.take(told);
    return false;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return true;
  }
}

/** @type {(told: any, record: any) => boolean} Tell whether a record has the same members, whatever else it has. */
const sameRecord = (told, record) => Object.keys(record).every((name) => told?.[name] === record[name]);
