/** The lines of the account, which arrive in parts. */

const MOST_KEPT = 1500;

/** Whether the lines that came follow the known ones directly. @param {Line[]} known @param {Line[]} came */
export function follow(known, came) {
  const last = known.at(-1);
  return last === undefined || (came[0]?.seq ?? 0) <= last.seq + 1;
}

/** Return the last known lines with those that came after them. @param {Line[]} known @param {Line[]} came */
export function withLines(known, came) {
  const last = known.at(-1)?.seq ?? 0;
  return [...known, ...came.filter(({ seq }) => seq > last)].slice(-MOST_KEPT);
}
