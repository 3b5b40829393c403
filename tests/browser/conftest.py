"""Fixtures: a browser, and servers for it."""

import os
import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, BrowserContext, async_playwright, expect

from tests.web.screens import ARGUMENTS

from .serving import HOUSE, Served

PATIENCE = 20_000
"""Milliseconds after which a test stops waiting for the page; long, because machines are shared."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Exclude these tests, and the servers that they share, from coverage tracing: that code has tests of its own."""
    folder = Path(__file__).parent
    ours = [item for item in items if item.path.is_relative_to(folder)]
    for item in ours:
        item.add_marker(pytest.mark.anyio)
    for module in {item.getparent(pytest.Module) for item in ours}:
        assert module is not None
        module.add_marker(pytest.mark.no_cover)


@pytest.fixture(scope="package")
def anyio_backend() -> str:
    """Playwright needs asyncio."""
    return "asyncio"


@pytest.fixture(scope="package")
async def chromium(anyio_backend: str) -> AsyncIterator[Browser]:
    """Debian's Chromium, which all tests of a worker share."""
    path = os.environ.get("POKERSVC_TEST_BROWSER") or shutil.which("chromium")
    if path is None:
        pytest.skip("There is no Chromium here; .ci/browser installs it.")
    expect.set_options(timeout=PATIENCE)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=path, args=[*ARGUMENTS, f"--host-resolver-rules=MAP {HOUSE} 127.0.0.1"]
        )
        yield browser
        await browser.close()


class Devices:
    """Creates browser contexts, each with its own cookies and storage."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self.contexts: list[BrowserContext] = []

    async def one(self, **options: Any) -> BrowserContext:
        """Create a context."""
        context = await self._browser.new_context(**{"reduced_motion": "reduce", **options})
        context.set_default_timeout(PATIENCE)
        self.contexts.append(context)
        return context


@pytest.fixture
async def devices(chromium: Browser) -> AsyncIterator[Devices]:
    """Fixture: the browser contexts of one test."""
    made = Devices(chromium)
    yield made
    for context in made.contexts:
        await context.close()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that the tests of a module share."""
    with Served(tmp_path_factory.mktemp("browser") / "games.sqlite") as process:
        yield process
