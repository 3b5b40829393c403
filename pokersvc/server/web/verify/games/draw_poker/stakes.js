/** @type {(rules: any, stakes: any) => any} The rules with these stakes, whose ante is that of the next round. */
export function withStakes(rules, stakes) {
  const { big, cap, final_minimum, maximum, minimum, small, stack, straddle } = stakes;
  return {
    ...rules,
    ante: { ...rules.ante, amount: stakes.ante, increase: stakes.increase },
    betting: { ...rules.betting, cap, final_minimum, maximum, minimum },
    blinds: rules.blinds && { ...rules.blinds, big, small, straddle },
    stack,
  };
}

/** @type {(rules: any, stakes: any, cash: boolean) => string | null} What no house may have; null if they can be played. */
export function refusedStakes(rules, stakes, cash) {
  const { ante, big, cap, final_minimum, maximum, minimum, small, stack, straddle } = stakes;
  const { raises } = rules.betting;
  const least = Math.max(minimum, final_minimum ?? 0);
  const hasBlinds = Boolean(rules.blinds);
  const limited = raises === "pot_limit" || raises === "fixed_limit";
  /** @type {[string, boolean][]} */
  const checks = [
    ["blinds", (small !== null) !== hasBlinds || (big !== null) !== hasBlinds || (!hasBlinds && straddle > 0)],
    ["stack", cash ? stack < Math.max(ante, rules.stay, least, straddle) : stack !== rules.stack],
    ["maximum", maximum !== null && (limited || maximum < least || (cap !== null && maximum > cap))],
    ["cap", (cap !== null) !== (raises === "double") || (cap !== null && (cap < least || maximum === null))],
    ["blinds", hasBlinds && (small > big || big !== minimum)],
    ["straddle", hasBlinds && straddle > 0 && !mayStraddle(raises, stakes, rules.betting.most_bets)],
  ];
  return checks.find(([, isWrong]) => isWrong)?.[0] ?? null;
}

/** @type {(raises: string, stakes: any, mostBets: number | null) => boolean} */
function mayStraddle(raises, { big, small, straddle }, mostBets) {
  const most = { fixed_limit: 2 * big, pot_limit: 3 * big + small }[raises] ?? Infinity;
  return straddle >= 2 * big && straddle <= most && (mostBets === null || mostBets >= 2);
}
