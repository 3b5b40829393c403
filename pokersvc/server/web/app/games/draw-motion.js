/** What moves on the felt: chips, cards that are dealt, drawn and turned, and hands that leave. */

/** Milliseconds in which all motions of one step of the game are over. */
const WHOLE = 560;
const LONG = 300;
const PAID = new Set(["AntePosted", "BlindPosted", "Posted", "Bet", "Called", "Raised"]);
/** Events with which a hand leaves the table. */
const LEAVES = new Set(["Folded", "Forfeited", "RoundForgone", "HandMucked", "PlayerLeft"]);

/** Motions under way; the next step of the game ends them. @type {Set<Animation>} */
const moving = new Set();

/** @typedef {{x: number, y: number}} Point */

/** @param {Element | null | undefined} node @returns {Point | null} */
function middle(node) {
  const rect = node?.getBoundingClientRect();
  return rect?.width ? { x: rect.x + rect.width / 2, y: rect.y + rect.height / 2 } : null;
}

/**
 * @param {Element} node
 * @param {Keyframe[]} frames
 * @param {number} delay
 * @param {number} [duration]
 */
function animate(node, frames, delay, duration = LONG) {
  const start = Math.min(delay, WHOLE - duration);
  const motion = node.animate(frames, {
    delay: start,
    duration,
    easing: "cubic-bezier(.2,.7,.3,1)",
    fill: "backwards",
  });
  moving.add(motion);
  motion.onfinish = motion.oncancel = () => moving.delete(motion);
  return motion;
}

/** Let an element come from a point to where it is. @param {Element} node @param {Point | null} from @param {number} delay */
function comes(node, from, delay) {
  const to = middle(node);
  if (from && to)
    animate(
      node,
      [
        { opacity: 0.2, translate: `${from.x - to.x}px ${from.y - to.y}px` },
        { opacity: 1, translate: "0 0" },
      ],
      delay,
    );
}

/**
 * Let a chip or the back of a card fly from one point to another, and be gone.
 * @param {HTMLElement} box
 * @param {string} what its class
 * @param {Point | null} from
 * @param {Point | null} to
 * @param {number} delay
 */
function flies(box, what, from, to, delay) {
  if (!from || !to) return;
  const layer = box.querySelector(".flights") ?? box;
  const node = document.createElement("span");
  node.className = `flight ${what}`;
  layer.append(node);
  const frame = layer.getBoundingClientRect();
  const at = (/** @type {Point} */ { x, y }) => `${x - frame.x}px ${y - frame.y}px`;
  const motion = animate(
    node,
    [{ translate: at(from) }, { offset: 0.8, opacity: 1, translate: at(to) }, { opacity: 0, translate: at(to) }],
    delay,
  );
  motion.onfinish = motion.oncancel = () => {
    moving.delete(motion);
    node.remove();
  };
}

/** @param {HTMLElement} box @param {Happening[]} events @param {any} old @param {any} view @param {number | null} me */
export function play(box, events, old, view, me) {
  for (const motion of moving) motion.cancel();
  const find = (/** @type {string} */ what) => box.querySelector(what);
  const seat = (/** @type {number} */ number) => find(`[data-testid="seat-${number}"]`);
  const plate = (/** @type {number} */ number) => middle(seat(number)?.querySelector(".plate"));
  const hand = (/** @type {number} */ number) => (number === me ? find(".hand") : seat(number)?.querySelector(".held"));
  const cards = (/** @type {number} */ number) => [...(hand(number)?.querySelectorAll(".card") ?? [])];
  const pot = middle(find(".pot .sum, .pot .won, .pot"));
  const folded = (/** @type {any} */ fields) => {
    for (const at of [0, 1, 2]) flies(box, "back", plate(fields.seat), pot, at * 40);
  };
  let turn = 0;
  /** @type {Record<string, (fields: any) => void>} */
  const shows = {
    CardsDiscarded: ({ seat: number, count }) => {
      for (let at = 0; at < count; at++) flies(box, "back", middle(hand(number)) ?? plate(number), pot, at * 30);
    },
    CardsDrawn: ({ seat: number, count }) => {
      if (number === me) return;
      for (const [at, card] of cards(number).slice(-count).entries()) comes(card, pot, 120 + at * 30);
    },
    HandDealt: ({ seat: number }) => {
      const start = 25 * turn++;
      if (number === me) return;
      for (const [at, card] of cards(number).entries()) comes(card, pot, start + at * 15);
    },
    HandShown: ({ seat: number }) => {
      for (const [at, card] of cards(number).entries())
        animate(card, [{ transform: "rotateY(90deg)" }, { transform: "none" }], at * 40);
    },
    PotAwarded: ({ shares }) => {
      for (const { seat: number } of shares)
        for (const at of [0, 1, 2, 3]) flies(box, "chip", pot, plate(number), 60 * at);
    },
  };
  for (const { fields, type } of events) {
    shows[type]?.(fields);
    if (LEAVES.has(type) && old.seats[fields.seat - 1]?.cards.length) folded(fields);
    if (PAID.has(type)) {
      const bet = seat(fields.seat)?.querySelector(".bet");
      if (bet) comes(bet, plate(fields.seat), 0);
      else flies(box, "chip", plate(fields.seat), pot, 0);
    }
  }
  // Bets that were in front of the seats and no longer are went to the pot.
  for (const { seat: number, put } of old.seats)
    if (put > 0 && view.seats[number - 1]?.put === 0) flies(box, "chip", plate(number), pot, 0);
}
