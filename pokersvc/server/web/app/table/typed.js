/** Every choice can be typed: call, raise 40, 1 3 5. */

import { html, useState } from "../html.js";

/** @param {{feed: Feed, screen: GameScreen | null, props: any}} given */
export function Typed({ feed, screen, props }) {
  const [text, write] = useState("");
  const { snapshot } = feed;
  const head = snapshot?.your_turn ? snapshot.head : null;
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const said = text.trim();
    const plain = said.toLowerCase();
    if (feed.sent) return;
    if (plain === "leave") feed.send({ action: { type: "Leave" } }, "Leave");
    else if (["next", "go on"].includes(plain)) feed.send({ action: { type: "GoOn" } }, "Next round");
    else if (["back", "i am back"].includes(plain)) feed.send({ action: { type: "ComeBack" } }, "Come back");
    else feed.send({ typed: screen?.typed?.(said, props) ?? said }, said || "Enter", head);
    write("");
  };
  const yours = feed.snapshot?.your_turn ?? false;
  const between = besides(feed);
  const examples = yours ? (screen?.examples?.(props.legal) ?? feed.snapshot?.ask) : between;
  return html`<form class="typed" onSubmit=${submit}>
    <label for="typed">Type a choice</label>
    <div class="row">
      <input id="typed" name="typed" autocomplete="off" autocapitalize="off" spellcheck=${false} value=${text} data-testid="typed"
        placeholder=${yours || between ? "Your choice" : "Not your turn"} aria-describedby="typed-help"
        onInput=${(/** @type {any} */ event) => write(event.target.value)} />
      <button type="submit" disabled=${feed.sent !== null} data-testid="send">Send</button>
    </div>
    ${feed.error && html`<p class="form-error" aria-hidden="true" data-testid="typed-error">${feed.error}</p>`}
    <p id="typed-help" class="hint">${feed.sent ? `${feed.sent.label}: sent…` : (examples ?? "")}</p>
  </form>`;
}

/** @param {Feed} feed */
function besides({ snapshot, seat }) {
  if (!snapshot || seat === null) return "";
  const may = snapshot.between ?? [];
  if (snapshot.view?.seats?.[seat - 1]?.standing === "out") return may.join(", ");
  const pause = snapshot.ends_next ? "leave" : "next, leave";
  const all = [snapshot.sitting_out.includes(seat) && "back", snapshot.pausing && pause, ...may];
  return all.filter(Boolean).join(", ");
}
