"""Commands that are tried at every state of every game, most of which are refused: with a code and a sentence."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from pokersvc.betting.cash import BuyChips, SitDown, SitIn, SitOut
from pokersvc.cards import Card, parse_cards
from pokersvc.core.actions import Action, CloseGame, Forfeit, ForgoRound, IllegalAction, Lapse, Leave
from pokersvc.core.state import State
from pokersvc.games.draw_poker import actions as draw
from pokersvc.games.kalah.actions import Sow
from pokersvc.games.poker_market.actions import Accept, Decline, Pass, Propose
from tests.identity.said import said


@dataclass(frozen=True, slots=True)
class NoSuchAction(Action):
    """Raised for an action that no game has."""


WITHOUT: Final = (
    draw.Check, draw.Call, draw.Fold, Accept, Decline, Pass, Leave, SitIn, SitOut, Lapse, ForgoRound, CloseGame,
    NoSuchAction,
)  # fmt: skip
"""Actions whose only field is the seat."""
AMOUNTS: Final = (-1, 0, 1, 2, 20, 10**9, "2", 2.0, None)
CARDS: Final = (
    (), parse_cards("AS"), parse_cards("2C 3C"), parse_cards("2C 3D 4H 5S 6C 7D"), (Card("AS"),) * 2, [Card("AS")],
    ("AS",), (1,), None,
)  # fmt: skip
NAMES: Final = (None, "Ann", "Zoë Q", "", "a\nb", 5)
SEATS: Final = (0, 2, 99, "1")
"""The seats whose commands are tried besides those of the seat to act (or of seat 1)."""


def commands(seat: Any) -> Iterator[Action]:
    """Yield a seat's commands of all types, including impossible ones."""
    for type_ in WITHOUT:
        yield type_(seat)
    for amount in AMOUNTS:
        yield draw.Bet(seat, amount)  # type: ignore[arg-type]
        yield draw.Raise(seat, amount)  # type: ignore[arg-type]
        yield BuyChips(seat, amount)  # type: ignore[arg-type]
    for cards in CARDS:
        yield draw.Discard(seat, cards)  # type: ignore[arg-type]
    yield draw.DiscardUnknown(seat, parse_cards("AS"))
    for name in NAMES:
        yield SitDown(seat, 20, name)  # type: ignore[arg-type]
    for hole in (0, 1, 3, 99, "1"):
        yield Sow(seat, hole)  # type: ignore[arg-type]
    for partner in (1, 2, 99, None):
        yield Propose(seat, Card("AS"), partner, Card("2C"))  # type: ignore[arg-type]
    for code in ("raised", "no such code", None):
        yield Forfeit(seat, code)  # type: ignore[arg-type]


def of_others(seat: Any) -> Iterator[Action]:
    """Yield one command of each type."""
    for type_ in WITHOUT:
        yield type_(seat)
    yield from (draw.Bet(seat, 2), draw.Raise(seat, 4), BuyChips(seat, 20), SitDown(seat, 20, "Ann"), Sow(seat, 1))
    yield from (draw.Discard(seat, ()), Forfeit(seat, "raised"), Propose(seat, Card("AS"), 2, Card("2C")))


OF_ONE: Final[dict[Any, tuple[Action, ...]]] = {seat: tuple(commands(seat)) for seat in range(1, 11)}
OF_OTHERS: Final[tuple[Action, ...]] = tuple(action for seat in SEATS for action in of_others(seat))


def decided(decide: Callable[[Action], object], action: Action) -> str:
    """Return the result of a command: its event, or its refusal."""
    try:
        return said(decide(action))
    except IllegalAction as refused:
        return f"{refused.code}: {refused}"
    except Exception as error:  # what nobody foresaw; its sentence may be Python's own
        return type(error).__name__


def refusals(state: State) -> list[str]:
    """Return the results of all commands in a state."""
    awaited = state.awaited
    return [decided(state.decide, action) for action in (*OF_ONE[awaited[0] if awaited else 1], *OF_OTHERS)]
