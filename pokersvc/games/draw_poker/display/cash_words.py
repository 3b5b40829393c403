"""The commands that people type between the rounds of a cash game."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from pokersvc.betting.cash import BuyChips, SitDown, SitIn, SitOut
from pokersvc.betting.wishes import Wish
from pokersvc.core.actions import BetweenRounds
from pokersvc.core.drawing import Shortcut
from pokersvc.core.seats import OPEN
from pokersvc.games.draw_poker.cash_view import SeatAtCash
from pokersvc.games.draw_poker.view import DrawPokerView, SeatView
from pokersvc.text import YOU, counted, does, listed

_BUYS: Final = re.compile(r"buy(?: with)? \$?([0-9]{1,40})", re.IGNORECASE)
_SITS_DOWN: Final = re.compile(r"sit down(?: with)? \$?([0-9]{1,40})(?: as (\S.*))?", re.IGNORECASE)
_TOPS_UP: Final = re.compile(r"top up(?: to)? (?:\$?([0-9]{1,40})|off)", re.IGNORECASE)
_WISHES: Final[Mapping[str, Callable[[int], Wish]]] = {
    "sit out at blind": lambda seat: Wish(seat, out_at_blind=True),
    "stay in": lambda seat: Wish(seat, out_at_blind=False),
    "sit in with blind": lambda seat: Wish(seat, in_with_blind=True),
    "stay out": lambda seat: Wish(seat, in_with_blind=False),
    "straddle on": lambda seat: Wish(seat, straddles=True),
    "straddle off": lambda seat: Wish(seat, straddles=False),
}
_NAMELESS: Final = re.compile(
    rf"(buy(?: with)? \$?[0-9]{{1,40}}|top up(?: to)? (?:\$?[0-9]{{1,40}}|off)|{'|'.join(_WISHES)}|sit out|sit in)"
    r"(?: (\S.*))?",
    re.IGNORECASE,
)
"""A seated player's command to buy chips, sit out or sit in, or a wish; a name after it is matched, too."""
_ANSWERS: Final = re.compile(r"(admit|refuse) (\S.*)", re.IGNORECASE)
"""A host's answer to somebody who asks to buy chips."""
_BETWEEN: Final = re.compile(r"(buy|top up|sit down|sit out|sit in|stay in|stay out|straddle|leave)\b.*", re.IGNORECASE)
_NEWCOMERS: Final = ("Carl", "Dana", "Emil", "Fay", "Gus", "Hana", "Ivo", "Jo", "Kim", "Lea", "Max")
"""Names for examples: more than the ten seats of a table, so that one is always free."""


def what_may_be_typed(view: DrawPokerView, seat: int) -> list[Shortcut]:
    """Return the commands that a person may type now, such as ``buy 50`` and ``sit out``; none outside cash games."""
    if not _is_cash(view):
        return []
    one = view.seat(seat)
    if one.at_cash is None:
        return []
    buys = one.at_cash.buys
    if one.standing == "out":
        return (
            [] if buys is None else [_up_to(buys, "sit down with", f" as {_example(view)}" if one.kind == OPEN else "")]
        )
    chips = [] if buys is None else [_up_to(buys, "buy")]
    sits = Shortcut("sit in", "(dealt in again)") if one.sitting_out else Shortcut("sit out", "(dealt no hands)")
    return [*chips, sits, *_wishes(view, one, one.at_cash)]


def is_broke(view: DrawPokerView, one: SeatView) -> bool:
    """Return whether a seat of a cash game has no chips, and none in a pot either."""
    return _is_cash(view) and one.standing != "out" and one.stack == 0 and not one.all_in


def chips_for_who_is_broke(view: DrawPokerView, seat: int) -> tuple[str, list[Shortcut]] | None:
    """Return a sentence for a person without chips, and amounts to buy, largest first; None for anybody else."""
    one = view.seat(seat)
    if not is_broke(view, one) or one.at_cash is None or one.at_cash.buys is None:
        return None
    least, most = one.at_cash.buys
    parts = {most: _up_to(one.at_cash.buys, "buy").does}
    for amount, does_ in ((most // 2, "(half)"), (most // 4, "(a quarter)")):
        if amount >= max(least, 1):
            parts.setdefault(amount, does_)
    has = "You have" if one.name == YOU else does(one.name, "has")
    return f"{has} no chips", [Shortcut(f"buy {amount}", said) for amount, said in parts.items()]


def _wishes(view: DrawPokerView, one: SeatView, at_cash: SeatAtCash) -> list[Shortcut]:
    """Return the standing wishes that a seated person may set or take back."""
    if at_cash.person is None:
        return []
    found = []
    if at_cash.top_up_to:
        found.append(Shortcut("top up off", f"(no more up to {at_cash.top_up_to})"))
    elif view.cash is None or not view.cash.approval:
        found.append(Shortcut(f"top up to {view.rules.stack}", "(before each round)"))
    if at_cash.straddles:
        found.append(Shortcut("straddle off", "(no more)"))
    elif view.cash is not None and view.cash.straddle_by_choice and view.rules.straddle:
        found.append(Shortcut("straddle on", f"({view.rules.straddle} in your turn)"))
    if one.sitting_out and at_cash.in_with_blind:
        return [*found, Shortcut("stay out", "(not dealt in at the blind)")]
    if one.sitting_out:
        return [*found, Shortcut("sit in with blind", "(no post but the blind)")]
    if at_cash.out_at_blind:
        return [*found, Shortcut("stay in", "(also at the big blind)")]
    return [*found, Shortcut("sit out at blind", "(the next big blind)")] if view.rules.blinds else found


def _is_cash(view: DrawPokerView) -> bool:
    return view.table is not None and view.table.cash


def _up_to(limits: tuple[int, int], before: str, after: str = "") -> Shortcut:
    """Return a command with the maximum number of chips, and the allowed range as its explanation."""
    least, most = limits
    return Shortcut(f"{before} {most}{after}", f"({least} to {most})" if most > least else f"({counted(most, 'chip')})")


def _example(view: DrawPokerView) -> str:
    """Return a name that nobody at the table has."""
    taken = {seat.name.casefold() for seat in view.seats}
    return next(name for name in _NEWCOMERS if name.casefold() not in taken)


def between_rounds_only(text: str, view: DrawPokerView) -> str | None:
    """Return a sentence saying that the typed command works only between rounds; None for any other text."""
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
    if (found := _TOPS_UP.fullmatch(said)) is not None:
        return Wish(seat, top_up_to=int(found[1] or 0))
    if (wish := _WISHES.get(said.lower())) is not None:
        return wish(seat)
    return {"sit out": SitOut(seat), "sit in": SitIn(seat)}.get(said.lower())


def who_asks(view: DrawPokerView) -> list[Shortcut]:
    """Return the host's possible answers to each person who asks to buy chips."""
    return [
        Shortcut(f"{answer} {one.name}", f"({one.at_cash.asks_for})")
        for one in view.seats
        if one.at_cash is not None and one.at_cash.asks_for
        for answer in ("admit", "refuse")
    ]


def read_answer(text: str, view: DrawPokerView) -> tuple[int, bool] | None:
    """Return the seat that a host's text answers, and whether it admits the purchase; None for any other text."""
    found = _ANSWERS.fullmatch(" ".join(text.split()))
    if found is None:
        return None
    for one in view.seats:
        if one.at_cash is not None and one.at_cash.asks_for and one.name.casefold() == found[2].casefold():
            return one.seat, found[1].lower() == "admit"
    return None


def what_newcomers_type(view: DrawPokerView, free: Sequence[int]) -> list[Shortcut]:
    """Return the command to take one of the free seats; none outside cash games, or if no seat is free."""
    if not _is_cash(view) or not free:
        return []
    stated = view.cash
    most = view.rules.stack if stated is None or stated.most is None else min(view.rules.stack, stated.most)
    return [_up_to((1 if stated is None else stated.least, most), "sit down with", f" as {_example(view)}")]


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
