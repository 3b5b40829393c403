/**
 * An export in a file (docs/exports.md), verified by the page's verifier. The page reads none: the first line, and which
 * secrets a file shows, are judged here.
 */

import { asRecord } from "../../pokersvc/server/web/verify/chain.js";
import { fits, hex, id, list, one, parsed, whole } from "../../pokersvc/server/web/verify/form.js";
import { FORMS } from "../../pokersvc/server/web/verify/forms.js";
import { Problem } from "../../pokersvc/server/web/verify/problem.js";
import { Verifier } from "../../pokersvc/server/web/verify/verifier.js";

const HEADER = {
  as: (/** @type {unknown} */ as) => fits(as, one("everyone", "auditor")) || fits(as, whole(1)),
  count: whole(1),
  format: one("pokersvc/export/1"),
  game: id,
  head: hex(32),
  kind: id,
  opened: list(whole(1)),
};

/**
 * Return a verifier that has taken all of a file.
 * @param {string} file its bytes, each as a character
 */
export function verifyExport(file) {
  const [first = "", ...lines] = file.split("\n");
  const header = parsed(first);
  const isExport = lines.pop() === "" && fits(header, HEADER);
  const { as, count, game, head, kind, opened } = isExport ? header : { game: "", opened: [] };
  const verifier = new Verifier({ game, seat: Number(as) || null });
  verifier.checking(() => {
    const isAscending = opened.every(
      (/** @type {number} */ seq, /** @type {number} */ at) => seq > (opened[at - 1] ?? 0),
    );
    if (!isExport || !isAscending) throw new Problem("not_a_record", null, "The file is no export.");
    const records = lines.map((line, at) => asRecord(line, at + 1));
    const hasSeeds = records.every(({ seq, type, secret }) => secret || (seq > 1 && type !== "DeckShuffled"));
    /** @type {Opened[]} */
    const dealers = [];
    let others = 0;
    for (const record of records) {
      const { secret, salt, ...rest } = record;
      const { seq, digest } = rest;
      const said = JSON.parse(rest.payload);
      const isOwn = as === "auditor" || said.seat === as;
      const isOpened = !isOwn && opened.includes(seq);
      if (digest === undefined ? secret !== undefined : (secret !== undefined) !== (isOwn || isOpened)) {
        throw new Problem("secret", seq, `Event ${seq} shows another secret than the first line says.`);
      }
      if (seq === 1 && (Object.hasOwn(FORMS, kind) || Object.hasOwn(FORMS, said.game)) && said.game !== kind) {
        throw new Problem("other_game", 1, `The first line says that the game is ${kind}; it is ${said.game}.`);
      }
      if (seq === 1 && Object.hasOwn(FORMS, kind) && Number(as) > (said.seats?.length ?? 0)) {
        throw new Problem("not_a_record", 1, `The game has no seat ${as}.`);
      }
      if (digest !== undefined && isOpened) others += 1;
      if (hasSeeds && secret && salt && (isOpened || said.seat === undefined)) {
        dealers.push({ seq, secret, salt });
        verifier.take(rest);
      } else verifier.take(record);
    }
    if (records.length !== count || others !== opened.length) {
      throw new Problem("missing", count, "The file has other events than its first line says.");
    }
    verifier.told(count, head);
    if (hasSeeds) verifier.openSeeds(dealers);
    const { awaited, pausing, dealsTo } = verifier.standing ?? {};
    const isOver = records.some(({ type }) => type === "GameEnded");
    const waits = pausing || (verifier.together !== null && dealsTo);
    if (as === "auditor" && awaited?.length === 0 && !waits && !isOver) {
      throw new Problem("move", count, `Event ${count} is not the last: the dealer is to act.`);
    }
    const opensSeeds = records[1]?.type === "TableSet" && JSON.parse(records[1].payload).opens_seeds;
    if (!hasSeeds && isOver && opensSeeds && verifier.together !== null) {
      throw new Problem("seeds", null, "The table has opened its seeds, and the file has not all.");
    }
  });
  return verifier;
}
