"""Games of the founding houses to try rules at, beside `draw_poker.scenario`."""

from collections.abc import Iterable
from typing import Final

from pokersvc.cards import parse_cards
from pokersvc.core.event import EVERYONE, Event
from pokersvc.core.state import Entry
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.house.houses import preset
from pokersvc.games.draw_poker.house.rules import DrawPokerRules
from tests.games.draw_poker.committed import hand_dealt

from ..draw_poker.scenario import ACES, KINGS, NOTHING, QUEENS, Scenario, after_earlier_rounds, seated

BUY_THE_POT: Final = preset("buy-the-pot")
CAPPED_RAISE: Final = preset("capped-raise")

HANDS: Final = (ACES, KINGS, QUEENS, NOTHING)


def until(game: Scenario, kind: type[Event]) -> list[Event]:
    """Let the dealer act until an event of a type is next; return the events before it."""
    done: list[Event] = []
    while not isinstance(event := game.dealer(), kind):
        assert event is not None, f"no {kind.__name__} came before a seat had to choose"
        game.given(event)
        done.append(event)
    return done


def with_hands(
    rules: DrawPokerRules,
    *hands: str,
    stacks: Iterable[int] = (),
    carried: int = 0,
    persons: Iterable[int] = (),
    rounds: int | None = None,
) -> Scenario:
    """Round 1 of a house with these hands just dealt; ``stacks`` are those before the round."""
    game = seated(len(hands), persons=persons, rounds=rounds, rules=rules)
    until(after_earlier_rounds(game, stacks, carried), events.HandDealt)
    return game.given(*(hand_dealt(parse_cards(cards), seat) for seat, cards in enumerate(hands, 1)))


def opened_by(game: Scenario, seat: int) -> Scenario:
    """Let the dealer act until the next random opener, which is this seat."""
    until(game, events.OpenerChosen)
    street = getattr(game.dealer(), "betting", 0)
    return game.given(events.OpenerChosen(street, seat))


def award(done: Iterable[Event]) -> events.PotAwarded:
    """Return the one award among events."""
    (found,) = [event for event in done if isinstance(event, events.PotAwarded)]
    return found


def last_entry(game: Scenario) -> Entry:
    """Return the history's line of the round that the last event ended."""
    entry = game.state.entry(game.log[-1], EVERYONE)
    assert entry is not None
    return entry
