"""The time from a tap in a page to the change on every page of its table, while other tables play; and page loads.

Every page of one table is open in a browser. At the other tables, commands are sent by requests, and streams follow. A
page notes when a choice is tapped, and each page when its account shows a later event, by the clock that they share.
"""

import asyncio
import json
import os
import shutil
import statistics
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from playwright.async_api import Browser, Page, async_playwright

from benchmarks.server.client import Table
from benchmarks.server.load import tables
from benchmarks.server.running import serving
from benchmarks.table import markdown
from tests.browser.people import DESKTOP, PHONE, button
from tests.server.guests import Guest, Made
from tests.web.screens import ARGUMENTS

OTHERS: Final = 49
"""Tables that play beside the one that is measured."""
EVERY: Final = 2.0
"""Seconds between two commands at each of them."""
REST: Final = 0.6
"""Seconds from a change to the next tap: by then everything that moves has moved, and a person takes longer."""
SLOWED: Final = 4
"""How many times slower the processor is for a page whose loading is measured."""
TAPS: Final = 200
LOADS: Final = 9
CHOICES: Final = tuple(map(button, ("check", "call", "draw", "next-round")))

NOTE: Final = """() => {
    window.seen = [];
    const account = document.querySelector('[data-testid="account"]');
    const now = () => performance.timeOrigin + performance.now();
    let last = account.dataset.last;
    new MutationObserver(() => {
        if (account.dataset.last === last) return;
        last = account.dataset.last;
        requestAnimationFrame(() => window.seen.push(now()));
    }).observe(account, { attributes: true });
    document.addEventListener("click", (event) => {
        window.seen = [];
        window.tapped = performance.timeOrigin + event.timeStamp;
    }, true);
}"""
"""A script that notes when something is tapped, and when the account has shown a later event, with its next frame."""
LOADING: Final = """(choices) => {
    const look = () => {
        const choice = document.querySelector(choices);
        if (choice) window.interactive = performance.now();
        else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
}"""
"""A script that notes when a choice can be pressed, in milliseconds since the page was asked for."""


class Loaded(NamedTuple):
    """How a page loaded on a device that had never opened it."""

    bodies: int
    """Bytes received, as compressed for the network, without headers."""
    requests: int
    seconds: float
    """Seconds until a choice could be pressed."""


async def measured(quick: bool) -> tuple[list[float], list[float], list[Loaded], list[Loaded]]:
    """Return delays to the last page and to any page in seconds, and how pages load, at full speed and slowed."""
    path = os.environ.get("POKERSVC_TEST_BROWSER") or shutil.which("chromium")
    with TemporaryDirectory() as folder, serving(f"{folder}/games.sqlite") as server:
        others = await tables([server.port], OTHERS)
        streams = [stream for table in others for stream in table.streams()]
        for stream in streams:
            await stream.open()
        playing = [*map(asyncio.create_task, (stream.follow() for stream in streams))]
        playing += [asyncio.create_task(_plays(table, at)) for at, table in enumerate(others)]
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
            with Guest(f"http://127.0.0.1:{server.port}") as guest:
                last, each = await _tapped(browser, guest, TAPS // 10 if quick else TAPS)
                loads = LOADS // 3 if quick else LOADS
                loaded = [[await _loaded(browser, guest, slowed) for _ in range(loads)] for slowed in (1, SLOWED)]
            await browser.close()
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
    fast, slow = loaded
    return last, each, fast, slow


def base_of(guest: Guest) -> str:
    """Return the address of a server without the slash at its end."""
    return str(guest.base_url).rstrip("/")


async def _plays(table: Table, at: int) -> None:
    await asyncio.sleep(at * EVERY / OTHERS)
    while True:
        await table.act()
        await asyncio.sleep(EVERY)


async def _tapped(browser: Browser, guest: Guest, taps: int) -> tuple[list[float], list[float]]:
    people = [{"name": "Ann"}, {"name": "Bo"}, {"name": "Cy"}]
    made = guest.made(*people, options={"rules": "no-limit", "cash": True}).started()
    pages = [await _page(browser, guest, made, seat) for seat in (1, 2, 3, None)]
    last: list[float] = []
    each: list[float] = []
    while len(last) < taps:
        tapped = await _tap(pages[:3])
        if tapped is None:
            continue
        for page in pages:
            await page.wait_for_function("() => window.seen.length > 0")
        began = await tapped.evaluate("window.tapped")
        seen = [await page.evaluate("window.seen[0]") - began for page in pages]
        for page in pages:
            await page.evaluate("window.seen = []")
        await asyncio.sleep(REST)
        last.append(max(seen) / 1000)
        each += [one / 1000 for one in seen]
    for page in pages:
        await page.context.close()
    return last, each


async def _tap(pages: list[Page]) -> Page | None:
    """Tap a possible choice on the first page that has one; return that page."""
    for page in pages:
        for choice in CHOICES:
            if await page.locator(choice).count():
                for other in pages:
                    await other.evaluate("window.seen = []")
                await page.locator(choice).first.click()
                return page
    return None


async def _page(browser: Browser, guest: Guest, made: Made, seat: int | None) -> Page:
    page = await (await browser.new_context(**(DESKTOP if seat == 1 else PHONE))).new_page()
    token = "" if seat is None else f"seat/{seat}/#{made.tokens[seat]}"
    await page.goto(f"{base_of(guest)}/t/{made.table}/{token}")
    await page.get_by_test_id("account").wait_for()
    await page.evaluate(NOTE)
    return page


async def _loaded(browser: Browser, guest: Guest, slowed: int) -> Loaded:
    """Open the seat whose turn it is on a device that has never opened it."""
    made = guest.made({"name": "Ann"}, {"name": "Bo"}, options={"rules": "no-limit"}, all_come=False).started()
    seat = made.watch.snapshot()["awaited"][0]
    context = await browser.new_context(**PHONE)
    page = await context.new_page()
    tools = await context.new_cdp_session(page)
    await tools.send("Network.enable")
    await tools.send("Emulation.setCPUThrottlingRate", {"rate": slowed})
    came: list[int] = []
    asked: list[str] = []
    tools.on("Network.dataReceived", lambda found: came.append(int(found["encodedDataLength"])))
    tools.on("Network.loadingFinished", lambda found: asked.append(found["requestId"]))
    await page.add_init_script(f"({LOADING})({json.dumps(', '.join(CHOICES))})")
    # The seat is taken before, because the page of a link asks for a tap.
    await context.request.post(
        f"{base_of(guest)}/api/tables/{made.table}/seats/{seat}/session", data={"token": made.links[seat]}
    )
    await page.goto(f"{base_of(guest)}/t/{made.table}/seat/{seat}/")
    await page.wait_for_function("() => window.interactive")
    found = Loaded(sum(came), len(asked), await page.evaluate("window.interactive") / 1000)
    await context.close()
    return found


def run(quick: bool) -> str:
    """Return the figures as Markdown."""
    last, each, fast, slow = asyncio.run(measured(quick))
    rows = [
        (
            f"from a tap to {what}",
            f"{statistics.median(found) * 1000:.0f} ms",
            f"{statistics.quantiles(found, n=20)[-1] * 1000:.0f} ms",
        )
        for what, found in (("the last of four pages", last), ("any of the pages", each))
    ]
    taps = markdown(
        f"From a tap to the change on every page, {OTHERS + 1} tables",
        ("what", "median, at most 80 ms", "95th percentile, at most 200 ms"),
        rows,
    )
    load, processors = os.getloadavg()[0], os.cpu_count()
    loads = markdown(
        "The first view of a seat at a table",
        ("processor", "compressed, at most 150 kB", "requests", "until a choice can be pressed, at most 1 s slowed"),
        [
            (
                name,
                f"{max(one.bodies for one in found) / 1000:.0f} kB",
                str(max(one.requests for one in found)),
                f"{statistics.median(one.seconds for one in found):.2f} s",
            )
            for name, found in (("as it is", fast), (f"slowed {SLOWED} times", slow))
        ],
        f"{len(last)} taps, {len(fast)} loads each, {load:.1f} processes to run on {processors} processors.",
    )
    return f"{taps}\n\n{loads}"
