/** @type {(levels: any) => boolean} Whether levels end by time. */
export const isTimed = ({ schedule }) => schedule[0].minutes !== null;

/** @type {(levels: any, round: number) => number} The level of a round, from 1, where they end by hands. */
export function levelAt({ schedule }, round) {
  let last = 0;
  const at = schedule.findIndex((/** @type {{ hands: number }} */ { hands }) => {
    last += hands;
    return round <= last;
  });
  return at < 0 ? schedule.length : at + 1;
}

/** @type {(rules: any, levels: any, number: number) => any} Bets stay in proportion to the big blind. */
export function stakesAt({ ante, betting, blinds, stack }, { schedule }, number) {
  const level = schedule[number - 1];
  const { cap, final_minimum, maximum } = betting;
  return {
    ante: level.ante,
    big: level.big,
    cap,
    final_minimum: final_minimum && Math.max(1, Math.floor((final_minimum * level.big) / blinds.big)),
    increase: ante.increase,
    maximum,
    minimum: level.big,
    small: level.small,
    stack,
    straddle: blinds.straddle,
  };
}

/** @type {(rules: any, levels: any, fixed: boolean) => boolean} Whether these levels are impossible; `fixed`: by other rules. */
export function refusedLevels(rules, levels, fixed) {
  if (!rules.blinds || fixed || rules.blinds.straddle || rules.ante.increase) return true;
  const [first] = levels.schedule;
  const { big, small } = rules.blinds;
  if (first.big !== big || first.small !== small || first.ante !== rules.ante.amount) return true;
  const timed = isTimed(levels);
  let smallest = 1;
  return levels.schedule.some(
    (/** @type {any} */ { ante, big, chip, hands, minutes, rest, small }, /** @type {number} */ at) => {
      const before = smallest;
      smallest = chip || smallest;
      return (
        small > big ||
        (chip && (!at || chip % before)) ||
        ante % smallest ||
        big % smallest ||
        small % smallest ||
        (hands === null) !== timed ||
        (minutes === null) === timed ||
        (rest > 0 && !(timed && at))
      );
    },
  );
}
