"""The page as served: its size, and that it contacts no other host."""

import gzip
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

import pytest
from starlette.requests import Request

from pokersvc.server.static import Page
from tests.web.node import node

WEB: Final = Path(__file__).parents[2] / "pokersvc" / "server" / "web"
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
STATIC: Final = re.compile(r"""\bfrom "(\.[^"]+)"|\bimport "(\.[^"]+)"|["(]/(?:web/)?([\w./-]+\.\w+)["')]""")
"""Files that a file needs at once: imported modules, and those named by their address, such as the service worker."""
ON_DEMAND: Final = re.compile(r"""\bimport\("(\.[^"]+)"\)""")
GAMES: Final = WEB / "app" / "games" / "registry.js"
INLINE: Final = re.compile(r"""<style|<script(?![^>]*\ssrc=)|\sstyle="|\son[a-z]+="|javascript:""")


@pytest.mark.parametrize("screen", ON_DEMAND.findall(GAMES.read_text("utf-8")))
def test_the_first_view_of_a_table_of_any_game_is_150_kb_over_the_wire_at_most(screen: str) -> None:
    loaded = needed([WEB / "index.html", GAMES.parent / screen])
    assert {WEB / "worker.js", WEB / "verify" / "verifier.js", WEB / "styles" / "table.css"} <= loaded
    assert over_the_wire(loaded) <= MOST_BYTES_OF_FIRST_VIEW


def test_the_whole_page_is_210_kb_over_the_wire_at_most() -> None:
    assert over_the_wire(path for path in WEB.rglob("*") if path.suffix in SERVED) <= MOST_BYTES


def needed(first: Iterable[Path]) -> set[Path]:
    """Return files with everything that they need at once, and that those need."""
    found, waiting = set[Path](), list(first)
    while waiting:
        path = waiting.pop().resolve()
        if path in found or path.suffix not in SERVED:
            continue
        found.add(path)
        code = sent(path).decode("utf-8") if path.suffix != ".png" else ""
        for imported, alone, named in STATIC.findall(code):
            waiting.append(WEB / named if named else path.parent / (imported or alone))
    return found


def over_the_wire(paths: Iterable[Path]) -> int:
    """Return how many bytes files have as they are sent, packed."""
    return sum(len(gzip.compress(sent(path), mtime=0)) for path in paths)


@cache
def sent(path: Path) -> bytes:
    """Return a file of the page as browsers get it."""
    request = Request({"type": "http", "method": "GET", "headers": []})
    answer = Page(WEB).answer(request, path.relative_to(WEB).as_posix())
    assert answer is not None
    return bytes(answer.body)


def test_code_without_its_comments_is_the_same_code(tmp_path: Path) -> None:
    pairs = []
    for number, path in enumerate(sorted(WEB.rglob("*.js"))):
        stripped = tmp_path / f"{number}.js"
        stripped.write_bytes(sent(path))
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
