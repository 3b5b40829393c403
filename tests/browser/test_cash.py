"""A cash game in browsers: chips are bought and rake is taken, and the page checks both."""

import asyncio
from pathlib import Path

from playwright.async_api import expect

from pokersvc.evidence.verified import verify_export
from tests.server.guests import Made, simple_action

from .conftest import Devices
from .people import DESKTOP, PHONE, Person
from .serving import Served

CASH = {"rules": "no-limit", "cash": True, "stack": "Ann=100,Bo=120", "rake": "5%", "rake_cap": "3"}


def play_to_the_pause(made: Made) -> None:
    """Play the first round by requests."""
    while not (now := made.watch.snapshot())["pausing"]:
        seat = made.seat(now["awaited"][0])
        mine = seat.snapshot()
        if mine["your_turn"]:
            seat.send(head=mine["head"], action=simple_action(mine))


async def test_chips_are_bought_and_the_page_checks_them(served: Served, devices: Devices, tmp_path: Path) -> None:
    made = served.guest.made({"name": "Ann"}, {"name": "Bo"}, options=CASH, rounds=3).started()
    play_to_the_pause(made)
    ann = await Person.at(await devices.one(**PHONE), served.url, made, 1)
    bo = await Person.at(await devices.one(**DESKTOP), served.url, made, 2)
    await ann.see("may-type").to_contain_text("buy 1 to")
    for person, typed, told in (
        (ann, "buy 10", "Ann buys"),
        (bo, "sit out", "Bo sits out"),
        (bo, "sit in", "Bo plays again"),
    ):
        await person.page.get_by_test_id("typed").fill(typed)
        await person.page.get_by_test_id("send").click()
        await expect(bo.page.get_by_test_id("account")).to_contain_text(told)
    await asyncio.gather(ann.play(), bo.play())
    for person in (ann, bo):
        await person.see("result").to_be_visible()
        await person.verdict("good")
        assert person.complaints == []
    await bo.page.get_by_test_id("verdict").click()
    said = bo.page.get_by_role("dialog")
    await expect(said).to_contain_text("on stacks of the verifier's own")
    await expect(said).not_to_contain_text("does not know")
    async with bo.page.expect_download() as begun:
        await bo.page.get_by_test_id("save").click()
    await (await begun.value).save_as(tmp_path / "cash.jsonl")
    assert verify_export(tmp_path / "cash.jsonl").passed
    assert made.guest.get(f"{made.path}/audit").json()["findings"] == []
