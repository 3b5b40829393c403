/** The places of seats around the table: at equal distances along its rim, two half circles and two sides. */

const WIDTH = 2.1;
const RADIUS = 0.5;
const STRAIGHT = WIDTH / 2 - RADIUS;
const RIM = 4 * STRAIGHT + 2 * Math.PI * RADIUS;
/** The distance of seats from the middle, as a fraction of the distance to the rim. */
const INSET = 0.88;

/**
 * Return the point of the rim at a clockwise distance from the middle of its bottom; the table's centre is 0, 0.
 * @param {number} distance
 * @returns {[number, number]}
 */
function onRim(distance) {
  const arc = Math.PI * RADIUS;
  if (distance < STRAIGHT) return [-distance, RADIUS];
  if (distance < STRAIGHT + arc) {
    const angle = (distance - STRAIGHT) / RADIUS;
    return [-STRAIGHT - RADIUS * Math.sin(angle), RADIUS * Math.cos(angle)];
  }
  const [x, y] = distance < 3 * STRAIGHT + arc ? [distance - 2 * STRAIGHT - arc, -RADIUS] : onRim(RIM - distance);
  return distance < 3 * STRAIGHT + arc ? [x, y] : [-x, y];
}

/**
 * Return a seat's place in percent of the table, and the side that it is on; `bottom` is the seat at the bottom.
 * @type {(seat: number, seats: number, bottom: number) => {x: number, y: number, side: string}}
 */
export function place(seat, seats, bottom) {
  const [x, y] = onRim((((seat - bottom + seats) % seats) / seats) * RIM);
  const side = y > 0.45 ? "bottom" : y < -0.45 ? "top" : x < 0 ? "left" : "right";
  return { side, x: percent(x / WIDTH), y: percent(y) };
}

/** @param {number} part of the whole, from the middle */
function percent(part) {
  return Math.round(10 * (50 + 100 * INSET * part)) / 10;
}
