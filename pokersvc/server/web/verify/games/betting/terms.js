/** @type {(rake: RakeTerms, pot: number, players: number) => number} */
export function rakeOf({ caps, rounding, share, unit }, pot, players) {
  const whole = 10_000 * unit;
  const added = { down: 0, nearest: Math.floor(whole / 2), up: whole - 1 }[rounding];
  const taken = Math.floor((pot * share + added) / whole) * unit;
  const cap = caps.length > 0 ? caps[Math.min(players - 2, caps.length - 1)] : pot;
  return Math.min(taken, Number(cap), pot);
}
