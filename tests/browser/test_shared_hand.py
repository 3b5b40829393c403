"""Sharing a hand: two taps and a second question for one's own cards; what the link shows, checks, and when it ends."""

import json

import pytest
from playwright.async_api import Page, Route, expect

from pokersvc.core.event import Audience, secret_fields
from pokersvc.core.registry import game_kinds, game_of
from tests.server.guests import Made, bearer, short

from .conftest import Devices
from .people import PHONE, Person
from .serving import Served
from .test_accessible import fine

pytestmark = pytest.mark.slow

PEOPLE = ({"name": "Ann"}, {"name": "Bo"})


def pausing(served: Served) -> Made:
    """Return a table whose first round is over."""
    return served.guest.made(*PEOPLE, rounds=2).started().play_to_the_pause()


def has_secrets_of_seats(kind: str) -> bool:
    """Return whether a seat of the game knows something that the others do not, such as its cards."""
    return any(Audience.SEAT in secret_fields(event).values() for event in game_of(kind).event_types.values())


async def shared(page: Page, answer: str | None) -> str:
    """Share the last hand, confirm if asked again, and return the link."""
    await page.get_by_test_id("share-hand").click()
    await page.get_by_test_id("share-make").click()
    if answer is not None:
        await fine(page, "the second question")
        await page.get_by_test_id(f"share-{answer}").click()
    return await page.get_by_test_id("share-link").get_by_role("textbox").input_value()


async def to_the_end(page: Page) -> None:
    """Play a shared hand to its end."""
    await page.get_by_test_id("speed").select_option("8")
    await page.get_by_test_id("play").click()
    await expect(page.get_by_test_id("play")).to_have_text("Pause")
    await expect(page.get_by_test_id("play")).to_have_text("Play")


@pytest.mark.parametrize("answer", ["with", "without"])
async def test_a_hand_is_shared_with_or_without_ones_own_cards_and_ended(
    served: Served, devices: Devices, answer: str
) -> None:
    made = pausing(served)
    ann = (await Person.at(await devices.one(**PHONE), served.url, made, 1)).page
    link = await shared(ann, answer)
    page = await (await devices.one(**PHONE)).new_page()
    await page.goto(link)
    await expect(page.get_by_test_id("proof")).to_have_attribute("data-state", "good")
    await expect(page.get_by_test_id("proof")).to_contain_text("This proves")
    await expect(page.get_by_test_id("proof")).to_contain_text("only the whole file of the game shows")
    await fine(page, "a shared hand")
    await expect(page.get_by_test_id("shared-by")).to_contain_text("Ann shares this hand")
    await to_the_end(page)
    told = page.get_by_test_id("account")
    await expect(told).to_contain_text("Round 1: ")
    (own,) = await told.get_by_text("Ann is dealt").all_inner_texts()
    assert ("5 cards" in own) is (answer == "without")
    await expect(told.get_by_text("Bo is dealt 5 cards")).to_be_visible()
    await ann.get_by_test_id("share-end").click()
    await expect(ann.get_by_test_id("share-end")).to_have_count(0)
    await page.reload()
    await expect(page.get_by_role("alert")).to_contain_text("No hand is shared by this link")


async def test_a_hand_that_was_changed_on_the_way_is_not_drawn(served: Served, devices: Devices) -> None:
    made = pausing(served)
    answer = served.guest.post(f"{made.path}/seats/1/hands", json={"round": 1}, headers=bearer(made.tokens[1]))
    page = await (await devices.one()).new_page()

    async def lies(route: Route) -> None:
        told = await (await route.fetch()).json()
        payload = json.loads(told["steps"][-2]["record"]["payload"])
        told["steps"][-2]["record"]["payload"] = json.dumps(payload | {"seat": 1}, separators=(",", ":")) + " "
        await route.fulfill(json=told)

    await page.route("**/hand*", lambda route: lies(route) if "/api/" in route.request.url else route.continue_())
    await page.goto(answer.json()["link"])
    await expect(page.get_by_test_id("proof")).to_have_attribute("data-state", "broken")
    await expect(page.get_by_test_id("play")).to_have_count(0)


@pytest.mark.parametrize("kind", [kind for kind in game_kinds() if not has_secrets_of_seats(kind)])
async def test_games_in_which_all_is_seen_ask_no_second_question(served: Served, devices: Devices, kind: str) -> None:
    options, rounds = short(kind)
    made = served.guest.made(*PEOPLE, kind=kind, options=options, rounds=rounds).started().play_to_the_end()
    ann = (await Person.at(await devices.one(**PHONE), served.url, made, 1)).page
    page = await (await devices.one()).new_page()
    await page.goto(await shared(ann, None))
    await expect(page.get_by_test_id("proof")).to_have_attribute("data-state", "good")
    await to_the_end(page)


async def test_a_replay_shares_the_round_that_is_looked_at(served: Served, devices: Devices) -> None:
    made = served.guest.made(*PEOPLE, rounds=2).started()
    made.play_to_the_pause().ask_host("next")
    made.play_to_the_end()
    context = await devices.one()
    await Person.at(context, served.url, made, 1)
    page = await context.new_page()
    await page.goto(f"{served.url}/replay/{made.game}/")
    await page.get_by_test_id("round-forward").click()
    await page.get_by_test_id("round-forward").click()
    await expect(page.get_by_test_id("event")).to_contain_text("round 2")
    await page.get_by_test_id("share-hand").click()
    await expect(page.get_by_test_id("share-round")).to_have_value("2")
    await page.get_by_test_id("share-round").select_option("1")
    await page.get_by_test_id("share-make").click()
    await page.get_by_test_id("share-without").click()
    await expect(page.get_by_test_id("share-link")).to_contain_text("Round 1, without your cards")
