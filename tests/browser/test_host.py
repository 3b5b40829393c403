"""The host's controls at a table, and what the players see of them."""

from typing import Any

import pytest
from playwright.async_api import BrowserContext, Dialog, Page, expect

from tests.server.guests import Made, simple_action

from .conftest import Devices
from .people import PHONE, Person
from .serving import Served

pytestmark = pytest.mark.slow

ANN, BO = {"name": "Ann"}, {"name": "Bo"}


async def sure(dialog: Dialog) -> None:
    """Answer the page's question with yes."""
    await dialog.accept()


async def host_of(context: BrowserContext, served: Served, made: Made) -> Page:
    """Open the host's link, and its controls."""
    page = await context.new_page()
    page.on("dialog", sure)
    await page.goto(f"{served.url}/t/{made.table}/host/#{made.host}")
    await page.get_by_test_id("host").click()
    return page


def to_the_pause(made: Made) -> None:
    """Play to the end of the round by programs."""
    while not (now := made.watch.snapshot())["pausing"]:
        for number in set(now["awaited"]) & set(made.tokens):
            mine = made.seat(number).snapshot()
            assert made.seat(number).send(head=mine["head"], action=simple_action(mine)).status_code == 200


def types(made: Made) -> list[str]:
    """Return the types of the table's events."""
    return [event["type"] for event in made.watch.events(made.watch.snapshot()["count"])]


async def new_link(host: Page, seat: int, before: str = "") -> str:
    """Make a new link for a seat, and return it."""
    await host.get_by_test_id(f"new-link-{seat}").click()
    field = host.get_by_label(f"Link of seat {seat}")
    await expect(field).to_be_visible()
    await expect(field).not_to_have_value(before)
    return await field.input_value()


async def test_the_host_sees_who_has_opened_their_link(served: Served, devices: Devices) -> None:
    made = served.guest.made(ANN, BO, all_come=False)
    made.tokens[1] = served.guest.exchanged(made.table, 1, made.links[1])
    ann = await Person.at(await devices.one(**PHONE), served.url, made, 1)
    await expect(ann.page.get_by_test_id("chair-1")).to_have_text("1 Ann (you)")
    await expect(ann.page.get_by_test_id("chair-2")).to_have_text("2 Bo (invited)")
    await expect(ann.page.locator(".waiting-room [role=status]")).to_contain_text("Bo has not opened their link yet.")
    made.tokens[2] = served.guest.exchanged(made.table, 2, made.links[2])
    await expect(ann.page.get_by_test_id("chair-2")).to_have_text("2 Bo")
    await expect(ann.page.locator(".waiting-room [role=status]")).to_contain_text("Everybody is here.")


async def test_the_host_fills_the_seats_starts_removes_and_closes(served: Served, devices: Devices) -> None:
    made = served.guest.made(ANN, {}, {}, rounds=3, public=True)
    host = await host_of(await devices.one(**PHONE), served, made)
    alert = host.get_by_role("dialog").get_by_role("alert")
    await host.get_by_test_id("start").click()
    await expect(alert).to_have_text("Nobody sits at seat 2 and 3 yet: wait, or put a bot there.")
    await host.locator("#program-2").select_option("beginner")
    await expect(host.get_by_text("calls too much, chases draws")).to_be_visible()
    await host.locator("#program-2").select_option("random")
    await host.get_by_test_id("put-2").click()
    await expect(host.locator(".host-seats li").nth(1)).to_contain_text("2. Player2 (random)")
    await host.get_by_test_id("remove-2").click()
    await expect(host.locator(".host-seats li").nth(1)).to_contain_text("2. free seat")
    await host.locator("#program-2").select_option("steady")
    await host.get_by_test_id("put-2").click()
    made.tokens[3] = served.guest.exchanged(made.table, 3, (await new_link(host, 3)).partition("#")[2])
    await host.get_by_test_id("start").click()
    await expect(host.get_by_role("dialog")).to_have_count(0)
    await expect(host.get_by_test_id("felt")).to_be_visible()

    await host.get_by_test_id("host").click()
    await expect(host.get_by_test_id("close")).to_be_disabled()
    await expect(host.get_by_role("dialog")).to_contain_text("between two rounds")
    to_the_pause(made)
    await host.get_by_test_id("remove-3").click()
    account = host.get_by_test_id("account")
    await expect(account).to_contain_text("Player3 is removed from the table by the host.")
    await expect(host.get_by_test_id("remove-3")).to_have_count(0)
    await host.get_by_test_id("next").click()
    await expect(account).to_contain_text("Round 2 starts")
    to_the_pause(made)
    await host.get_by_test_id("close").click()
    await expect(account).to_contain_text("The game is over: it was closed")
    await expect(host.get_by_test_id("close")).to_have_count(0)
    assert {"SeatRemoved", "PlayerLeft", "GameClosed", "GameEnded"} <= set(types(made))


async def test_a_pause_for_all(served: Served, devices: Devices) -> None:
    made = served.guest.made(ANN, BO, settings={"seconds": 600}).started()
    person = await Person.at(await devices.one(), served.url, made, 1)
    await person.turn()
    assert "Your turn" in await person.page.title()
    host = await host_of(await devices.one(), served, made)
    await host.get_by_test_id("pause").click()
    await expect(person.page.locator(".notice")).to_have_text(
        "The table is paused. Nobody can choose, and no clock runs."
    )
    await person.see("actions").to_have_count(0)
    await expect(person.page.get_by_test_id("seat-1").locator(".clock")).to_have_text("paused")
    assert "Your turn" not in await person.page.title()
    await expect(host.get_by_test_id("pause")).to_have_text("Resume")
    await host.get_by_test_id("pause").click()
    await person.turn()
    await expect(person.page.locator(".notice")).to_have_count(0)
    assert types(made)[-2:] == ["TablePaused", "TableResumed"]


async def hands(page: Page) -> list[str]:
    """Return the visible cards of the viewer's own hand."""
    found: list[str] = await page.locator(".own-hand [data-card]").evaluate_all(
        "cards => cards.map(c => c.dataset.card)"
    )
    return found


async def test_links_in_one_tab_and_a_link_that_is_replaced(served: Served, devices: Devices) -> None:
    made = served.guest.made(ANN, BO).started()
    context = await devices.one(**PHONE)
    person = await Person.at(context, served.url, made, 1)
    page = person.page
    await person.turn()
    own = await hands(page)
    assert len(own) == 5
    await page.goto(f"{served.url}/t/{made.table}/seat/2/#{made.tokens[2]}")
    await expect(page.get_by_test_id("seat-2")).to_contain_text("(you)")
    await expect(page.locator(".own-hand [data-card]")).to_have_count(5)
    assert not set(own) & set(await hands(page))
    await page.goto(f"{served.url}/t/{made.table}/seat/1/")
    await person.turn()
    assert await hands(page) == own

    host = await host_of(await devices.one(), served, made)
    link = await new_link(host, 1)
    await expect(page.get_by_role("alert")).to_have_text(
        "You do not hold this seat any more: the host made a new link for it or removed you, or somebody else took the"
        " seat after you got up."
    )
    await expect(page.get_by_role("link", name="Watch this table")).to_be_visible()
    await page.goto(link)  # the same page to the browser: only what follows its # differs
    await page.get_by_test_id("take-seat").click()
    await person.turn()
    assert page.url == f"{served.url}/t/{made.table}/seat/1/"
    assert await hands(page) == []
    await expect(page.get_by_test_id("account")).to_contain_text("Ann's seat has a new link")
    await person.verdict("good")
    other = await new_link(host, 1, link)
    await expect(page.get_by_role("alert")).to_contain_text("You do not hold this seat any more")
    await page.goto(other)
    await page.get_by_test_id("take-seat").click()
    await person.turn()
    assert types(made).count("SeatReplaced") == 2
    for wrong in (other[:-1], link):  # cut short on its way; the one before
        stranger = await (await devices.one()).new_page()
        await stranger.goto(wrong)
        await expect(stranger.get_by_role("alert")).to_contain_text("This link does not lead to this seat")
    await page.goto("about:blank")
    await page.goto(link)
    await person.turn()  # whoever holds the seat is led to it


async def test_who_is_timed_out_twice_sits_out_comes_back_and_may_end_a_game_alone(
    served: Served, devices: Devices
) -> None:
    settings: dict[str, Any] = {"seconds": 2}
    made = served.guest.made(ANN, BO, kind="kalah", settings=settings).started()
    person = await Person.at(await devices.one(**PHONE), served.url, made, 1)
    person.page.on("dialog", sure)
    await person.see("come-back").to_be_visible()
    await expect(person.page.locator(".between")).to_contain_text(
        "You sit out, since your time was over twice in a row."
    )
    await expect(person.page.get_by_test_id("account")).to_contain_text("Ann's time is over.")
    while set(made.watch.snapshot()["sitting_out"]) != {1, 2}:
        await person.page.wait_for_timeout(100)
    await person.page.get_by_test_id("come-back").click()
    await person.page.get_by_test_id("end-game").click()
    await person.see("result").to_be_visible()
    assert {"CameBack", "GameClosed"} <= set(types(made))
    assert person.complaints == []


async def test_a_host_without_a_seat_sees_live_who_asks_where_watchers_are_told_later(
    served: Served, devices: Devices
) -> None:
    made = served.guest.made(ANN, BO, {}, options={"cash": True, "rules": "no-limit"})
    made.ask_host("access", delay=3600, admits="each")
    host = await (await devices.one(**PHONE)).new_page()
    await host.goto(f"{served.url}/t/{made.table}/host/#{made.host}")
    await host.get_by_test_id("start-now").click()
    await expect(host.locator(".waiting-room [role=status]")).to_contain_text("The game has begun.")
    asked = {"name": "Dee", "seat": 3, "token": made.invitation}
    assert served.guest.post(f"{made.path}/sit", json=asked).status_code == 201
    await expect(host.get_by_test_id("host")).to_have_text("Host (1)")
    await expect(host.get_by_test_id("chair-3")).to_have_text("3 Dee (asks to be let in)")
    watcher = await Person.at(await devices.one(**PHONE), served.url, made, None)
    await expect(watcher.page.get_by_test_id("chair-3")).to_have_text("3 free seat")
