"""Stakes in words: the sentences of events, and the host's commands to change the stakes."""

import re
from collections.abc import Callable
from typing import Final

from pokersvc.betting.seats import has
from pokersvc.core.drawing import Shortcut
from pokersvc.core.setup import Options
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.house.stakes import NAMES, Stakes
from pokersvc.games.draw_poker.situation import Situation
from pokersvc.games.draw_poker.view import DrawPokerView
from pokersvc.text import counted, listed

_TYPED: Final = re.compile(rf"(?:(?:{'|'.join(NAMES)}) \$?[0-9/]{{1,40}}(?: |$))+", re.IGNORECASE)
"""One or several stakes with their names, such as ``blinds 5/10 ante 1``."""


def stakes_changed(event: events.StakesChanged, state: Situation, say: Callable[[int], str]) -> str:
    """Return a sentence: who changed the stakes, and all stakes as they are now; ``say`` formats an amount."""
    who = "The host" if event.by is None else state.names[event.by]
    return f"{who} changed the stakes: {say_stakes(event.stakes, say, cash=state.cash)}"


def say_stakes(stakes: Stakes, say: Callable[[int], str], *, cash: bool) -> str:
    """Return the blinds or the bets, and all other stakes that are not 0; ``say`` formats an amount."""
    said = [f"blinds {say(stakes.small)}/{say(stakes.big)}"] if stakes.small and stakes.big else []
    rising = f", {say(stakes.increase)} more each round" if stakes.increase else ""
    said.append(f"ante {say(stakes.ante)}{rising}" if stakes.ante else "no ante")
    if stakes.big is None or stakes.final_minimum is not None:
        bets = say(stakes.minimum)
        said.append(f"bets {bets}" if stakes.final_minimum is None else f"bets {bets}/{say(stakes.final_minimum)}")
    said += [f"{name} {say(amount)}" for name, amount in (("cap", stakes.cap), ("straddle", stakes.straddle)) if amount]
    if cash:
        said.append(f"up to {say(stakes.stack)} sold to each")
    return listed(said)


def level_begun(event: events.RoundStarted, state: Situation) -> str:
    """Return the level that begins with a round, with its blinds; empty if none begins."""
    levels, blinds = state.schedule, state.rules.blinds
    if levels is None or blinds is None or levels.timed or levels.begins(state.stakes_level) != event.round:
        return ""
    return f" at level {state.stakes_level}, blinds {blinds.small:,}/{blinds.big:,}"


def timed_level_began(event: events.LevelBegan, state: Situation) -> str:
    """Return the sentence about a level that the clock began: the break before it, if any, its blinds and its ante."""
    assert state.schedule is not None
    level = state.schedule.schedule[event.level - 1]
    ante = f", ante {level.ante:,}" if level.ante else ""
    rest = f", after a break of {counted(level.rest, 'minute')}" if level.rest else ""
    return f"Level {event.level} begins{rest}: blinds {level.small:,}/{level.big:,}{ante}"


def chips_raced_off(event: events.ChipsRacedOff, state: Situation, say: Callable[[int], str]) -> str:
    """Return the smallest chip from now on, and each seat's chips after the race; ``say`` formats an amount."""
    had = [
        f"{state.names[seat]} {say(stack)}"
        for seat, stack in enumerate(event.stacks, 1)
        if stack and has(state.seated, seat)
    ]
    return f"Chips below {say(event.chip)} are raced off: {listed(had)}"


def say_level(view: DrawPokerView) -> str | None:
    """Return the level of a game and when the next one begins; None without levels."""
    levels, number = view.levels, view.level
    if levels is None or number is None:
        return None
    said = f"Level {number} of {len(levels.schedule)}"
    if number == len(levels.schedule):
        return f"{said}, the last."
    then = levels.schedule[number]
    ante = f" and an ante of {then.ante:,}" if then.ante else ""
    when = f"with round {levels.begins(number + 1)}"
    if (minutes := levels.schedule[number - 1].minutes) is not None:
        when = f"{counted(minutes, 'minute')} after this one"
    return f"{said}; the next one, {then.small:,}/{then.big:,}{ante}, begins {when}."


def next_level(view: DrawPokerView) -> str:
    """Return the blinds and the ante of the next level; empty after the last one, and without levels."""
    if view.levels is None or view.level is None or view.level == len(view.levels.schedule):
        return ""
    then = view.levels.schedule[view.level]
    return f"{then.small:,}/{then.big:,}{f', ante {then.ante:,},' if then.ante else ''}"


def what_a_host_types(view: DrawPokerView) -> list[Shortcut]:
    """Return the host's command to change the stakes, with the present ones; empty if they cannot change now."""
    if not view.changeable:
        return []
    blinds = view.rules.blinds
    if blinds is None:
        return [Shortcut(f"ante {view.next_ante}", f"(or another ante; also bet {view.rules.betting.minimum})")]
    return [Shortcut(f"blinds {blinds.small}/{blinds.big}", f"(or other blinds; also ante {view.next_ante})")]


def read_stakes(text: str, view: DrawPokerView) -> Options | None:
    """Return the stakes that a host has typed, such as ``blinds 5/10 ante 1``; None for any other text."""
    said = " ".join(text.split())
    if not view.changeable or _TYPED.fullmatch(said) is None:
        return None
    words = said.lower().replace("$", "").split()
    return dict(zip(words[::2], words[1::2], strict=True))
