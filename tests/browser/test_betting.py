"""Betting without accidents: emphasis, confirmations, delays, taking a choice back, and keys."""

import re
from typing import Any

import pytest
from playwright.async_api import Route, expect

from tests.server.guests import Made

from .conftest import Devices
from .people import DESKTOP, PHONE, Person, button, commands_of
from .serving import Served

pytestmark = pytest.mark.slow

PEOPLE = ({"name": "Ann"}, {"name": "Bo"})
NO_LIMIT: dict[str, Any] = {"options": {"rules": "no-limit"}, "rounds": 2}

PRESSED_AT_ONCE = """() => {
    window.early = 0;
    const press = () => {
        window.early += 1;
        document.querySelector('[data-testid="check"]').click();
        document.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, key: 'c' }));
    };
    const comes = new MutationObserver(() => {
        if (document.querySelector('[data-testid="check"]') === null) return;
        comes.disconnect();
        press();
        setTimeout(press, 200);
    });
    comes.observe(document.body, { childList: true, subtree: true });
}"""
"""A script that presses Check, by a finger and by its key, as soon as the button is there, and once more."""

HELD_BACK = """(() => {
    const listen = EventSource.prototype.addEventListener;
    EventSource.prototype.addEventListener = function (name, take) {
        listen.call(this, name, (event) => name === "snapshot" && window.holdsBack ? undefined : take(event));
    };
})()"""
"""A script with which a page is told of no state in its stream while it is to hold them back."""


async def at_turn(served: Served, devices: Devices, made: Made, **options: Any) -> Person:
    """Sit down at the seat whose turn it is."""
    seat = made.watch.snapshot()["awaited"][0]
    person = await Person.at(await devices.one(**(options or DESKTOP)), served.url, made, seat)
    await person.turn()
    return person


def called(made: Made) -> None:
    """Call for the seat whose turn it is: then the other may check."""
    now = made.seat(made.watch.snapshot()["awaited"][0]).snapshot()
    assert made.seat(now["awaited"][0]).send(head=now["head"], typed="call").status_code == 200


async def test_check_or_call_stands_out_and_fold_is_behind_more_where_check_is_legal(
    served: Served, devices: Devices
) -> None:
    made = served.guest.made(*PEOPLE, rounds=1).started()
    ann = await Person.at(await devices.one(**DESKTOP), served.url, made, 1)
    bo = await Person.at(await devices.one(**PHONE), served.url, made, 2)
    await ann.see("raise").not_to_have_class(re.compile("primary"))  # she has to bet or to fold
    await ann.page.locator(button("raise")).click()
    await bo.see("call").to_have_class(re.compile("primary"))
    await bo.see("fold").to_be_visible()
    await bo.see("more").to_have_count(0)
    await bo.page.locator(button("call")).tap()
    for person in (ann, bo):
        await person.page.locator(button("draw")).click()
    await ann.see("check").to_have_class(re.compile("primary"))
    await ann.see("fold").to_have_count(0)
    await ann.page.get_by_test_id("more").click()
    await ann.page.locator(button("fold")).click()
    await bo.see("account").to_contain_text("Ann folds")
    assert ann.complaints == bo.complaints == []


async def test_all_in_asks_once(served: Served, devices: Devices) -> None:
    made = served.guest.made(*PEOPLE, **NO_LIMIT).started()
    person = await at_turn(served, devices, made, **PHONE)
    page = person.page
    sent = commands_of(page)
    await person.see("call").to_have_class(re.compile("primary"))
    await person.see("raise").not_to_have_class(re.compile("primary"))
    await page.get_by_role("button", name=re.compile("^Most")).tap()
    await page.get_by_test_id("raise").tap()
    await expect(page.get_by_text("All in with 199?")).to_be_visible()
    await page.get_by_test_id("not-all-in").tap()
    await person.see("raise").to_have_text("Raise to 200, all in")
    assert sent == []
    await page.get_by_test_id("raise").tap()
    await page.get_by_test_id("all-in").tap()
    await person.see("account").to_contain_text("raises to 200")
    assert [one["action"]["type"] for one in sent] == ["Raise"]


async def test_a_button_whose_meaning_has_just_changed_does_nothing(served: Served, devices: Devices) -> None:
    made = served.guest.made(*PEOPLE, **NO_LIMIT).started()
    (waits,) = {1, 2} - set(made.watch.snapshot()["awaited"])
    person = await Person.at(await devices.one(**DESKTOP), served.url, made, waits)
    await person.see("waiting").to_contain_text("is to act")
    sent = commands_of(person.page)
    await person.page.evaluate(PRESSED_AT_ONCE)
    called(made)
    await person.see("check").to_have_attribute("aria-disabled", "true")
    await person.turn()
    assert await person.page.evaluate("window.early") == 2
    assert sent == []
    await person.page.locator(button("check")).click()
    await person.see("account").to_contain_text("checks")


async def test_the_first_choice_that_a_page_shows_can_be_pressed_at_once(served: Served, devices: Devices) -> None:
    made = served.guest.made(*PEOPLE, **NO_LIMIT).started()
    called(made)
    person = await Person.at(await devices.one(**DESKTOP), served.url, made, made.watch.snapshot()["awaited"][0])
    await person.turn()
    context = person.page.context
    await person.page.close()
    again = await context.new_page()
    await again.add_init_script(f"addEventListener('DOMContentLoaded', {PRESSED_AT_ONCE})")
    sent = commands_of(again)
    await again.goto(person.page.url)
    await expect(again.get_by_test_id("account")).to_contain_text("checks")
    assert len(sent) == 1


async def test_a_fold_to_a_bet_can_be_taken_back_for_a_second(served: Served, devices: Devices) -> None:
    made = served.guest.made(*PEOPLE, **NO_LIMIT).started()
    person = await at_turn(served, devices, made)
    page = person.page
    sent = commands_of(page)
    await page.get_by_test_id("fold").click()
    await page.get_by_test_id("take-back").click()
    await page.wait_for_timeout(1200)
    assert sent == []
    await page.keyboard.press("f")
    await person.see("folding").to_be_visible()
    assert sent == []
    await person.see("account").to_contain_text("folds")
    assert [one["action"]["type"] for one in sent] == ["Fold"]


async def test_a_fold_in_the_last_three_seconds_is_sent_at_once(served: Served, devices: Devices) -> None:
    made = served.guest.made(*PEOPLE, **NO_LIMIT, settings={"seconds": 8, "bank": 0}).started()
    person = await at_turn(served, devices, made)
    sent = commands_of(person.page)
    clock = person.page.locator(".seat.turn .clock")
    await expect(clock).to_contain_text(re.compile("0:0[123]"))
    await person.page.get_by_test_id("fold").click(timeout=1000)
    await person.see("folding").to_have_count(0)
    await person.see("account").to_contain_text("folds")
    assert [one["action"]["type"] for one in sent] == ["Fold"]


async def test_a_choice_names_the_head_of_the_buttons_and_what_is_asked_between_rounds_names_none(
    served: Served, devices: Devices
) -> None:
    """One's own hand may be played on elsewhere; buttons on an outdated page must not act on the present state."""
    made = served.guest.made(*PEOPLE, **NO_LIMIT).started()
    called(made)
    seat = made.watch.snapshot()["awaited"][0]
    context = await devices.one(**DESKTOP)
    await context.add_init_script(HELD_BACK)
    person = await Person.at(context, served.url, made, seat)
    await person.turn()
    page = person.page
    sent = commands_of(page)
    before = made.seat(seat).snapshot()

    async def held(route: Route) -> None:
        await route.abort()

    await page.evaluate("window.holdsBack = true")
    await page.route("**/snapshot?*", held)
    other = made.seat(3 - seat)
    assert made.seat(seat).send(head=before["head"], typed="check").status_code == 200
    for held_by in (1, 2):
        assert made.seat(made.watch.snapshot()["awaited"][0]).send(typed="k").status_code == 200, held_by
    if made.watch.snapshot()["awaited"] != [seat]:
        assert other.send(typed="check").status_code == 200
    assert made.seat(seat).snapshot()["legal"]["check"]  # it would be legal now, too
    await page.get_by_test_id("check").click()
    await expect(page.get_by_test_id("error")).to_contain_text("The game has moved on")
    assert [one["head"] for one in sent] == [before["head"]]
    await page.evaluate("window.holdsBack = false")
    await page.unroute("**/snapshot?*")
    made.play_to_the_pause()
    sent.clear()
    await page.get_by_test_id("next-round").click()
    await expect(page.get_by_test_id("account")).to_contain_text("Round 2 starts")
    assert ["head" in one for one in sent] == [False]


async def test_keys_choose_and_do_nothing_where_one_types_or_where_they_are_off(
    served: Served, devices: Devices
) -> None:
    made = served.guest.made(*PEOPLE, **NO_LIMIT).started()
    person = await at_turn(served, devices, made)
    page = person.page
    raises = page.get_by_test_id("raise")
    sent = commands_of(page)
    await page.get_by_test_id("typed").focus()
    await page.keyboard.type("fcr?1")
    await person.see("folding").to_have_count(0)
    await expect(page.locator("dialog")).to_have_count(0)
    await page.get_by_test_id("typed").fill("")
    await page.evaluate("document.activeElement.blur()")
    await page.keyboard.press("Enter")  # nothing has been changed
    await page.keyboard.press("?")
    await page.get_by_test_id("letters").uncheck()
    await page.keyboard.press("Escape")
    await expect(page.locator("dialog")).to_have_count(0)
    for key in ("f", "c", "2", "?"):
        await page.keyboard.press(key)
    await page.wait_for_timeout(300)
    assert sent == []
    await expect(raises).to_have_text("Raise to 4")
    await page.get_by_test_id("betting-settings").click()
    await page.get_by_test_id("letters").check()
    await page.keyboard.press("Escape")
    await expect(page.locator("dialog")).to_have_count(0)
    await page.evaluate("document.activeElement.blur()")
    await page.keyboard.press("2")
    await expect(raises).to_have_text("Raise to 6")
    await page.keyboard.press("ArrowUp")
    await expect(raises).to_have_text("Raise to 8")
    await page.keyboard.press("Enter")
    await person.see("account").to_contain_text("raises to 8")
    assert [one["action"] for one in sent] == [{"to": 8, "type": "Raise"}]
    other = await at_turn(served, devices, made)
    await other.page.keyboard.press("c")
    await other.see("account").to_contain_text("calls")
    assert person.complaints == other.complaints == []


async def test_amounts_in_blinds_by_the_wheel_and_by_ones_own_presets(served: Served, devices: Devices) -> None:
    made = served.guest.made(*PEOPLE, **NO_LIMIT, settings={"seconds": 60, "bank": 90}).started()
    person = await at_turn(served, devices, made)
    page = person.page
    await person.see("time-bank").to_have_text("Then your time bank of 1:30 runs by itself.")
    raises = page.get_by_test_id("raise")
    await page.get_by_test_id("slider").hover()
    await page.mouse.wheel(0, -100)
    await expect(raises).to_have_text("Raise to 6")
    await page.get_by_test_id("betting-settings").click()
    await page.get_by_test_id("presets").fill("2.5 bb, 150%, many")
    await expect(page.locator("dialog")).to_contain_text("I cannot read “many”")
    await page.get_by_test_id("presets").fill("2.5 bb, 150%")
    await page.get_by_test_id("unit-blinds").check()
    await page.keyboard.press("Escape")
    await expect(page.locator(".preset")).to_have_text(["Least2 bb", "2.5 bb2.5 bb", "1.5 pot4 bb", "Most100 bb", "⋯"])
    await page.get_by_role("button", name=re.compile("^2.5 bb")).click()
    await expect(raises).to_have_text("Raise to 2.5 bb")
    await page.get_by_test_id("amount").fill("3.5")
    await raises.click()
    await person.see("account").to_contain_text("raises to 7")  # the log is in chips
    await page.reload()
    await expect(page.locator(".pot .sum")).to_contain_text("bb")
    assert person.complaints == []
