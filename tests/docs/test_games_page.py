"""docs/games.md adds a whole game, and its code is the one tested here."""

import ast
import re
from pathlib import Path
from typing import Final

import pytest

import pokersvc
import pokersvc.testing
from pokersvc.core.game import Game
from pokersvc.testing import Promise

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = (ROOT / "docs/games.md").read_text("utf-8")
KUHN: Final = ROOT / "tests/kuhn"
BETTING: Final = {path.stem for path in (ROOT / "pokersvc/betting").glob("*.py")} - {"__init__"}
"""The modules of betting; each needs its line in docs/betting.md, see tests/betting/test_page.py."""


@pytest.mark.parametrize("name", ["pyproject.toml", "kuhn.py", "test_kuhn.py"])
def test_the_page_shows_each_file_whole(name: str) -> None:
    blocks = re.findall(rf"^```(?:python|toml) {re.escape(name)}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    assert blocks
    shown = "\n".join(line for block in blocks for line in block.split("\n") if line)
    assert shown == "\n".join(line for line in (KUHN / name).read_text("utf-8").split("\n") if line)


def test_the_page_has_no_other_code() -> None:
    assert set(re.findall(r"^```(\S.*)$", PAGE, re.MULTILINE)) == {
        "toml pyproject.toml", "python kuhn.py", "python test_kuhn.py"
    }  # fmt: skip


def test_the_page_has_every_promise_in_its_words() -> None:
    assert re.findall(r"^\| `([A-Z_]+)` \| (.*) \|$", PAGE, re.MULTILINE) == [(one.name, one.value) for one in Promise]


def test_the_page_names_what_a_game_has_to_have_and_may_have() -> None:
    reference = PAGE.partition("## Reference")[2]
    public = {name for name in dir(Game) if not name.startswith("_")} - {
        # what the base classes do, and no game has to know
        "check_engine", "check_kinds", "codec", "new", "seed_of", "seats", "source", "started_as", "wrong_engine",
    }  # fmt: skip
    declared = {name for part in Game.__mro__ for name in getattr(part, "__annotations__", {})}
    missing = {name for name in public | declared if name[0] != "_" and f"`{name}`" not in reference}
    assert missing - {"codec"} == set()


def test_the_game_imports_only_public_names() -> None:
    imported = {
        (node.module, alias.name)
        for file in (KUHN / "kuhn.py", KUHN / "test_kuhn.py", ROOT / "tests/leduc/leduc.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("pokersvc")
        for alias in node.names
    }
    public = {("pokersvc", name) for name in pokersvc.__all__}
    public |= {("pokersvc.testing", name) for name in pokersvc.testing.__all__}
    betting = {f"pokersvc.betting.{name}" for name in BETTING}
    others = {(module, name) for module, name in imported - public if module not in betting}
    assert others <= {("pokersvc.betting", name) for name in BETTING}
