"""Lost networks and servers, and tabs that come back: no event is missed or recorded twice."""

import asyncio
import re
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import expect

from tests.server.guests import Made, simple_action

from .conftest import Devices
from .people import PHONE, Person
from .serving import Served, Wire, wired

pytestmark = pytest.mark.slow

PEOPLE = ({"name": "Ann"}, {"name": "Bo"})
LOST = re.compile(r"^No connection since \d+:\d\d:\d\d [AP]M\. Trying again…$")
SILENT = """() => {
    const since = /since (.+)\\. Trying/.exec(document.querySelector('[data-testid="connection"]').textContent)[1];
    const seconds = (Date.now() - new Date(`${new Date().toDateString()} ${since}`)) / 1000;
    return seconds < 0 ? seconds + 86_400 : seconds;
}"""
"""A script that returns the seconds since the time of the last data, which the page shows."""
ENOUGH = 30_000
"""Milliseconds after which the page has noticed that no data arrives."""


@pytest.fixture(scope="module")
async def wires(anyio_backend: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[tuple[Served, Wire]]:
    async with wired(tmp_path_factory.mktemp("wired") / "games.sqlite") as made:
        yield made


def begun(served: Served, **asked: Any) -> Made:
    """Start a game in which the first seat is to bet."""
    return served.guest.made(*PEOPLE, **({"rounds": 1} | asked)).started()


def choose(made: Made, seat: int) -> None:
    """Choose an action for a seat, by a program outside the browser."""
    held = made.seat(seat)
    now = held.snapshot()
    assert held.send(head=now["head"], action=simple_action(now)).status_code == 200


def chosen(made: Made) -> list[str]:
    """Return the action that the first seat chose."""
    events = made.seat(1).events(made.watch.snapshot()["count"])
    types = ("Bet", "Called", "Checked", "Raised", "Folded", "CardsDiscarded")
    return [event["type"] for event in events if event["type"] in types and '"seat":1' in event["payload"]]


async def whole(person: Person) -> None:
    """Wait until the page has received and verified all events."""
    count = person.made.watch.snapshot()["count"]
    await person.verdict("good")
    await person.page.get_by_test_id("verdict").click()
    await expect(person.page.locator(".spoken .hint")).to_have_text(f"Short form after event {count}")
    await person.page.keyboard.press("Escape")
    expected = ("Failed to load resource", "Cross-Origin-Opener-Policy header has been ignored")  # the latter over http
    assert not [text for text in person.complaints if not any(words in text for words in expected)]


async def test_a_network_that_is_gone_for_some_time(devices: Devices, wires: tuple[Served, Wire]) -> None:
    served, wire = wires
    made = begun(served)
    person = await Person.at(await devices.one(**PHONE), served.url, made, 2)
    await person.verdict("good")
    wire.cut()
    await person.see("connection").to_have_text(LOST)
    count = made.watch.snapshot()["count"]
    await person.verdict("behind")
    await person.see("verdict").to_have_text(f"… Checked to {count}")
    await person.see("verdict").not_to_have_class(re.compile("good"))
    await person.page.get_by_test_id("verdict").click()
    await person.see("behind").to_have_text(
        re.compile(rf"^No connection since .+\. What is said here is so up to event {count}\.$")
    )
    await person.page.keyboard.press("Escape")
    choose(made, 1)
    wire.mend()
    await person.see("connection").to_have_text("Connected again.")
    await person.turn()
    await person.see("verdict").to_have_text("✓ Checked")
    await whole(person)


OPENED = """() => new Promise((resolve) => {
  new MutationObserver((_, observer) => {
    const dialog = document.querySelector("dialog");
    if (dialog === null) return;
    observer.disconnect();
    resolve(dialog.open);
  }).observe(document.body, { childList: true, subtree: true });
  document.querySelector("[data-testid=verdict]").click();
})"""
"""Clicks on the verdict; returns whether the dialog is open in the moment in which it is there."""


async def test_escape_closes_a_dialog_from_the_moment_in_which_it_is_there(
    devices: Devices, wires: tuple[Served, Wire]
) -> None:
    served, _ = wires
    person = await Person.at(await devices.one(**PHONE), served.url, begun(served), 2)
    await person.verdict("good")
    assert await person.page.evaluate(OPENED)
    await person.page.keyboard.press("Escape")
    await expect(person.page.locator("dialog")).to_have_count(0)


WRONG = (
    ("/t/no%20table/", "There is no such table"),
    ("/t/%E0%A4%A/", "There is no such table"),
    ("/t/nobodys/", "There is no such table"),
    ("/t/no%20table/seat/1/#token", "There is no such table"),
    ("/t/no%20table/host/#token", "There is no such table"),
    ("/replay/no%20table/", "There is no such table"),
    ("/t/TABLE/seat/x/", "There is no such seat: seats have numbers from 1 to"),
    ("/t/TABLE/seat/0/", "There is no such seat: seats have numbers from 1 to"),
    ("/t/TABLE/seat/9/", "There is no seat 9 at this table; its seats are 1 to 2."),
)
"""Wrong addresses, and the message that each shows at once."""


async def test_an_address_that_cannot_be_a_tables_says_so(devices: Devices, wires: tuple[Served, Wire]) -> None:
    served, _ = wires
    made = begun(served)
    context = await devices.one()
    for address, said in WRONG:
        page = await context.new_page()
        await page.goto(served.url + address.replace("TABLE", made.table))
        await expect(page.get_by_role("alert")).to_contain_text(said)
        assert "Trying again" not in await page.inner_text("body")
        await page.close()


async def test_a_network_that_goes_while_the_page_loads(devices: Devices, wires: tuple[Served, Wire]) -> None:
    served, _ = wires
    made = begun(served)
    context = await devices.one()
    await context.route("**/app/games/draw.js", lambda route: route.abort(), times=1)
    person = await Person.at(context, served.url, made, 1)
    await person.turn()
    await whole(person)


async def test_a_network_that_carries_nothing_and_does_not_say_so(devices: Devices, wires: tuple[Served, Wire]) -> None:
    served, wire = wires
    made = begun(served)
    context = await devices.one(**PHONE)
    await context.clock.install()
    person = await Person.at(context, served.url, made, 2)
    await person.verdict("good")
    wire.silence()
    choose(made, 1)
    await person.page.clock.fast_forward(ENOUGH)
    await person.see("connection").to_have_text(LOST)
    assert await person.page.evaluate(SILENT) >= 25, "since something came last, not since that was noticed"
    wire.mend()
    await person.see("connection").to_have_text("Connected again.")
    await person.turn()
    await whole(person)


async def test_a_choice_that_is_made_while_the_network_is_gone(devices: Devices, wires: tuple[Served, Wire]) -> None:
    served, wire = wires
    made = begun(served)
    person = await Person.at(await devices.one(), served.url, made, 1)
    await person.turn()
    wire.cut()
    await person.see("connection").to_have_text(LOST)
    await person.first_choice.click()
    await expect(person.page.locator('[aria-busy="true"]')).to_contain_text("sent…")
    wire.mend()
    await person.see("waiting").to_contain_text("Bo is to act")
    await whole(person)
    assert chosen(made) == ["Bet"]


async def test_a_choice_that_is_made_before_the_events_come_again(devices: Devices, wires: tuple[Served, Wire]) -> None:
    served, wire = wires
    made = begun(served)
    context = await devices.one()
    person = await Person.at(context, served.url, made, 2)
    await person.verdict("good")
    await context.route("**/stream?*", lambda route: route.abort())
    wire.cut()
    await person.see("connection").to_have_text(LOST)
    choose(made, 1)
    wire.mend()
    await person.turn()
    await person.choose()
    assert not any(await person.page.get_by_role("alert").all_inner_texts())
    await context.unroute("**/stream?*")
    await person.see("connection").to_have_text("Connected again.")
    await whole(person)


async def test_a_choice_whose_answer_is_lost(devices: Devices, wires: tuple[Served, Wire]) -> None:
    served, wire = wires
    made = begun(served)
    person = await Person.at(await devices.one(), served.url, made, 1)
    await person.turn()
    with made.watch.stream(after=made.watch.snapshot()["count"]) as told:
        wire.deafen()
        await person.first_choice.click()
        records = (one for one in told if one.event == "record")
        assert (await asyncio.to_thread(next, records)).data["type"] == "Bet"
    wire.mend()
    await person.see("waiting").to_contain_text("Bo is to act")
    await whole(person)
    assert chosen(made) == ["Bet"]


async def test_a_button_that_is_pressed_twice(devices: Devices, wires: tuple[Served, Wire]) -> None:
    served, _ = wires
    made = begun(served)
    person = await Person.at(await devices.one(), served.url, made, 1)
    await person.turn()
    await person.first_choice.evaluate("button => { button.click(); button.click(); }")
    await person.see("waiting").to_contain_text("Bo is to act")
    await whole(person)
    assert chosen(made) == ["Bet"]


async def test_two_tabs_of_one_seat(devices: Devices, wires: tuple[Served, Wire]) -> None:
    served, _ = wires
    made = begun(served)
    context = await devices.one()
    one = await Person.at(context, served.url, made, 1)
    two = await Person.at(context, served.url, made, 1)
    for tab in (one, two):
        await tab.turn()
    await asyncio.gather(*(tab.first_choice.evaluate("button => button.click()") for tab in (one, two)))
    for tab in (one, two):
        await tab.see("waiting").to_contain_text("Bo is to act")
    assert chosen(made) == ["Bet"]
    choose(made, 2)
    for tab in (one, two):
        await tab.turn()
    await one.choose()
    await two.see("waiting").to_contain_text("Bo")
    assert len(chosen(made)) == 2


async def test_a_seat_is_kept_by_its_cookie(devices: Devices, wires: tuple[Served, Wire]) -> None:
    served, _ = wires
    made = begun(served)
    context = await devices.one()
    person = await Person.at(context, served.url, made, 1)
    await person.turn()
    address = f"{served.url}/t/{made.table}/seat/1/"
    assert person.page.url == address
    storage = await person.page.evaluate("JSON.stringify([localStorage, sessionStorage])")
    assert made.tokens[1] not in storage + await person.page.content()
    assert await person.page.evaluate("document.cookie") == ""
    await person.page.reload()
    await person.turn()
    await person.page.close()
    back = Person(await context.new_page(), made, 1)
    await back.page.goto(address)
    await back.turn()
    await whole(back)
    stranger = Person(await (await devices.one()).new_page(), made, 1)
    await stranger.page.goto(address)
    await expect(stranger.page.get_by_role("alert")).to_contain_text("link")


async def test_a_server_that_is_killed_in_a_hand(devices: Devices, tmp_path: Path) -> None:
    with Served(tmp_path / "games.sqlite") as served:
        made = begun(served)
        ann, bo = [await Person.at(await devices.one(), served.url, made, seat) for seat in (1, 2)]
        await ann.turn()
        await bo.verdict("good")
        served.kill()
        for person in (ann, bo):
            await person.see("connection").to_have_text(LOST)
        await ann.first_choice.click()
        served.start()
        await bo.turn()
        assert chosen(made) == ["Bet"]
        await asyncio.gather(ann.play(), bo.play())
        for person in (ann, bo):
            await whole(person)
        assert made.guest.get(f"{made.path}/audit").json()["passed"]


async def test_over_plain_http_by_the_machines_address(devices: Devices, tmp_path: Path) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(("192.0.2.1", 9))  # sends nothing: it asks which address would be used
        except OSError:
            pytest.skip("This machine has no address but loopback.")
        address = asking.getsockname()[0]
    with Served(tmp_path / "games.sqlite", host=address) as served:
        made = begun(served)
        ann, bo = [await Person.at(await devices.one(), served.url, made, seat) for seat in (1, 2)]
        assert await ann.page.evaluate("[isSecureContext, typeof crypto.subtle]") == [False, "undefined"]
        await asyncio.gather(ann.play(), bo.play())
        for person in (ann, bo):
            await whole(person)
