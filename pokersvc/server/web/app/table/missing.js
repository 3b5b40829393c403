/** Others who have lost the connection: who they are at a table, and what is said of them. */

/**
 * Return whether somebody at a seat has lost the connection: oneself by what this page knows, others by what the server
 * says. Whoever left, sits out, or is out of the game need not be there.
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
