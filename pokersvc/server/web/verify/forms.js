/** Made by `python -m tests.web.forms`: of each event the form of its public fields, then of its secret ones. */

import { card, either, hex, list, maybe, name, one, text, whole } from "./form.js";

const number = whole(1);
const numbers = list(number);
const flag = one(true, false);
const count = whole(0);
const cards = list(card);
const anyCard = either(card, one("??"));
const someCards = list(anyCard);
const share = { amount: count, seat: number };
const award = { pot: number, shares: list(share) };
const seatCards = { dealt: list(anyCard, 5, 5), drawn: list(anyCard, 0, 5), held: list(anyCard, 0, 5), seat: number };
const code = one("illegal", "raised", "timeout");
const chips = whole(0, 1000000000);
const ante = {
  amount: chips,
  increase: chips,
  short: one("sit_out", "surrender", "post"),
  when: one("before_deal", "after_deal"),
};
const bet = whole(1, 1000000000);
const betting = {
  cap: maybe(bet),
  check: one("always", "final"),
  check_ends: flag,
  final_minimum: maybe(bet),
  fold_free: flag,
  maximum: maybe(bet),
  minimum: bet,
  most_bets: maybe(number),
  opener: one("first", "random", "button"),
  raises: one("none", "double", "no_limit", "pot_limit", "fixed_limit"),
  short: one("fold", "all_in"),
};
const blinds = { big: bet, small: bet };
const seatCount = { default: whole(2, 10), most: whole(2, 10) };
const drawPokerRules1 = {
  advice: one("linear", "code", "rank", "win"),
  ante,
  betting,
  blinds: maybe(blinds),
  discards: whole(0, 5),
  name: text(1, 40, /^[a-z0-9-]+$/),
  open_hands: one("after_draw", "showdown", "in_order"),
  player: text(),
  remainder: one("carry", "odd_chips"),
  samples: whole(1, 10000000),
  seats: seatCount,
  stack: bet,
  stay: chips,
  version: number,
};
const seat = { kind: text(1), name: name(64) };
const entropySource = { secret: hex(32), text: maybe(text()) };
const drawPokerRules2 = {
  advice: one("linear", "code", "rank", "win"),
  ante,
  betting,
  blinds: maybe(blinds),
  button_rule: one("forward", "dead"),
  discards: whole(0, 5),
  history: one("all", "shown"),
  name: text(1, 40, /^[a-z0-9-]+$/),
  open_hands: one("after_draw", "showdown", "in_order"),
  player: text(),
  remainder: one("carry", "odd_chips"),
  samples: whole(1, 10000000),
  seats: seatCount,
  stack: bet,
  stay: chips,
  version: number,
};
const rake = {
  caps: list(chips),
  no_draw_no_rake: flag,
  rounding: one("down", "nearest", "up"),
  share: whole(0, 10000),
  unit: bet,
};
const drawPokerRules3 = {
  advice: one("linear", "code", "rank", "win"),
  ante,
  betting,
  blinds: maybe(blinds),
  button_rule: one("forward", "dead"),
  discards: whole(0, 5),
  draw: one("in_turn", "together"),
  history: one("all", "shown"),
  muck_all_in: flag,
  name: text(1, 40, /^[a-z0-9-]+$/),
  open_hands: one("after_draw", "showdown", "in_order"),
  player: text(),
  rake: maybe(rake),
  remainder: one("carry", "odd_chips"),
  reshuffle: one("others", "all"),
  samples: whole(1, 10000000),
  seats: seatCount,
  shows_first: one("aggressor", "left_of_button"),
  stack: bet,
  stay: chips,
  version: number,
};
const currency = { code: text(0, 16), exponent: whole(0, 4) };
const post = { amount: bet, kind: one("small", "big", "extra", "dead", "straddle"), seat: number };
const cashTable3 = {
  button: maybe(whole(0, 99)),
  cash: flag,
  currency,
  hand: number,
  numbers: list(whole(0, 99)),
  out: numbers,
  posts: maybe(list(post)),
  rake: maybe(list(chips)),
  recorded: flag,
  stacks: list(chips),
};
const blinds4 = { big: bet, small: bet, straddle: chips };
const drawPokerRules4 = {
  advice: one("linear", "code", "rank", "win"),
  ante,
  betting,
  blinds: maybe(blinds4),
  button_rule: one("forward", "dead"),
  discards: whole(0, 5),
  draw: one("in_turn", "together"),
  history: one("all", "shown"),
  muck_all_in: flag,
  name: text(1, 40, /^[a-z0-9-]+$/),
  open_hands: one("after_draw", "showdown", "in_order"),
  player: text(),
  rake: maybe(rake),
  remainder: one("carry", "odd_chips"),
  reshuffle: one("others", "all"),
  samples: whole(1, 10000000),
  seats: seatCount,
  shows_first: one("aggressor", "left_of_button"),
  stack: bet,
  stay: chips,
  version: number,
};
const betting_ = {
  cap: maybe(bet),
  check: one("always", "final"),
  check_ends: flag,
  final_minimum: maybe(bet),
  fold_free: flag,
  maximum: maybe(bet),
  minimum: bet,
  most_bets: maybe(number),
  opener: one("first", "random", "button"),
  raises: one("none", "double", "no_limit", "pot_limit", "fixed_limit"),
  short: one("fold", "all_in"),
  uncapped: one("never", "two_dealt_in", "two_left"),
};
const drawPoker = {
  advice: one("linear", "code", "rank", "win"),
  ante,
  betting: betting_,
  blinds: maybe(blinds4),
  button_rule: one("forward", "dead"),
  discards: whole(0, 5),
  draw: one("in_turn", "together"),
  history: one("all", "shown"),
  muck_all_in: flag,
  name: text(1, 40, /^[a-z0-9-]+$/),
  open_hands: one("after_draw", "showdown", "in_order"),
  player: text(),
  rake: maybe(rake),
  remainder: one("carry", "odd_chips"),
  reshuffle: one("others", "all"),
  samples: whole(1, 10000000),
  seats: seatCount,
  shows_first: one("aggressor", "left_of_button"),
  stack: bet,
  stay: chips,
  version: number,
};
const cash = {
  approval: flag,
  away_rounds: maybe(whole(1, 10000)),
  bomb_blinds: maybe(whole(1, 1000)),
  bomb_every: maybe(whole(2, 10000)),
  least: bet,
  most: maybe(bet),
  return_rounds: maybe(whole(1, 10000)),
  straddle_by_choice: flag,
};
const addOn = { chips: bet, price: whole(1, 1000000) };
const tournamentEntry = {
  addon: maybe(addOn),
  price: whole(1, 1000000),
  prizes: list(whole(1, 100), 1, 10),
  reentries: whole(0, 100),
  until: whole(0, 100),
};
const level = { ante: chips, big: bet, hands: whole(1, 10000), small: bet };
const levels = { schedule: list(level, 1, 100) };
const tablePerson = {
  brought: count,
  has: count,
  last_taken: count,
  left_ago: maybe(count),
  name: text(),
  number,
  taken: count,
};
const tablePeople = { known: list(tablePerson), next: number, seats: list(count) };
const words = text(0, 200);
const playedAt = {
  ambiguous: flag,
  text: words,
  utc: text(0, 99, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/),
  zone: words,
};
const tournament = { buy_in: maybe(count), currency, fee: maybe(count), level: maybe(words), number: words };
const openHand = { cards, seat: number };
const stakes = {
  ante: chips,
  big: maybe(bet),
  cap: maybe(bet),
  final_minimum: maybe(bet),
  increase: chips,
  maximum: maybe(bet),
  minimum: bet,
  small: maybe(bet),
  stack: bet,
  straddle: chips,
};
const kalahRules1 = { beans: whole(0, 64), empty_capture: flag, holes: whole(1, 32), version: whole(1, 1) };
const pokerMarketRules1 = { markets: whole(1, 1000000), rounds: whole(1, 1000000), version: whole(1, 1) };
const dealtHand = { cards: list(card, 5, 5), seat: number };
const rankedHand = { cards: list(card, 5, 5), points: number, seat: number };

const TABLE = {
  CameBack1: [{ seat: number }],
  ClockChanged1: [{ bank: whole(0, 2592000), by: maybe(number), seconds: whole(0, 2592000) }],
  ClockRestarted1: [{}],
  DealingSet1: [{ protocol: one(1), seconds: whole(1, 3600) }],
  DeviceChanged1: [{ seat: number }],
  SeatBound1: [
    {
      key: hex(32),
      length: whole(1, 1000000),
      renewal: maybe(hex(64)),
      seat: number,
      signature: hex(64),
      tip: hex(32),
    },
  ],
  SeatRemoved1: [{ seat: number }],
  SeatReplaced1: [{ seat: number }],
  ShareMissed1: [{ seat: number }],
  ShareOpened1: [{ seat: number, share: hex(32), signature: hex(64) }],
  SharesAwaited1: [{ round: number, seats: numbers }],
  TablePaused1: [{}],
  TableResumed1: [{}],
  TableSet1: [{ advice: flag, bank: whole(0, 2592000), opens_seeds: flag, seconds: whole(0, 2592000) }],
  TimedOut1: [{ seat: number }],
};

/** @type {Record<string, Record<string, Form[]>>} */
export const FORMS = {
  draw: {
    ...TABLE,
    AddOnTaken1: [{ amount: number, price: number, seat: number }],
    AntePosted1: [{ amount: count, seat: number }],
    Bet1: [{ amount: count, seat: number }],
    BlindPosted1: [{ amount: count, blind: one("small", "big"), seat: number }],
    BombPotAnnounced1: [{ by: maybe(number), by_rule: flag, round: number }],
    Called1: [{ amount: count, seat: number }],
    CardsDiscarded1: [{ count, seat: number }, { cards }],
    CardsDrawn1: [{ count: number, seat: number }, { cards }],
    CardsDrawn2: [
      { count: number, digests: list(hex(32)), seat: number },
      { cards, salts: list(hex(16)) },
    ],
    CardsLearned1: [{ seat: number }, { dealt: someCards, discarded: someCards, drawn: someCards, held: someCards }],
    CardsShown1: [{ cards, salts: list(hex(16)), seat: number }],
    Checked1: [{ seat: number }],
    ChipsBought1: [{ amount: number, seat: number }],
    DealRecorded1: [{ awards: list(award), mucked: numbers }, { cards: list(seatCards) }],
    DeckReshuffled1: [{ count: number, number }],
    DeckShuffled1: [{}, { seed: hex(32) }],
    Folded1: [{ reason: one("chosen", "short"), seat: number }],
    Forfeited1: [{ code, seat: number }],
    GameClosed1: [{}],
    GameEnded1: [{ reason: one("last_player", "rounds"), stacks: list(count), winners: numbers }],
    GameStarted1: [
      {
        game: one("draw"),
        program: text(),
        reproducible: flag,
        rounds: maybe(number),
        rules: drawPokerRules1,
        seats: list(seat),
        shuffle: number,
      },
      { entropy: entropySource },
    ],
    GameStarted2: [
      {
        engine: number,
        game: one("draw"),
        hidden_kinds: flag,
        program: text(),
        reproducible: flag,
        rounds: maybe(number),
        rules: drawPokerRules2,
        seats: list(seat),
        shuffle: number,
      },
      { entropy: entropySource },
    ],
    GameStarted3: [
      {
        engine: number,
        game: one("draw"),
        hidden_kinds: flag,
        program: text(),
        reproducible: flag,
        rounds: maybe(number),
        rules: drawPokerRules3,
        seats: list(seat),
        shuffle: number,
        table: maybe(cashTable3),
      },
      { entropy: entropySource },
    ],
    GameStarted4: [
      {
        engine: number,
        game: one("draw"),
        hidden_kinds: flag,
        program: text(),
        reproducible: flag,
        rounds: maybe(number),
        rules: drawPokerRules4,
        seats: list(seat),
        shuffle: number,
        table: maybe(cashTable3),
      },
      { entropy: entropySource },
    ],
    GameStarted5: [
      {
        engine: number,
        game: one("draw"),
        hidden_kinds: flag,
        program: text(),
        reproducible: flag,
        rounds: maybe(number),
        rules: drawPoker,
        seats: list(seat),
        shuffle: number,
        table: maybe(cashTable3),
      },
      { entropy: entropySource },
    ],
    GameStarted6: [
      {
        cash: maybe(cash),
        changeable: flag,
        engine: number,
        entry: maybe(tournamentEntry),
        game: one("draw"),
        hidden_kinds: flag,
        levels: maybe(levels),
        people: maybe(tablePeople),
        program: text(),
        reproducible: flag,
        rounds: maybe(number),
        rules: drawPoker,
        seats: list(seat),
        shuffle: number,
        table: maybe(cashTable3),
      },
      { entropy: entropySource },
    ],
    GotUp1: [{ amount: count, seat: number }],
    HandDealt1: [{ count: number, seat: number }, { cards }],
    HandDealt2: [
      { count: number, digests: list(hex(32)), seat: number },
      { cards, salts: list(hex(16)) },
    ],
    HandMucked1: [{ seat: number }],
    HandQuoted1: [
      {
        dialect: words,
        digest: hex(32),
        findings: list(text(0, 500)),
        first_line: number,
        hero: maybe(number),
        lines: list(count),
        number: words,
        played: maybe(playedAt),
        site: words,
        size: maybe(number),
        table: maybe(words),
        tournament: maybe(tournament),
      },
      { text: text() },
    ],
    HandShown1: [{ cards, seat: number }],
    HandsOpened1: [{ hands: list(openHand) }],
    HandsRevealed1: [{ hands: list(openHand), round: number }],
    OpenerChosen1: [{ betting: number, seat: number }],
    PlayerLeft1: [{ amount: count, reason: one("short", "withdrew"), seat: number }],
    Posted1: [{ amount: count, kind: one("extra", "dead", "straddle"), seat: number }],
    PotAwarded1: [{ pot: number, reason: one("showdown", "last_in", "game_end"), shares: list(share) }],
    PrizesAwarded1: [{ places: numbers, prices: list(count), prizes: list(count) }],
    PurchaseAdmitted1: [{ by: maybe(number), seat: number }],
    PurchaseAsked1: [{ amount: number, name: maybe(name(20)), person: maybe(number), seat: number }],
    PurchaseRefused1: [{ by: maybe(number), seat: number }],
    Raised1: [{ amount: count, seat: number, to: count }],
    RakeTaken1: [{ amount: number, pot: number }],
    RecordedCardsDiscarded1: [{ count, seat: number }, { cards: someCards }],
    RecordedCardsDrawn1: [{ count: number, seat: number }, { cards: someCards }],
    RecordedHandDealt1: [{ count: number, seat: number }, { cards: someCards }],
    Reentered1: [{ amount: number, price: number, seat: number }],
    RemainderCarried1: [{ amount: number }],
    RoundEnded1: [{ round: number }],
    RoundForgone1: [{ seat: number }],
    RoundStarted1: [{ ante: count, button: maybe(number), round: number }],
    SatDown1: [{ amount: number, seat: number }],
    SatDown2: [{ amount: number, name: maybe(name(20)), seat: number }],
    SatDown3: [{ amount: number, name: maybe(name(20)), person: maybe(number), seat: number }],
    SatIn1: [{ seat: number }],
    SatInWithBlind1: [{ seat: number }],
    SatOut1: [{ seat: number }],
    SatOutAtBlind1: [{ seat: number }],
    SeatFreed1: [{ amount: count, seat: number }],
    StakesChanged1: [{ by: maybe(number), stakes }],
    ToppedUp1: [{ amount: number, seat: number }],
    UncalledBetReturned1: [{ amount: number, seat: number }],
    WishesSet1: [{ in_with_blind: flag, out_at_blind: flag, seat: number, straddles: flag, top_up_to: count }],
  },
  kalah: {
    ...TABLE,
    BeansCaptured1: [{ beans: number, hole: number, seat: whole(1, 2) }],
    BeansSown1: [{ beans: number, hole: number, last_hole: count, last_side: whole(1, 2), seat: whole(1, 2) }],
    BeansSwept1: [{ beans: number, seat: whole(1, 2) }],
    Forfeited1: [{ code, seat: whole(1, 2) }],
    GameClosed1: [{}],
    GameEnded1: [{ pots: list(count, 2, 2), reason: one("no_beans", "forfeit"), winners: list(whole(1, 2)) }],
    GameStarted1: [
      { game: one("kalah"), program: text(), reproducible: flag, rules: kalahRules1, seats: list(seat) },
      { entropy: entropySource },
    ],
    GameStarted2: [
      {
        engine: number,
        game: one("kalah"),
        hidden_kinds: flag,
        program: text(),
        reproducible: flag,
        rules: kalahRules1,
        seats: list(seat),
      },
      { entropy: entropySource },
    ],
  },
  market: {
    ...TABLE,
    DeckShuffled1: [{ market: number }, { seed: hex(32) }],
    Forfeited1: [{ code, seat: number }],
    GameClosed1: [{}],
    GameEnded1: [{ scores: numbers, winners: numbers }],
    GameEnded2: [{ scores: list(count), winners: numbers }],
    GameStarted1: [
      {
        game: one("market"),
        program: text(),
        reproducible: flag,
        rules: pokerMarketRules1,
        seats: list(seat),
        shuffle: number,
      },
      { entropy: entropySource },
    ],
    GameStarted2: [
      {
        engine: number,
        game: one("market"),
        hidden_kinds: flag,
        program: text(),
        reproducible: flag,
        rules: pokerMarketRules1,
        seats: list(seat),
        shuffle: number,
      },
      { entropy: entropySource },
    ],
    HandsDealt1: [{ hands: list(dealtHand), market: number }],
    HandsRanked1: [{ hands: list(rankedHand), market: number }],
    RoundEnded1: [{ market: number, round: number }],
    RoundForgone1: [{ seat: number }],
    SwapAccepted1: [{ seat: number }],
    SwapDeclined1: [{ seat: number }],
    SwapProposed1: [{ gets: card, gives: card, partner: number, seat: number }],
    TurnPassed1: [{ seat: number }],
  },
};
