"""Packages that import their modules and names when they are first used."""

import ast
import importlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import pokersvc

PACKAGE = Path(pokersvc.__file__).parent
ROOMS = sorted(
    ".".join(path.parent.relative_to(PACKAGE.parent).parts)
    for where in ("", "*/", "games/*/")
    for path in PACKAGE.glob(f"{where}__init__.py")
    if "imported_when_used" in path.read_text("utf-8")
)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Make a package with a module, a renamed name of it, and a module that imports one that is not there."""
    room = tmp_path / "lazy_room"
    room.mkdir()
    (room / "__init__.py").write_text(
        "from pokersvc.system.lazy import imported_when_used\n"
        "__getattr__ = imported_when_used(__name__, {'answer': ('lazy_room.module', 'ANSWER')})\n"
    )
    (room / "module.py").write_text("ANSWER = 42\n")
    (room / "broken.py").write_text("import not_installed\n")
    monkeypatch.syspath_prepend(tmp_path)
    yield "lazy_room"
    for name in [name for name in sys.modules if name.partition(".")[0] == "lazy_room"]:
        del sys.modules[name]


def test_a_module_is_imported_when_it_is_first_used(package: str) -> None:
    room = importlib.import_module(package)
    assert "lazy_room.module" not in sys.modules
    assert room.module is sys.modules["lazy_room.module"]


def test_a_name_is_imported_from_its_module_and_kept(package: str) -> None:
    room = importlib.import_module(package)
    assert "lazy_room.module" not in sys.modules
    assert room.answer == 42
    assert vars(room)["answer"] == 42


def test_a_name_that_is_nowhere_is_no_attribute(package: str) -> None:
    room = importlib.import_module(package)
    with pytest.raises(AttributeError, match="module 'lazy_room' has no attribute 'nowhere'"):
        _ = room.nowhere


def test_what_a_module_lacks_is_not_said_to_be_the_module(package: str) -> None:
    room = importlib.import_module(package)
    with pytest.raises(ModuleNotFoundError, match="not_installed"):
        _ = room.broken


def use_every_name(room: str) -> None:
    """Use each name that a package imports for type checkers."""
    package = importlib.import_module(room)
    names = [
        alias.asname or alias.name
        for block in ast.parse(Path(package.__file__ or "").read_text("utf-8")).body
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for one in block.body
        if isinstance(one, ast.ImportFrom)
        for alias in one.names
    ]
    assert names, room
    for name in names:
        getattr(package, name)


@pytest.mark.no_cover
@pytest.mark.parametrize("room", ROOMS)
def test_what_a_type_checker_knows_is_there(room: str) -> None:
    use_every_name(room)


@pytest.mark.slow
@pytest.mark.no_cover
def test_what_a_type_checker_knows_is_there_whatever_was_imported_before() -> None:
    for room in ROOMS:
        program = f"from tests.test_lazy import use_every_name; use_every_name({room!r})"
        subprocess.run([sys.executable, "-c", program], check=True, timeout=60, cwd=PACKAGE.parent)
