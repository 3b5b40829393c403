"""A tournament in a browser: somebody without chips enters again and takes the add-on, and the prizes are told."""

from collections.abc import Iterator
from typing import Any, Final

import pytest
from playwright.async_api import expect

from tests.server.guests import Made

from .conftest import Devices
from .people import PHONE, Person
from .serving import Served

pytestmark = pytest.mark.slow

GIVEN: Final = {
    "rules": "no-limit", "levels": "turbo", "stack": "Ann=1", "entry": 10, "prizes": "60,40", "reentries": 2,
    "addon": "500/5", "entry_until": 8,
}  # fmt: skip


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server whose tables wait between two rounds long enough for a browser to open."""
    with Served(tmp_path_factory.mktemp("browser") / "games.sqlite", pause=120) as process:
        yield process


def seen_by_ann(made: Made) -> dict[str, Any]:
    found: dict[str, Any] = made.seat(1).snapshot()["view"]["seats"][0]
    return found


async def test_who_lost_all_chips_enters_again_takes_the_add_on_and_wins_a_prize(
    served: Served, devices: Devices
) -> None:
    made = served.guest.made({"name": "Ann"}, {"name": "Bo"}, {"program": "minimum"}, options=GIVEN).started()
    made.play_to_the_pause()
    while not seen_by_ann(made)["may_reenter"]:  # she has one chip, and is all in with each blind
        made.ask_host("next")
        made.play_to_the_pause()
    ann = await Person.at(await devices.one(**PHONE), served.url, made, 1)
    account = ann.page.get_by_test_id("account")
    await ann.page.get_by_role("button", name="Enter again").click()
    await expect(account).to_contain_text("Ann enters again with")
    await ann.page.get_by_role("button", name="Take the add-on: 500 chips for 5 units").click()
    await expect(account).to_contain_text("Ann takes an add-on of 500 chips, for 5 units")
    assert made.ask_host("close").status_code == 204
    await ann.see("result").to_contain_text("Ann")
    await expect(account).to_contain_text("The prizes of 45 units: Ann wins 27")
    await ann.verdict("good")
    assert ann.complaints == []
