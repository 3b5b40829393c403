"""The page detects each lie of a lying server, and reports it."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.async_api import expect

from tests.server.guests import Guest, Made

from .conftest import Devices
from .lying import Liar, Lie, changed, lying, reordered, rewritten, withheld
from .people import PHONE, Person

PEOPLE = ({"name": "Ann"}, {"name": "Bo"})


@pytest.fixture(scope="module")
def liar(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Guest, Liar]]:
    with lying(tmp_path_factory.mktemp("lying") / "games.sqlite") as made:
        yield made


def begun(guest: Guest, liar: Liar) -> tuple[Made, list[dict[str, Any]]]:
    """Start a game; return its table and what the first seat may know."""
    liar.lies = lambda: lambda event: [event]
    made = guest.made(*PEOPLE, rounds=1).started()
    assert made.seat(1).send(typed="bet 50").status_code == 200
    return made, made.seat(1).events(made.watch.snapshot()["count"])


def own_cards(events: list[dict[str, Any]]) -> tuple[int, list[str]]:
    """Return the number of the event that dealt the first seat's cards, and the cards."""
    (dealt,) = [e for e in events if e["type"] == "HandDealt" and json.loads(e["payload"])["seat"] == 1]
    return dealt["seq"], json.loads(dealt["secret"])["cards"]


async def caught(devices: Devices, liar: tuple[Guest, Liar], made: Made, lie: Lie, says: str) -> None:
    """Open a table on a lying server; check that the page reports it, and neither draws nor sends anything more."""
    guest, liar_ = liar
    liar_.lies = lambda: lie
    person = await Person.at(await devices.one(**PHONE), str(guest.base_url).rstrip("/"), made, 1)
    await person.verdict("broken")
    await person.see("broken").to_contain_text(says, ignore_case=True)
    await expect(person.page.locator(".verdict-line.broken")).to_contain_text(says, ignore_case=True)
    await person.see("felt").to_have_count(0)
    await person.see("actions").to_have_count(0)


@pytest.mark.slow
async def test_a_swapped_card(devices: Devices, liar: tuple[Guest, Liar]) -> None:
    made, events = begun(*liar)
    seq, cards = own_cards(events)
    other = next(card for card in ("As", "Kh", "Qd", "Jc", "2s", "3h") if card not in cards)
    await caught(devices, liar, made, changed(seq, cards[0], other, secret=True), f"event {seq}")


@pytest.mark.slow
async def test_a_changed_event(devices: Devices, liar: tuple[Guest, Liar]) -> None:
    made, events = begun(*liar)
    seq = next(event["seq"] for event in events if event["type"] == "Bet")
    await caught(devices, liar, made, changed(seq, "50", "40"), f"event {seq}")


@pytest.mark.slow
async def test_an_event_that_is_withheld_in_the_middle(devices: Devices, liar: tuple[Guest, Liar]) -> None:
    made, _ = begun(*liar)
    await caught(devices, liar, made, withheld(4), "event 4")


@pytest.mark.slow
async def test_two_events_in_the_wrong_order(devices: Devices, liar: tuple[Guest, Liar]) -> None:
    made, _ = begun(*liar)
    await caught(devices, liar, made, reordered(4), "event 4")


@pytest.mark.slow
async def test_the_past_is_rewritten_after_a_reload(devices: Devices, liar: tuple[Guest, Liar]) -> None:
    made, events = begun(*liar)
    guest, liar_ = liar
    person = await Person.at(await devices.one(), str(guest.base_url).rstrip("/"), made, 1)
    await person.verdict("good")
    seq = next(event["seq"] for event in events if event["type"] == "Bet")
    liar_.lies = lambda: rewritten(made.game, seq, "50", "40")
    await person.page.reload()
    await person.verdict("broken")
    await person.see("broken").to_contain_text("saw before")
