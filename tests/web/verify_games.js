/**
 * Verify games that Python wrote, one a line in the form of the vectors, and print what is not good:
 * `node verify_games.js FILE`. Prints what was checked of all of them at the end.
 */

import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { verified } from "./vectors.js";

/** @type {Record<string, number>} */
const total = { games: 0 };
for await (const line of createInterface({ input: createReadStream(process.argv[2] ?? "") })) {
  /** @type {import("./vectors.js").Vector} */
  const game = JSON.parse(line);
  const verifier = verified(game);
  verifier.told(game.records.length, game.head);
  const { state, problem, checked, unseen } = verifier.openSeeds(game.opened);
  const unread = unseen.filter((sentence) => sentence.includes("does not know"));
  if (state !== "good" || unread.length > 0) console.log(JSON.stringify({ game: game.name, problem, unread }));
  total.games = Number(total.games) + 1;
  for (const [what, count] of Object.entries(checked)) total[what] = (total[what] ?? 0) + count;
}
console.log(JSON.stringify(total));
