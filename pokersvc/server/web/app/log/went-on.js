/**
 * Return the names of those who went on at another device while no game ran; during a game, an event tells it.
 * @param {TableInfo} before
 * @param {TableInfo} now
 */
export function wentOn(before, now) {
  if (before.status === "playing" || now.status === "playing") return "";
  const moved = now.seats.filter((seat, place) => {
    const earlier = before.seats[place];
    return seat.came_at && earlier?.came && earlier.name === seat.name && earlier.came_at !== seat.came_at;
  });
  return moved.map((seat) => seat.name).join(", ");
}
