/** Others who have lost the connection: who they are, and the sentence about them. */

/**
 * Return whether somebody at a seat has lost the connection: the page knows this about its own person, and the server
 * reports it about others. People who left, sit out, or are out of the game do not count.
 * @param {number} seat
 * @param {Pick<GameProps, "lost" | "me" | "missing" | "snapshot" | "view">} props
 * @returns {boolean}
 */
export function isMissing(seat, { lost = false, me, missing = [], snapshot, view }) {
  if (seat === me) return lost;
  const { standing, sitting_out: out } = view.seats[seat - 1] ?? {};
  return (
    missing.includes(seat) && standing !== "out" && !out && !snapshot.sitting_out.includes(seat) && !snapshot.outcome
  );
}

/** Return who of the others has lost the connection, for a screen reader. @param {GameProps} props */
export function sayMissing(props) {
  const names = (props.missing ?? [])
    .filter((seat) => seat !== props.me && isMissing(seat, props))
    .map((seat) => props.view.seats[seat - 1].name);
  return names.length === 0 ? "" : `No connection: ${names.join(", ")}.`;
}
