import { bitCount, clockwise, has, nextSeat, passed } from "./seats.js";
import { pay } from "./turns.js";

// The seats of the blinds

/** @type {(state: BettingState) => number} */
export function nextButton(state) {
  if (!state.round && state.stated.button !== null) return state.stated.button;
  if (state.bombPotNext) return state.button;
  const playing = state.sitting();
  const steady = playing & ~state.owing(playing);
  const forward = nextSeat(steady, state.button);
  if (!state.bigBlind) return forward; // before the first round, or if there are no blinds
  if (bitCount(playing) === 2) return headsUp(state, playing, forward);
  const button = state.terms.deadButton ? state.smallBlind : forward;
  if (!state.terms.waitsAfterHeadsUp) return button;
  const { live, small, big } = openingOf(state, button);
  if (bitCount(steady) === 2 && live === steady) return headsUp(state, steady, forward);
  const oneHasGone = state.two && (big === state.bigBlind || button === small || button === big);
  return oneHasGone ? Number(clockwise(playing & ~(2 ** state.bigBlind), state.bigBlind).at(-1)) : button;
}

/** @type {(state: BettingState, playing: number, forward: number) => number} */
function headsUp({ bigBlind, terms }, playing, forward) {
  let big = nextSeat(playing, forward);
  if (terms.deadButton || (terms.bigBlindAlternates && big === bigBlind)) big = nextSeat(playing, bigBlind);
  return nextSeat(playing, big);
}

/** @type {(state: BettingState) => { small: number, big: number }} */
export function blindSeats({ bigBlind, button, live, terms }) {
  const isHeadsUp = bitCount(live) === 2;
  const isDead = terms.deadButton && bigBlind && !isHeadsUp;
  const small = isDead ? bigBlind : nextSeat(live, button - Number(isHeadsUp));
  return { small, big: nextSeat(live, small) };
}

/** @type {(numbers: readonly number[], place: number) => number} */
export const seatWithButton = (numbers, place) => numbers.filter((number) => number <= place).length || numbers.length;

// The seats that are dealt in, and their posts: blinds, extra blinds, dead money, straddles

/** @type {(state: BettingState, button: number) => RoundOpening} */
export function openingOf(state, button) {
  const { stated, terms } = state;
  let live = state.sitting();
  if (!state.round && stated.posts !== null) {
    const at = (/** @type {PostKind} */ kind) => stated.posts?.find((post) => post.kind === kind)?.seat ?? 0;
    return { live, waiting: 0, small: at("small"), big: at("big"), posts: stated.posts };
  }
  if (!terms.bigBlind || state.bombPotNext) return { live, waiting: 0, small: 0, big: 0, posts: [] };
  let owing = state.owing(live);
  let small = (terms.deadButton && state.bigBlind) || nextSeat(live & ~owing, button);
  let big = nextSeat(live, small);
  let waiting = owing & (passed(button, big) | (2 ** small)) & ~(2 ** big);
  if ((button === small || button === big) && terms.waitsAfterHeadsUp) waiting = owing & ~(2 ** big);
  live &= ~waiting;
  if (bitCount(live) === 2) {
    small = nextSeat(live, button - 1);
    big = nextSeat(live, small);
    owing = 0;
  }
  /** @type {PostDue[]} */
  const posts = has(live, small) ? [{ amount: terms.smallBlind, kind: "small", seat: small }] : [];
  posts.push({ amount: terms.bigBlind, kind: "big", seat: big });
  for (const seat of clockwise(live & owing & ~(2 ** big), button)) {
    if (has(state.owesBig, seat)) posts.push({ amount: terms.bigBlind, kind: "extra", seat });
    if (has(state.owesSmall, seat)) posts.push({ amount: terms.smallBlind, kind: "dead", seat });
  }
  const straddler = nextSeat(live, big);
  if (terms.straddle && bitCount(live) > 2 && !has(owing, straddler) && straddles(state, straddler)) {
    posts.push({ amount: terms.straddle, kind: "straddle", seat: straddler });
  }
  return { live, waiting, small, big, posts };
}

/** @type {(state: BettingState, seat: number) => boolean} */
const straddles = ({ cashSeats, terms }, seat) =>
  !terms.atCash.straddleByChoice || (cashSeats.wishes.get(seat)?.straddles ?? false);

/** @type {(state: BettingState) => void} */
export function openRound(state) {
  const { live, waiting, small, big, posts } = openingOf(state, state.button);
  const { smallBlind, bigBlind } = state;
  Object.assign(state, { live, posts });
  if (state.bombPotNext) return; // the blinds stay where they are, and what is owed is still owed
  Object.assign(state, { smallBlind: small, bigBlind: big });
  state.two = bitCount(live) === 2 && state.terms.waitsAfterHeadsUp ? live : 0;
  state.owesSmall &= ~live;
  state.owesBig &= ~live;
  if (!bigBlind) return;
  const absent = state.seated & ~live & ~waiting;
  state.owesSmall |= absent & passed(smallBlind, small);
  state.owesBig |= absent & passed(bigBlind, big);
}

/** @type {(state: BettingState) => PostDue} */
export function postDue({ posts: [post], stacks }) {
  const { amount, kind, seat } = /** @type {PostDue} */ (post);
  return { seat, kind, amount: Math.min(amount, stacks[seat]) };
}

/** @type {(state: BettingState, event: GameEvent) => boolean} */
export function posted(state, event) {
  const { amount, seat } = event.payload;
  const post = /** @type {PostDue} */ (state.posts[0]);
  pay(state, event);
  if (post.kind === "dead") {
    state.staked[seat] -= amount; // it is in the pot, and counts for nothing else
  } else {
    state.put[seat] += amount;
    setPrice(state, post);
  }
  state.posts = state.posts.slice(1);
  return allPosted(state);
}

/** @type {(state: BettingState, post: PostDue) => void} */
function setPrice(state, { amount, kind, seat }) {
  const price = kind === "big" && state.terms.bigBlind ? state.terms.bigBlind : amount;
  if (kind !== "extra") state.cursor = seat;
  if (kind !== "small") state.price = Math.max(state.price, price);
}

/** @type {(state: BettingState) => boolean} */
export function allPosted(state) {
  if (state.posts.length > 0) return false;
  if (!state.price) state.cursor = state.button;
  return true;
}

// Games in which only blinds are posted, by seats that cannot miss any

/** @type {(state: BettingState) => number} */
export const blindsDue = (state) => state.live & ((2 ** state.smallBlind) | (2 ** state.bigBlind));

/** @type {(state: BettingState) => PostDue} */
export function blindDue({ bigBlind, pending, smallBlind, stacks, terms }) {
  if (has(pending, smallBlind)) {
    return { seat: smallBlind, kind: "small", amount: Math.min(terms.smallBlind, stacks[smallBlind]) };
  }
  return { seat: bigBlind, kind: "big", amount: Math.min(terms.bigBlind, stacks[bigBlind]) };
}

/** @type {(state: BettingState, event: GameEvent) => boolean} */
export function blindPosted(state, event) {
  const { amount, blind, seat } = event.payload;
  pay(state, event);
  state.put[seat] = amount;
  state.cursor = seat;
  state.pending &= ~(2 ** seat);
  if (blind !== "big") return false;
  state.price = state.terms.bigBlind;
  return true;
}
