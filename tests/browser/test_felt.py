"""The felt: who is who, chips and side pots, what moves, what wins, and a phone held across."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect

from pokersvc.core.registry import game_kinds
from tests.server.guests import Made, simple_action

from .conftest import Devices
from .people import DESKTOP, PHONE, Person
from .serving import Served, wired
from .test_accessible import fine

pytestmark = pytest.mark.slow

ANN, BO = {"name": "Ann"}, {"name": "Bo"}
ACROSS: dict[str, Any] = {**PHONE, "viewport": {"width": 844, "height": 390}}
UNEQUAL: dict[str, Any] = {"rules": "no-limit", "cash": True, "stack": "Ann=60,Bo=100,Cy=200,Di=200"}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server whose tables wait between two rounds long enough for a browser to open."""
    with Served(tmp_path_factory.mktemp("browser") / "games.sqlite", pause=120) as process:
        yield process


def act(made: Made, typed: str) -> None:
    """Choose for the seat to act."""
    seat = made.seat(made.watch.snapshot()["awaited"][0])
    assert seat.send(head=seat.snapshot()["head"], typed=typed).status_code == 200


def all_in(served: Served, **asked: Any) -> Made:
    """Make a table of four unequal stacks, at which everybody is all in before the draw."""
    made = served.guest.made(ANN, BO, {"name": "Cy"}, {"name": "Di"}, options=UNEQUAL, rounds=3, **asked).started()
    for typed in ("all in", "call", "call", "call"):
        act(made, typed)
    return made


def to_the_showdown(made: Made) -> None:
    """Let everybody keep all cards."""
    while not made.watch.snapshot()["pausing"]:
        act(made, "k")


BOXES = """all => all.map((one) => one.getBoundingClientRect().toJSON())"""


async def boxes(page: Page, selector: str) -> list[dict[str, float]]:
    """Return where elements are."""
    found: list[dict[str, float]] = await page.locator(selector).evaluate_all(BOXES)
    return found


def apart(one: dict[str, float], other: dict[str, float]) -> bool:
    """Return whether two elements do not overlap."""
    beside = one["right"] <= other["left"] or other["right"] <= one["left"]
    return beside or one["bottom"] <= other["top"] or other["bottom"] <= one["top"]


@pytest.mark.parametrize("device", [DESKTOP, PHONE], ids=["desktop", "phone"])
async def test_side_pots_stand_on_the_felt_with_those_who_play_for_them(
    served: Served, devices: Devices, device: dict[str, Any]
) -> None:
    made = all_in(served)
    ann = await Person.at(await devices.one(**device), served.url, made, 1)
    await ann.see("side-pot-1").to_contain_text("side 1 120")
    await ann.see("side-pot-1").to_contain_text("Bo, Cy, Di")
    await ann.see("side-pot-2").to_contain_text("Cy, Di")
    await expect(ann.page.get_by_test_id("side-pot-2").locator(".mark")).to_have_text(["C", "D"])
    one, other, middle = await boxes(ann.page, ".side-pot, .pot .sum")
    assert apart(one, other)
    assert apart(one, middle)
    assert apart(other, middle)
    assert await ann.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await fine(ann.page, "side pots")


@pytest.mark.parametrize("scheme", ["dark", "light"])
async def test_the_cards_that_make_the_winning_hand_glow(served: Served, devices: Devices, scheme: Any) -> None:
    made = all_in(served)
    ann = await Person.at(await devices.one(**DESKTOP, color_scheme=scheme), served.url, made, None)
    await expect(ann.page.locator(".card.lit")).to_have_count(0)
    to_the_showdown(made)
    await expect(ann.page.locator(".seat.won .held .card.lit").first).to_be_visible()
    await expect(ann.page.locator(".seat:not(.won) .card.lit")).to_have_count(0)
    await fine(ann.page, "showdown")


async def test_people_and_bots_are_told_apart_and_who_is_away_is_seen(served: Served, devices: Devices) -> None:
    people = [ANN, {"name": "Al"}, {"program": "steady"}]
    made = served.guest.made(*people, options={"rules": "no-limit", "cash": True}, rounds=3).started()
    made.play_to_the_pause()
    ann = await Person.at(await devices.one(**DESKTOP), served.url, made, 1)
    mark = [ann.page.get_by_test_id(f"seat-{seat}").locator(".mark") for seat in (1, 2, 3)]
    await expect(mark[0]).to_have_text("An")
    await expect(mark[1]).to_have_text("Al")
    await expect(mark[2].locator("svg")).to_be_visible()
    kinds = ann.page.locator(".seat .kind")
    await expect(kinds).to_have_text(["steady"])  # of the bot alone
    await expect(ann.page.get_by_test_id("seat-3").locator(".who")).to_have_attribute("title", "Player3: bot, steady")
    await expect(kinds).to_be_in_viewport(ratio=1)
    colours = [await one.evaluate("one => getComputedStyle(one).backgroundColor") for one in mark]
    assert len(set(colours)) == 3
    assert made.seat(2).send(typed="sit out").status_code == 200
    await ann.see("seat-2").to_contain_text("sits out")
    await expect(ann.page.get_by_test_id("seat-2").locator(".mark.away")).to_be_visible()
    await fine(ann.page, "away")


@pytest.mark.parametrize("kind", game_kinds())
async def test_the_kind_of_a_bot_stands_at_its_seat(served: Served, devices: Devices, kind: str) -> None:
    made = served.guest.made(ANN, {"program": "random"}, kind=kind).started()
    ann = await Person.at(await devices.one(**PHONE), served.url, made, 1)
    await ann.see("seat-2").to_contain_text("random")
    await ann.see("seat-1").not_to_contain_text("random")


async def test_who_lost_the_connection_sees_it_at_their_seat(devices: Devices, tmp_path: Path) -> None:
    async with wired(tmp_path / "games.sqlite") as (served, wire):
        made = served.guest.made(ANN, BO, options={"rules": "no-limit"}).started()
        ann = await Person.at(await devices.one(**DESKTOP), served.url, made, 1)
        await ann.turn()
        await expect(ann.page.locator(".mark.lost")).to_have_count(0)
        wire.cut()
        await ann.see("seat-1").to_contain_text("offline")
        wire.mend()
        await ann.see("seat-1").not_to_contain_text("offline")


@pytest.mark.parametrize("kind", game_kinds())
async def test_who_lost_the_connection_is_seen_by_the_others(served: Served, devices: Devices, kind: str) -> None:
    made = served.guest.made(ANN, BO, kind=kind).started()
    ann = await Person.at(await devices.one(**DESKTOP), served.url, made, 1)
    others = await devices.one(**PHONE)
    bo = await Person.at(others, served.url, made, 2)
    await ann.verdict("good")
    await bo.verdict("good")
    mark = ann.page.get_by_test_id("seat-2").locator(".mark.lost")
    await expect(mark).to_have_count(0)
    await bo.page.close()
    await expect(mark).to_be_visible()
    await ann.see("seat-2").to_contain_text("offline")
    await ann.see("missing").to_have_text("No connection: Bo.")
    await fine(ann.page, "lost")
    back = await others.new_page()
    await back.goto(f"{served.url}/t/{made.table}/seat/2/")
    await expect(mark).to_have_count(0)
    await ann.see("missing").to_have_text("")


NOTE_MOTION = """() => {
    window.motions = [];
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, timing) {
        window.motions.push([this.className.baseVal ?? this.className, (timing.delay ?? 0) + timing.duration]);
        return animate.call(this, frames, timing);
    };
}"""
"""A script that notes what moves, and until when."""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
async def test_chips_and_cards_move_for_less_than_600_ms_and_only_if_that_is_wanted(
    served: Served, devices: Devices, motion: Any
) -> None:
    made = served.guest.made(ANN, BO, {"name": "Cy"}, options={"rules": "no-limit"}, rounds=2).started()
    ann = await Person.at(await devices.one(**DESKTOP, reduced_motion=motion), served.url, made, 1)
    await ann.turn()
    await ann.page.evaluate(NOTE_MOTION)

    async def moved(typed: str, *what: str) -> None:
        act(made, typed)
        for one in what if motion == "no-preference" else ():
            await ann.page.wait_for_function("what => window.motions.some(([name]) => name.includes(what))", arg=one)
        await expect(ann.page.get_by_test_id("account")).to_have_attribute(
            "data-last", str(made.watch.snapshot()["count"])
        )

    await moved("raise 6", "bet")
    await moved("fold", "flight back")
    await moved("call", "flight chip")
    await moved("1", "flight back", "card")
    await moved("2", "flight back")
    await moved("check")
    await moved("check", "card", "flight chip")
    motions = await ann.page.evaluate("window.motions")
    assert bool(motions) == (motion == "no-preference")
    assert all(end <= 600 for _, end in motions)
    await expect(ann.page.locator(".flight")).to_have_count(0)
    assert ann.complaints == []


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
async def test_beans_of_a_long_lap_move_for_less_than_600_ms_and_only_if_that_is_wanted(
    served: Served, devices: Devices, motion: Any
) -> None:
    made = served.guest.made(ANN, BO, kind="kalah", options={"holes": 6, "beans": 40}).started()
    ann = await Person.at(await devices.one(**DESKTOP, reduced_motion=motion), served.url, made, 1)
    await ann.turn()
    await ann.page.evaluate(NOTE_MOTION)
    await ann.page.get_by_test_id("hole-1").click()
    await ann.see("waiting").to_contain_text("Bo")
    await ann.see("pot-1").to_have_attribute("aria-label", "Ann's pot, 3 beans")
    motions = await ann.page.evaluate("window.motions")
    assert len(motions) == (40 if motion == "no-preference" else 0)
    assert all(end <= 600 for _, end in motions)
    await expect(ann.page.locator(".flying")).to_have_count(0)
    assert ann.complaints == []


async def test_what_flies_is_never_in_the_way_of_a_finger(served: Served, devices: Devices) -> None:
    made = served.guest.made(ANN, BO, options={"rules": "no-limit"}).started()
    ann = await Person.at(await devices.one(**PHONE), served.url, made, 1)
    await ann.turn()
    assert await ann.page.locator(".flights").evaluate("one => getComputedStyle(one).pointerEvents") == "none"


async def test_on_a_phone_held_across_the_table_stands_beside_the_hand(served: Served, devices: Devices) -> None:
    bots = [{"program": "steady"}] * 5
    made = served.guest.made(ANN, *bots, options={"rules": "no-limit"}, settings={"seconds": 600}).started()
    ann = await Person.at(await devices.one(**ACROSS), served.url, made, 1)
    await ann.turn()
    felt, hand = await boxes(ann.page, ".felt, .own-hand")
    assert apart(felt, hand)
    for seen in ("raise", "hand", "seat-2"):
        await expect(ann.page.get_by_test_id(seen)).to_be_in_viewport(ratio=1)
    assert await ann.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    kalah = served.guest.made(ANN, BO, kind="kalah").started()
    ann = await Person.at(await devices.one(**ACROSS), served.url, kalah, 1)
    await ann.turn()
    await expect(ann.page.get_by_test_id("board")).to_be_in_viewport(ratio=1)


async def test_what_a_hand_needs_is_said_only_where_the_table_allows_advice(served: Served, devices: Devices) -> None:
    for advice in (True, False):
        made = served.guest.made(ANN, BO, options={"rules": "no-limit"}, settings={"advice": advice}).started()
        ann = await Person.at(await devices.one(**DESKTOP), served.url, made, 1)
        await ann.turn()
        await ann.see("makes").not_to_be_empty()
        await ann.see("needs").to_have_count(int(advice))
        while (now := made.watch.snapshot())["view"]["stage"] != "final betting" or now["awaited"] != [1]:
            seat = made.seat(now["awaited"][0])
            assert seat.send(action=simple_action(seat.snapshot())).status_code == 200
        await expect(ann.page.get_by_test_id("pot")).to_contain_text("final betting")
        await ann.turn()
        await ann.see("needs").to_have_count(0)


async def test_the_time_to_the_next_level_stands_at_the_table(served: Served, devices: Devices) -> None:
    made = served.guest.made(ANN, BO, options={"rules": "no-limit", "levels": "turbo"}).started()
    ann = await Person.at(await devices.one(**PHONE), served.url, made, 1)
    await expect(ann.page.locator(".next-level")).to_have_text("10/20 in 5 rounds")


async def test_the_host_sells_chips_and_raises_blinds_by_one_tap_at_the_table(served: Served, devices: Devices) -> None:
    options = {"rules": "no-limit", "cash": True, "changeable": True, "approval": True}
    made = served.guest.made(ANN, BO, options=options, rounds=3).started()
    made.play_to_the_pause()
    page = await (await devices.one(**PHONE)).new_page()
    await page.goto(f"{served.url}/t/{made.table}/host/#{made.host}")
    await page.get_by_test_id("raise-stakes").click()
    await expect(page.get_by_test_id("stakes-now")).to_contain_text("blinds 2/4")
    poorer = next(one for one in made.watch.snapshot()["view"]["seats"] if one["at_cash"]["buys"])
    seat, name = poorer["seat"], poorer["name"]
    assert made.seat(seat).send(typed="buy 1").status_code == 200
    await expect(page.get_by_test_id("host-asks")).to_contain_text(f"{name} asks for 1 chip.")
    await page.get_by_test_id(f"grant-{seat}").click()
    await expect(page.get_by_test_id("account")).to_contain_text(f"{name} buys 1")
    await expect(page.get_by_test_id(f"grant-{seat}")).to_have_count(0)
    await fine(page, "for the host")


async def test_bets_lie_clear_of_the_seats_on_the_felt_of_somebody_who_watches(
    served: Served, devices: Devices
) -> None:
    made = served.guest.made(ANN, BO, {"name": "Cy"}, options={"rules": "no-limit"}).started()
    watcher = await Person.at(await devices.one(**DESKTOP), served.url, made, None)
    await expect(watcher.page.locator(".bet")).to_have_count(2)
    bets, plates = await boxes(watcher.page, ".bet"), await boxes(watcher.page, ".plate")
    assert len(plates) == 3
    assert all(apart(bet, plate) for bet in bets for plate in plates)


async def test_nothing_beside_the_table_lies_over_another_part_for_a_host(served: Served, devices: Devices) -> None:
    made = served.guest.made(ANN, BO, rounds=2).started()
    made.play_to_the_pause()
    page = await (await devices.one(**DESKTOP)).new_page()
    await page.goto(f"{served.url}/t/{made.table}/host/#{made.host}")
    await expect(page.get_by_test_id("watchers-read")).to_be_visible()
    await expect(page.get_by_text("Replay round 1")).to_be_visible()
    (account,), (chat,) = await boxes(page, ".lines"), await boxes(page, ".chat")
    assert apart(account, chat)
    assert account["bottom"] <= chat["top"]
    (own,) = await boxes(page, ".side-area > .watching")
    assert chat["bottom"] <= own["top"]
    assert await page.locator(".chat").evaluate("one => one.scrollHeight <= one.clientHeight"), "all of it has its room"
    (box,), (said,) = await boxes(page, "[data-testid=watchers-read]"), await boxes(page, ".check span")
    assert box["right"] <= said["left"], "the box stands before its words"
