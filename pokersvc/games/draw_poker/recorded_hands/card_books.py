"""The place of every known card in a hand that was dealt elsewhere, from its events alone, to find contradictions.

A card is in one place. Two seats can have the same card only through a reshuffle: one gave it up before, and the other
draws it afterwards. Nobody is ever dealt their own discard.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Final

from pokersvc.betting.seats import has, seats_in
from pokersvc.cards import Card, strength
from pokersvc.cards.unknown import all_known, known_among
from pokersvc.core.books import Mismatch
from pokersvc.core.event import Event
from pokersvc.games.draw_poker import events
from pokersvc.games.draw_poker.house.betting_terms import HAND
from pokersvc.games.draw_poker.recorded_hands.recorded_events import (
    CardsLearned,
    HandQuoted,
    RecordedCardsDiscarded,
    RecordedCardsDrawn,
    RecordedHandDealt,
)
from pokersvc.games.draw_poker.recorded_hands.recorded_inputs import RecordedInputs
from pokersvc.games.draw_poker.situation import Situation
from pokersvc.streets.state import Cards, hidden
from pokersvc.text import counted


@dataclass(slots=True)
class _Place:
    """The cards that have been at one seat, known or not."""

    name: str
    dealt: Cards = ()
    discarded: Cards = ()
    drawn: list[Cards] = field(default_factory=list)
    """The cards drawn from each deck of the round, from the first deck on."""
    last: tuple[Card, ...] = ()
    """The hand as it was shown or made known at the end."""
    out: int | None = None
    """The number of the deck in use when the seat folded; None if it has not."""
    gave_up: int | None = None
    """The number of the deck in use when the seat discarded; None if it has not."""

    been: frozenset[Card] = frozenset()
    """All cards that are known to have been at the seat, found by the last call of `note`."""

    def note(self) -> str | None:
        """Update `been`; return a correction, as text, if one seat cannot have had all these cards; None if it can."""
        self.been = dealt = _known_of(self.dealt)
        if not (self.discarded or self.drawn or self.last):
            return None  # nothing was discarded or drawn: the hand is as it was dealt
        gone, last = _known_of(self.discarded), _known_of(self.last)
        drew = known_among(chain(*self.drawn)) if self.drawn else ()
        self.been = dealt.union(gone, last, drew)
        unknown_dealt = len(self.dealt) - len(dealt) - len(gone - dealt)
        if unknown_dealt < 0 or len(gone) < len(known_among(self.discarded)):
            return f"discards that were dealt to {self.name}"
        if drew and (len(set(drew)) < len(drew) or not (dealt | gone).isdisjoint(drew)):
            return f"cards that {self.name} did not have already"
        if not last:
            return None
        kept = len(self.dealt) - len(self.discarded)
        kept_unknown = kept - len(last & dealt)
        if not last.isdisjoint(gone) or not last.issuperset(drew) or not 0 <= kept_unknown <= unknown_dealt:
            return f"a hand that {self.name} can have held"
        return None

    def may_have_drawn(self, card: Card, deck: int) -> bool:
        """Return whether the seat may have drawn one of its cards from the given deck or a later one."""
        if card in known_among(chain(self.dealt, self.discarded, *self.drawn[:deck])):
            return False
        return any(card in cards or len(known_among(cards)) < len(cards) for cards in self.drawn[deck:])

    def may_have_given_up(self, card: Card, deck: int) -> bool:
        """Return whether the seat may have given up one of its cards before the given deck was made."""
        if self.out is not None and self.out < deck:
            return True
        if self.gave_up is None or self.gave_up >= deck or card in self.last:
            return False
        return card in self.discarded or not all_known(self.discarded)


class CardBooks:
    """The cards of a hand by seat; lists by seat have an unused place 0."""

    def __init__(self, started: events.GameStarted) -> None:
        self._places = [_Place("the deck"), *(_Place(seat.name) for seat in started.seats)]
        self._known: set[Card] = set()
        """The cards that are known to have been at a seat."""
        self._in_several: set[Card] = set()
        """The cards that are known to have been at more than one seat."""
        self._mucked: set[int] = set()
        self._deck = 0
        self._findings = 0
        """The number of findings in the files of the hand: lines that contradict others."""
        self._recorded = RecordedInputs.of(len(started.seats))
        self._hands: Sequence[Cards] = ()
        """The current hands."""
        self._stated_rake = started.table is not None and any(started.table.rake or ())

    def take(self, event: Event, state: Situation) -> Iterable[Mismatch]:
        """Note an event that was applied; return the contradictions between its cards and earlier events."""
        assert state.recorded is not None
        self._recorded, self._hands = state.recorded, state.hands
        taking = _TAKES.get(event.__class__)
        return () if taking is None else taking(self, event, state)

    def _quoted(self, event: HandQuoted, _state: Situation) -> Iterable[Mismatch]:
        self._findings += len(event.findings)
        return ()

    def _dealt(self, event: RecordedHandDealt, _state: Situation) -> Iterable[Mismatch]:
        self._places[event.seat].dealt = event.cards or hidden(HAND)
        return self._wrong(event.seat)

    def _discarded(self, event: RecordedCardsDiscarded, _state: Situation) -> Iterable[Mismatch]:
        place = self._places[event.seat]
        place.discarded, place.gave_up = event.cards or hidden(event.count), self._deck
        return self._wrong(event.seat)

    def _drew(self, event: RecordedCardsDrawn, _state: Situation) -> Iterable[Mismatch]:
        self._draw(event.seat, event.cards or hidden(event.count))
        return self._wrong(event.seat)

    def _reshuffled(self, _event: events.DeckReshuffled, _state: Situation) -> Iterable[Mismatch]:
        self._deck += 1
        return ()

    def _folded(self, event: events.Folded, _state: Situation) -> Iterable[Mismatch]:
        self._places[event.seat].out = self._deck
        return ()

    def _shown(self, event: events.HandShown, _state: Situation) -> Iterable[Mismatch]:
        self._places[event.seat].last = event.cards
        return self._wrong(event.seat)

    def _revealed(self, event: events.HandsRevealed, _state: Situation) -> Iterable[Mismatch]:
        found: list[Mismatch] = []
        for hand in event.hands:
            self._places[hand.seat].last = hand.cards
            found += self._wrong(hand.seat)
        return [*found, *self._wrong_awards()]

    def _gave_up(self, event: events.HandMucked, _state: Situation) -> Iterable[Mismatch]:
        self._mucked.add(event.seat)
        return ()

    def _ended(self, _event: events.RoundEnded, state: Situation) -> Iterable[Mismatch]:
        return self._wrong_recording(state)

    def _learned(self, event: CardsLearned, state: Situation) -> Iterable[Mismatch]:
        found = [*self._wrong_lengths(event), *self._other_cards(event)]
        self._learn(event, state)
        return [*found, *self._wrong(event.seat), *self._wrong_awards()]

    def _draw(self, seat: int, cards: Cards) -> None:
        drawn = self._places[seat].drawn
        drawn += [()] * (self._deck + 1 - len(drawn))
        drawn[self._deck] += cards

    def _learn(self, event: CardsLearned, state: Situation) -> None:
        place, seat = self._places[event.seat], event.seat
        place.dealt, place.discarded = self._recorded.dealt[seat], state.discarded[seat]
        drawn = iter(self._recorded.drawn[seat])
        place.drawn = [tuple([next(drawn) for _ in cards]) for cards in place.drawn]
        if event.held and all_known(event.held):
            place.last = event.held

    def _wrong_lengths(self, event: CardsLearned) -> Iterator[Mismatch]:
        place = self._places[event.seat]
        drawn = sum(map(len, place.drawn))
        parts = (("dealt", event.dealt, HAND), ("discarded", event.discarded, len(place.discarded)))
        for what, cards, count in (*parts, ("drawn", event.drawn, drawn), ("held", event.held, HAND)):
            if cards and len(cards) != count:
                yield Mismatch(f"{counted(len(cards), 'card')} {what}", f"{count}, or none where none is known")

    def _other_cards(self, event: CardsLearned) -> Iterator[Mismatch]:
        """Yield a mismatch for cards that became known after the hand's end and differ from those known before."""
        place = self._places[event.seat]
        held: Cards = place.last
        parts = (
            ("dealt to", place.dealt, event.dealt),
            ("discarded by", place.discarded, event.discarded),
            ("drawn by", tuple(chain(*place.drawn)), event.drawn),
            ("held by", held, event.held),
        )
        for what, known, learned in parts:
            both = _known_of(known) | _known_of(learned or ())
            if known and learned and len(both) > len(known):
                yield Mismatch(*(f"{' '.join(map(str, cards))} {what} {place.name}" for cards in (learned, known)))

    def _wrong(self, seat: int) -> list[Mismatch]:
        place = self._places[seat]
        found: list[Mismatch] = []
        before = place.been
        if (right := place.note()) is not None:
            found.append(Mismatch(f"cards that {place.name} cannot have had", right))
        here = place.been
        new = here - before
        self._in_several |= new & self._known
        self._known |= new
        for other in self._places if not here.isdisjoint(self._in_several) else ():
            if other is not place and not here.isdisjoint(other.been):
                found += [
                    Mismatch(f"{card} with {place.name}", f"another card, as {other.name} had {card}")
                    for card in sorted(here & other.been)
                    if not (self._passed_on(card, other, place) or self._passed_on(card, place, other))
                ]
        return found

    def _passed_on(self, card: Card, one: _Place, another: _Place) -> bool:
        """Return whether a card may have come from one seat to another because the deck was reshuffled."""
        return any(
            one.may_have_given_up(card, deck) and another.may_have_drawn(card, deck)
            for deck in range(1, self._deck + 1)
        )

    def _wrong_recording(self, state: Situation) -> Iterator[Mismatch]:
        """Yield, once a round is over, mismatches between the round and its record of cards, mucks, pots and rake."""
        if (deal := self._recorded.deal) is None:
            return
        if list(deal.mucked) != sorted(self._mucked.intersection(deal.mucked)):
            yield Mismatch(f"mucks of the seats {_listed(deal.mucked)}", f"mucks of {_listed(self._mucked)} only")
        paid = {award.pot: award.shares for _, award in self._recorded.awarded}
        for award in deal.awards:
            if paid.get(award.pot) != award.shares:
                yield Mismatch(f"an award of pot {award.pot} that was recorded", "the one that the hands decide")
        if len({award.pot for award in deal.awards}) < len(deal.awards):
            yield Mismatch("a pot that was recorded twice", "one award of a pot")
        stated = state.table.rake if state.table is not None else None
        if stated is not None and sum(stated) != state.raked:
            yield Mismatch(f"a rake of {sum(stated)} that was stated", f"{state.raked}, which the pots had for it")
        seats = [cards.seat for cards in deal.cards or ()]
        dealt_in = [seat for seat, place in enumerate(self._places) if place.dealt]
        if seats != sorted(set(seats).intersection(dealt_in)):
            yield Mismatch(f"cards of the seats {_listed(seats)}", f"cards of {_listed(dealt_in)}, which were dealt in")
        for cards in deal.cards or ():
            if len(cards.drawn) not in (0, sum(map(len, self._places[cards.seat].drawn))):
                yield Mismatch(f"{counted(len(cards.drawn), 'card')} drawn", "one for each discard, or none")

    def _wrong_awards(self) -> Iterator[Mismatch]:
        """Yield a mismatch for each pot that was not paid to the seats with the best of the hands known now."""
        for eligible, award in self._recorded.awarded:
            known = {seat: strength(hand) for seat in seats_in(eligible) if all_known(hand := self._hands[seat])}
            paid = {share.seat for share in award.shares}
            if award.reason != "showdown" or not paid <= set(known):
                continue
            best = {seat for seat, worth in known.items() if worth == max(known.values())}
            if best != paid:
                said, right = (" and ".join(self._places[seat].name for seat in sorted(some)) for some in (paid, best))
                yield Mismatch(f"pot {award.pot} paid to {said}", f"one paid to {right}, whose hand wins it")

    @property
    def unchecked(self) -> dict[str, int]:
        """Kind → the number of things that could not be checked: cards are unknown, or an amount is only stated."""
        places = self._places[1:]
        counts = {
            "unknown hand": sum(bool(place.dealt) and not all_known(place.dealt) for place in places),
            "unknown discard": sum(not all_known(place.discarded) for place in places),
            "unknown draw": sum(not all_known(chain(*place.drawn)) for place in places),
            "recorded showdown": sum(_is_taken(self._hands, *one) for one in self._recorded.awarded),
            "stated rake": int(self._stated_rake),
            "wrong line": self._findings,
        }
        return {kind: count for kind, count in counts.items() if count}


_TAKES: Final[Mapping[type[Event], Callable[..., Iterable[Mismatch]]]] = {
    HandQuoted: CardBooks._quoted,
    RecordedHandDealt: CardBooks._dealt,
    RecordedCardsDiscarded: CardBooks._discarded,
    RecordedCardsDrawn: CardBooks._drew,
    events.DeckReshuffled: CardBooks._reshuffled,
    events.Folded: CardBooks._folded,
    events.HandShown: CardBooks._shown,
    events.HandsRevealed: CardBooks._revealed,
    events.HandMucked: CardBooks._gave_up,
    events.RoundEnded: CardBooks._ended,
    CardsLearned: CardBooks._learned,
}


def _known_of(cards: Cards) -> frozenset[Card]:
    return frozenset(known_among(cards))


def _is_taken(hands: Sequence[Cards], eligible: int, award: events.PotAwarded) -> bool:
    """Return whether a pot's payment was taken from the record unchecked, because a paid seat's hand is unknown."""
    paid = [share.seat for share in award.shares if has(eligible, share.seat)]
    return award.reason == "showdown" and not all(all_known(hands[seat]) for seat in paid)


def _listed(seats: Iterable[int]) -> str:
    return ", ".join(map(str, sorted(seats))) or "none"
