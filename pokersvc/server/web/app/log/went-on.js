/**
 * Return who moved to another device: the host and, while no game ran, people by name. During a game, an event says so.
 * @param {TableInfo} before
 * @param {TableInfo} now
 */
export function wentOn(before, now) {
  const host = now.host_came_at && now.host_came_at !== before.host_came_at ? ["The host"] : [];
  if (before.status === "playing" || now.status === "playing") return host.join("");
  const moved = now.seats.filter((seat, place) => {
    const earlier = before.seats[place];
    return seat.came_at && earlier?.came && earlier.name === seat.name && earlier.came_at !== seat.came_at;
  });
  return [...host, ...moved.map((seat) => seat.name)].join(", ");
}
