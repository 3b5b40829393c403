"""Games that people play to their ends in browsers: a desktop, a phone, and one who watches."""

import asyncio
import re
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.async_api import expect

from pokersvc.core.registry import game_kinds
from pokersvc.evidence.verified import verify_export
from tests.server.guests import short
from tests.testing.installed import install

from .conftest import Devices
from .people import DESKTOP, PHONE, Person
from .serving import Served

DOCS: Final = Path(__file__).parents[2] / "docs" / "games.md"
ANN, BO = {"name": "Ann"}, {"name": "Bo"}


async def played(served: Served, devices: Devices, kind: str, *seats: dict[str, str], rounds: int | None) -> Any:
    """Play a game by touch and mouse; return its table, its players and its spectators."""
    options, _ = short(kind)
    made = served.guest.made(*seats, kind=kind, rounds=rounds, options=options).started()
    people = [
        await Person.at(await devices.one(**device), served.url, made, seat)
        for device, seat in ((DESKTOP, 1), (PHONE, 2), (DESKTOP, None))
    ]
    await asyncio.gather(*(person.play() for person in people if person.seat is not None))
    for person in people:
        await person.see("result").to_be_visible()
        await person.verdict("good")
        assert person.complaints == []
    assert made.guest.get(f"{made.path}/audit").json()["findings"] == []
    return made, people


@pytest.mark.slow
async def test_two_people_play_draw_poker_to_its_end(served: Served, devices: Devices, tmp_path: Path) -> None:
    _, people = await played(served, devices, "draw", ANN, BO, {"program": "steady"}, rounds=1)
    for person in people:
        await person.page.get_by_test_id("verdict").click()
        async with person.page.expect_download() as begun:
            await person.page.get_by_test_id("save").click()
        file = tmp_path / f"{person.seat}.jsonl"
        await (await begun.value).save_as(file)
        assert verify_export(file).passed


@pytest.mark.slow
@pytest.mark.parametrize("kind", game_kinds())
async def test_every_game_is_played_to_its_end(served: Served, devices: Devices, kind: str) -> None:
    (offered,) = (game for game in served.guest.get("/api/games").json()["games"] if game["kind"] == kind)
    program = [{"program": offered["default_program"]}] if offered["seats"]["most"] > 2 else []
    _, rounds = short(kind)
    await played(served, devices, kind, ANN, BO, *program, rounds=rounds)


def package_of_the_docs(folder: Path) -> Path:
    """Write the package that docs/games.md shows into a folder, as its reader would."""
    folder.mkdir()
    for name in ("pyproject.toml", "kuhn.py"):
        blocks = re.findall(
            rf"^```(?:python|toml) {re.escape(name)}\n(.*?)^```$", DOCS.read_text("utf-8"), re.MULTILINE | re.DOTALL
        )
        (folder / name).write_text("\n".join(blocks))
    return folder


@pytest.mark.slow
async def test_the_game_of_the_docs_is_played_by_buttons(devices: Devices, tmp_path: Path) -> None:
    path = install(tmp_path / "installed", package_of_the_docs(tmp_path / "kuhn"))
    with Served(tmp_path / "games.sqlite", path=path) as served:
        made = served.guest.made(ANN, BO, kind="kuhn", rounds=2).started()
        ann, bo = [
            await Person.at(await devices.one(**device), served.url, made, seat)
            for device, seat in ((DESKTOP, 1), (PHONE, 2))
        ]
        for person, names, choice in ((ann, ["Check", "Bet"], "Bet"), (bo, ["Fold", "Call"], "Call")):
            buttons = person.page.get_by_test_id("actions").get_by_role("button")
            await expect(buttons).to_have_text(names)
            await person.page.get_by_role("button", name=choice, exact=True).click()
        await ann.after(4)
        await asyncio.gather(ann.play(), bo.play())
        for person in (ann, bo):
            await person.see("result").to_be_visible()
            await person.verdict("good")
            assert person.complaints == []
        events = [one["type"] for one in made.watch.events(made.watch.snapshot()["count"])]
        assert events.count("Acted") == 4
        assert events.count("RoundEnded") == 2
        assert made.guest.get(f"{made.path}/audit").json()["findings"] == []
