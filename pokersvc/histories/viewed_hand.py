"""Rebuilds an imported hand for a viewer: its text is read again, with only the cards that the viewer may know."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from pokersvc.betting.seats import has
from pokersvc.core.event import AUDITOR, EVERYONE, Event, Viewer
from pokersvc.eventlog.log import EventLog
from pokersvc.games.draw_poker.events import HandShown
from pokersvc.games.draw_poker.recorded_hands.recorded import Recording
from pokersvc.games.draw_poker.recorded_hands.recorded_events import CardsLearned, HandQuoted
from pokersvc.histories.dialects import DIALECTS
from pokersvc.histories.hand import HandHistory
from pokersvc.histories.learning import cards_known
from pokersvc.histories.merging import CardsOf, completed
from pokersvc.histories.statements import Dealt, Discarded, Drew, Mucked, Statement, Summed
from pokersvc.histories.writers.cannot_be_written import CannotBeWritten
from pokersvc.service.service import Service

_DIALECTS: Final = {dialect.name: dialect for dialect in DIALECTS}


def imported_hand(log: EventLog, game_id: str, viewer: Viewer = EVERYONE) -> HandHistory | None:
    """Return the hand that a game was imported from, as a viewer may know it; None for a game that was played here.

    It is read from the viewer's own file or, if there is none, from the first; the cards of other files are added.
    Raise `CannotBeWritten` for a hand that was kept with findings.
    """
    kept = Service(log).with_secrets.kept(game_id)
    quotes = [event for event in kept if isinstance(event, HandQuoted)]
    if not quotes:
        return None
    quote = next((one for one in quotes if one.hero == viewer), quotes[0])
    if quote.findings:
        raise CannotBeWritten("A hand history", "it has findings", f"hand {quote.number} of {quote.site}")
    assert quote.text is not None
    dialect = _DIALECTS[quote.dialect]
    (block,) = dialect.blocks(quote.text.splitlines(keepends=True))
    hand = dialect.read(block)
    if hand.number != quote.number:  # a hand without a number keeps the one given at import
        hand = replace(hand, number=quote.number)
    state = Recording.of(kept).state
    hand = completed(hand, {state.names[one.seat]: CardsOf(held=one.cards) for one in _shown(kept)})
    if viewer == AUDITOR:
        return _with_a_hero(completed(hand, _known(kept, state.names)), quotes, state.names)
    own = state.names[viewer] if isinstance(viewer, int) else None
    shown = {state.names[seat] for seat in range(1, len(state.names)) if has(state.shown, seat)}
    known = _known(kept, state.names)
    seen = {name: cards if name == own else CardsOf(held=cards.held) for name, cards in known.items()}
    hand = completed(hand, {name: cards for name, cards in seen.items() if name == own or name in shown})
    return replace(
        hand,
        hero=hand.hero if hand.hero == own else None,
        told=tuple([told if getattr(told, "name", None) == own else _hidden(told, shown) for told in hand.told]),
    )


def _shown(kept: Sequence[Event]) -> Iterator[HandShown]:
    """Yield the events that show a hand; the file may lack a line for the hand, which follows from deal and draw."""
    return (event for event in kept if isinstance(event, HandShown))


def _known(kept: Sequence[Event], names: Sequence[str]) -> dict[str, CardsOf]:
    """Return the known cards of each player for whom a later file added cards.

    Deal, discards and draw are included only from the player's own file, or from a file without a hero. Cards that only
    follow from a hand shown at the end of another player's file, such as the deal of a player who stood pat, are left
    out.
    """
    _, *later = [event.hero for event in kept if isinstance(event, HandQuoted)]
    known: dict[str, CardsOf] = {}
    for seat in sorted({event.seat for event in kept if isinstance(event, CardsLearned)}):
        cards = CardsOf.known(*cards_known(kept, seat))
        known[names[seat]] = cards if seat in later or None in later else CardsOf(held=cards.held)
    return known


def _with_a_hero(hand: HandHistory, quotes: Sequence[HandQuoted], names: Sequence[str]) -> HandHistory:
    """Return the hand; if its own file has no hero, with the hero of another file."""
    dealt = {one.name for one in hand.told if isinstance(one, Dealt) and one.cards is not None}
    heroes = (names[one.hero] for one in quotes if one.hero is not None)
    return hand if hand.hero is not None else replace(hand, hero=next((one for one in heroes if one in dealt), None))


def _hidden(told: Statement, shown: set[str]) -> Statement:
    """Return a statement without the cards that only its player saw."""
    match told:
        case Dealt():
            return replace(told, cards=None)
        case Discarded() if told.count:
            return replace(told, cards=None, kept=None)
        case Discarded():
            return replace(told, kept=None)
        case Drew():
            return replace(told, cards=None, hand=None, kept=None)
        case Mucked() | Summed() if told.name not in shown:
            return replace(told, cards=None)
        case _:
            return told
