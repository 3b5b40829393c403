"""Regenerate the screens of docs/screens, from real games on a server of their own: ``make screens``.

They are for people to look at, and change with every deal: no test compares them.
"""

import base64
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.server.conftest import running
from tests.server.guests import Guest, Made
from tests.server.sharers import Sharer, awaited

FOLDER: Final = Path(__file__).parents[2] / "docs" / "screens"
PACE: Final = 0.3
QUALITY: Final = 80
SWITCHED_OFF: Final = (
    # A browser that nobody sees needs no suggestions below a line of addresses, which are a page of their own in a
    # process of their own for each window, and no process in reserve: together half of its time.
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "SpareRendererForSitePerProcess",
    # What Playwright switches off for a page of ours: the last list that Chromium is given is the one that counts.
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
)
"""What of Chromium the tests do without."""
ARGUMENTS: Final = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    f"--disable-features={','.join(SWITCHED_OFF)}",
]
"""Arguments that keep the browser from contacting other hosts, and from work that nobody sees."""
TURN: Final = '[data-testid="actions"], .hole.open'


class Device(NamedTuple):
    """The device that a person uses: its screen and input."""

    name: str
    width: int
    height: int
    dark: bool

    def context(self, browser: Browser) -> BrowserContext:
        """Return a browser of this device's own."""
        return browser.new_context(
            viewport={"width": self.width, "height": self.height},
            color_scheme="dark" if self.dark else "light",
            reduced_motion="reduce",  # so that nothing is shown half way
        )


DEVICES: Final = (Device("desktop", 1280, 800, dark=False), Device("phone", 360, 640, dark=True))


class Camera:
    """One device at a server, whose screens are kept."""

    def __init__(self, device: Device, browser: Browser, guest: Guest) -> None:
        self.device, self.guest = device, guest
        self.page: Page = device.context(browser).new_page()

    def keep(self, name: str) -> None:
        """Save a screenshot."""
        session = self.page.context.new_cdp_session(self.page)
        shot = session.send("Page.captureScreenshot", {"format": "webp", "quality": QUALITY})
        (FOLDER / f"{name}-{self.device.name}.webp").write_bytes(base64.b64decode(shot["data"]))

    def open(self, path: str) -> None:
        """Open a page of the server."""
        self.page.goto(f"{str(self.guest.base_url).rstrip('/')}{path}")

    def sit(self, made: Made, seat: int) -> None:
        """Sit down, and wait until it is one's turn."""
        self.open(f"/t/{made.table}/seat/{seat}/#{made.tokens[seat]}")
        self.page.wait_for_selector(TURN, timeout=30_000)
        self.page.wait_for_selector('[data-testid="verdict"][data-state="good"]')

    def seen(self, testid: str) -> bool:
        """Return whether an element is on the page."""
        return self.page.query_selector(f'[data-testid="{testid}"]') is not None


def lobby(camera: Camera) -> None:
    """Show two open tables and the form that makes one."""
    settings = {"advice": True, "bank": 60, "opens_seeds": True, "seconds": 15}
    camera.guest.made({"name": "Zoe"}, {}, {"program": "steady"}, name="Friday night", public=True, settings=settings)
    camera.guest.made({"name": "Tom"}, {}, kind="kalah", public=True)
    camera.open("/")
    camera.page.wait_for_selector(".table-card")
    camera.keep("lobby")
    camera.page.click('[data-testid="new-table"]')
    camera.page.wait_for_selector('[data-testid="make"]')
    camera.keep("make-a-table")


def table(camera: Camera) -> None:
    """Play a game of draw poker to its end, and replay it."""
    people = [{"name": "Ann"}, {"name": "Bo", "program": "steady"}, {"name": "Cy", "program": "steady"}]
    others = [{"name": "Di", "program": "steady"}, {"name": "Ed", "program": "steady"}]
    made = camera.guest.made(*people, *others, options={"rules": "no-limit"}, rounds=2).started()
    camera.sit(made, 1)
    camera.keep("table")
    drew = False
    while not camera.seen("result"):
        if camera.seen("draw") and not drew:
            camera.page.click('[data-testid="card-4"]')
            camera.page.click('[data-testid="card-5"]')
            camera.keep("draw")
            drew = True
        for button in ("draw", "next-round", "all-in", "call", "check"):
            if pressed := camera.page.query_selector(f'[data-testid="{button}"]:enabled'):
                pressed.click()
                break
        camera.page.wait_for_timeout(100)
    camera.page.click('[data-testid="verdict"]')
    camera.page.wait_for_selector('[data-testid="short-head"]')
    camera.keep("verdict")
    camera.open(f"/replay/{made.table}/#12")
    camera.page.wait_for_selector('[data-testid="moment"]')
    camera.page.wait_for_selector('[data-testid="verdict"][data-state="good"]')
    camera.keep("replay")


def together(camera: Camera) -> None:
    """Shuffle together: first wait for the other, then play."""
    settings = {"dealing": "together", "opens_seeds": True, "share_seconds": 60}
    seats = ({"name": "Ann"}, {"name": "Bo"}, {"name": "Cy", "program": "steady"})
    made = camera.guest.made(*seats, settings=settings)
    camera.open(f"/t/{made.table}/host/#{made.host}")
    camera.open(f"/t/{made.table}/seat/1/#{made.tokens[1]}")
    camera.page.wait_for_selector('[data-testid="chair-2"]')
    camera.keep("waiting-room")
    made.started()
    bo = Sharer(made, 2)
    assert bo.bind().status_code == 200
    camera.page.wait_for_selector('[data-testid="shuffle"].waits')
    camera.keep("shuffle")
    awaited(made, 1)
    bo.open()
    camera.page.wait_for_selector('[data-testid="felt"] .card, [data-testid="hand"]')
    camera.page.wait_for_selector('[data-testid="verdict"][data-state="good"]')
    camera.keep("together")


def market(camera: Camera) -> None:
    """Look for a swap."""
    made = camera.guest.made({"name": "Ann"}, {"program": "rank"}, {"program": "greedy"}, kind="market").started()
    camera.sit(made, 1)
    camera.page.click(".market-hand.own .spot >> nth=4")
    camera.keep("market")


def kalah(camera: Camera) -> None:
    """Make a move, and choose again."""
    made = camera.guest.made({"name": "Ann"}, {"program": "random"}, kind="kalah").started()
    camera.sit(made, 1)
    camera.page.click('[data-testid="hole-3"]')
    camera.page.wait_for_selector('[data-testid="pot-1"][aria-label*="1 bean"]')
    camera.keep("kalah")


@contextmanager
def _chromium() -> Iterator[Browser]:
    path = os.environ.get("POKERSVC_TEST_BROWSER") or shutil.which("chromium")
    if path is None:
        sys.exit("Chromium is needed: install it, or name one in POKERSVC_TEST_BROWSER.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()


def main() -> None:
    """Remake all screens."""
    FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder, _chromium() as browser:
        for device in DEVICES:
            with running(Path(folder) / f"{device.name}.sqlite", pace=PACE, pause=60) as guest:
                camera = Camera(device, browser, guest)
                for scene in (lobby, table, together, market, kalah):
                    scene(camera)
                camera.page.context.close()


if __name__ == "__main__":
    main()
