"""The public names: all there, imported when they are first used, and known to type checkers."""

import ast
import pkgutil
import subprocess
import sys
from inspect import getmodule
from pathlib import Path
from typing import assert_type

import pytest

import pokersvc

HEAVY = ("alembic", "cryptography", "numpy", "pydantic", "sqlalchemy", "typer")


def loaded(code: str) -> set[str]:
    """Return the packages of `HEAVY`, and the modules of pokersvc, that are there after some code in a new process."""
    code += "\nimport sys; print(*[name for name in sys.modules])"
    modules = subprocess.check_output([sys.executable, "-c", code], text=True).split()
    return {name for name in modules if name in HEAVY or name.startswith("pokersvc.")}


def test_every_name_is_there_under_its_own_name() -> None:
    for name in pokersvc.__all__:
        module, own = pokersvc._FOUND[name]
        found = getattr(pokersvc, name)
        assert found is getattr(sys.modules[module], own), name
        assert name in vars(pokersvc), "the second time nothing is looked up"
        if isinstance(found, type):
            assert found.__name__ == name
            assert getmodule(found) is not None, name


def test_type_checkers_are_told_what_is_imported() -> None:
    source = ast.parse(Path(pokersvc.__file__).read_text("utf-8"))
    [block] = [one for one in source.body if isinstance(one, ast.If) and ast.unparse(one.test) == "TYPE_CHECKING"]
    imports = {
        alias.asname or alias.name: (one.module, alias.name)
        for one in block.body
        if isinstance(one, ast.ImportFrom) and one.module != "pokersvc"  # its rooms, which are found by their names
        for alias in one.names
    }
    assert imports == pokersvc._FOUND
    assert sorted(imports) == sorted(pokersvc.__all__)


def test_type_checkers_know_what_a_name_is() -> None:
    hand = pokersvc.Hand.parse("8S AH 8D AC 3C")
    assert_type(hand, pokersvc.Hand)
    assert_type(hand.describe(), str)
    assert hand.describe() == "two pair, aces and eights"


def test_no_name_is_that_of_a_module() -> None:
    modules = {module.name for module in pkgutil.iter_modules(pokersvc.__path__)}
    assert not modules & {*pokersvc.__all__}


def test_importing_and_completing_load_nothing() -> None:
    least = {"pokersvc.core", "pokersvc.core.version", "pokersvc.system", "pokersvc.system.lazy"}
    assert loaded("import pokersvc; dir(pokersvc)") == least
    assert {*pokersvc.__all__} <= {*dir(pokersvc)}


def test_cards_need_no_database_and_no_arrays() -> None:
    code = "import pokersvc; pokersvc.Hand.parse('8S AH 8D AC 3C').describe()"
    assert not loaded(code) & {"numpy", "sqlalchemy", "typer"}


def test_games_need_no_database() -> None:
    code = "import pokersvc; pokersvc.Setup, pokersvc.Game, pokersvc.game_kinds()"
    assert not loaded(code) & {"numpy", "sqlalchemy", "typer"}


def test_a_name_that_is_not_public_is_not_there() -> None:
    with pytest.raises(AttributeError, match="module 'pokersvc' has no attribute 'hand'"):
        getattr(pokersvc, "hand")  # noqa: B009 - a type checker would refuse it, as it should
