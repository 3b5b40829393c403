"""A cash game in browsers: people buy chips, the house takes rake, and the page checks both."""

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Dialog, Route, expect

from pokersvc.evidence.verified import verify_export
from tests.server.guests import simple_action

from .conftest import Devices
from .people import DESKTOP, PHONE, Person
from .serving import Served

CASH = {"rules": "no-limit", "cash": True, "stack": "Ann=100,Bo=120", "rake": "5%", "rake_cap": "3"}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server whose tables wait between two rounds long enough for a browser to open."""
    with Served(tmp_path_factory.mktemp("browser") / "games.sqlite", pause=120) as process:
        yield process


@pytest.mark.slow
async def test_chips_are_bought_and_the_page_checks_them(served: Served, devices: Devices, tmp_path: Path) -> None:
    made = served.guest.made({"name": "Ann"}, {"name": "Bo"}, options=CASH, rounds=3).started()
    made.play_to_the_pause()
    ann = await Person.at(await devices.one(**PHONE), served.url, made, 1)
    bo = await Person.at(await devices.one(**DESKTOP), served.url, made, 2)
    await expect(ann.page.locator("#typed-help")).to_contain_text("(1 to")
    await ann.page.get_by_test_id("buy-chips").fill("1")
    await ann.page.get_by_test_id("buy").click()
    await expect(bo.page.get_by_test_id("account")).to_contain_text("Ann buys 1")
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


@pytest.mark.slow
async def test_where_one_of_two_sits_out_nobody_is_offered_a_next_round(served: Served, devices: Devices) -> None:
    made = served.guest.made({"name": "Ann"}, {"name": "Bo"}, options=CASH, rounds=3).started()
    made.play_to_the_pause()
    ann = await Person.at(await devices.one(**PHONE), served.url, made, 1)
    await ann.see("next-round").to_be_visible()
    assert made.seat(2).send(typed="sit out").status_code == 200
    await ann.see("between").to_contain_text("a next round needs somebody who buys chips, sits down or sits in")
    await ann.see("next-round").to_have_count(0)
    assert made.seat(2).send(typed="sit in").status_code == 200
    await ann.see("next-round").to_be_visible()
    assert ann.complaints == []


@pytest.mark.slow
async def test_who_presses_the_button_straddles_in_their_turn(served: Served, devices: Devices) -> None:
    given = {"rules": "no-limit", "cash": True, "straddle": 4, "straddle_by_choice": True}
    made = served.guest.made({"name": "Ann"}, {"program": "minimum"}, {"program": "minimum"}, options=given, rounds=4)
    made.started()
    made.play_to_the_pause()
    ann = await Person.at(await devices.one(**PHONE), served.url, made, 1)
    await ann.page.get_by_role("button", name="Straddle 4 in my turn").click()
    await expect(ann.page.get_by_role("button", name="Straddle no more")).to_be_visible()
    await expect(ann.page.get_by_test_id("account")).to_contain_text("Ann wishes to straddle in turn")
    await ann.play()
    await expect(ann.page.get_by_test_id("account")).to_contain_text("Ann posts a straddle, 4")
    await ann.verdict("good")
    assert ann.complaints == []


@pytest.mark.slow
async def test_standing_wishes_are_buttons(served: Served, devices: Devices) -> None:
    given = {"rules": "no-limit", "cash": True, "stack": "200,Ann=100", "away_rounds": 3}
    made = served.guest.made({"name": "Ann"}, {"program": "minimum"}, {"program": "minimum"}, options=given, rounds=4)
    made.started()
    made.play_to_the_pause()
    ann = await Person.at(await devices.one(**PHONE), served.url, made, 1)
    account = ann.page.get_by_test_id("account")
    for pressed, told in (
        ("Top up to 200 each round", "Ann wishes chips up to 200 before each round"),
        ("Stop topping up", "Ann has no wishes any more"),
        ("Sit out at the blind", "Ann wishes to sit out at the next big blind"),
        ("Stay in", "Ann has no wishes any more"),
        ("Sit out", "Ann sits out"),
        ("Sit in now", "Ann plays again"),
        ("Sit out", "Ann sits out"),
        ("Sit in with the blind", "Ann wishes to come back with the blind"),
    ):
        await ann.page.get_by_role("button", name=pressed, exact=True).click()
        await expect(account).to_contain_text(told)
    offered = ann.page.get_by_test_id("between").get_by_role("button")
    await expect(offered.first).to_have_text("Sit in now")
    await expect(offered.first).to_have_class("primary")
    await expect(ann.page.get_by_test_id("next-round")).to_have_text("Next round without you")
    await expect(ann.page.get_by_text("You keep the seat for 3 more rounds.")).to_be_visible()
    await ann.verdict("good")
    assert ann.complaints == []


@pytest.mark.slow
async def test_who_has_got_up_may_sit_down_with_the_stack_that_is_sold(served: Served, devices: Devices) -> None:
    options = {"rules": "no-limit", "cash": True, "stack": "100", "buy_least": 10, "buy_most": 300}
    made = served.guest.made({"name": "Ann"}, {"name": "Bo"}, {"name": "Cy"}, options=options, rounds=2).started()
    bo = await Person.at(await devices.one(**PHONE), served.url, made, 2)
    await bo.see("felt").to_be_visible()
    made.play_to_the_pause()
    await bo.page.evaluate("window.confirm = () => true")
    await bo.page.get_by_test_id("leave").click()
    await expect(bo.page.get_by_test_id("chips")).to_have_value("100")
    assert made.ask_host("end").status_code == 204
    await bo.see("result").to_be_visible()
    scores = await bo.page.get_by_test_id("result").locator("b").all_inner_texts()
    assert sum(int(score.replace("−", "-")) for score in scores) == 0
    for score in scores:
        assert re.fullmatch(r"0|[+−]\d+", score)
    assert bo.complaints == []


@pytest.mark.slow
async def test_the_host_announces_a_bomb_pot_at_a_button(served: Served, devices: Devices) -> None:
    given = {"rules": "no-limit", "cash": True, "bomb_pot": 5}
    made = served.guest.made({"name": "Ann"}, {"program": "minimum"}, {"program": "minimum"}, options=given, rounds=4)
    made.started()
    made.play_to_the_pause()
    device = await devices.one(**PHONE)
    host = await device.new_page()
    await host.goto(f"{served.url}/t/{made.table}/host/#{made.host}")
    await expect(host.get_by_test_id("host")).to_be_visible()
    ann = await Person.at(device, served.url, made, 1)  # on the host's device
    await ann.page.get_by_test_id("host").click()
    await expect(ann.page.get_by_test_id("bomb-pot")).to_be_visible()
    assert await ann.page.locator("dialog").evaluate("one => one.scrollWidth <= one.clientWidth"), "nothing is cut off"
    await ann.page.get_by_role("button", name="Bomb pot in round 3, an ante of 10").click()
    await expect(ann.page.get_by_text("Round 3 is going to be a bomb pot.")).to_be_visible()
    await ann.page.keyboard.press("Escape")
    await expect(ann.page.get_by_test_id("account")).to_contain_text("The host announced that round 3 is a bomb pot")
    for said in ("bomb pot in round 3", "bomb pot next round"):
        await ann.see("bomb-pots").to_have_text(said)
        made.ask_host("next")
        made.play_to_the_pause()
    await ann.see("bomb-pots").to_have_text("")
    await expect(ann.page.get_by_test_id("account")).to_contain_text("Round 3 starts as a bomb pot: the ante is 10")
    await ann.verdict("good")
    assert ann.complaints == []


@pytest.mark.slow
async def test_a_visitor_takes_a_free_seat_of_a_game_that_runs(served: Served, devices: Devices) -> None:
    options = {"rules": "no-limit", "cash": True}
    made = served.guest.made({"name": "Ann"}, {"name": "Bo"}, {}, options=options, public=True).started()
    made.play_to_the_pause()
    ann = await Person.at(await devices.one(**DESKTOP), served.url, made, 1)
    carl = await Person.at(await devices.one(**PHONE), served.url, made, None)
    dee = await Person.at(await devices.one(**DESKTOP), served.url, made, None)
    await carl.see("seat-3").to_contain_text("free")
    await dee.see("sit").to_be_visible()
    await carl.page.get_by_test_id("sit-name").fill("Carl")
    await carl.page.get_by_test_id("sit").click()
    await carl.page.get_by_test_id("chips").click(timeout=5000)  # nothing lies over it
    await dee.see("sit").to_have_count(0)  # the seat is kept for Carl
    await carl.page.get_by_test_id("chips").fill("70")
    await carl.page.get_by_test_id("sit-down").click()
    await expect(ann.page.get_by_test_id("account")).to_contain_text("Carl sits down at seat 3 with 70")
    await ann.see("seat-3").to_contain_text("Carl")
    await ann.see("seat-3").to_contain_text("waits for the blind")
    await carl.see("bring-chips").to_have_count(0)
    for person in (ann, carl):
        await person.verdict("good")
    assert await carl.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    made.tokens[3] = ""
    assert served.guest.post(f"{made.path}/sit", json={"name": "Dee"}).status_code == 409
    assert carl.complaints == ann.complaints == dee.complaints == []


@pytest.mark.slow
async def test_who_has_got_up_sits_at_another_free_seat_with_the_chips_they_took(
    served: Served, devices: Devices
) -> None:
    options = {"rules": "no-limit", "cash": True, "stack": "Ann=90,Bo=80", "return_rounds": 30}
    made = served.guest.made({"name": "Ann"}, {"name": "Bo"}, {}, {}, options=options).started()
    made.play_to_the_pause()
    stack = made.watch.snapshot()["view"]["seats"][1]["stack"]
    bo = await Person.at(await devices.one(**PHONE), served.url, made, 2)
    ann = await Person.at(await devices.one(**DESKTOP), served.url, made, 1)
    await bo.see("sit-here-4").to_have_count(0)
    await bo.page.evaluate("window.confirm = () => true")
    await bo.page.get_by_test_id("leave").click()
    await bo.see("sit-here-3").to_be_visible()
    await ann.see("sit-here-3").to_have_count(0)
    asked: list[str] = []

    async def answer(dialog: Dialog) -> None:
        asked.append(dialog.default_value)
        await dialog.accept(dialog.default_value)

    bo.page.on("dialog", answer)
    await bo.page.get_by_test_id("sit-here-4").click()
    await bo.page.wait_for_url("**/seat/4/")
    assert asked == ["Bo 4"]
    await expect(bo.page.get_by_test_id("chips")).to_have_value(str(stack))
    await bo.page.get_by_test_id("sit-down").click()
    await expect(ann.page.get_by_test_id("account")).to_contain_text(f"Bo 4 sits down at seat 4 with {stack}")
    for person in (ann, bo):
        await person.verdict("good")
    await bo.see("next-round").to_be_visible()
    assert made.watch.snapshot()["view"]["seats"][3]["at_cash"]["person"] == 2
    assert await bo.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert ann.complaints == []


@pytest.mark.slow
async def test_who_wants_to_sit_down_in_the_middle_of_a_round_does_so_after_it(
    served: Served, devices: Devices
) -> None:
    options = {"rules": "no-limit", "cash": True}
    made = served.guest.made({"name": "Ann"}, {"name": "Bo"}, {}, options=options, public=True).started()
    taken = served.guest.post(f"{made.path}/sit", json={"name": "Carl"}).json()
    made.tokens[taken["seat"]] = taken["link"].partition("#")[2]
    carl = await Person.at(await devices.one(**PHONE), served.url, made, 3)
    await carl.page.get_by_test_id("sit-down").click()
    await carl.see("sits-soon").to_contain_text("You sit down with 200 when this round is over")
    made.play_to_the_pause()
    await expect(carl.page.get_by_test_id("account")).to_contain_text("Carl sits down at seat 3 with 200")
    assert carl.complaints == []


@pytest.mark.slow
async def test_who_presses_as_a_round_begins_sits_down_after_it(served: Served, devices: Devices) -> None:
    options = {"rules": "no-limit", "cash": True}
    made = served.guest.made({"name": "Ann"}, {"name": "Bo"}, {}, options=options, public=True).started()
    taken = served.guest.post(f"{made.path}/sit", json={"name": "Carl"}).json()
    made.tokens[taken["seat"]] = taken["link"].partition("#")[2]
    made.play_to_the_pause()
    carl = await Person.at(await devices.one(**PHONE), served.url, made, 3)

    async def overtaken(route: Route) -> None:
        assert made.ask_host("next").status_code == 204
        while made.watch.snapshot()["pausing"]:
            await asyncio.sleep(0.1)
        await route.continue_()

    await carl.page.route("**/commands?*", overtaken, times=1)
    await carl.page.get_by_test_id("sit-down").click()
    await carl.see("sits-soon").to_be_visible()
    await expect(carl.page.locator(".notice")).to_have_count(0)
    made.play_to_the_pause()
    await expect(carl.page.get_by_test_id("account")).to_contain_text("Carl sits down at seat 3 with 200")
    (refused,) = carl.complaints  # once, and no other
    assert "status of 422" in refused


def _most(snapshot: dict[str, Any]) -> dict[str, Any]:
    """Return the action that puts most chips in."""
    raises = snapshot["legal"]["raise_to"]
    return {"type": "Raise", "to": raises[1]} if raises else simple_action(snapshot)


@pytest.mark.slow
async def test_who_has_no_chips_left_buys_at_a_tap_before_anything_else(served: Served, devices: Devices) -> None:
    options = {"rules": "no-limit", "cash": True, "stack": "40"}
    made = served.guest.made({"name": "Ann"}, {"name": "Bo"}, {"name": "Cid"}, options=options).started()
    while not (now := made.watch.snapshot())["pausing"]:
        for seat in map(made.seat, now["awaited"]):
            if (mine := seat.snapshot())["your_turn"]:
                seat.send(action={"type": "Fold"} if seat.number == 3 else _most(mine))
    broke = [seat["seat"] for seat in made.watch.snapshot()["view"]["seats"] if seat["stack"] == 0]
    assert len(broke) == 1, "the other of two has won it"
    number, other = broke[0], 3
    poor = await Person.at(await devices.one(**PHONE), served.url, made, number)
    rich = await Person.at(await devices.one(**DESKTOP), served.url, made, other)
    first = poor.page.get_by_test_id("between").get_by_role("button").first
    await expect(first).to_have_text("Buy 40")
    await expect(first).to_have_class("primary")
    await expect(poor.page.get_by_test_id("next-round")).to_have_text("Next round without you")
    await expect(rich.page.get_by_test_id("next-round")).to_have_text("Next round")
    for person in (poor, rich):
        await person.see(f"seat-{number}").to_contain_text("no chips")
        await person.see(f"seat-{number}").to_have_class(re.compile(r"\bout\b"))
    await first.click()
    await poor.see("buy-in").to_have_count(0)
    await rich.see(f"seat-{number}").to_contain_text("40")
    assert poor.complaints == rich.complaints == []
