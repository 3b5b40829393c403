"""The commands for a choice: the short ones with what they do, and the full ones that a prompt completes."""

from collections.abc import Callable
from typing import Final

from pokersvc.betting.choices import either
from pokersvc.cards.unknown import all_known
from pokersvc.core.actions import Action
from pokersvc.core.drawing import Shortcut
from pokersvc.core.words import InvalidAnswer
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Fold, LegalActions, Raise
from pokersvc.games.draw_poker.display.hand_drawn import numbers_of
from pokersvc.games.draw_poker.display.telling import amount_of
from pokersvc.games.draw_poker.view import DrawPokerView, SeatView
from pokersvc.streets.state import Cards
from pokersvc.text import counted

SHOWS_ADVICE: Final = ("table", "o", "odds")
"""The texts that ask for a list of all discards, best first (best last in a terminal that draws the table)."""
TAKES_ADVICE: Final = ("ok", "okay", "advice", "y", "yes")
KEEPS_ALL: Final = ("none", "pat", "keep", "k")
ALL_IN: Final = ("all in", "all-in", "allin", "a")
PLAIN: Final[dict[str, Callable[[int], Action]]] = {
    "check": Check, "k": Check, "hold": Check, "call": Call, "fold": Fold, "f": Fold,
}  # fmt: skip


def check_or_call(seat: int, legal: LegalActions) -> Action:
    """Return the action for the command ``c``: a check if there is nothing to call, else a call."""
    return Check(seat) if legal.check and not legal.call else Call(seat)


def all_in(seat: SeatView, legal: LegalActions) -> Action:
    """Return the bet, raise or call with which a seat goes all in; raise `InvalidAnswer` if there is none."""
    action = all_in_or_none(seat, legal)
    if action is None:
        raise InvalidAnswer(f"{seat.name} cannot go all in now. You can: {either(legal.said())}.")
    return action


def all_in_or_none(seat: SeatView, legal: LegalActions) -> Action | None:
    """Return the bet, raise or call with which a seat goes all in; None if there is none."""
    if legal.bet is not None and legal.bet[1] == seat.stack:
        return Bet(seat.seat, seat.stack)
    if legal.raise_to is not None and legal.raise_to[1] == seat.put + seat.stack:
        return Raise(seat.seat, seat.put + seat.stack)
    return Call(seat.seat) if legal.call and legal.call == seat.stack else None


def shortcuts(view: DrawPokerView, legal: LegalActions, advised: Cards | None = None) -> list[Shortcut]:
    """Return the short commands for a choice, the most usual first; in the draw, the advised discard is the example."""
    assert view.to_act is not None
    if legal.discard is not None:
        return _of_draw(view, legal.discard, advised)
    one, found = view.seat(view.to_act), []
    if legal.check:
        found.append(Shortcut("c", "check"))
    if legal.call:
        rest = " (all in)" if legal.call == one.stack else ""
        found.append(Shortcut("c", f"call {amount_of(legal.call, view.table)}{rest}"))
    for typed, does, limits in (("b", "bet", legal.bet), ("r", "raise to", legal.raise_to)):
        if limits is not None:
            least, most = (amount_of(limit, view.table) for limit in limits)
            up_to = f", or up to {most}" if limits[0] < limits[1] else ""
            found.append(Shortcut(f"{typed} {limits[0]}", f"{does} {least}{up_to}"))
    action = all_in_or_none(one, legal)
    if action is not None and not isinstance(action, Call):
        found.append(Shortcut("a", f"all in, {amount_of(one.stack, view.table)}"))
    if legal.fold:
        found.append(Shortcut("f", "fold"))
    return found


def _of_draw(view: DrawPokerView, most: int, advised: Cards | None) -> list[Shortcut]:
    keep = Shortcut("k", "keep all")
    if not most or not _seen(view):
        return [keep]
    numbers = sample(view, advised)
    does = f"discard {'these' if len(numbers) > 1 else 'this'}, at most {counted(most, 'card')}"
    example = Shortcut(" ".join(numbers), does)
    return [keep, example] if advised == () else [example, keep]


def sample(view: DrawPokerView, advised: Cards | None = None) -> list[str]:
    """Return the card numbers of an example discard: the advised one, or else the last card alone.

    Advice to keep all cards would show no number, so the last card is the example then, too.
    """
    assert view.to_act is not None
    hand = view.seat(view.to_act).cards
    return numbers_of(advised, hand) if advised else [str(len(hand))]


def completions(view: DrawPokerView, legal: LegalActions) -> list[str]:
    """Return the full commands for a choice."""
    assert view.to_act is not None
    if legal.discard is not None:
        known = view.seat(view.to_act).cards
        if not legal.discard or not _seen(view):
            return ["keep"]
        return ["keep", *map(str, known)]
    found = ["check"] if legal.check else []
    if legal.call:
        found.append(f"call {legal.call}")
    for word, limits in (("bet", legal.bet), ("raise", legal.raise_to)):
        if limits is not None:
            found += [f"{word} {amount}" for amount in dict.fromkeys(limits)]
    if all_in_or_none(view.seat(view.to_act), legal) is not None:
        found.append("all in")
    return [*found, "fold"] if legal.fold else found


def _seen(view: DrawPokerView) -> bool:
    """Return whether the player to draw has seen the hand; False if they took the seat over during the round."""
    assert view.to_act is not None
    hand = view.seat(view.to_act).cards
    return bool(hand) and all_known(hand)
