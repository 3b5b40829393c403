"""Drawn tables, stored as text for inspection: ``python -m tests.games.draw_poker.scenes`` writes them."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from pokersvc.betting.cash import SitOut
from pokersvc.cards import parse_cards
from pokersvc.core.actions import Leave
from pokersvc.core.drawing import Room, plain
from pokersvc.core.event import AUDITOR, EVERYONE
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Setup
from pokersvc.games.draw_poker import DRAW_POKER, events
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold, Raise
from pokersvc.games.draw_poker.display.words import DrawPokerWords
from pokersvc.games.draw_poker.house.cash_table import Currency, Post
from pokersvc.games.draw_poker.house.houses import preset
from pokersvc.games.draw_poker.view import DrawPokerView
from tests.games.draw_poker.committed import hand_dealt

from .scenario import ACES, KINGS, NOTHING, QUEENS, Scenario, stand_pat
from .tables import sitting, table
from .test_recorded import DRAWN, DRAWN_ACTIONS
from .told import told

FOLDER: Final = Path(__file__).parent / "drawn"
ROOMS: Final = (Room(60, 14), Room(80, 17), Room(120, 33), Room(200, 33))
"""The room for a table in terminals of 60 x 20, 80 x 24, 120 x 40 and 200 x 40."""
_NAMES: Final = ("You", "Bob", "Cy", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida", "Annabelle-Josephine")


def at(house: str, *hands: str, players: int = 0) -> Scenario:
    """Round 1 of a house in its first betting, with these hands or random ones for ``players`` seats."""
    seats = tuple(
        Seat(HUMAN if number == 0 else "random", name) for number, name in enumerate(_NAMES[: players or len(hands)])
    )
    setup = Setup(seats, EntropySource.from_text("a scene"), 12, {"rules": preset(house)})
    game = Scenario(DRAW_POKER.start(setup))
    while hands and game.to_act is None:
        event = game.dealer()
        assert event is not None
        if isinstance(event, events.HandDealt):
            event = hand_dealt(parse_cards(hands[event.seat - 1]), event.seat)
        game.given(event)
    return game.ready()


def _opening() -> DrawPokerView:
    return at("rising-ante", "JS AH 3C AD 2D", KINGS, QUEENS, NOTHING).view(1)


def _draw() -> DrawPokerView:
    game = at("rising-ante", "JS AH 3C AD 2D", KINGS, QUEENS, NOTHING)
    return game.given(Bet(1, 50), Call(2), Fold(3), Call(4)).ready().view(1)


def _final() -> DrawPokerView:
    game = at("rising-ante", ACES, KINGS, QUEENS, NOTHING)
    game.given(Bet(1, 50), Call(2), Fold(3), Call(4), Discard(1, parse_cards("8C 6S 3C")), *stand_pat(2, 4))
    return game.given(Check(1), Bet(2, 100), Fold(4)).ready().view(1)


def _side_pots() -> DrawPokerView:
    game = sitting(table(350, 80, 200, 35, 500, button=1)).ready()
    game.given(Raise(4, 35), Call(5), Call(1), Raise(2, 80), Fold(3), Call(5), Raise(1, 300), Call(5))
    return game.given(*stand_pat(2, 4)).ready().view(5)


def _ten_seats() -> DrawPokerView:
    return (
        at("pot-limit", players=10)
        .given(Raise(4, 6), Fold(5), Fold(6), Call(7), Fold(8), Fold(9), Fold(10))
        .ready()
        .view(1)
    )


def _between() -> DrawPokerView:
    game = at("rising-ante", ACES, KINGS, QUEENS, NOTHING)
    game.given(Bet(1, 50), Call(2), Fold(3), Fold(4), *stand_pat(1, 2), Bet(1, 945), Call(2)).deal_on()
    return game.view(1)


def _uncalled() -> DrawPokerView:
    game = at("rising-ante", ACES, KINGS)
    game.given(Bet(1, 995), Fold(2)).deal_on()
    return game.view(1)


def _opened() -> DrawPokerView:
    game = at("buy-the-pot", ACES, KINGS, QUEENS, NOTHING)
    first = game.to_act or 0
    game.given(Bet(first, 3))
    while game.legal.call:
        game.given(Call(game.to_act or 0)).ready()
    while game.legal.discard is not None:
        game.given(Discard(game.to_act or 0, ())).ready()
    return game.view(EVERYONE)


def _cash() -> DrawPokerView:
    posts = [("small", 2, 100), ("big", 3, 200), ("extra", 5, 200), ("dead", 5, 100)]
    game = sitting(
        table(
            *(20_000, 123_456, 8_050, 19_900, 20_000),
            numbers=(1, 2, 4, 6, 9),
            button=1,
            cash=True,
            currency=Currency(code="USD", exponent=2),
            hand=512,
            posts=tuple(Post(amount=amount, kind=kind, seat=seat) for kind, seat, amount in posts),  # type: ignore[arg-type]
        ),
        preset("no-limit").model_copy(update={"stack": 200_000}),
    )
    return game.ready().given(Call(4)).ready().view(5)


def _sits_out() -> DrawPokerView:
    game = sitting(table(200, 200, 200, 200, button=1, cash=True)).ready()
    game.given(Fold(4), Fold(1), Fold(2)).deal_on()
    game.given(SitOut(2), Leave(4))
    return game.ready().view(3)


def _recorded() -> DrawPokerView:
    return told(DRAWN, DRAWN_ACTIONS[:3]).state.view(AUDITOR)


def _over() -> DrawPokerView:
    game = at("rising-ante", ACES, KINGS)
    game.given(Bet(1, 995), Call(2), *stand_pat(1, 2), Check(1), Check(2)).deal_on()
    game.deal_on()
    return game.view(1)


SCENES: Final[dict[str, Callable[[], DrawPokerView]]] = {
    "opening": _opening,
    "draw": _draw,
    "final": _final,
    "side-pots": _side_pots,
    "ten-seats": _ten_seats,
    "between-rounds": _between,
    "uncalled": _uncalled,
    "opened": _opened,
    "cash": _cash,
    "sits-out": _sits_out,
    "recorded": _recorded,
    "over": _over,
}


def shown(name: str) -> str:
    """Return a scene as it is kept: drawn in each room."""
    view, words = SCENES[name](), DrawPokerWords()
    said = []
    for room in ROOMS:
        lines = plain(words.draw(view, room))
        said.append("\n".join([f"=== {room.columns} x {room.rows} ===", *lines, ""]))
    return "\n".join(said)


def main() -> None:
    """Write the drawn tables."""
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for name in SCENES:
        (FOLDER / f"{name}.txt").write_text(shown(name), encoding="utf-8")


if __name__ == "__main__":
    main()
