"""The commands that people type between the rounds of a cash game."""

import re
from collections.abc import Sequence
from typing import Final

from pokersvc.betting.cash import BuyChips, SitDown, SitIn, SitOut
from pokersvc.core.actions import BetweenRounds
from pokersvc.core.drawing import Shortcut
from pokersvc.core.seats import OPEN
from pokersvc.games.draw_poker.view import DrawPokerView
from pokersvc.text import listed

_BUYS: Final = re.compile(r"buy(?: with)? \$?([0-9]{1,40})", re.IGNORECASE)
_SITS_DOWN: Final = re.compile(r"sit down(?: with)? \$?([0-9]{1,40})(?: as (\S.*))?", re.IGNORECASE)
_NAMELESS: Final = re.compile(r"(buy(?: with)? \$?[0-9]{1,40}|sit out|sit in)(?: (\S.*))?", re.IGNORECASE)
"""A seated player's command to buy chips, sit out or sit in; a name after it is matched, too."""
_BETWEEN: Final = re.compile(r"(buy|sit down|sit out|sit in|leave)\b.*", re.IGNORECASE)
_NEWCOMERS: Final = ("Carl", "Dana", "Emil", "Fay", "Gus", "Hana", "Ivo", "Jo", "Kim", "Lea", "Max")
"""Names for examples: more than the ten seats of a table, so that one is always free."""


def what_may_be_typed(view: DrawPokerView, seat: int) -> list[Shortcut]:
    """Return the commands that a person may type now, such as ``buy 50`` and ``sit out``; none outside cash games."""
    if not _is_cash(view):
        return []
    one = view.seat(seat)
    most = view.rules.stack - one.stack
    if one.standing == "out":
        return [_up_to(most, "sit down with", f" as {_example(view)}" if one.kind == OPEN else "")]
    chips = [_up_to(most, "buy")] if most > 0 else []
    sits = Shortcut("sit in", "(dealt in again)") if one.sitting_out else Shortcut("sit out", "(dealt no hands)")
    return [*chips, sits]


def _is_cash(view: DrawPokerView) -> bool:
    return view.table is not None and view.table.cash


def _up_to(most: int, before: str, after: str = "") -> Shortcut:
    """Return a command with the maximum number of chips, and the allowed range as its explanation."""
    return Shortcut(f"{before} {most}{after}", f"(1 to {most})" if most > 1 else "(1 chip)")


def _example(view: DrawPokerView) -> str:
    """Return a name that nobody at the table has."""
    taken = {seat.name.casefold() for seat in view.seats}
    return next(name for name in _NEWCOMERS if name.casefold() not in taken)


def between_rounds_only(text: str, view: DrawPokerView) -> str | None:
    """Return a sentence that the typed command is only for the time between rounds; None for any other text."""
    found = _BETWEEN.fullmatch(" ".join(text.split()))
    if found is None or not (_is_cash(view) or found[1].lower() == "leave"):
        return None
    return f"Type `{found[1].lower()}` between two rounds; this one is being played."


def why_not_between(text: str, view: DrawPokerView, seats: Sequence[int], free: Sequence[int]) -> str | None:
    """Return why a command between rounds is refused: a name is missing or unknown, or no seat is free; else None."""
    if not _is_cash(view):
        return None
    said = " ".join(text.split())
    out = [seat for seat in seats if view.seat(seat).standing == "out"]
    names = [view.seat(seat).name for seat in seats]
    if (found := _SITS_DOWN.fullmatch(said)) is not None:
        if not free and not out:
            return "No seat is free here: somebody has to leave first."
        if found[2] is None and (len(seats) != 1 or not out):
            return f"Say who sits down: add `as NAME`, such as `{said} as {_example(view)}`."
        return None
    if (found := _NAMELESS.fullmatch(said)) is None or not names:
        return None
    if found[2] is not None:
        known = found[2].casefold() in map(str.casefold, names)
        return None if known else f"Nobody here is called {found[2]!r}; the name is {listed(names, 'or')}."
    return f"Say for whom: end it with a name, such as `{said} {names[0]}`." if len(names) > 1 else None


def no_round_comes(view: DrawPokerView) -> list[str]:
    """Return a warning, with the remedy, if a cash game has fewer than two players to deal in; else an empty list."""
    if not _is_cash(view):
        return []
    rules = view.rules
    least = max(rules.stay, view.next_ante if rules.ante.short == "sit_out" else 0, 1)
    if sum(one.stack >= least and not one.sitting_out for one in view.seats) >= 2:
        return []
    return ["Fewer than two players can be dealt in: a next round needs somebody who buys chips, sits down or sits in."]


def read_between(text: str, view: DrawPokerView, seat: int) -> BetweenRounds | None:
    """Return the action that a person's text names between two rounds; None if it is no command of a cash game."""
    if not _is_cash(view):
        return None
    said = " ".join(text.split())
    if (found := _BUYS.fullmatch(said)) is not None:
        return BuyChips(seat, int(found[1]))
    if (found := _SITS_DOWN.fullmatch(said)) is not None:
        return SitDown(seat, int(found[1]), found[2])
    return {"sit out": SitOut(seat), "sit in": SitIn(seat)}.get(said.lower())


def what_newcomers_type(view: DrawPokerView, free: Sequence[int]) -> list[Shortcut]:
    """Return the command to take one of the free seats; none outside cash games, or if no seat is free."""
    return [_up_to(view.rules.stack, "sit down with", f" as {_example(view)}")] if _is_cash(view) and free else []


def read_newcomer(text: str, view: DrawPokerView, free: Sequence[int]) -> SitDown | None:
    """Return the action of a newcomer's text, which must include a name; None for a text that is no such command.

    A former player returns to their seat. Anybody else takes the first seat at which nobody has sat, or else the first
    free one.
    """
    found = _SITS_DOWN.fullmatch(" ".join(text.split()))
    if found is None or not found[2] or not what_newcomers_type(view, free):
        return None

    def least(seat: int) -> tuple[bool, bool]:
        one = view.seat(seat)
        return one.name.casefold() != found[2].casefold() or one.kind == OPEN, one.kind != OPEN

    return SitDown(min(free, key=least), int(found[1]), found[2])
