"""Every import that a page ever printed works; a moved name is the same object as before.

``python -m tests.printed`` writes names.txt and players.md from the history of git. A clone that has only a part of the
history finds a part of the names.
"""

import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

import pytest

import pokersvc
from pokersvc.system.lazy import MovedModules
from pokersvc.system.moved import MOVED
from tests.printed.gather import HERE, ROOT, imports, listed

NAMES: Final = {
    module: names.split()
    for module, _, names in (line.partition(":") for line in (HERE / "names.txt").read_text("utf-8").splitlines())
}


def named(dotted: str) -> Any:
    """Return the module, or the object in a module, with this dotted path."""
    try:
        return import_module(dotted)
    except ModuleNotFoundError:
        module, _, name = dotted.rpartition(".")
        return getattr(named(module), name)


@pytest.mark.parametrize("dotted", NAMES)
def test_what_a_page_has_told_people_to_import_is_there(dotted: str) -> None:
    found = named(dotted)
    assert [name for name in NAMES[dotted] if not hasattr(found, name)] == []


def test_what_the_pages_tell_now_is_on_the_list() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "docs").rglob("*.1")]
    now = [pair for page in pages for pair in imports(str(page.relative_to(ROOT)), page.read_text("utf-8"))]
    for line in listed(iter(now)).splitlines():
        module, _, names = line.partition(":")
        assert module in NAMES, "python -m tests.printed"
        assert set(names.split()) <= {*NAMES[module]}, "python -m tests.printed"


@pytest.mark.parametrize(("before", "now"), [("Covered", "CheckpointEntry"), ("HiddenCards", "WithheldSecrets"),
                                             ("Page", "LedgerPage")])  # fmt: skip
def test_a_public_name_of_before_is_what_it_is_called_now(before: str, now: str) -> None:
    assert getattr(pokersvc, before) is getattr(pokersvc, now)
    assert before not in dir(pokersvc) or before in vars(pokersvc)


# Modules that have moved


@pytest.mark.parametrize("before", MOVED)
def test_a_line_names_a_module_that_is_there_and_no_package(before: str) -> None:
    place = MOVED[before]
    assert place not in MOVED, "each line names where the module is today"
    spec = find_spec(place)
    assert spec is not None
    assert spec.submodule_search_locations is None, "its modules would be loaded twice: each has a line"
    assert not (ROOT / before.replace(".", "/")).with_suffix(".py").exists(), "nothing would look for it elsewhere"


USES = """
import pickle, sys
from pokersvc.system.moved import MOVED
sys.modules.pop("pokersvc.system.moved")
for before, place in MOVED.items():
    package, _, name = before.rpartition(".")
    exec(f"import {before}")
    exec(f"import {before} as one")
    exec(f"from {package} import {name} as another")
    exec(f"import {place} as ours")
    assert one is another is ours is eval(before) is sys.modules[before], before
    assert ours.__name__ == ours.__spec__.name == place
    for own in vars(ours).values():
        if isinstance(own, type) and own.__module__ == place:
            assert pickle.loads(f"c{before}\\n{own.__name__}\\n.".encode()) is own
"""


@pytest.mark.slow
@pytest.mark.no_cover
@pytest.mark.parametrize("first", ["", "for place in [*MOVED.values()]: exec(f'import {place}')\n"])
def test_a_moved_module_is_the_same_by_each_statement_whichever_is_first(first: str) -> None:
    code = f"from pokersvc.system.moved import MOVED\n{first}{USES}"
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, timeout=60)


def test_the_list_is_read_only_once_a_module_is_not_where_it_is_named() -> None:
    code = (
        "import sys, pokersvc, pokersvc.core.actions\n"
        "assert 'pokersvc.system.moved' not in sys.modules\n"
        "try: import nothing_at_all\n"
        "except ModuleNotFoundError: pass\n"
        "assert 'pokersvc.system.moved' not in sys.modules\n"
        "import pokersvc.games.draw_poker.seats\n"
        "assert 'pokersvc.system.moved' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, timeout=60)


def test_a_module_that_never_was_is_not_found() -> None:
    (finder,) = [one for one in sys.meta_path if isinstance(one, MovedModules)]
    assert finder.find_spec("pokersvc.games.draw_poker.nothing") is None
    assert finder.find_spec("games.draw_poker.seats") is None
    with pytest.raises(ModuleNotFoundError, match=r"No module named 'pokersvc\.games\.draw_poker\.nothing'"):
        import_module("pokersvc.games.draw_poker.nothing")


def test_no_module_of_ours_is_imported_from_where_it_was() -> None:
    sources = [path.read_text("utf-8") for path in (ROOT / "pokersvc").rglob("*.py") if path.name != "moved.py"]
    for before in MOVED:
        package, _, name = before.rpartition(".")
        assert not any(f"{before} import" in text or f"from {package} import {name}\n" in text for text in sources)
