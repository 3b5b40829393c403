/**
 * Who is dealt in at a table of its own, and what is posted: blinds, extra blinds, dead money and a straddle.
 *
 * As docs/rules.md says: who comes back posts a missed big blind live and a missed small one dead, and nobody comes in
 * between the button and the big blind. In a house with a straddle the next player after the big blind posts it, where
 * three or more are dealt in; one who owes a blind posts that instead, and nobody straddles.
 */

import { clockwise, next, passed } from "./seats.js";

/**
 * Return those of the seats that missed a blind and have to post it: nobody, unless two others and they can play.
 * After a round of two so does everybody else, who posts nothing for it and waits for the big blind.
 * @param {Table} table
 * @param {readonly number[]} sitting
 */
export function owing(table, sitting) {
  const { owesSmall, owesBig, two } = table;
  const isLate = (/** @type {number} */ seat) => two.length > 0 && !two.includes(seat);
  const found = sitting.filter((seat) => owesSmall.includes(seat) || owesBig.includes(seat) || isLate(seat));
  return sitting.length === 2 || sitting.length - found.length < 2 ? [] : found;
}

/**
 * Return how the next round opens with the button at a seat.
 * @param {Table} table
 * @param {number} button
 */
export function openingOf(table, button) {
  const { button_rule, blinds } = table.rules;
  let live = table.sitting;
  if (table.round === 0 && table.own?.posts) {
    /** @type {Post[]} */
    const posts = table.own.posts;
    const at = (/** @type {string} */ kind) => posts.find((post) => post.kind === kind)?.seat ?? 0;
    return { live, waiting: [], small: at("small"), big: at("big"), posts };
  }
  /** @type {Post[]} */
  const posts = [];
  if (!blinds) return { live, waiting: [], small: 0, big: 0, posts };
  let owe = owing(table, live);
  const steady = live.filter((seat) => !owe.includes(seat));
  let small = (button_rule === "dead" && table.bigBlind) || next(steady, button);
  let big = next(live, small);
  const early = [small, ...passed(live, button, big)];
  const allWait = table.engine >= 4 && (button === small || button === big);
  const waiting = owe.filter((seat) => seat !== big && (allWait || early.includes(seat)));
  live = live.filter((seat) => !waiting.includes(seat));
  if (live.length === 2) {
    small = next(live, button - 1);
    big = next(live, small);
    owe = [];
  }
  if (live.includes(small)) posts.push({ amount: blinds.small, kind: "small", seat: small });
  posts.push({ amount: blinds.big, kind: "big", seat: big });
  const owed = live.filter((seat) => owe.includes(seat) && seat !== big);
  for (const seat of clockwise(owed, button)) {
    if (table.owesBig.includes(seat)) posts.push({ amount: blinds.big, kind: "extra", seat });
    if (table.owesSmall.includes(seat)) posts.push({ amount: blinds.small, kind: "dead", seat });
  }
  const straddler = next(live, big);
  if (blinds.straddle && live.length > 2 && !owe.includes(straddler)) {
    posts.push({ amount: blinds.straddle, kind: "straddle", seat: straddler });
  }
  return { live, waiting, small, big, posts };
}

/**
 * Note who is dealt in, what they are to post, and whom the blinds have passed since the round before.
 * @param {Table} table
 */
export function openRound(table) {
  const { live, waiting, small, big, posts } = openingOf(table, table.button);
  const { smallBlind, bigBlind } = table;
  Object.assign(table, { live, posts, smallBlind: small, bigBlind: big });
  table.two = live.length === 2 && table.engine >= 4 ? live : [];
  table.owesSmall = table.owesSmall.filter((seat) => !live.includes(seat));
  table.owesBig = table.owesBig.filter((seat) => !live.includes(seat));
  if (bigBlind === 0) return;
  const absent = table.seated.filter((seat) => !live.includes(seat) && !waiting.includes(seat));
  table.owesSmall = [...table.owesSmall, ...passed(absent, smallBlind, small)];
  table.owesBig = [...table.owesBig, ...passed(absent, bigBlind, big)];
}

/**
 * Take the post that is due.
 * @param {Table} table
 * @param {Post} post
 * @param {number} amount its own, or all that the seat has
 */
export function posted(table, post, amount) {
  const { kind, seat } = post;
  table.pay(seat, amount);
  table.posts = table.posts.slice(1);
  if (kind === "dead") {
    table.staked[seat] = Number(table.staked[seat]) - amount; // it is in the pot, and counts for nothing else
  } else {
    table.put[seat] = Number(table.put[seat]) + amount;
    const price = kind === "big" && table.rules.blinds ? table.rules.blinds.big : post.amount;
    if (kind !== "extra") table.cursor = seat;
    if (kind !== "small") table.price = Math.max(table.price, price);
  }
  postsSettled(table);
}

/**
 * Let the deck be shuffled, once all has been posted.
 * @param {Table} table
 */
export function postsSettled(table) {
  if (table.posts.length > 0) return;
  if (table.price === 0) table.cursor = table.button;
  table.phase = "shuffle";
}
