"""The second half of an evening: thirty hands of cash and thirty of a tournament, at two tables side by side.

What people touch in a hand and between two is used at least once. Each plays by a script of such deeds: a deed waits
until it is possible, and is tried again if a round begins before it arrives, since tables wait for a second only.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.async_api import Error, expect

from tests.server.guests import Made

from .conftest import Devices
from .evening import Player
from .people import CHOICES, DESKTOP, PHONE, button
from .serving import Served

pytestmark = pytest.mark.slow

HANDS: Final = 30
PATIENCE: Final = 600.0
"""Seconds after which something hangs, also on a machine that does much else; alone, it takes three minutes."""
MOST: Final = 3 * HANDS
CASH: Final = {"rules": "no-limit", "cash": True, "stack": "Ann=200,Bo=40,Cid=200", "changeable": True}
BY_HANDS: Final = {"rules": "no-limit", "levels": "turbo", "stack": "4000"}
BY_MINUTES: Final = BY_HANDS | {"levels": "quick"}
"""Levels of a minute each, on this server."""
TOURNAMENT: Final[tuple[dict[str, Any], ...]] = ({"name": "Dee"}, {"name": "Eve"}, {"program": "minimum"})
CLOCK: Final = {"seconds": 6}
"""Short enough that somebody who does nothing for two turns soon sits out."""
HURRIED: Final = ("fold", *CHOICES)
"""What whoever has done everything chooses, so that hands are short."""
AT_ONCE: Final = 1500.0
"""Milliseconds within which a button is pressed, or something else comes first."""
THERE: Final = """() => [...document.querySelectorAll("[data-testid]")].filter((one) =>
    !one.disabled && one.getAttribute("aria-disabled") !== "true").map((one) => one.dataset.testid)"""
"""A script that returns what is on the page and can be pressed, by its test IDs."""
Deed = Callable[["Friend"], Awaitable[bool]]
"""Does something if it is possible at this moment, and returns whether it was done."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server as `pokersvc serve --pause 1 --pace 0`, on which a level by minutes takes one."""
    database = tmp_path_factory.mktemp("evening") / "games.sqlite"
    with Served(database, pause=1, program="tests.browser.minute_levels") as process:
        yield process


class Friend(Player):
    """Somebody who plays at one table at a time, by a script."""

    made: Made
    seat: int
    deeds: dict[str, Deed]
    """What is still to be done, by name."""
    lets_choose: "Friend"
    """For whom one waits in the draw, as long as they are to stand pat in advance."""
    there: frozenset[str] = frozenset()
    """What is on the page at this moment, by its test IDs, without buttons that cannot be pressed."""
    idle = False
    """Whether turns are let pass."""

    async def sits(self, served: Served, made: Made, seat: int, **deeds: Deed) -> None:
        """Sit down at a table with a script; whoever hosts it has come by the host's link before."""
        self.made, self.seat, self.deeds, self.lets_choose = made, seat, deeds, self
        await self.page.goto(f"{served.url}/t/{made.table}/seat/{seat}/#{made.tokens[seat]}")
        await expect(self.at("account")).to_be_visible()

    async def hosts(self, served: Served, made: Made) -> None:
        """Become the host of a table on this device."""
        await self.page.goto(f"{served.url}/t/{made.table}/host/#{made.host}")
        await expect(self.at("host")).to_be_visible()

    def has(self, *testids: str) -> bool:
        """Return whether these elements are on the page and, if buttons, can be pressed."""
        return self.there.issuperset(testids)

    async def press(self, selector: str) -> None:
        await self.page.locator(selector).first.click(timeout=AT_ONCE)

    async def said(self, text: str, after: int) -> bool:
        """Return whether an event after the first ``after`` soon contains a text."""
        for _ in range(30):
            lines = self.made.watch.snapshot(after)["lines"]
            if any(text in line["text"] for line in lines):
                return True
            await asyncio.sleep(0.1)
        return False

    def count(self) -> int:
        """Return the number of events of the game."""
        return int(self.made.watch.snapshot(10**9)["count"])

    async def acts(self) -> None:
        """Do the next possible step of the script, else take any choice."""
        with suppress(Error, AssertionError):  # what was to be pressed is gone: the game went on
            self.there = frozenset(await self.page.evaluate(THERE))
            for name, deed in [*self.deeds.items()]:
                if await deed(self):
                    del self.deeds[name]
                    return
            if self.idle or self.has("take-back"):
                return
            if self.has("buy-in", "between"):
                await self.press(".buy-in button:enabled")
            for choice in ("come-back", *(CHOICES if self.deeds else HURRIED)):
                if self.has(choice):
                    if choice == "draw" and self.lets_choose is not self and "pat" in self.lets_choose.deeds:
                        await asyncio.sleep(1.5)
                    await self.press(button(choice))
                    return

    async def plays(self, over: Callable[[], bool]) -> None:
        """Play until a condition holds."""
        while not over():
            await self.acts()
            await asyncio.sleep(0.05)


# Deeds of a hand.


def pressed_keys(needs: str, *keys: str) -> Deed:
    """Press keys while a button can be pressed, which therefore would do the same."""

    async def deed(friend: Friend) -> bool:
        if not friend.has(needs):
            return False
        for key in keys:
            await friend.page.keyboard.press(key)
        return True

    return deed


async def raises_by_a_preset(friend: Friend) -> bool:
    preset = friend.page.locator(".preset", has_text="bb").first
    if not (friend.has("raise", "slider") and await preset.count()):
        return False
    await preset.click(timeout=AT_ONCE)
    await friend.press(button("raise"))
    return True


async def raises_by_the_wheel(friend: Friend) -> bool:
    if not friend.has("raise", "slider"):
        return False
    before = await friend.at("raise").inner_text()
    await friend.at("slider").hover(timeout=AT_ONCE)
    await friend.page.mouse.wheel(0, -100)
    await expect(friend.at("raise")).not_to_have_text(before, timeout=AT_ONCE)
    await friend.press(button("raise"))
    return True


async def raises_by_a_number(friend: Friend) -> bool:
    if not friend.has("raise", "amount"):
        return False
    least = await friend.at("amount").get_attribute("min", timeout=AT_ONCE)
    await friend.at("amount").fill(str(least), timeout=AT_ONCE)
    await friend.press(button("raise"))
    return True


async def goes_all_in_after_a_question(friend: Friend) -> bool:
    most = friend.page.locator(".preset", has_text="Most").first
    if not friend.has("raise", "slider"):
        return False
    await most.click(timeout=AT_ONCE)
    await friend.press(button("raise"))
    await friend.at("not-all-in").click(timeout=AT_ONCE)
    await friend.press(button("raise"))
    await friend.press(button("all-in"))
    return True


async def gambles_and_buys(friend: Friend) -> bool:
    """Go all in again and again; once one has no chips, buy the amount that is offered first."""
    if friend.has("buy-in", "between"):
        count = friend.count()
        await friend.press(".buy-in button:enabled")
        return await friend.said(f"{friend.name} buys", count)
    if friend.has("raise", "slider"):
        await friend.page.locator(".preset", has_text="Most").first.click(timeout=AT_ONCE)
        await friend.press(button("raise"))
    return False


async def takes_a_fold_back(friend: Friend) -> bool:
    if not friend.has("fold", "call"):
        return False
    await friend.press(button("fold"))
    await friend.at("take-back").click(timeout=AT_ONCE)
    await friend.press(button("call"))
    return True


async def folds_to_a_bet(friend: Friend) -> bool:
    if not friend.has("fold", "call"):
        return False
    await friend.press(button("fold"))
    await expect(friend.at("folding")).to_be_visible(timeout=AT_ONCE)
    return True


async def counts_in_blinds(friend: Friend) -> bool:
    """Open what the device keeps, by its key, and have amounts shown in big blinds."""
    if not friend.has("raise"):
        return False
    await friend.page.keyboard.press("?")
    await friend.at("unit-blinds").click(timeout=AT_ONCE)
    await friend.page.keyboard.press("Escape")
    await expect(friend.page.locator(".stack", has_text="bb").first).to_be_visible(timeout=AT_ONCE)
    return True


def in_advance(kind: str) -> Deed:
    """Choose in advance, while others choose."""

    async def deed(friend: Friend) -> bool:
        choice = friend.at(f"advance-{kind}")
        if not friend.has(f"advance-{kind}"):
            return False
        await choice.click(timeout=AT_ONCE)
        await expect(choice).to_have_attribute("aria-pressed", "true", timeout=AT_ONCE)
        return True

    return deed


async def takes_back_in_turn(friend: Friend) -> bool:
    """Take a choice in advance back in the moment before it is sent; make it first, as often as it is dropped."""
    if friend.has("about-to-send"):
        await friend.at("take-back").click(timeout=AT_ONCE)
        await expect(friend.at("about-to-send")).to_have_count(0, timeout=AT_ONCE)
        return True
    pressed = '[data-testid="advance-call_any"][aria-pressed="false"]'
    if friend.has("advance-call_any") and await friend.page.locator(pressed).count():
        await friend.press(pressed)
    return False


async def lets_two_turns_pass(friend: Friend) -> bool:
    """Do nothing until one sits out, and come back by the button."""
    friend.idle = True
    if not friend.has("come-back"):
        return False
    count = friend.count()
    await friend.press(button("come-back"))
    if not await friend.said(f"{friend.name} is back", count):
        return False
    friend.idle = False
    return True


# Deeds between two rounds.


def between(pressed: str, said: str) -> Deed:
    """Press something between two rounds, once it is there; the account must say that it was done."""

    async def deed(friend: Friend) -> bool:
        found = friend.page.locator(pressed)
        if not (friend.has("between") or friend.has("sit-down")) or not await found.count():
            return False
        count = friend.count()
        await found.first.click(timeout=AT_ONCE)
        return await friend.said(said, count)

    return deed


def named(label: str) -> str:
    """Return the selector of a button between two rounds by its label."""
    return f'.wishes button:has-text("{label}"):enabled'


def after(earlier: str, deed: Deed) -> Deed:
    """Wait until one more action was done."""

    async def waits(friend: Friend) -> bool:
        return earlier not in friend.deeds and await deed(friend)

    return waits


async def sees(friend: Friend, testid: str, text: str) -> bool:
    return bool(await friend.page.locator(f'[data-testid="{testid}"]:has-text("{text}")').count())


def once_it_says(testid: str, text: str) -> Deed:
    async def deed(friend: Friend) -> bool:
        return await sees(friend, testid, text)

    return deed


# What the server says.


class Progress:
    """How far a game is, asked for now and then."""

    def __init__(self, made: Made) -> None:
        self.made, self.round, self.over = made, 0, False

    async def follow(self) -> None:
        """Ask, until cancelled or the game is over."""
        while not self.over:
            now = self.made.watch.snapshot()
            self.round, self.over = now["view"]["round"], now["outcome"] is not None
            await asyncio.sleep(0.5)


async def play(progress: Progress, done: Callable[[], bool], *friends: Friend) -> None:
    """Let people play at a table until a condition holds."""
    following = asyncio.create_task(progress.follow())
    try:
        await asyncio.gather(*(friend.plays(done) for friend in friends))
    finally:
        following.cancel()


def chips(made: Made) -> int:
    """Return all chips at a table of a tournament, between the rounds or at its end."""
    view: dict[str, Any] = made.watch.snapshot()["view"]
    return int(sum(seat["stack"] for seat in view["seats"]) + sum(view["pots"]))


def check_cash(made: Made) -> None:
    """Check that what people brought is what they took and have."""
    persons = made.guest.get(f"{made.path}/results").json()["persons"]
    assert sum(one["brought"] for one in persons) == sum(one["taken"] + one["has"] for one in persons)


async def ended(*friends: Friend) -> None:
    """End the game from its host's page, who is the first; check it on every page and by an audit."""
    host, made = friends[0], friends[0].made
    while made.watch.snapshot()["outcome"] is None:
        await to_the_pause(*friends)
        await host.at("host").click()
        with suppress(Error):  # the next round began before
            await host.press(button("end"))
        await host.page.keyboard.press("Escape")
    for friend in friends:
        await expect(friend.at("result")).to_be_visible()
        await expect(friend.at("verdict")).to_have_attribute("data-state", "good")
    report = made.guest.get(f"{made.path}/audit").json()
    assert report["passed"], report


async def thirty_hands_of_cash(served: Served, ann: Friend, bo: Friend, cid: Friend) -> None:
    people = [{"name": one.name} for one in (ann, bo, cid)]
    made = served.guest.made(*people, options=CASH).started()
    await ann.hosts(served, made)
    await asyncio.gather(
        ann.sits(
            served, made, 1,
            keys=pressed_keys("call", "c"), raises_by_keys=pressed_keys("raise", "r", "ArrowUp", "Enter"),
            wheel=raises_by_the_wheel, number=raises_by_a_number, in_blinds=counts_in_blinds,
            draws_by_keys=pressed_keys("draw", "1", "Enter"), shows=between('[data-testid="show-all"]', "Ann shows"),
            raises_blinds=between('[data-testid="raise-stakes"]', "changed the stakes"),
        ),
        bo.sits(
            served, made, 2,
            all_in=goes_all_in_after_a_question, buys=gambles_and_buys, preset=after("buys", raises_by_a_preset),
            tops_up=after("buys", between(named("Top up to"), "Bo wishes")),
        ),
        cid.sits(
            served, made, 3,
            sits_out=between(named("Sit out"), "Cid sits out"),
            sits_in=after("sits_out", between('[data-testid="sit-in"]', "Cid plays again")),
            leaves=after("sits_in", between('[data-testid="leave"]', "Cid gets up")),
            sits_down=after("leaves", between('[data-testid="sit-down"]', "Cid sits down")),
            fold=folds_to_a_bet, checks_or_folds=in_advance("check_fold"), calls_any=in_advance("call_any"),
            pat=in_advance("pat"),
        ),
    )  # fmt: skip
    ann.lets_choose = bo.lets_choose = cid
    progress = Progress(made)

    def done() -> bool:
        """After thirty hands, or some more for what was not yet possible."""
        left = [one for friend in (ann, bo, cid) for one in friend.deeds]
        return progress.over or progress.round > (MOST if left else HANDS)

    await play(progress, done, ann, bo, cid)
    assert [one for friend in (ann, bo, cid) for one in friend.deeds] == []
    await ended(ann, bo, cid)
    check_cash(made)


async def to_the_pause(*friends: Friend) -> None:
    """Let the round end, and hold the table there."""
    made = friends[0].made
    while not (now := made.watch.snapshot())["pausing"] and now["outcome"] is None:
        for friend in friends:
            await friend.acts()
        await asyncio.sleep(0.05)


async def thirty_hands_of_tournaments(served: Served, dee: Friend, eve: Friend) -> None:
    """Play with levels by hands, and at another table with levels by minutes, for at least this many of each."""
    await ten_hands_with_levels_by_hands(served, dee, eve)
    await twenty_hands_with_levels_by_minutes(served, dee, eve)


async def ten_hands_with_levels_by_hands(served: Served, dee: Friend, eve: Friend) -> None:
    made = served.guest.made(*TOURNAMENT, options=BY_HANDS, settings=CLOCK, rounds=HANDS // 3).started()
    await dee.hosts(served, made)
    await asyncio.gather(
        dee.sits(served, made, 1, level=once_it_says("stakes-now", "level 2")), eve.sits(served, made, 2)
    )
    progress = Progress(made)
    await play(progress, lambda: progress.over, dee, eve)
    assert progress.round == HANDS // 3
    assert not dee.deeds
    assert chips(made) == 3 * 4000
    await ended(dee, eve)


async def twenty_hands_with_levels_by_minutes(served: Served, dee: Friend, eve: Friend) -> None:
    made = served.guest.made(*TOURNAMENT, options=BY_MINUTES, settings=CLOCK).started()
    await dee.hosts(served, made)
    await asyncio.gather(
        dee.sits(
            served,
            made,
            1,
            keys=pressed_keys("check", "c"),
            time=once_it_says("stakes-now", " in 0:"),
            level=once_it_says("stakes-now", "level 2"),
            checks=in_advance("check"),
        ),
        eve.sits(
            served,
            made,
            2,
            away=lets_two_turns_pass,
            taken_back=takes_a_fold_back,
            advance=in_advance("check_fold"),
            again=takes_back_in_turn,
        ),
    )  # fmt: skip
    progress = Progress(made)

    def done() -> bool:
        """After twenty hands, or more until the second minute."""
        return progress.over or (progress.round > 2 * HANDS // 3 and not dee.deeds and not eve.deeds)

    await play(progress, done, dee, eve)
    assert progress.round > 2 * HANDS // 3
    assert [one for friend in (dee, eve) for one in friend.deeds] == []
    assert [one["type"] for one in made.watch.events(eve.count())].count("LevelBegan") >= 1
    assert chips(made) == 3 * 4000
    await ended(dee, eve)


async def test_sixty_hands_at_two_tables_side_by_side(served: Served, devices: Devices, tmp_path: Path) -> None:
    async def friend(name: str, **device: Any) -> Friend:
        context = await devices.one(**device)
        return Friend(name, context, await context.new_page())

    ann, bo, cid = await friend("Ann", **DESKTOP), await friend("Bo", **PHONE), await friend("Cid", **DESKTOP)
    dee, eve = await friend("Dee", **DESKTOP), await friend("Eve", **PHONE)
    async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as tables:
        tables.create_task(thirty_hands_of_cash(served, ann, bo, cid))
        tables.create_task(thirty_hands_of_tournaments(served, dee, eve))
    assert [complaint for player in (ann, bo, cid, dee, eve) for complaint in player.complaints] == []
