/** The lines of the account, which come in parts. */

const MOST_KEPT = 1500;

/** Whether lines that came are those after the known ones, with none left out. @param {Line[]} known @param {Line[]} came */
export function follow(known, came) {
  const last = known.at(-1);
  return last === undefined || (came[0]?.seq ?? 0) <= last.seq + 1;
}

/** Return the last known lines with those that came after them. @param {Line[]} known @param {Line[]} came */
export function withLines(known, came) {
  const last = known.at(-1)?.seq ?? 0;
  return [...known, ...came.filter(({ seq }) => seq > last)].slice(-MOST_KEPT);
}
