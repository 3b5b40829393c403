"""Finds the players who are dealt in, and the seat after which the action begins."""

from typing import NamedTuple

from pokersvc.betting.blinds import seat_with_button
from pokersvc.games.draw_poker.house.cash_table import MOST_NUMBER
from pokersvc.histories.following.conventions import CONVENTIONS
from pokersvc.histories.following.finding import Contradicted, Contradiction, say_amount
from pokersvc.histories.hand import HandHistory, HistoryPlayer
from pokersvc.histories.statements import Posted
from pokersvc.text import counted


class DealtIn(NamedTuple):
    """The players who are dealt in, with seats from 1; in lists indexed by seat, the element 0 is unused."""

    players: tuple[HistoryPlayer, ...]
    """The players who are dealt in, ordered by seat number."""
    seats: dict[str, int]
    """Name → seat."""
    button: int
    """The button's seat, after which the action begins; if nobody is dealt in there, the last seat before it."""

    def name(self, seat: int) -> str:
        """Return the name of the player at a seat."""
        return self.players[seat - 1].name

    @property
    def live(self) -> int:
        """The set of all seats, as bits."""
        return (2 << len(self.players)) - 2


def dealt_in(hand: HandHistory) -> DealtIn:
    """Return the players who are dealt in, in order; raise `Contradicted` if the seating is impossible."""
    players = sorted(hand.dealt_in(), key=lambda player: player.number)
    if len(players) < 2:
        who = players[0].name if players else "nobody"
        raise Contradicted(Contradiction(hand.first_line, f"that {who} is dealt in", "that two or more are"))
    if hand.size is not None and len(hand.players) > hand.size:
        player = sorted(hand.players, key=lambda player: player.line)[max(hand.size, 0)]
        size = counted(hand.size, "seat")
        raise Contradicted(Contradiction(player.line, f"that {player.name} sits at the table", f"that it has {size}"))
    if hand.size is not None and CONVENTIONS[hand.dialect].numbered:
        for player in hand.players:
            if player.number > hand.size:
                said = f"that {player.name} has seat {player.number}"
                raise Contradicted(Contradiction(player.line, said, f"a table with {counted(hand.size, 'seat')}"))
    first = 1 if CONVENTIONS[hand.dialect].from_one else 0
    numbers = f"a seat from {first} to {MOST_NUMBER}"
    if hand.button is not None and not first <= hand.button <= MOST_NUMBER:
        raise Contradicted(Contradiction(hand.first_line, f"the button at seat {hand.button}", numbers))
    for player in hand.players:
        if not first <= player.number <= MOST_NUMBER:
            raise Contradicted(Contradiction(player.line, f"that {player.name} has seat {player.number}", numbers))
    for player in players:
        if player.stack <= 0:
            found = say_amount(player.stack, hand.currency)
            raise Contradicted(Contradiction(player.line, f"that {player.name} has {found}", "chips to be dealt in"))
    seats = {player.name: seat for seat, player in enumerate(players, 1)}
    return DealtIn(tuple(players), seats, _button(hand, seats, players))


def _button(hand: HandHistory, seats: dict[str, int], players: list[HistoryPlayer]) -> int:
    """Return the button's seat; if that is empty, the last taken seat before; if unknown, the seat the blinds imply."""
    if hand.button is None:
        posted = (one for one in hand.told if isinstance(one, Posted) and one.kind == "small")
        small = next((seats.get(one.name, 1) for one in posted), 1)
        return small if len(players) == 2 else small - 1 or len(players)
    return seat_with_button([player.number for player in players], hand.button)
