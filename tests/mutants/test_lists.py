"""The tests kill the fixed list of mutants, and every listed mutant exists."""

import json
from pathlib import Path

import pytest

from .lists import EQUIVALENT, Gone, equivalents, killed, store
from .playing import Copy, copy_of_project

PARTS = 8
"""Tests that play the fixed list: of more variations, `make test-slow` would leave most out (tests/conftest.py)."""
FIXED = json.loads(Path(__file__).with_name("killed.json").read_text("utf-8"))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "a.py").write_text("def f():\n    a()\n    return b\n")
    return tmp_path


def listed(root: Path, **more: str) -> Path:
    """Store a list of one mutant."""
    file = root / "list.json"
    file.write_text(json.dumps([{"file": "a.py", "function": "f", "change": "a() → pass", **more}]))
    return file


def test_a_list_is_read_as_it_was_stored(root: Path) -> None:
    (one,) = killed(listed(root, test="test_a.py::test_a"), root)
    assert one.test == "test_a.py::test_a"
    store([one], root / "again.json")
    assert killed(root / "again.json", root) == [one]


def test_an_equivalent_is_known_by_its_name(root: Path) -> None:
    ((name, one),) = equivalents(listed(root, reason="nobody sees it"), root).items()
    assert (name, one.reason) == (one.name, "nobody sees it")


@pytest.mark.parametrize("gone", [{"change": "b() → pass"}, {"function": "g"}, {"file": "b.py"}])
def test_a_mutant_that_is_gone_is_an_error_that_says_how_to_draw_another_list(root: Path, gone: dict[str, str]) -> None:
    with pytest.raises(Gone, match=r'has no mutant .* draw a new list with: make mutants ARGS="--store 40"'):
        killed(listed(root, test="test_a.py::test_a", **gone), root)


def test_every_listed_mutant_can_be_made_and_each_equivalent_has_a_reason() -> None:
    found, known = killed(), equivalents()
    assert len(found) == len(FIXED) >= 30
    assert not {one.mutant.name for one in found} & known.keys()
    for one in known.values():
        assert len(one.reason.split()) > 4, one.name
    names = [(one["file"], one["function"], one["change"]) for one in json.loads(EQUIVALENT.read_text("utf-8"))]
    assert names == sorted(names)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    return copy_of_project(tmp_path_factory.mktemp("mutants") / "copy")


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_each_mutant_of_the_fixed_list_is_killed(part: int, copy: Copy) -> None:
    """If a test was renamed or left out, draw a new list with: make mutants ARGS="--store 40"."""
    for mutant, test in killed()[part::PARTS]:
        played = copy.play(mutant, [test], lambda tests: 0.0)
        assert (played.verdict, played.by) == ("killed", test), mutant.name


@pytest.mark.slow
def test_what_kills_the_fixed_list_passes_without_a_mutant(copy: Copy) -> None:
    assert copy.failing(sorted({one["test"] for one in FIXED}), 1800) == []
