/** Kalah: a board to touch, whose beans move once their event has come. */

import { calm, classes, counted, does, html, useEffect, useRef, useState, whose } from "../html.js";
import { Countdown } from "../table/clock.js";
import { initials, isBot, Mark } from "../table/mark.js";
import { isMissing } from "../table/missing.js";
import { beansAt, capture, FLIGHT, lastOf, sow, starts } from "./sowing.js";

/** @param {GameProps} props */
export function Board(props) {
  const { view, me, legal, sent, act, snapshot } = props;
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const board = useMoving(props, box);
  const bottom = me === 2 ? 2 : 1;
  const top = 3 - bottom;
  const own = legal?.holes && me !== null && !sent ? legal.holes : [];
  const columns = Array.from({ length: view.rules.holes }, (_, at) => (bottom === 1 ? at + 1 : view.rules.holes - at));
  const hole = (
    /** @type {number} */ side,
    /** @type {number} */ number,
  ) => html`<${Hole} key=${`${side}-${number}`} board=${board} side=${side} number=${number}
    open=${side === me && own.includes(number)} mine=${side === me} sow=${() => act({ hole: number, type: "Sow" }, `Sow hole ${number}`)} />`;
  return html`<div class=${classes("kalah", view.rules.holes > 8 && "long")}>
    <${Player} seat=${top} ...${props} />
    <div class="board" ref=${box} role="group" aria-label="Board" style=${{ "--holes": view.rules.holes }} data-testid="board">
      <${Pot} board=${board} side=${top} name=${view.seats[top - 1].name} />
      <div class="rows">
        <div class="holes" role="group" aria-label=${`${whose(view.seats[top - 1].name)} holes`}>${columns.map((number) => hole(top, number))}</div>
        <div class="holes" role="group" aria-label=${`${whose(view.seats[bottom - 1].name)} holes`}>${columns.map((number) => hole(bottom, number))}</div>
      </div>
      <${Pot} board=${board} side=${bottom} name=${view.seats[bottom - 1].name} />
    </div>
    <${Player} seat=${bottom} ...${props} />
    <p class="waiting" role="status" data-testid="waiting">${sent ? `${sent.label}: sent, waiting for the table…` : turnText(view, me, snapshot)}</p>
  </div>`;
}

/** @param {any} legal */
export function examples(legal) {
  return legal ? `A hole: ${legal.holes.join(", ")}` : "";
}

/**
 * @param {any} view
 * @param {number | null} me
 * @param {Snapshot} snapshot
 */
function turnText(view, me, snapshot) {
  if (view.to_act === null) return "The game is over.";
  const again = view.again ? " again" : "";
  return view.to_act === me && snapshot.your_turn
    ? `Your turn${again}: touch a hole of yours to sow its beans.`
    : `${does(view.seats[view.to_act - 1].name, "is")} to move${again}.`;
}

/** @param {GameProps & {seat: number}} props */
function Player(props) {
  const { seat, view, me, snapshot, kinds } = props;
  const turn = snapshot.awaited.includes(seat);
  const lost = isMissing(seat, props);
  const kind = kinds?.[seat - 1];
  return html`<div class=${classes("player", turn && "turn")} data-testid=${`seat-${seat}`} aria-current=${turn ? "true" : undefined}>
    <${Mark} seat=${seat} kind=${kind} text=${initials([1, 2].map((one) => ({ ...view.seats[one - 1], kind: kinds?.[one - 1] ?? null, seat: one })))[seat]} state=${snapshot.sitting_out.includes(seat) ? "away" : lost && "lost"} />
    <b>${view.seats[seat - 1].name}</b> <span class="hint">${seat === 1 ? "South" : "North"}${seat === me ? ", you" : ""}${isBot(kind) ? `, bot: ${kind}` : ""}${lost ? ", offline" : ""}</span>
    ${turn && html`<${Countdown} clock=${snapshot.clock} seat=${seat} own=${seat === me} />`}
  </div>`;
}

/** @param {{board: KalahBoard, side: number, number: number, open: boolean, mine: boolean, sow: () => void}} props */
function Hole({ board, side, number, open, mine, sow: choose }) {
  const beans = beansAt(board, { hole: number, side });
  const label = `Hole ${number}, ${counted(beans, "bean")}`;
  const inside = html`<${Beans} count=${beans} seed=${side * 40 + number} /><span class="count" aria-hidden="true">${beans}</span>`;
  const place = { "data-place": `${side}-${number}` };
  if (!mine) return html`<div class="hole" role="img" aria-label=${label} ...${place}>${inside}</div>`;
  const to = open ? lastOf(board, side, number) : null;
  const lands =
    to === null
      ? ""
      : to.hole === 0
        ? ", ends in your pot: another turn"
        : `, ends in ${to.side === side ? "your" : "the other side's"} hole ${to.hole}`;
  return html`<button type="button" class=${classes("hole", open && "open", to?.hole === 0 && "again")} disabled=${!open} title=${open ? label + lands : ""}
    onClick=${choose} data-testid=${`hole-${number}`} ...${place}><span class="hidden">${label + lands}</span>${inside}<span class="which" aria-hidden="true">${number}</span></button>`;
}

/** @param {{board: KalahBoard, side: number, name: string}} props */
function Pot({ board, side, name }) {
  const beans = beansAt(board, { hole: 0, side });
  return html`<div class="kalah-pot" role="img" aria-label=${`${whose(name)} pot, ${counted(beans, "bean")}`} data-place=${`${side}-0`} data-testid=${`pot-${side}`}>
    <${Beans} count=${beans} seed=${side} wide /><span class="count" aria-hidden="true">${beans}</span></div>`;
}

const MOST_DRAWN = 40;
const GOLDEN = 2.399963;

/** Beans lie in a sunflower's pattern, a little out of place. @param {{count: number, seed: number, wide?: boolean}} props */
function Beans({ count, seed, wide = false }) {
  const drawn = Math.min(count, MOST_DRAWN);
  const spread = Math.min(14, 36 / Math.sqrt(Math.max(drawn, 4)));
  return html`<svg class="beans" viewBox=${wide ? "-50 -90 100 180" : "-50 -50 100 100"} aria-hidden="true">
    ${Array.from({ length: drawn }, (_, at) => {
      const away = spread * Math.sqrt(at + 0.35);
      const angle = at * GOLDEN + seed;
      return html`<ellipse key=${at} class=${`bean b${(at + seed) % 3}`} cx=${(away * Math.cos(angle)).toFixed(1)} cy=${(away * Math.sin(angle) * (wide ? 1.7 : 1)).toFixed(1)} rx="9" ry="6.500"
        transform=${`rotate(${(at * 67 + seed * 31) % 180} ${(away * Math.cos(angle)).toFixed(1)} ${(away * Math.sin(angle) * (wide ? 1.7 : 1)).toFixed(1)})`} />`;
    })}</svg>`;
}

/**
 * Return the board to draw, which follows the events bean by bean.
 * @param {GameProps} props
 * @param {import("../../vendor/preact.js").Ref<HTMLElement | null>} box
 * @returns {KalahBoard}
 */
function useMoving({ view, happened, still }, box) {
  const [shown, show] = useState(/** @type {KalahBoard} */ (view.board));
  const seen = useRef(happened.at(-1)?.seq ?? 0);
  const now = useRef(/** @type {KalahBoard} */ (view.board));
  const key = JSON.stringify(view.board);
  useEffect(() => {
    const fresh = happened.filter((event) => event.seq > seen.current);
    seen.current = happened.at(-1)?.seq ?? 0;
    const before = now.current;
    const steps = still || calm() || document.hidden ? [] : stepsOf(before, fresh);
    now.current = view.board;
    if (steps.length === 0) {
      show(view.board);
      return undefined;
    }
    const at = starts(steps.length);
    const flights = box.current ? fly(box.current, steps, at) : [];
    const began = performance.now();
    let frame = requestAnimationFrame(function draw(now) {
      const moved = at.filter((start) => began + start + FLIGHT / 2 <= now).length;
      show(moved === steps.length ? view.board : (steps[moved - 1]?.board ?? before));
      if (moved < steps.length) frame = requestAnimationFrame(draw);
    });
    return () => {
      cancelAnimationFrame(frame);
      for (const flight of flights) flight.cancel();
    };
  }, [key]);
  return shown.south.length === view.board.south.length ? shown : view.board;
}

/**
 * @param {KalahBoard} board
 * @param {Happening[]} events
 */
function stepsOf(board, events) {
  /** @type {SowingStep[]} */
  const steps = [];
  for (const { fields, type } of events) {
    const at = steps.at(-1)?.board ?? board;
    if (type === "BeansSown") steps.push(...sow(at, fields.seat, fields.hole));
    if (type === "BeansCaptured") steps.push(...capture(at, fields.seat, fields.hole));
  }
  return steps.length > 120 ? [] : steps;
}

/**
 * Let beans fly between places, each at its time.
 * @param {HTMLElement} box
 * @param {SowingStep[]} steps
 * @param {number[]} at
 */
function fly(box, steps, at) {
  const frame = box.getBoundingClientRect();
  const middle = (/** @type {KalahPlace} */ { side, hole }) => {
    const rect = box.querySelector(`[data-place="${side}-${hole}"]`)?.getBoundingClientRect() ?? frame;
    return `translate(${rect.x - frame.x + rect.width / 2 - 6}px, ${rect.y - frame.y + rect.height / 2 - 6}px)`;
  };
  return steps.map(({ from, to }, which) => {
    const bean = document.createElement("span");
    bean.className = "flying";
    box.append(bean);
    const frames = [from, to].map((place) => ({ transform: middle(place), visibility: "visible" }));
    const flight = bean.animate(frames, { delay: at[which] ?? 0, duration: FLIGHT, easing: "ease-out" });
    flight.onfinish = flight.oncancel = () => bean.remove();
    return flight;
  });
}
