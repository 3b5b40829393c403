"""The review on the page: one's own choices after a game, the dearest first, as the server told them."""

import re

import pytest
from playwright.async_api import expect

from tests.server.guests import throws_all_away

from .conftest import Devices
from .people import PHONE, Person
from .serving import Served
from .test_accessible import fine

pytestmark = pytest.mark.slow

SYMBOLS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


def _with_symbols(text: str) -> str:
    """Return a text with the cards as the page writes them: 10♦."""
    return re.sub(r"\b(10|[2-9JQKA])([CDHS])\b", lambda card: card[1] + SYMBOLS[card[2]], text)


async def test_after_a_game_a_seat_reads_what_its_choices_cost(served: Served, devices: Devices) -> None:
    made = served.guest.made({"name": "Ann"}, {"name": "Bo"}, rounds=3, options={"rules": "fixed-limit"}).started()
    throws_all_away(made, 2)
    made.play_to_the_end()
    ann = await Person.at(await devices.one(**PHONE), served.url, made, 1)
    watcher = await Person.at(await devices.one(), served.url, made, None)
    await ann.verdict("good")
    await ann.page.get_by_test_id("review").click()
    hands = ann.page.get_by_test_id("review-hands").locator("tbody tr")
    await expect(hands.first).to_be_visible(timeout=120_000)
    held = made.seat(1)
    told = made.guest.get(f"{held.path}/review", headers=held.headers, timeout=120).json()
    await expect(hands).to_have_count(len(told["rounds"]))
    for at, one in enumerate(told["rounds"]):
        await expect(hands.nth(at)).to_contain_text(one["cost"])
    await ann.see("review-cost").to_contain_text(told["cost"])
    await ann.see("review-doubted").to_contain_text("another player did what the program hardly ever does")
    dearest = ann.page.get_by_test_id("dearest").locator("li")
    await expect(dearest).to_have_count(len(told["dearest"]))
    for at, choice in enumerate(told["dearest"]):
        await expect(dearest.nth(at)).to_contain_text(f"chose to {_with_symbols(choice['chose'])}")
    await fine(ann.page, "the review of a seat")
    last = told["rounds"][-1]["round"]
    choices = [choice["chose"] for choice in told["judged"] if choice["round"] == last]
    listed = ann.page.get_by_test_id("choices").locator("li")
    await ann.page.get_by_test_id(f"choices-{last}").click()
    await expect(listed).to_have_count(len(choices))
    await ann.page.keyboard.press("Escape")
    await ann.page.get_by_test_id(f"review-{last}").click()
    await expect(listed).to_have_count(len(choices))
    for at, chose in enumerate(choices):
        await expect(listed.nth(at)).to_contain_text(f"chose to {_with_symbols(chose)}")
    await ann.page.keyboard.press("Escape")
    await watcher.verdict("good")
    await watcher.see("review").to_have_count(0)


async def test_after_a_game_of_kalah_a_seat_reads_each_move_with_its_cost(served: Served, devices: Devices) -> None:
    made = served.guest.made({"name": "Ann"}, {"name": "Bo"}, kind="kalah", options={"holes": 3, "beans": 2}).started()
    made.play_to_the_end()
    ann = await Person.at(await devices.one(**PHONE), served.url, made, 1)
    await ann.page.get_by_test_id("review").click()
    moves = ann.page.get_by_test_id("review-moves").locator("tbody tr")
    await expect(moves.first).to_be_visible(timeout=120_000)
    held = made.seat(1)
    told = made.guest.get(f"{held.path}/review", headers=held.headers, timeout=120).json()
    await expect(moves).to_have_count(told["choices"])
    for at, one in enumerate(told["judged"]):
        for said in (one["chose"], one["would"][0]["action"], one["cost"], "perfect"):
            await expect(moves.nth(at)).to_contain_text(said)
    await ann.see("review-cost").to_contain_text(f"cost {told['cost']} beans")
    await fine(ann.page, "the review of a game of Kalah")
