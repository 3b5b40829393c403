"""The documentation site has every page, builds without warnings, and loads nothing from other hosts."""

import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final, Literal
from xml.etree import ElementTree

import pytest

from tests.docs import terminal
from tests.docs.site import AT_THE_TOP, for_the_site

ROOT: Final = Path(__file__).parents[2]
DOCS: Final = ROOT / "docs"

LOADED: Final = {"img": "src", "script": "src", "source": "src", "iframe": "src", "link": "href", "object": "data"}
"""Elements that a browser loads something for, and where they name it."""

NAMED_ONLY: Final = re.compile(
    r"https?://(?:www\.w3\.org|fontawesome\.com|lunrjs\.com|tartarus\.org|clipboardjs\.com|bit\.ly)/?"
)
"""Addresses in the theme's files that are never loaded: namespaces and licence comments."""


def test_every_page_has_its_place_in_the_menu() -> None:
    places = re.findall(
        r"([\w/-]+\.md)$", (ROOT / "mkdocs.yml").read_text("utf-8").partition("\nnav:")[2], re.MULTILINE
    )
    pages = [str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md")]
    above = [page for page in AT_THE_TOP.values() if page not in pages]
    assert sorted(places) == sorted([*pages, *above]), "add the page to `nav` in mkdocs.yml"


@pytest.mark.parametrize(
    ("page", "here", "on_the_site"),
    [
        ("rules.md", "[log](log.md#a-b)", "[log](log.md#a-b)"),
        ("tutorials/play.md", "[log](../log.md)", "[log](../log.md)"),
        ("tutorials/play.md", "[changes](../../CHANGELOG.md)", "[changes](../changelog.md)"),
        ("rules.md", "[the readme](../README.md#play)", "[the readme](index.md#play)"),
        ("rules.md", "[a file](../benchmarks/server/README.md)", "a file"),
        ("rules.md", "[a site](https://example.org/x)", "[a site](https://example.org/x)"),
        ("rules.md", "`[no](../link.md)`", "`[no](../link.md)`"),
        ("changelog.md", "[log](docs/log.md) ![it](docs/screens/a.webp)", "[log](log.md) ![it](screens/a.webp)"),
        ("tutorials/play.md", "```text typed\nok\n```", '``` { .text title="You type" }\nok\n```'),
        ("rules.md", "```python mine.py\n[1](2)\n```", '``` { .python title="mine.py" }\n[1](2)\n```'),
    ],
)  # fmt: skip
def test_links_and_names_of_files_are_the_sites(page: str, here: str, on_the_site: str) -> None:
    assert for_the_site(here, page) == on_the_site


def test_the_picture_of_a_terminal_is_of_a_real_game_and_loads_nothing() -> None:
    shown = terminal.lines()
    assert any("your turn" in "".join(piece.text for piece in line).lower() for line in shown)
    made = ElementTree.fromstring("\n".join(terminal.drawn(shown)))
    assert len([*made.iter("{http://www.w3.org/2000/svg}text")]) > len(shown)
    kept = terminal.FILE.read_text("utf-8")
    assert re.findall(r"https?://[^\"]+|href|url\(|@import", kept) == ["http://www.w3.org/2000/svg"]
    assert ElementTree.fromstring(kept).tag == made.tag


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as `make docs` builds it."""
    folder = tmp_path_factory.mktemp("site")
    (command,) = re.findall(r"(-m mkdocs build .*) \$\(ARGS\)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(
        [sys.executable, *command.split(), "--site-dir", folder],
        cwd=ROOT, capture_output=True, text=True, check=False, env=environment,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), "`make docs` says more; it installs MkDocs"
    return folder


class Elements(HTMLParser):
    """Collects the resources that a page loads, its style addresses, and its text."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.styles: list[str] = []
        self.text: list[str] = []
        self._in: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        address = found.get(LOADED.get(tag, ""))
        if address and not (tag == "link" and found.get("rel") in ("next", "prev", "canonical")):
            self.loads.append(address)
        self.styles.append(found.get("style") or "")
        if tag in ("pre", "code", "script", "style"):
            self._in.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._in and self._in[-1] == tag:
            self._in.pop()

    def handle_data(self, data: str) -> None:
        if not self._in:
            self.text.append(data)
        elif self._in[-1] == "style":
            self.styles.append(data)


@pytest.mark.slow
def test_no_page_loads_anything_from_another_host_or_shows_unread_markdown(site: Path) -> None:
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 40
    for page in pages:
        elements = Elements()
        elements.feed(page.read_text("utf-8"))
        assert [found for found in elements.loads if re.match(r"(?:\w+:)?//", found)] == [], page
        assert [found for found in elements.styles if re.search(r"(?:url\(|@import)\s*['\"]?(?:\w+:)?//", found)] == []
        for found in elements.loads:
            if not found.startswith("data:"):
                base = site if page.name == "404.html" else page.parent
                assert (base / found.lstrip("/").partition("?")[0].partition("#")[0]).exists(), (page, found)
        assert re.findall(r"```|\]\(|^\|.*\|$|\*\*\w", "".join(elements.text), re.MULTILINE) == [], page


@pytest.mark.slow
def test_no_script_or_style_has_the_address_of_another_host(site: Path) -> None:
    files = [*site.rglob("*.js"), *site.rglob("*.css")]
    assert files
    for file in files:
        assert re.findall(r"https?://[^\s\"'`)]+", NAMED_ONLY.sub("", file.read_text("utf-8"))) == [], file
    assert (site / "search/search_index.json").is_file()


def chromium() -> str:
    """Return the path of the browser."""
    path = os.environ.get("POKERSVC_TEST_BROWSER") or shutil.which("chromium")
    if path is None:
        pytest.skip("There is no Chromium here; .ci/browser installs it.")
    return path


@pytest.fixture(scope="module")
def served(site: Path) -> Iterator[str]:
    """Fixture: the address of the site."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.mark.slow
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_every_text_is_read_easily_on_its_ground(served: str, colours: Literal["light", "dark"]) -> None:
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import sync_playwright

    from tests.web.screens import ARGUMENTS

    wrong = list[str]()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        try:
            tab = browser.new_context(color_scheme=colours).new_page()
            for page in ("index", "tutorials/house", "games", "api/service", "reference/events"):
                tab.goto(f"{served}/{page}.html", timeout=120_000)  # the machine may be busy with other tests
                found = Axe().run(tab, options={"runOnly": ["color-contrast", "link-in-text-block"]}).response
                wrong += [f"{page}: {node['html']}" for one in found["violations"] for node in one["nodes"]]
        finally:
            browser.close()
    assert wrong == []


@pytest.mark.slow
@pytest.mark.parametrize("page", ["index.html", "log.html", "api/index.html"])
def test_a_browser_asks_no_other_host_and_finds_what_it_searches(served: str, page: str) -> None:
    from playwright.sync_api import sync_playwright

    from tests.web.screens import ARGUMENTS

    path = chromium()
    asked, failed = list[str](), list[str]()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        try:
            tab = browser.new_context(viewport={"width": 360, "height": 640}).new_page()
            tab.set_default_timeout(
                90_000
            )  # milliseconds: the index of the search is read first, on machines that are shared
            tab.on("request", lambda request: asked.append(request.url))
            tab.on("pageerror", lambda error: failed.append(str(error)))
            tab.on("console", lambda said: failed.append(said.text) if said.type == "error" else None)
            tab.goto(f"{served}/{page}")
            assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth"), "it fits a phone"
            tab.click("label[for=__search]:visible")
            tab.locator(".md-search__input").press_sequentially("commitment")
            tab.wait_for_selector(".md-search-result__item")
        finally:
            browser.close()
    assert asked
    assert [url for url in asked if not url.startswith((served, "data:", "blob:"))] == []
    assert failed == []
