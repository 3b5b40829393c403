import { seatWithButton } from "../betting/blinds.js";
import { NO_CASH_TERMS } from "../betting/cash_seats.js";

export const HAND = 5;

/** @type {(rules: any, engine: number, table: any, cashRules: any) => Terms} */
export function termsOf(rules, engine, table, cashRules) {
  const { ante, betting, blinds, rake = null } = rules;
  const isDue = ante.short === "sit_out";
  const cash = table?.cash === true;
  return {
    allIn: betting.short === "all_in",
    checkEnds: betting.check_ends,
    foldFree: betting.fold_free,
    priceSettles: engine >= 2,
    smallBlind: blinds?.small ?? 0,
    bigBlind: blinds?.big ?? 0,
    straddle: blinds?.straddle ?? 0,
    deadButton: rules.button_rule === "dead",
    bigBlindAlternates: engine >= 2,
    waitsAfterHeadsUp: engine >= 4,
    rake,
    atCash: cash ? cashTermsOf(cashRules, engine) : NO_CASH_TERMS,
    buyUpTo: rules.stack,
    cash,
    keepsSeats: cash,
    onlyWhoCanPay: table !== null,
    peopleComeToPrograms: engine >= 4,
    pausesForAll: engine === 1,
    winnersSit: engine > 1,
    stay: rules.stay,
    ante: isDue ? ante.amount : 0,
    anteIncrease: isDue ? ante.increase : 0,
  };
}

/** The first engine whose people have numbers and standing wishes. */
const WITH_CASH_RULES = 5;

/** @type {(cash: any, engine: number) => CashTerms} */
const cashTermsOf = (cash, engine) => ({
  approval: cash?.approval ?? false,
  awayRounds: cash?.away_rounds ?? null,
  bombBlinds: cash?.bomb_blinds ?? null,
  bombEvery: cash?.bomb_every ?? null,
  least: cash?.least ?? 1,
  most: cash?.most ?? null,
  returnRounds: cash?.return_rounds ?? null,
  straddleByChoice: cash?.straddle_by_choice ?? false,
  wishes: engine >= WITH_CASH_RULES,
});

/** @type {(cash: any, people: any, rules: any, seats: number) => boolean} Whether no game can start with these. */
export function refusedCash(cash, people, rules, seats) {
  if (cash && (cash.least > rules.stack || (cash.most !== null && cash.most < cash.least))) return true;
  if (cash?.straddle_by_choice && !rules.blinds?.straddle) return true;
  if (cash?.bomb_blinds ? !mayHaveBombPots(rules) : cash?.bomb_every) return true;
  if (people === null) return false;
  const sitting = people.seats.filter(Boolean);
  /** @type {number[]} */
  const numbers = people.known.map((/** @type {any} */ { number }) => number);
  return (
    people.seats.length !== seats ||
    new Set(sitting).size < sitting.length ||
    numbers.some((number, at) => at > 0 && number <= Number(numbers[at - 1])) ||
    people.next <= Math.max(0, ...sitting, ...numbers)
  );
}

/** @type {(rules: any) => boolean} */
const mayHaveBombPots = ({ ante, betting, blinds }) =>
  Boolean(blinds) && betting.short === "all_in" && ante.when === "before_deal" && ante.short !== "surrender";

/** @type {(rules: any, bombPot?: boolean) => Streets} In a bomb pot nobody bets before the draw. */
export function streetsOf({ betting, blinds, discards, draw, open_hands }, bombPot = false) {
  const { check, final_minimum, minimum, opener } = betting;
  const openerSaid = opener === "random";
  const dealt = {
    deals: [{ cards: HAND }],
    bets: !bombPot,
    draw: null,
    opensHands: false,
    least: minimum,
    mayCheck: check === "always",
    openerSaid,
    postsOpen: Boolean(blinds) && !bombPot,
  };
  const drawn = {
    deals: [],
    bets: true,
    draw: discards > 0 ? { most: discards, together: draw === "together" } : null,
    opensHands: open_hands === "after_draw",
    least: final_minimum ?? minimum,
    mayCheck: true,
    openerSaid,
    postsOpen: false,
  };
  return [dealt, drawn];
}

/** @type {(rules: any) => CardTerms} */
export const cardTermsOf = (rules) => ({
  reshuffle: rules.reshuffle,
  anteAfterDeal: rules.ante.when === "after_deal",
  shows: rules.open_hands === "in_order" ? "in_order" : "at_once",
  showsFirst: rules.shows_first,
  muckAllIn: rules.muck_all_in,
  rakedFrom: rules.rake?.no_draw_no_rake ? 2 : 0,
});

/** @type {(table: any) => FirstRound} */
export const statedOf = (table) => ({
  button: table?.button == null ? null : seatWithButton(table.numbers, table.button),
  posts: table?.posts ?? null,
});
