"""Choosing in advance: in the page's memory until one's turn comes, then sent as a quick person would."""

import re
from collections.abc import Sequence
from datetime import datetime
from statistics import median
from typing import Any, Final

import pytest
from playwright.async_api import Page

from tests.server.guests import Made

from .conftest import Devices
from .people import DESKTOP, PHONE, Person, commands_of
from .serving import Served

pytestmark = pytest.mark.slow

PEOPLE = ({"name": "Ann"}, {"name": "Bo"})
NO_LIMIT: dict[str, Any] = {"options": {"rules": "no-limit"}, "rounds": 2}
LEAST, MOST = 1.4, 2.6
"""Seconds between the turn and what is sent."""
SLOW = 3.0
"""Seconds by which a shared machine may be late."""


def turn_of(made: Made) -> int:
    """Return the seat whose turn it is."""
    (seat,) = made.watch.snapshot()["awaited"]
    return int(seat)


def choose(made: Made, typed: str) -> None:
    """Choose for the seat whose turn it is, by a program outside the browser."""
    held = made.seat(turn_of(made))
    now = held.snapshot()
    assert held.send(head=now["head"], typed=typed).status_code == 200


async def waiting(served: Served, devices: Devices, made: Made, **options: Any) -> Person:
    """Sit down at the seat of two whose turn it is not."""
    seat = 3 - turn_of(made)
    person = await Person.at(await devices.one(**(options or DESKTOP)), served.url, made, seat)
    await person.see("advance").to_be_visible()
    await person.verdict("good")
    return person


async def chosen(person: Person, kind: str) -> None:
    """Make a choice in advance."""
    await person.page.get_by_test_id(f"advance-{kind}").click()
    await person.see(f"advance-{kind}").to_have_attribute("aria-pressed", "true")


def requests_of(page: Page) -> list[str]:
    """Return a list that collects each request that the page sends."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(f"{request.method} {request.url}"))
    return asked


STORED = "() => JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), location.href])"


async def test_nothing_of_a_choice_leaves_the_pages_memory_before_the_turn(served: Served, devices: Devices) -> None:
    made = served.guest.made(*PEOPLE, **NO_LIMIT).started()
    person = await waiting(served, devices, made)
    page = person.page
    before, asked = await page.evaluate(STORED), requests_of(page)
    count = made.watch.snapshot()["count"]
    for kind in ("check_fold", "check", "call_any", "check_fold"):
        if await page.get_by_test_id(f"advance-{kind}").count():
            await chosen(person, kind)
    await page.wait_for_timeout(3000)
    assert (await page.evaluate(STORED), asked) == (before, [])
    assert made.watch.snapshot()["count"] == count
    await page.reload()
    await person.see("advance-check_fold").to_have_attribute("aria-pressed", "false")
    assert person.complaints == []


async def test_a_choice_is_sent_in_ones_turn_with_its_head_after_a_delay(served: Served, devices: Devices) -> None:
    made = served.guest.made(*PEOPLE, **NO_LIMIT).started()
    person = await waiting(served, devices, made, **PHONE)
    commands = commands_of(person.page)
    await chosen(person, "check_fold")
    choose(made, "call")
    head = made.watch.snapshot()["head"]
    await person.see("about-to-send").to_have_text("In advance: check…")
    await person.see("account").to_contain_text("checks")
    assert [(one["head"], one["action"]) for one in commands] == [(head, {"type": "Check"})]
    assert LEAST <= seconds_of(made, "Checked") <= MOST + SLOW
    assert person.complaints == []


def seconds_of(made: Made, type_: str) -> float:
    """Return the time between an event and the one before it."""
    events = made.seat(1).events(made.watch.snapshot()["count"])
    at = next(at for at, one in enumerate(events) if one["type"] == type_)
    since, until = (datetime.fromisoformat(events[one]["recorded_at"]) for one in (at - 1, at))
    return (until - since).total_seconds()


async def test_in_ones_turn_it_can_still_be_taken_back(served: Served, devices: Devices) -> None:
    made = served.guest.made(*PEOPLE, **NO_LIMIT).started()
    person = await waiting(served, devices, made)
    await chosen(person, "call_any")
    choose(made, "raise 20")
    await person.page.get_by_test_id("take-back").click()
    await person.see("call").to_have_text("Call 18")
    await person.page.wait_for_timeout(3000)
    await person.see("call").to_be_visible()
    await person.see("account").not_to_contain_text("calls 18")


async def test_call_this_is_dropped_when_its_price_changes_and_check_when_there_is_a_bet(
    served: Served, devices: Devices
) -> None:
    people = [*PEOPLE, {"name": "Cy"}]
    made = served.guest.made(*people, **NO_LIMIT).started()
    first = turn_of(made)
    third = (first + 1) % 3 + 1
    person = await Person.at(await devices.one(**DESKTOP), served.url, made, third)
    await chosen(person, "check")  # the big blind
    choose(made, "raise 10")
    await person.see("advance-said").to_have_text("There is a bet: your check in advance was dropped.")
    await chosen(person, "call")
    choose(made, "raise 30")
    await person.see("advance-said").to_have_text("The price has changed: your call in advance was dropped.")
    await person.turn()
    await person.page.wait_for_timeout(3000)
    await person.see("call").to_have_text("Call 28")
    assert person.complaints == []


async def test_it_ends_with_the_betting_round_and_one_stands_pat_in_the_draw(served: Served, devices: Devices) -> None:
    made = served.guest.made(*PEOPLE, **NO_LIMIT).started()
    choose(made, "call")
    choose(made, "raise 4")  # the other may still be asked again
    drawer = await waiting(served, devices, made)
    await chosen(drawer, "call_any")
    choose(made, "call")
    assert (made.watch.snapshot()["view"]["stage"], turn_of(made)) == ("draw", drawer.seat)
    other = await waiting(served, devices, made)
    await drawer.see("draw").to_be_visible()
    await drawer.page.wait_for_timeout(3000)
    await drawer.see("draw").to_be_visible()  # nothing was sent
    await chosen(other, "pat")
    choose(made, "k")
    await other.see("account").to_contain_text(re.compile("stands pat.*stands pat", re.DOTALL))
    assert other.complaints == drawer.complaints == []


CASES: Final[dict[str, tuple[str, Sequence[str], Sequence[str], str]]] = {
    "check": ("check", (), ("call", "call"), "Checked"),
    "check/fold: check": ("check_fold", (), ("call", "call"), "Checked"),
    "check/fold: fold": ("check_fold", (), ("raise 10", "call"), "Folded"),
    "call this": ("call", ("raise 10",), ("call",), "Called"),
    "call any": ("call_any", (), ("raise 10", "call"), "Called"),
    "stand pat": ("pat", ("call", "call", "check"), ("k",), "CardsDiscarded"),
}
"""What the third of three chooses in advance, what is typed at the table before and after, and what comes of it."""

SAMPLES: Final = 3
NOISE: Final = 0.6
"""Seconds by which medians of so few may differ on a shared machine; the range of the delay is twice as long."""
ALWAYS_LEAST: Final = "Crypto.prototype.getRandomValues = (numbers) => numbers.fill(0);"
"""A script that has every delay be the shortest, so that a few choices show what else their times depend on."""


async def delays(person: Person, case: str) -> float:
    """Return the seconds between the turn and a choice in advance of the third seat, as the log tells everybody."""
    made, (kind, before, after, event) = person.made, CASES[case]
    while turn_of(made) != 1:  # then the third seat is the last to act
        choose(made, "fold")
        choose(made, "fold")
        assert made.seat(1).send(action={"type": "GoOn"}).status_code == 200
    for typed in before:
        choose(made, typed)
    await chosen(person, kind)
    for typed in after:
        choose(made, typed)
    known = made.watch.snapshot()["count"]
    while (now := made.watch.snapshot())["count"] == known:
        await person.page.wait_for_timeout(20)
    turned, came = made.watch.events(now["count"])[known - 1 : known + 1]
    assert came["type"] == event
    while made.watch.snapshot()["awaited"]:
        legal = made.seat(turn_of(made)).snapshot()["legal"]
        choose(made, "check" if legal["check"] else "call" if legal["call"] else "k")
    assert made.seat(1).send(action={"type": "GoOn"}).status_code == 200
    since, until = (datetime.fromisoformat(one["recorded_at"]) for one in (turned, came))
    return (until - since).total_seconds()


@pytest.mark.exhaustive  # it measures time, which others on the machine take, too
async def test_the_time_that_everybody_sees_does_not_tell_the_choices_apart(served: Served, devices: Devices) -> None:
    """With the delay held at its least, what is left is the same for all but for a moment of a shared machine."""
    made = served.guest.made(*PEOPLE, {"name": "Cy"}, options={"rules": "no-limit"}).started()
    context = await devices.one(**DESKTOP)
    await context.add_init_script(ALWAYS_LEAST)
    cy = await Person.at(context, served.url, made, 3)
    await cy.verdict("good")
    measured = {case: [await delays(cy, case) for _ in range(SAMPLES)] for case in CASES}
    for case, found in measured.items():
        print(f"{case}: {min(found):.2f} to {max(found):.2f} s, {median(found):.2f} s in the middle")
    middles = [median(found) for found in measured.values()]
    assert min(middles) >= LEAST
    assert max(middles) - min(middles) < NOISE
    assert cy.complaints == []
