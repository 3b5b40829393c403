"""The page as it is served: its size, and that it asks nobody but the server."""

import gzip
import re
from pathlib import Path
from typing import Final

WEB: Final = Path(__file__).parents[2] / "pokersvc" / "server" / "web"
MOST_BYTES: Final = 150_000
MOST_LINES: Final = 300
SERVED: Final = {".css", ".html", ".js", ".svg"}
OWN: Final = [WEB / "index.html", *sorted(WEB.glob("app/**/*.js")), *sorted(WEB.glob("styles/*.css"))]
ADDRESS: Final = re.compile(r"""(?:https?:)?//[a-z0-9.-]+\.[a-z]{2,}[^\s"'`]*""", re.IGNORECASE)
INLINE: Final = re.compile(r"""<style|<script(?![^>]*\ssrc=)|\sstyle="|\son[a-z]+="|javascript:""")


def test_the_whole_page_is_150_kb_over_the_wire_at_most() -> None:
    served = [path for path in WEB.rglob("*") if path.suffix in SERVED]
    assert sum(len(gzip.compress(path.read_bytes(), mtime=0)) for path in served) <= MOST_BYTES


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
