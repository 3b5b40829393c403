/** Facts from draw poker's events that are not in its view: each seat's last act, and the net of the round. */

import { amount } from "../html.js";

/** @type {Record<string, (fields: any, say: (chips: number) => string) => string>} */
const ACTS = {
  AntePosted: (fields, say) => `ante ${say(fields.amount)}`,
  Bet: (fields, say) => `bets ${say(fields.amount)}`,
  BlindPosted: (fields, say) => `${fields.blind} blind ${say(fields.amount)}`,
  Called: (fields, say) => `calls ${say(fields.amount)}`,
  CardsDiscarded: (fields) => (fields.count ? `draws ${fields.count}` : "stands pat"),
  Checked: () => "checks",
  Folded: () => "folds",
  HandMucked: () => "mucks",
  HandShown: () => "shows",
  PlayerLeft: () => "leaves",
  Posted: (fields, say) => `${fields.kind === "straddle" ? "straddle" : `${fields.kind} blind`} ${say(fields.amount)}`,
  Raised: (fields, say) => `raises to ${say(fields.to)}`,
  RoundForgone: () => "folds",
  TimedOut: () => "out of time",
};

/** Events in which a seat's `amount` goes into the pot. */
const PAID = new Set(["AntePosted", "BlindPosted", "Posted", "Bet", "Called", "Raised"]);
/** Events after which earlier acts no longer matter. */
const NEW_STREET = new Set(["OpenerChosen", "DeckShuffled"]);

/**
 * @param {readonly Happening[]} happened
 * @param {(chips: number) => string} [say] an amount
 * @returns {RoundSoFar}
 */
export function roundSoFar(happened, say = String) {
  const from = happened.findLastIndex((event) => event.type === "RoundStarted");
  /** @type {RoundSoFar} */
  const round = { acts: {}, mucked: new Set(), net: {}, over: false, won: {} };
  let drawing = false;
  for (const event of happened.slice(Math.max(from, 0))) {
    drawing = take(round, event, drawing, say);
  }
  return round;
}

/**
 * @param {RoundSoFar} round
 * @param {Happening} event
 * @param {boolean} drawing
 * @param {(chips: number) => string} say
 */
function take(round, event, drawing, say) {
  const { fields, type } = event;
  const draws = type === "CardsDiscarded" || type === "CardsDrawn" || type === "DeckReshuffled";
  if ((draws && !drawing) || (drawing && !draws && type !== "TimedOut")) clearBetting(round);
  if (NEW_STREET.has(type)) clearBetting(round);
  if (fields.seat && ACTS[type]) round.acts[fields.seat] = ACTS[type](fields, say);
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

/** A sum with its sign: +12, −3. @param {number} sum @param {(chips: number) => string} [say] */
export function signed(sum, say = amount) {
  return sum > 0 ? `+${say(sum)}` : sum < 0 ? `−${say(-sum)}` : "±0";
}

/** @param {number} sum */
export const tone = (sum) => (sum > 0 ? "gain" : sum < 0 ? "loss" : "");
