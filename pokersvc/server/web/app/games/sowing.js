/** The moves of beans on a Kalah board: the steps between two boards, for display only. The log is authoritative. */

/** Milliseconds for all beans of a move, for one bean, and the maximum between the starts of two beans. */
const WHOLE = 560;
export const FLIGHT = 180;
const APART = 110;

/**
 * Return when each bean of a move starts, in milliseconds after the first: many beans follow more closely.
 * @param {number} beans
 */
export function starts(beans) {
  const apart = Math.min(APART, (WHOLE - FLIGHT) / Math.max(beans - 1, 1));
  return Array.from({ length: beans }, (_, at) => at * apart);
}

/** @param {KalahBoard} board @returns {KalahBoard} */
function copy({ south, north, pots }) {
  return { north: [...north], pots: [...pots], south: [...south] };
}

/** @type {(board: KalahBoard, side: number, hole: number) => number[]} */
const row = (board, side, hole) => (hole === 0 ? board.pots : side === 1 ? board.south : board.north);
/** @type {(side: number, hole: number) => number} */
const at = (side, hole) => (hole === 0 ? side : hole) - 1;

/** @param {KalahBoard} board @param {KalahPlace} place */
export function beansAt(board, { side, hole }) {
  return row(board, side, hole)[at(side, hole)] ?? 0;
}

/** @param {KalahBoard} board @param {KalahPlace} place @param {number} more */
function add(board, { side, hole }, more) {
  row(board, side, hole)[at(side, hole)] = beansAt(board, { hole, side }) + more;
}

/**
 * Return the places that a side sows into, counterclockwise from its first hole.
 * @param {number} holes
 * @param {number} side
 * @returns {KalahPlace[]}
 */
export function way(holes, side) {
  const south = Array.from({ length: holes }, (_, at) => ({ hole: at + 1, side: 1 }));
  const north = Array.from({ length: holes }, (_, at) => ({ hole: holes - at, side: 2 }));
  const pot = { hole: 0, side };
  return side === 1 ? [...south, pot, ...north] : [...north, pot, ...south];
}

/**
 * Return the steps of sowing a hole, one for each bean.
 * @param {KalahBoard} board
 * @param {number} side
 * @param {number} hole
 * @returns {SowingStep[]}
 */
export function sow(board, side, hole) {
  const places = way(board.south.length, side);
  const now = copy(board);
  const from = { hole, side };
  const beans = beansAt(now, from);
  let next = places.findIndex((place) => place.side === side && place.hole === hole);
  add(now, from, -beans);
  /** @type {SowingStep[]} */
  const steps = [];
  for (let bean = 0; bean < beans; bean++) {
    next = (next + 1) % places.length;
    const to = /** @type {KalahPlace} */ (places[next]);
    add(now, to, 1);
    steps.push({ board: copy(now), from, to });
  }
  return steps;
}

/**
 * Return the steps of a capture: the side's own bean and those opposite go to the pot.
 * @param {KalahBoard} board
 * @param {number} side
 * @param {number} hole
 * @returns {SowingStep[]}
 */
export function capture(board, side, hole) {
  const now = copy(board);
  const to = { hole: 0, side };
  return [
    { hole, side },
    { hole, side: 3 - side },
  ]
    .filter((from) => beansAt(now, from) > 0)
    .map((from) => {
      add(now, to, beansAt(now, from));
      add(now, from, -beansAt(now, from));
      return { board: copy(now), from, to };
    });
}

/**
 * Return the place where the last bean of a move would fall, for the page's words about a hole.
 * @param {KalahBoard} board
 * @param {number} side
 * @param {number} hole
 */
export function lastOf(board, side, hole) {
  return sow(board, side, hole).at(-1)?.to ?? null;
}
