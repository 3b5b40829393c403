"""What the page offers a player (amounts, advice, a sound), and how it handles its streams and keys."""

import re
from typing import Any

import pytest
from playwright.async_api import expect

from tests.server.guests import Made, simple_action

from .conftest import Devices
from .people import PHONE, Person
from .serving import Served

pytestmark = pytest.mark.slow

PEOPLE = ({"name": "Ann"}, {"name": "Bo"})
NO_LIMIT: dict[str, Any] = {"options": {"rules": "no-limit"}, "rounds": 1}


def choose(made: Made, seat: int) -> None:
    """Choose an action for a seat, by a program outside the browser."""
    held = made.seat(seat)
    now = held.snapshot()
    assert held.send(head=now["head"], action=simple_action(now)).status_code == 200


async def test_an_amount_by_slider_preset_and_number(served: Served, devices: Devices) -> None:
    made = served.guest.made(*PEOPLE, **NO_LIMIT).started()
    person = await Person.at(await devices.one(**PHONE), served.url, made, made.watch.snapshot()["awaited"][0])
    page = person.page
    await person.turn()
    slider, number, raises = (page.get_by_test_id(name) for name in ("slider", "amount", "raise"))
    await expect(raises).to_have_text("Raise to 4")
    await slider.focus()
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("ArrowUp")
    await expect(raises).to_have_text("Raise to 8")  # by big blinds
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("ArrowLeft")
    await expect(raises).to_have_text("Raise to 4")
    await page.get_by_role("button", name=re.compile("^3 bb")).tap()
    await expect(raises).to_have_text("Raise to 6")
    await expect(number).to_have_value("6")
    await page.get_by_role("button", name=re.compile("^Most")).tap()
    await expect(raises).to_have_text("Raise to 200, all in")
    await expect(slider).to_have_value("200")
    await number.fill("201")
    await expect(raises).to_be_disabled()
    await number.fill("40")
    await raises.tap()
    await person.see("account").to_contain_text("raises to 40")


async def test_what_happened_stays_at_its_end_though_a_scroll_is_told_late(served: Served, devices: Devices) -> None:
    made = served.guest.made(*PEOPLE, **NO_LIMIT).started()
    ann = await Person.at(await devices.one(), served.url, made, 1)
    await ann.verdict("good")
    account = ann.page.get_by_test_id("account")
    await account.evaluate(
        """box => {
            document.styleSheets[0].insertRule("[data-testid=account] li { min-height: 120px }");
            box.scrollTop = box.scrollHeight;
            const told = new MutationObserver(() => box.dispatchEvent(new Event("scroll")));
            told.observe(box, { childList: true, subtree: true });
        }"""
    )
    for seat in (1, 2):
        lines = await ann.lines()
        choose(made, seat)
        await ann.after(lines)
    await ann.page.wait_for_function(
        "() => { const box = document.querySelector('[data-testid=account]');"
        " return box.scrollHeight - box.scrollTop - box.clientHeight < 5 }",
        timeout=5_000,
    )


async def test_advice_is_given_to_who_asks_where_the_table_allows_it(served: Served, devices: Devices) -> None:
    for allowed in (True, False):
        made = served.guest.made(*PEOPLE, rounds=1, settings={"advice": allowed}).started()
        choose(made, 1)
        choose(made, 2)
        person = await Person.at(await devices.one(**PHONE), served.url, made, 1)
        page = person.page
        await person.see("draw").to_be_visible()
        await person.see("advised").to_have_count(0)
        if not allowed:
            await person.see("advice").to_have_count(0)
            return
        await page.get_by_test_id("advice").tap()
        await person.see("advised").to_contain_text(re.compile(r"Best: .* wins \d+"))
        best = await page.get_by_test_id("advised").inner_text()
        await page.get_by_role("button", name="Compare").tap()
        await expect(page.get_by_role("region", name="Every discard").first).to_contain_text("discard")
        await page.keyboard.press("Escape")
        await page.get_by_test_id("pick-advised").tap()
        cards = 0 if "keep all" in best else len(best.partition("discard ")[2].partition(" wins")[0].split())
        says = {0: "Stand pat", 1: "Discard 1 card"}.get(cards, f"Discard {cards} cards")
        await person.see("draw").to_have_text(says)


QUIET_UNTIL_TOUCHED = """
window.tones = 0;
window.AudioContext = class {
    state = "suspended"; currentTime = 0; destination = {};
    resume() { this.state = "running"; }
    createGain() { return { gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect() {} }; }
    createOscillator() { window.tones += 1; return { frequency: {}, connect: (to) => to, start() {}, stop() {} }; }
};
"""
"""A script that blocks sound until somebody touches the page or presses a key, as browsers do."""


@pytest.mark.parametrize("touched", [True, False], ids=["touch", "key"])
async def test_a_sound_when_it_is_ones_turn(served: Served, devices: Devices, *, touched: bool) -> None:
    made = served.guest.made(*PEOPLE, rounds=1).started()
    context = await devices.one(**PHONE)
    await context.add_init_script(QUIET_UNTIL_TOUCHED)
    person = await Person.at(context, served.url, made, 1)
    await person.turn()
    assert await person.page.evaluate("window.tones") == 0
    if touched:
        await person.first_choice.tap()
    else:
        await person.first_choice.focus()
        await person.page.keyboard.press("Enter")
    await person.see("waiting").to_contain_text("Bo is to act")
    choose(made, 2)
    await person.turn()
    assert "Your turn" in await person.page.title()
    assert await person.page.evaluate("window.tones") == 2
    await person.page.get_by_test_id("signals").tap()
    await person.page.get_by_test_id("sound").tap()
    await person.page.keyboard.press("Escape")
    await person.choose()
    choose(made, 2)
    await person.turn()
    assert await person.page.evaluate("window.tones") == 2, "it was turned off"


MAY_HIDE = """Object.defineProperty(Document.prototype, "hidden", { get: () => window.away ?? false });"""
TURNED = "away => { window.away = away; document.dispatchEvent(new Event('visibilitychange')); }"


async def streams(served: Served, person: Person, expected: int) -> None:
    """Wait until the server has the given number of open streams."""
    for _ in range(100):
        found = re.search(r"^pokersvc_streams (\d+)", served.guest.get("/metrics").text, re.MULTILINE)
        assert found is not None
        if int(found[1]) == expected:
            return
        await person.page.wait_for_timeout(100)
    raise AssertionError(f"there are {found and found[1]} streams, not {expected}")


async def test_a_hidden_tab_keeps_the_stream_of_a_seat_alone(served: Served, devices: Devices) -> None:
    made = served.guest.made(*PEOPLE, rounds=1).started()
    people = []
    for seat in (2, None):
        context = await devices.one()
        await context.add_init_script(MAY_HIDE)
        people.append(await Person.at(context, served.url, made, seat))
    player, watcher = people
    for person in people:
        await person.verdict("good")
    await streams(served, player, 2)
    for person in people:
        await person.page.evaluate(TURNED, True)
    await streams(served, player, 1)
    before = await watcher.lines()
    choose(made, 1)
    await player.see("account").to_contain_text("Ann bets")
    assert await watcher.lines() == before
    await watcher.page.evaluate(TURNED, False)
    await watcher.see("account").to_contain_text("Ann bets")
    await watcher.verdict("good")


async def test_a_stream_that_a_proxys_error_closed_is_made_anew(served: Served, devices: Devices) -> None:
    made = served.guest.made(*PEOPLE, rounds=1).started()
    context = await devices.one()
    errors = []

    async def bad_gateway(route: Any) -> None:
        errors.append(route.request.url)
        await route.fulfill(status=502, body="Bad gateway", content_type="text/html")

    await context.route("**/stream?*", bad_gateway, times=2)  # a browser gives such a stream up for good
    person = await Person.at(context, served.url, made, 1)
    await person.turn()
    await person.verdict("good")
    assert len(errors) == 2


async def test_a_replay_plays_by_itself_at_a_speed(served: Served, devices: Devices) -> None:
    made = served.guest.made(*PEOPLE, rounds=1).started()
    while made.watch.snapshot()["outcome"] is None:
        choose(made, made.watch.snapshot()["awaited"][0])
    context = await devices.one()
    await context.clock.install()
    page = await context.new_page()
    await page.goto(f"{served.url}/replay/{made.table}/")
    event = page.get_by_test_id("event")
    await expect(event).to_contain_text("Event 1")
    await page.get_by_test_id("speed").select_option("0.5")
    await context.clock.pause_at(await page.evaluate("Date.now() + 1000"))
    await page.get_by_test_id("play").click()
    await context.clock.run_for(600)
    await expect(event).to_contain_text("Event 1")
    await page.get_by_test_id("speed").select_option("8")
    await context.clock.run_for(600)
    await expect(event).not_to_have_text("Event 1")
    await page.get_by_test_id("play").click()
    await expect(page.get_by_test_id("play")).to_have_text("Play")


async def test_the_waiting_room_says_who_can_check_the_shuffle(served: Served, devices: Devices) -> None:
    for opens in (True, False):
        made = served.guest.made(*PEOPLE, settings={"dealing": "together", "opens_seeds": opens})
        person = await Person.at(await devices.one(**PHONE), served.url, made, 1)
        room = expect(person.page.locator(".waiting-room"))
        await room.to_contain_text("shuffled by the players and the dealer together")
        await room.to_contain_text(
            "every deck and hand is opened after the game"
            if opens
            else "decks stay closed; only an auditor can check the shuffle"
        )


KEYS = """async () => {
    const asked = (request) => new Promise((done) => { request.onsuccess = () => done(request.result); });
    const opened = await asked(indexedDB.open("pokersvc-shares", 1));
    const kept = (await asked(opened.transaction("devices").objectStore("devices").getAll())).flat(9);
    const read = ({ secret }) => crypto.subtle.exportKey("pkcs8", secret).then(() => "read", () => "refused");
    return [kept.map(({ secret }) => secret instanceof CryptoKey), await Promise.all(kept.map(read))];
}"""
"""A script that tries to read every key stored by the page."""


async def test_a_key_is_kept_that_no_script_can_read(served: Served, devices: Devices) -> None:
    settings = {"dealing": "together", "opens_seeds": True}
    made = served.guest.made(PEOPLE[0], {"program": "steady"}, rounds=1, settings=settings).started()
    person = await Person.at(await devices.one(), served.url, made, 1)
    await person.see("shuffle").to_have_attribute("data-standing", "taking_part")
    assert await person.page.evaluate(KEYS) == [[True], ["refused"]]


async def test_plates_are_whole_where_somebody_is_all_in(served: Served, devices: Devices) -> None:
    made = served.guest.made(*PEOPLE, **NO_LIMIT).started()
    person = await Person.at(await devices.one(viewport={"width": 1280, "height": 800}), served.url, made, None)
    notes = person.page.locator(".felt .act")
    for typed, noted in (("all in", "all in · raises"), ("all in", "to draw"), ("k", "all in · stands pat")):
        now = made.watch.snapshot()
        assert made.seat(now["awaited"][0]).send(head=now["head"], typed=typed).status_code == 200
        await expect(notes.filter(has_text=noted)).to_have_count(1)
        cut = "all => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"
        assert await notes.evaluate_all(cut) == []


async def test_the_felt_says_who_is_a_bot(served: Served, devices: Devices) -> None:
    made = served.guest.made({"name": "Ann"}, {"program": "steady"}, **NO_LIMIT).started()
    person = await Person.at(await devices.one(**PHONE), served.url, made, 1)
    await person.see("seat-2").to_contain_text(re.compile("^bot "))
    await person.see("seat-1").not_to_contain_text("bot")
