"""A report in a browser: it loads nothing from other hosts, fits a phone, and lets a reader save the log."""

from pathlib import Path

from playwright.async_api import Browser, Page

from tests.cli.program import Program


async def test_a_report_fits_and_its_log_can_be_saved(chromium: Browser, tmp_path: Path) -> None:
    program = Program(tmp_path)
    program.run("play", "--auto", "--players", "4", "--rounds", "4", "--seed", "demo")
    program.run("report", "last", "--html", "game.html")
    context = await chromium.new_context(color_scheme="light", accept_downloads=True)
    try:
        page = await context.new_page()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        await page.goto((tmp_path / "game.html").as_uri())
        for width in (320, 1200):
            await page.set_viewport_size({"width": width, "height": 700})
            assert await page.evaluate("document.documentElement.scrollWidth") == width
        assert await ground(page) >= 128
        await page.emulate_media(color_scheme="dark")
        assert await ground(page) < 128
        async with page.expect_download() as download:
            await page.get_by_role("link", name="save the log").click()
        await (await download.value).save_as(tmp_path / "saved.jsonl")
        assert asked[0].startswith("file:")
        assert [url for url in asked[1:] if not url.startswith("data:")] == []
    finally:
        await context.close()
    program.run("verify", "saved.jsonl")


async def ground(page: Page) -> int:
    """Return how much red the page is drawn on, of 255."""
    colour = str(await page.evaluate("getComputedStyle(document.body).backgroundColor"))
    return int(colour[4:].split(",", maxsplit=1)[0])
