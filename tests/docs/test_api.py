"""The pages of docs/api equal the docstrings, and their examples work."""

import doctest
import re
from pathlib import Path

import pytest

from tests.docs import api
from tests.docs.each_game import own_games
from tests.docs.markdown import text_of

pytestmark = pytest.mark.no_cover  # sources are read; what the examples run has tests of its own

TEN_LINES = 10


@pytest.fixture(scope="module")
def made() -> dict[str, str]:
    """The pages as the docstrings make them now."""
    return api.pages()


def headings(text: str) -> list[str]:
    """Return the names that a page describes."""
    return re.findall(r"^## (\w+)$", text, re.MULTILINE)


def fails(text: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run the examples of a page in order, in a new folder; return the differences from the page."""
    monkeypatch.chdir(folder)
    told: list[str] = []
    test = doctest.DocTestParser().get_doctest(api.examples([text]), {}, "examples", None, None)
    assert test.examples
    doctest.DocTestRunner(verbose=False).run(test, out=told.append)
    return "".join(told)


def test_the_pages_are_what_the_docstrings_say(made: dict[str, str]) -> None:
    written = {path.stem: path.read_text("utf-8") for path in api.FOLDER.glob("*.md")}
    assert written == made, "run `make api-docs`"


def test_every_public_name_is_described_on_exactly_one_page(made: dict[str, str]) -> None:
    described = [name for page, text in made.items() if page in api.PAGES for name in headings(text)]
    assert sorted(described) == sorted(api.NAMES)


def test_the_index_leads_to_every_name(made: dict[str, str]) -> None:
    rows = re.findall(r"^\| \[`(\w+)`\]\((\w+)\.md#(\w+)\) \| (.+) \|$", made["index"], re.MULTILINE)
    assert sorted(name for name, *_ in rows) == sorted(api.NAMES)
    for name, page, anchor, _ in rows:
        assert name in headings(made[page])
        assert anchor == name.lower()


def test_every_game_says_what_its_seats_choose_and_see(made: dict[str, str]) -> None:
    parts = re.split(r"^## (\w+)$", made["each-game"], flags=re.MULTILINE)
    games = dict(zip(parts[1::2], parts[2::2], strict=True))
    assert [*games] == [game.kind for game in own_games()] != []
    for game in own_games():
        text = games[game.kind]
        assert all(f"| `{action.__name__}(seat: int" in text for action in game.actions)
        assert all(f"`{program}`" in text for program in game.players)
        assert all(f"| `{house.name}` |" in text for house in game.houses())
        assert f"| `{game.start_event.__name__}(" in text
        assert "- `record: Seen[Event]`" in text


def test_every_link_leads_to_a_heading(made: dict[str, str]) -> None:
    anchors = {
        f"{page}.md#{re.sub(r'[^a-z0-9_ -]', '', heading.lower()).replace(' ', '-')}"
        for page, text in made.items()
        for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    }
    for page, text in made.items():
        for link in re.findall(r"\]\(([^)]+)\)", text):
            if "#" in link:
                assert link in anchors, (page, link)
            else:
                assert (api.FOLDER / link).is_file(), (page, link)


def test_every_public_name_has_a_docstring() -> None:
    package = api.read_package()
    for name in api.NAMES:
        home = api.home_of(package, name)
        assert text_of(home), name
        for method in api.methods_of(name, home):
            assert text_of(method), f"{name}.{method.name}"


def test_members_that_are_shown_are_there() -> None:
    package = api.read_package()
    for name, shown in api.SHOWN.items():
        assert {member.name for member in api.members_of(name, api.home_of(package, name))} == shown - {"__init__"}


def test_the_examples_of_the_index_work_in_their_order(
    made: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert fails(made["index"], tmp_path, monkeypatch) == ""


def test_a_game_is_played_in_ten_lines(made: dict[str, str]) -> None:
    block = re.findall(r"```pycon\n(.*?)```", made["index"], re.DOTALL)[0]
    assert "service.play_round(" in block
    assert sum(line.startswith((">>>", "...")) for line in block.splitlines()) <= TEN_LINES
