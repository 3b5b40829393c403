"""The project's statements about itself are true."""

import ast
import re
import tomllib
from collections import Counter
from fnmatch import fnmatch
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import grimp
import pytest

import pokersvc.games
from pokersvc import __version__
from pokersvc.core.registry import game_kinds, game_of
from tests.sources import sources

ROOT = Path(__file__).parent.parent
KINDS = frozenset(game_kinds())
GAMES = frozenset(type(game_of(kind)).__module__.split(".")[-2].upper() for kind in KINDS)
"""The names by which modules export the games."""
NAMED = re.compile("|".join([*GAMES, *(f"(?<=[\"']){kind}(?=[\"'])" for kind in KINDS)]))
"""What names a game in a source: its export, or its kind as a string."""


def test_the_changelog_starts_with_this_version() -> None:
    headings = re.findall(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert next(heading for heading in headings if heading != "Unreleased") == __version__


def test_no_entry_of_the_changelog_stands_twice_in_a_version() -> None:
    for version in re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text("utf-8"), flags=re.MULTILINE):
        entries = Counter(" ".join(entry.split()) for entry in re.split(r"^(?:- |###? )", version, flags=re.MULTILINE))
        assert [entry for entry, times in entries.items() if times > 1] == []


def contracts() -> dict[str, dict[str, Any]]:
    """Return the contracts of import-linter by their names."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    return {contract["name"]: contract for contract in settings["contracts"]}


def test_the_contracts_of_imports_cover_every_game() -> None:
    folders = [f"pokersvc.games.{module.name}" for module in iter_modules(pokersvc.games.__path__)]
    assert {type(game_of(kind)).__module__.rpartition(".")[0] for kind in game_kinds()} == set(folders)
    apart = contracts()["No game knows another"]["modules"]
    assert [folder for folder in folders if not any(fnmatch(folder, module) for module in apart)] == []
    for name in ("Games, cards and players know no database and no terminal",):
        assert "pokersvc.games" in contracts()[name]["source_modules"], "with everything in it"


def test_no_configuration_lists_games() -> None:
    folders = [module.name for module in iter_modules(pokersvc.games.__path__)]
    for file in (ROOT / "pyproject.toml", ROOT / "Makefile", *(ROOT / ".ci").iterdir()):
        said = re.sub(r"#.*", "", file.read_text("utf-8", errors="replace"))
        assert [folder for folder in folders if re.search(rf"games[./]{folder}", said)] == [], file.name


MOST_ROOMS = 21


def test_the_layers_of_imports_name_every_room() -> None:
    rooms = {module.name for module in iter_modules(pokersvc.__path__)} - {"__main__"}
    assert len(rooms) <= MOST_ROOMS
    (layers,) = [contract["layers"] for contract in contracts().values() if contract["type"] == "layers"]
    named = [room.strip() for layer in layers for room in re.split(r"[|:]", layer)]
    assert sorted(named) == sorted(f"pokersvc.{room}" for room in rooms)


MOST_FILES = 25
"""Of modules in one folder: those that one still finds by their names."""


@pytest.mark.parametrize("top", ["pokersvc", "cli"])
def test_no_folder_has_more_modules_than_one_finds_by_name(top: str) -> None:
    folders = Counter(
        path.parent.relative_to(ROOT).as_posix()
        for path in (ROOT / top).rglob("*")
        if path.suffix in (".py", ".js", ".ts") and "vendor" not in path.parts
    )
    assert len(folders) > 8
    assert {folder: files for folder, files in folders.items() if files > MOST_FILES} == {}


def test_no_module_imports_itself_by_way_of_others() -> None:
    graph = grimp.build_graph("pokersvc", exclude_type_checking_imports=True, cache_dir=None)
    modules = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    assert "pokersvc.players.boxed" in modules["pokersvc.players.custom"], "imports within functions count"
    try:
        TopologicalSorter(modules).prepare()
    except CycleError as error:
        pytest.fail(" imports ".join(error.args[1]))


# One name for one thing; and games are taken from the registry.


def test_no_two_classes_have_one_name() -> None:
    named = Counter(
        name
        for source in sources("pokersvc", "cli", "migrations")
        if "games" not in source.path.parts  # games name their events and actions alike
        for name in source.classes
        if not name.startswith("_")
    )
    assert [name for name, count in named.items() if count > 1] == []


def kinds_in(node: ast.AST) -> list[str]:
    """Return the kinds of games, or the games, that are elements of a list in the source, or stand first in them."""
    if isinstance(node, ast.Dict):
        elements = [key for key in node.keys if key is not None]
    elif isinstance(node, ast.List | ast.Tuple | ast.Set):
        elements = [
            element.elts[0] if isinstance(element, ast.Tuple) and element.elts else element for element in node.elts
        ]
    else:
        return []
    kinds = [one.value for one in elements if isinstance(one, ast.Constant) and one.value in KINDS]
    found = [*map(str, kinds), *(one.id for one in elements if isinstance(one, ast.Name) and one.id in GAMES)]
    return found if 2 * len(found) >= len(elements) else []


def test_no_test_lists_games() -> None:
    """A list of the games, or of all but one, would leave the next game untested."""
    most = len(KINDS) - 1
    listed = [
        (path.name, node.lineno, kinds)
        for folder in ("tests", "benchmarks")
        for path in (ROOT / folder).rglob("*.py")
        if len(set(NAMED.findall(text := path.read_text("utf-8")))) >= most  # those that name as many are parsed
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.expr) and len(set(kinds := kinds_in(node))) >= most
    ]
    assert listed == []


@pytest.mark.parametrize(
    "text",
    ['["draw", "market", "kalah"]', '{"draw": 1, "kalah": 2}', '(("market", 1), ("kalah", 2))', "DRAW_POKER, KALAH"],
)
def test_a_list_of_games_is_seen(text: str) -> None:
    (statement,) = ast.parse(text).body
    assert isinstance(statement, ast.Expr)
    assert len(kinds_in(statement.value)) >= 2
