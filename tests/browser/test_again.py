"""A table in browsers, from one game to the next: everybody goes on by themselves, and an old address stays."""

import pytest
from playwright.async_api import expect

from .conftest import Devices
from .people import PHONE, Person
from .serving import Served
from .test_host import ANN, BO, to_the_pause

pytestmark = pytest.mark.slow


async def test_everybody_goes_on_to_the_next_game(served: Served, devices: Devices) -> None:
    made = served.guest.made(ANN, BO, rounds=1, name="Friends").started()
    first = made.game
    device = await devices.one(**PHONE)
    host = await device.new_page()
    await host.goto(f"{served.url}/t/{made.table}/host/#{made.host}")
    await expect(host.get_by_test_id("host")).to_be_visible()
    ann = await Person.at(device, served.url, made, 1)  # on the host's device
    bo = await Person.at(await devices.one(), served.url, made, 2)
    watcher = await Person.at(await devices.one(), served.url, made, None)
    at_the_game = await devices.one()
    old = await Person.at(at_the_game, served.url, made, None)
    await old.page.goto(f"{served.url}/t/{first}/seat/2/#{made.tokens[2]}")
    while made.watch.snapshot()["outcome"] is None:
        now = made.watch.snapshot()
        for number in now["awaited"]:
            person = ann if number == 1 else bo
            await person.turn()
            await person.choose()
    for person in (ann, bo, watcher, old):
        await person.see("result").to_be_visible()
        await person.verdict("good")
    await bo.see("again").to_have_count(0)
    await expect(bo.page.get_by_text("The host can begin another game at this table.")).to_be_visible()
    await ann.page.get_by_test_id("again").click()
    for person in (ann, bo, watcher):
        await person.see("result").to_have_count(0)
        await expect(person.page.locator('[data-testid="account"] li').first).to_be_visible()
        await person.verdict("good")
    second = made.guest.get(made.path).json()["game"]
    assert second != first
    await bo.turn() if 2 in made.watch.snapshot()["awaited"] else await ann.turn()
    await old.see("result").to_be_visible()  # the address of a game shows that game for good
    await old.page.get_by_test_id("next-game").click()
    await old.page.wait_for_url(f"**/t/{made.table}/seat/2/")
    await old.see("result").to_have_count(0)
    await old.verdict("good")
    await old.page.goto(f"{served.url}/t/{first}/seat/2/")
    await old.see("result").to_be_visible()
    await old.page.goto(f"{served.url}/replay/{first}/")
    await expect(old.page.get_by_test_id("moment")).to_be_visible()
    assert [person.complaints for person in (ann, bo, watcher, old)] == [[]] * 4


async def test_whoever_left_may_watch_the_next_game(served: Served, devices: Devices) -> None:
    made = served.guest.made(ANN, BO, {"name": "Cy"}, public=True).started()
    to_the_pause(made)
    assert made.seat(3).send(action={"type": "Leave"}).status_code == 200
    assert made.ask_host("end").status_code == 204
    cy = await Person.at(await devices.one(**PHONE), served.url, made, 3)
    await cy.see("result").to_be_visible()
    assert made.ask_host("again").status_code == 200
    await cy.page.get_by_test_id("next-game").click()
    await expect(cy.page.get_by_test_id("chair-3")).to_contain_text("free")
    assert cy.complaints == []
