/** Facts from draw poker's events that are not in its view: each seat's last act, and the net of the round. */

/** @type {Record<string, (fields: any) => string>} */
const ACTS = {
  AntePosted: (fields) => `ante ${fields.amount}`,
  Bet: (fields) => `bets ${fields.amount}`,
  BlindPosted: (fields) => `${fields.blind} blind ${fields.amount}`,
  Called: (fields) => `calls ${fields.amount}`,
  CardsDiscarded: (fields) => (fields.count ? `draws ${fields.count}` : "stands pat"),
  Checked: () => "checks",
  Folded: () => "folds",
  HandMucked: () => "mucks",
  HandShown: () => "shows",
  PlayerLeft: () => "leaves",
  Posted: (fields) => `${fields.kind === "straddle" ? "straddle" : `${fields.kind} blind`} ${fields.amount}`,
  Raised: (fields) => `raises to ${fields.to}`,
  RoundForgone: () => "folds",
  TimedOut: () => "out of time",
};

/** Events in which a seat's `amount` goes into the pot. */
const PAID = new Set(["AntePosted", "BlindPosted", "Posted", "Bet", "Called", "Raised"]);
/** Events after which earlier acts no longer matter. */
const NEW_STREET = new Set(["OpenerChosen", "DeckShuffled"]);

/**
 * @param {readonly Happening[]} happened
 * @returns {RoundSoFar}
 */
export function roundSoFar(happened) {
  const from = happened.findLastIndex((event) => event.type === "RoundStarted");
  /** @type {RoundSoFar} */
  const round = { acts: {}, mucked: new Set(), net: {}, over: false, won: {} };
  let drawing = false;
  for (const event of happened.slice(Math.max(from, 0))) {
    drawing = take(round, event, drawing);
  }
  return round;
}

/**
 * @param {RoundSoFar} round
 * @param {Happening} event
 * @param {boolean} drawing
 */
function take(round, event, drawing) {
  const { fields, type } = event;
  const draws = type === "CardsDiscarded" || type === "CardsDrawn" || type === "DeckReshuffled";
  if ((draws && !drawing) || (drawing && !draws && type !== "TimedOut")) clearBetting(round);
  if (NEW_STREET.has(type)) clearBetting(round);
  if (fields.seat && ACTS[type]) round.acts[fields.seat] = ACTS[type](fields);
  if (PAID.has(type)) add(round.net, fields.seat, -fields.amount);
  if (type === "PlayerLeft") add(round.net, fields.seat, -fields.amount);
  if (type === "UncalledBetReturned") add(round.net, fields.seat, fields.amount);
  if (type === "HandMucked") round.mucked.add(fields.seat);
  if (type === "PotAwarded") {
    for (const share of fields.shares) {
      add(round.net, share.seat, share.amount);
      add(round.won, share.seat, share.amount);
    }
  }
  if (type === "RoundEnded") round.over = true;
  if (type === "SatDown" && fields.name) forget(round, fields.seat);
  return draws || (drawing && type === "TimedOut");
}

/**
 * Forget a seat: somebody else sits there now.
 * @param {RoundSoFar} round
 * @param {number} seat
 */
function forget(round, seat) {
  for (const by of [round.acts, round.net, round.won]) delete by[seat];
  round.mucked.delete(seat);
}

/** Folds stay in sight; bets and checks of an earlier betting round do not. @param {RoundSoFar} round */
function clearBetting(round) {
  for (const [seat, act] of Object.entries(round.acts)) {
    if (!["folds", "leaves"].includes(act)) delete round.acts[Number(seat)];
  }
}

/**
 * @param {Record<number, number>} sums
 * @param {number} seat
 * @param {number} amount
 */
function add(sums, seat, amount) {
  sums[seat] = (sums[seat] ?? 0) + amount;
}

/** A sum with its sign: +12, −3. @param {number} sum */
export function signed(sum) {
  return sum > 0 ? `+${sum.toLocaleString("en-US")}` : sum < 0 ? `−${(-sum).toLocaleString("en-US")}` : "±0";
}

/** @param {number} sum */
export const tone = (sum) => (sum > 0 ? "gain" : sum < 0 ? "loss" : "");
