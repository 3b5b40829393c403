"""Common shuffles in browsers: devices bind their keys and open shares, and the page reports errors."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from pokersvc.core.registry import game_kinds, game_of
from tests.server.guests import Made

from .conftest import Devices
from .lying import honest, lying, rewritten
from .people import ANY_CHOICE, DESKTOP, PHONE, Person, button
from .serving import Served

ANN, BO, BOT = {"name": "Ann"}, {"name": "Bo"}, {"program": "steady"}
TOGETHER: dict[str, Any] = {"dealing": "together", "opens_seeds": True}


def offered(served: Served, kind: str) -> dict[str, Any]:
    """Return the server's status of a game."""
    (found,) = (game for game in served.guest.get("/api/games").json()["games"] if game["kind"] == kind)
    return dict(found)


def made_at(served: Served, kind: str = "draw", *, seconds: int = 20, **asked: Any) -> Made:
    settings = TOGETHER | {"share_seconds": seconds}
    seats = (ANN, BO, {"program": offered(served, kind)["default_program"]})
    return served.guest.made(*seats, kind=kind, settings=settings, **asked).started()


def two_decks(served: Served, kind: str) -> dict[str, Any]:
    """Return the setup of a game with two decks."""
    named = [option["name"] for option in offered(served, kind)["options"]]
    return {"options": {"markets": 2}, "rounds": 1} if "markets" in named else {"rounds": 2}


async def both(served: Served, devices: Devices, made: Made) -> list[Person]:
    return [
        await Person.at(await devices.one(**device), served.url, made, seat)
        for device, seat in ((DESKTOP, 1), (PHONE, 2))
    ]


def types(made: Made, seat: int = 1) -> list[str]:
    return [event["type"] for event in made.seat(seat).events(made.watch.snapshot()["count"])]


async def standing(person: Person, expected: str) -> None:
    await person.see("shuffle").to_have_attribute("data-standing", expected)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [kind for kind in game_kinds() if game_of(kind).dealt_together])
async def test_two_people_and_a_bot_shuffle_together(served: Served, devices: Devices, kind: str) -> None:
    made = made_at(served, kind, **two_decks(served, kind))
    people = await both(served, devices, made)
    for person in people:
        await standing(person, "taking_part")
        await person.see("shuffle").to_contain_text("Shuffled together by Ann and Bo")
    await asyncio.gather(*(person.play() for person in people))
    for person in people:
        await person.see("result").to_be_visible()
        await person.page.get_by_test_id("verdict").click()
        await person.see("verdict-text").to_contain_text(
            "The decks follow from the shares: shuffled together by Ann in rounds 1 to 2; Bo in rounds 1 to 2;"
            " no share was missed."
        )
        assert person.complaints == []
    assert made.guest.get(f"{made.path}/audit").json()["findings"] == []
    assert types(made).count("ShareOpened") == 4


async def to_pause(person: Person) -> None:
    """Play until the next round waits."""
    waits = button("next-round")
    while True:
        await person.page.wait_for_selector(f"{ANY_CHOICE}, {waits}")
        if await person.page.locator(waits).count():
            return
        await person.choose()


@pytest.mark.slow
async def test_who_closes_the_tab_misses_the_share_and_comes_back(served: Served, devices: Devices) -> None:
    made = made_at(served, seconds=4, rounds=3)
    ann, bo = await both(served, devices, made)
    for person in (ann, bo):
        await standing(person, "taking_part")
    await asyncio.gather(to_pause(ann), to_pause(bo))
    context = bo.page.context
    await bo.page.close()
    await ann.see("shuffle").to_contain_text("Waiting for the share of Bo")  # the round begins by itself
    await ann.see("shuffle").to_contain_text("missed: Bo 1")
    assert made.watch.snapshot()["sitting_out"] == [2]
    assert "RoundForgone" in types(made)
    await to_pause(ann)
    bo = await Person.at(context, served.url, made, 2)
    await standing(bo, "taking_part")
    await bo.page.get_by_test_id("come-back").click()
    await asyncio.gather(ann.play(), bo.play())
    await ann.page.get_by_test_id("verdict").click()
    await ann.see("verdict-text").to_contain_text("Bo in rounds 1, 3; missed: Bo's in round 2.")
    assert made.guest.get(f"{made.path}/audit").json()["findings"] == []


@pytest.mark.slow
async def test_one_tab_of_a_device_takes_part_and_another_device_watches(served: Served, devices: Devices) -> None:
    made = made_at(served, rounds=1)
    context = await devices.one(**PHONE)
    first = await Person.at(context, served.url, made, 1)
    await standing(first, "taking_part")
    second = await Person.at(context, served.url, made, 1)
    await standing(second, "other_tab")
    elsewhere = await Person.at(await devices.one(**DESKTOP), served.url, made, 1)
    await standing(elsewhere, "other_device")
    await elsewhere.see("shuffle").to_contain_text("you can play on both")
    await first.page.close()
    await standing(second, "taking_part")
    await elsewhere.page.get_by_test_id("take-part").click()
    await standing(elsewhere, "taking_part")
    await standing(second, "replaced")
    await second.see("shuffle").to_contain_text("Ask the others")
    assert types(made).count("SeatBound") == 2


@pytest.mark.slow
async def test_another_tab_says_that_one_can_play_in_it_and_one_can(served: Served, devices: Devices) -> None:
    made = served.guest.made(ANN, BOT, settings=TOGETHER, rounds=1).started()
    context = await devices.one(**PHONE)
    first = await Person.at(context, served.url, made, 1)
    await standing(first, "taking_part")
    second = await Person.at(context, served.url, made, 1)
    await standing(second, "other_tab")
    said = "Another tab takes part in the shuffle for your seat; you can play in both."
    await second.see("shuffle").to_contain_text(said)
    await second.turn()
    before = made.watch.snapshot()["count"]
    await second.choose()
    chosen = made.watch.events(before + 1, after=before)[0]
    assert json.loads(chosen["payload"])["seat"] == 1
    assert types(made).count("SeatBound") == 1


PLAIN_HTTP = """
Object.defineProperty(Navigator.prototype, "locks", { value: undefined });
Object.defineProperty(Crypto.prototype, "subtle", { value: undefined });
"""
"""Browser features missing over plain HTTP, except on the local machine."""


@pytest.mark.slow
async def test_over_plain_http_a_library_signs_and_one_tab_takes_part(served: Served, devices: Devices) -> None:
    made = served.guest.made(ANN, BOT, settings=TOGETHER, rounds=1).started()
    context = await devices.one(**PHONE)
    await context.add_init_script(PLAIN_HTTP)
    ann = await Person.at(context, served.url, made, 1)
    await standing(ann, "taking_part")
    second = await Person.at(context, served.url, made, 1)
    await standing(second, "other_tab")
    await ann.page.close()
    await standing(second, "taking_part")
    await second.play()
    await second.verdict("good")
    assert types(made).count("ShareOpened") == types(made).count("SeatBound") == 1
    assert made.guest.get(f"{made.path}/audit").json()["findings"] == []


@pytest.mark.slow
async def test_a_share_and_a_seed_that_a_server_lies_about(devices: Devices, tmp_path: Path) -> None:
    with lying(tmp_path / "games.sqlite") as (guest, liar):
        url = str(guest.base_url).rstrip("/")
        made = guest.made(ANN, BOT, settings=TOGETHER, rounds=1).started()
        ann = await Person.at(await devices.one(), url, made, 1)
        await ann.play()
        await ann.see("result").to_be_visible()
        await ann.verdict("good")
        events = made.seat(1).events(made.watch.snapshot()["count"])
        (opened,) = [event for event in events if event["type"] == "ShareOpened"]
        share = json.loads(opened["payload"])["share"]

        liar.lies = lambda: rewritten(made.game, opened["seq"], share, "ab" * 32)
        told = await Person.at(await devices.one(), url, made, 1)
        await told.verdict("broken")
        await told.see("broken").to_contain_text("that is not the share of seat 1 for round 1")

        liar.lies = honest
        liar.opens = lambda secrets: [one for one in secrets if one["seq"] > 1]
        told = await Person.at(await devices.one(), url, made, 1)
        await told.verdict("broken")
        await told.see("broken").to_contain_text("The dealer's secret of the game was not opened.")
