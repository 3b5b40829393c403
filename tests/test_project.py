"""What the project says of itself is true."""

import re
import tomllib
from fnmatch import fnmatch
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import pokersvc.games
from pokersvc import __version__
from pokersvc.core.registry import game_kinds, game_of

ROOT = Path(__file__).parent.parent


def test_the_changelog_starts_with_this_version() -> None:
    headings = re.findall(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert next(heading for heading in headings if heading != "Unreleased") == __version__


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
