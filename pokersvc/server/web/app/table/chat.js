/** What people say at the table. Every line is plain text and shows its seat; none looks like a line of the dealer. */

import { get, post } from "../api.js";
import { keep, kept } from "../device/store.js";
import { classes, html, useEffect, useRef, useState } from "../html.js";
import { sayer, unread } from "../log/said-lines.js";

const EVERY = 4000;
/** @type {[string, string, string][]} */
const SIGNS = [
  ["hello", "👋", "Hello"],
  ["good_luck", "🍀", "Good luck"],
  ["well_played", "👏", "Well played"],
  ["thanks", "🙏", "Thanks"],
  ["wow", "😮", "Wow"],
  ["oops", "😅", "Oops"],
  ["your_turn", "⏰", "Your turn"],
  ["back_soon", "☕", "Back soon"],
];

/** @param {{feed: Feed, isHost: boolean, hosts: boolean}} props */
export function Chat({ feed, isHost, hosts }) {
  const key = `muted:${feed.table}:${feed.seat ?? ""}`;
  const [muted, setMuted] = useState(/** @type {number[]} */ (kept("localStorage", key) ?? []));
  const [open, setOpen] = useState(false);
  const [text, write] = useState("");
  const [error, fail] = useState("");
  const [seen, see] = useState(0);
  const [asked, setAsked] = useState(/** @type {Said[]} */ ([]));
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const access = feed.info.access ?? { chat: "all", delay: 0, watchers_read: false };
  const lines = hosts ? asked : feed.chat;
  const shown = lines.filter((line) => !muted.includes(line.seat));
  const last = lines.at(-1)?.number ?? 0;
  const me = hosts ? 0 : feed.seat;
  const door = hosts ? "host" : feed.door;
  const look = () => {
    get(feed.api("host/chat")).then(
      (found) => setAsked(found.lines),
      () => {}, // the next look may succeed
    );
  };
  useEffect(() => {
    if (!hosts) return undefined; // the host's page follows what watchers see, which may have no chat
    look();
    const timer = setInterval(look, EVERY);
    return () => clearInterval(timer);
  }, []);
  useEffect(() => {
    if (open) see(last);
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [last, open]);
  if (me === null && !access.watchers_read) return null;
  const ask = async (/** @type {string} */ what, /** @type {any} */ body = {}) => {
    fail("");
    try {
      await post(feed.api(what), body);
      if (hosts) look();
      return true;
    } catch (refused) {
      fail(refused instanceof Error ? refused.message : String(refused));
      return false;
    }
  };
  const say = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (text.trim() && (await ask(`${door}/say`, { text }))) write("");
  };
  const mute = (/** @type {number} */ seat) => {
    const now = muted.includes(seat) ? muted.filter((one) => one !== seat) : [...muted, seat];
    keep("localStorage", key, now);
    setMuted(now);
  };
  const allow = async (/** @type {any} */ change) => {
    if (!(await ask("host/access", change))) return;
    feed.info = await get(feed.api(feed.tells));
    feed.redraw();
  };
  const others = [...new Map(lines.map((line) => [line.seat, line])).values()].filter((line) => line.seat !== me);
  const count = unread(lines, seen, me, muted);
  const writes = me !== null && access.chat !== "off" && !feed.info.closed;
  return html`<section class=${classes("chat", open && "open")} aria-labelledby="chat-title" data-testid="chat">
    <h2 id="chat-title">Chat</h2>
    <button type="button" class="chat-button" aria-expanded=${open} data-testid="chat-button" onClick=${() => setOpen(!open)}>${open ? "Close the chat" : count ? `Chat, ${count} unread` : "Open the chat"}</button>
    <div class="chat-body">
      <div ref=${box} class="chat-lines" role="log" aria-live="polite" aria-label="Chat" tabindex="0" data-testid="chat-lines">
        <ol>${shown.map(
          (line) => html`<li key=${line.number}><b class="chat-seat">${sayer(line)}</b> <bdi>${line.text}</bdi>
          ${isHost && html`<button type="button" class="quiet" aria-label=${`Delete line ${line.number}`} onClick=${() => ask("host/chat/delete", { number: line.number })}>✕</button>`}</li>`,
        )}</ol>
        ${shown.length === 0 && html`<p class="hint">Nobody has said anything.</p>`}
      </div>
      ${access.chat === "off" && html`<p class="hint">The host has switched the chat off.</p>`}
      ${
        writes &&
        html`<form onSubmit=${say}><label class="hidden" for="say">Say something to the table</label>
        <div class="row"><input id="say" maxlength="200" autocomplete="off" placeholder="Say something" value=${text} data-testid="say"
          onInput=${(/** @type {any} */ event) => write(event.target.value)} /><button type="submit" data-testid="say-it">Say</button></div>
        <div class="row signs">${SIGNS.map(([sign, picture, said]) => html`<button type="button" class="quiet" title=${said} aria-label=${said} data-testid=${`sign-${sign}`} onClick=${() => ask(`${door}/say`, { sign })}>${picture}</button>`)}</div></form>`
      }
      <div role="alert">${error && html`<p class="form-error">${error}</p>`}</div>
      <div class="row">${others.map((line) => html`<button type="button" class="quiet" key=${line.seat} data-testid=${`mute-${line.seat}`} onClick=${() => mute(line.seat)}>${muted.includes(line.seat) ? "Unmute" : "Mute"} ${sayer(line)}</button>`)}</div>
      ${
        isHost &&
        html`<div class="row"><label>Who may talk <select value=${access.chat} data-testid="who-talks" onChange=${(/** @type {any} */ event) => allow({ chat: event.target.value })}>
          <option value="all">everybody</option><option value="folded">only who is in no hand</option><option value="off">nobody</option></select></label>
        <label class="check"><input type="checkbox" checked=${access.watchers_read} data-testid="watchers-read" onChange=${(/** @type {any} */ event) => allow({ watchers_read: event.target.checked })} /><span>Watchers may read</span></label>
        <label>Watchers see the game later by (seconds) <input type="number" min="0" max="3600" value=${access.delay} data-testid="delay" onChange=${(/** @type {any} */ event) => allow({ delay: Number(event.target.value) })} /></label>
        <button type="button" class="quiet" data-testid="clear-chat" onClick=${() => confirm("Delete everything that was said?") && ask("host/chat/clear")}>Delete all</button></div>`
      }
    </div>
  </section>`;
}
