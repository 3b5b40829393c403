"""The page as served: its size, and that it contacts no other host."""

import gzip
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

import pytest
from starlette.requests import Request

from pokersvc.server.joined import Joined
from pokersvc.server.static import Page
from tests.web.node import node

WEB: Final = Path(__file__).parents[2] / "pokersvc" / "server" / "web"
PAGE: Final = Page(WEB)
MOST_BYTES_OF_FIRST_VIEW: Final = 150_000
"""Everything that a browser loads until a table of one game stands there, with its verification."""
MOST_BYTES: Final = 210_000
"""The whole page, with the screens that are loaded when somebody asks for them."""
MOST_LINES: Final = 300
SERVED: Final = {".css", ".html", ".js", ".png", ".svg", ".webmanifest"}
OWN: Final = [
    WEB / "index.html",
    WEB / "offline.html",
    WEB / "offline.js",
    WEB / "worker.js",
    *sorted(WEB.glob("app/**/*.js")),
    *sorted(WEB.glob("styles/*.css")),
]
ADDRESS: Final = re.compile(r"""(?:https?:)?//[a-z0-9.-]+\.[a-z]{2,}[^\s"'`]*""", re.IGNORECASE)
NAMED: Final = re.compile(r"""(?<!import\()["(]/(?:web/)?([\w./-]+\.\w+)["')]""")
"""Files that a file needs at once, named by their address: joined modules, style sheets, the service worker."""
REGISTRY: Final = (WEB / "app/games/registry.js").read_text("utf-8")
SHEETS: Final = dict(re.findall(r'(\w+): "/web/(styles/\w+\.css)"', REGISTRY))
"""The screens of games with a style sheet of their own, and that sheet."""
SCREENS: Final = re.findall(r'import\("\./(\w+)\.js"\)', REGISTRY)
"""The screens of games; the last one is for games that the page cannot draw."""
INLINE: Final = re.compile(r"""<style|<script(?![^>]*\ssrc=)|\sstyle="|\son[a-z]+="|javascript:""")


@pytest.mark.parametrize("screen", SCREENS)
def test_the_first_view_of_a_table_of_any_game_is_150_kb_over_the_wire_at_most(screen: str) -> None:
    others = {sheet for game, sheet in SHEETS.items() if game != screen}
    loaded = needed(["index.html", f"joined/app/games/{screen}.js"]) - others
    assert {"worker.js", "joined/app/main.js", "styles/table.css"} <= loaded
    assert (screen in SHEETS) == (screen != SCREENS[-1])
    assert SHEETS.get(screen, "styles/table.css") in loaded
    assert over_the_wire(loaded) <= MOST_BYTES_OF_FIRST_VIEW


def test_the_verifier_is_in_the_first_view() -> None:
    assert b" // verify/verifier.js\n" in sent("joined/app/main.js")


def test_the_whole_page_is_210_kb_over_the_wire_at_most() -> None:
    files = [path.relative_to(WEB).as_posix() for path in WEB.rglob("*") if path.suffix in SERVED]
    single = {name for name in files if not name.endswith(".js") or name in ("worker.js", "offline.js")}
    assert over_the_wire(single | Joined(lambda name: sent(name).decode()).parts.keys()) <= MOST_BYTES


def needed(first: Iterable[str]) -> set[str]:
    """Return files with everything that they need at once, and that those need."""
    found, waiting = set[str](), list(first)
    while waiting:
        name = waiting.pop()
        if name in found or Path(name).suffix not in SERVED:
            continue
        found.add(name)
        waiting += NAMED.findall(sent(name).decode("utf-8") if not name.endswith(".png") else "")
    return found


def over_the_wire(names: Iterable[str]) -> int:
    """Return how many bytes files have as they are sent, packed."""
    return sum(len(gzip.compress(sent(name), mtime=0)) for name in names)


@cache
def sent(name: str) -> bytes:
    """Return a file of the page as browsers get it."""
    answer = PAGE.answer(Request({"type": "http", "method": "GET", "headers": []}), name)
    assert answer is not None
    return bytes(answer.body)


def test_code_without_its_comments_is_the_same_code(tmp_path: Path) -> None:
    pairs = []
    for number, path in enumerate(sorted(WEB.rglob("*.js"))):
        stripped = tmp_path / f"{number}.js"
        stripped.write_bytes(sent(path.relative_to(WEB).as_posix()))
        pairs += [path, stripped]
    assert len(pairs) > 100
    done = node("--expose-internals", "same-code.cjs", *pairs, timeout=60)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr


def test_it_names_no_other_host() -> None:
    found = {str(path.relative_to(WEB)): ADDRESS.findall(path.read_text("utf-8")) for path in OWN}
    assert {path: hosts for path, hosts in found.items() if hosts} == {}


def test_nothing_inline_that_a_strict_policy_forbids() -> None:
    assert [path.name for path in OWN if INLINE.search(path.read_text("utf-8"))] == []


def test_every_module_that_is_imported_is_there() -> None:
    for path in WEB.rglob("*.js"):
        code = re.sub(r"/\*.*?\*/", "", path.read_text("utf-8"), flags=re.DOTALL)  # comments name types
        for name in re.findall(r"""(?:from |import\()"(\.[^"]+)\"""", code):
            assert (path.parent / name).is_file(), f"{path.relative_to(WEB)} imports {name}"


def test_modules_fit_in_a_head() -> None:
    assert [path.name for path in OWN if path.read_text("utf-8").count("\n") > MOST_LINES] == []
