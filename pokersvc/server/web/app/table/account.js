/** The account of what happened, in the server's words and by hands; screen readers hear each line as it comes. */

import { html, useLayoutEffect, useMemo, useRef, useState } from "../html.js";
import { byHands } from "../log/by-hands.js";
import { told } from "../said.js";

/** The maximum distance from its end, in pixels, at which the account scrolls to new lines. */
const NEAR = 80;

/**
 * @param {{lines: Line[], info: TableInfo | null, replay?: string, go?: (seq: number) => void, children?: any, verdict?: any, review?: (round: number) => any}} props
 *   `replay`: the address of the replay, to which each line leads; `go`: shows a moment here; `children`: beside the heading;
 *   `review`: what stands below a round that is over
 */
export function Account({ lines, info, replay, go, children, verdict, review }) {
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const follows = useRef(true);
  const [opened, open] = useState(/** @type {Record<number, boolean>} */ ({}));
  const last = lines.at(-1)?.seq;
  const hands = useMemo(() => byHands(lines), [lines.length, last, lines.at(-1)?.type]);
  // Runs before the browser reports a scroll: by then, new lines could make it seem that the reader has left the end.
  useLayoutEffect(() => {
    const box = list.current;
    if (box && follows.current) box.scrollTop = box.scrollHeight;
  }, [last]);
  const scrolled = () => {
    const box = list.current;
    if (box) follows.current = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR;
  };
  const names = info?.seats.map((seat) => seat.name);
  return html`<section class="account" aria-labelledby="account-title">
    <div class="account-head"><h2 id="account-title">What happened</h2>${children}</div>
    ${verdict}
    <div ref=${list} class="lines" role="log" aria-live="polite" aria-label="What happened" tabindex="0" data-testid="account" data-last=${last ?? 0} onScroll=${scrolled}>
      ${hands.map((hand, at) => {
        const shown = opened[hand.start] ?? at === hands.length - 1;
        return html`<${Hand} key=${hand.start} hand=${hand} alone=${hands.length === 1 && hand.round === 0} shown=${shown} names=${names} replay=${replay} go=${go} review=${review}
          toggle=${() => open({ ...opened, [hand.start]: !shown })} />`;
      })}
      ${lines.length === 0 && html`<p class="hint">Nothing yet.</p>`}
    </div>
  </section>`;
}

/** @param {{hand: HandLines, alone: boolean, shown: boolean, names: (string | null)[] | undefined, replay?: string, go?: (seq: number) => void, review?: (round: number) => any, toggle: () => void}} props */
function Hand({ hand, alone, shown, names, replay, go, review, toggle }) {
  const title = hand.round === 0 ? "Before the first round" : `Round ${hand.round}`;
  const result = hand.result && told(hand.result, names);
  return html`<section class="hand-log" aria-label=${title}>
    ${!alone && html`<h3><button type="button" class="quiet" aria-expanded=${shown} data-testid=${`hand-${hand.round}`} onClick=${toggle}><span>${title}${result && html`: <b>${result}</b>`}</span></button></h3>`}
    ${
      shown &&
      html`${hand.shares.length > 0 && html`<details><summary>Details of the shuffle</summary><ol>${hand.shares.map((line) => html`<li key=${line.seq}>${line.text}</li>`)}</ol></details>`}
      <ol>${hand.lines.map((line) => html`<li key=${line.seq}><${Moment} line=${line} names=${names} replay=${replay} go=${go} /></li>`)}</ol>
      ${replay && hand.over && html`<a class="replay-hand" href=${`${replay}#${hand.start}`} target="_blank" rel="noopener">Replay round ${hand.round}</a>`}
      ${hand.over && review?.(hand.round)}`
    }
  </section>`;
}

/**
 * A line that links to its moment. Tab skips it: there are dozens of lines, and each round has a link.
 * @param {{line: Line, names: (string | null)[] | undefined, replay?: string, go?: (seq: number) => void}} props
 */
function Moment({ line, names, replay, go }) {
  const text = told(line.text, names);
  if (go)
    return html`<a href=${`#${line.seq}`} tabindex="-1" onClick=${(/** @type {Event} */ event) => shows(event, () => go(line.seq))}>${text}</a>`;
  if (!replay) return html`${text}`;
  return html`<a href=${`${replay}#${line.seq}`} tabindex="-1" target="_blank" rel="noopener">${text}</a>`;
}

/** @param {Event} event @param {() => void} task */
function shows(event, task) {
  event.preventDefault();
  task();
}
