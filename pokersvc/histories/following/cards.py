"""Collects the known cards of each player in a fold over the statements, and refuses impossible ones."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from pokersvc.cards import Card
from pokersvc.histories import statements
from pokersvc.histories.following.finding import Contradicted, Contradiction
from pokersvc.histories.statements import Cards
from pokersvc.text import counted

HAND: Final = 5


class Place(NamedTuple):
    """The last mention of a card: its player, its line, and whether the player still held it."""

    name: str
    line: int
    held: bool
    deck: int
    """The number of reshuffles before that line."""


@dataclass(slots=True)
class Holding:
    """The known cards of one player; None where nothing is known."""

    dealt: Cards | None = None
    hand: Cards | None = None
    """The cards that the player holds now."""
    gone: Cards | None = None
    count: int = 0
    """The number of cards discarded."""
    served: int = 0
    """The number of cards dealt in exchange for the discarded ones, as far as the text states it."""
    drawn: Cards | None = None
    kept: Cards | None = None
    """The cards kept from a hand that is not known."""
    deck: int = 0
    """The number of reshuffles before the player was last dealt cards."""
    part: Cards = ()
    """The known cards of a deal that is only partly known, without the cards discarded since."""
    unseen: int = 0
    """The number of discarded cards that were not stated; some may be from `part`."""
    part_drawn: Cards = ()
    """The known cards of a partly known draw."""
    shown: Cards | None = None
    """The hand at the end, wherever the text shows it."""


@dataclass(slots=True)
class KnownCards:
    """The cards of a hand, statement by statement; an impossible card raises `Contradicted`."""

    holdings: dict[str, Holding] = field(default_factory=dict)
    places: dict[Card, Place] = field(default_factory=dict)
    deck: int = 0
    """The number of reshuffles so far."""
    waiting: str | None = None
    """The player who was dealt fewer cards than were discarded, because the deck ran out."""

    def of(self, name: str) -> Holding:
        """Return the known cards of a player."""
        holding = self.holdings.get(name)
        if holding is None:
            holding = self.holdings[name] = Holding()
        return holding

    def take(self, one: statements.Statement) -> None:
        """Update the known cards by a statement."""
        taking = _TAKES.get(one.__class__)
        if self.waiting is not None and not isinstance(one, statements.Drew | statements.Reshuffled):
            self._served(one.line)
        if taking is not None:
            taking(self, one)

    def _reshuffle(self, _one: statements.Reshuffled) -> None:
        self.deck += 1

    def _showed(self, one: statements.Showed) -> None:
        self._told_hand(one, one.cards, "shows")

    def _mucked(self, one: statements.Mucked) -> None:
        if one.cards:
            self._told_hand(one, one.cards, "mucks")

    def _summed(self, one: statements.Summed) -> None:
        if one.cards:
            self._told_hand(one, one.cards, "held")

    def _dealt(self, one: statements.Dealt) -> None:
        if one.count != HAND or (one.cards is not None and len(one.cards) != HAND):
            count = one.count if one.cards is None else len(one.cards)
            _refuse(one.line, f"that {one.name} is dealt {counted(count, 'card')}", f"{counted(HAND, 'card')}")
        holding = self.of(one.name)
        if holding.hand is not None and one.cards is not None:
            _refuse(one.line, f"that {one.name} is dealt a hand", f"that {one.name} has one")
        if one.cards is not None:
            self._hold(one.line, one.name, one.cards)
            holding.dealt = holding.hand = one.cards
        elif one.part:
            self._hold(one.line, one.name, one.part)
            holding.part = one.part

    def _discarded(self, one: statements.Discarded) -> None:
        holding = self.of(one.name)
        hand = holding.hand
        if one.cards is not None and len(one.cards) != one.count:
            _refuse(one.line, f"{one.count} of {_said(one.cards)}", f"{counted(len(one.cards), 'card')}")
        for cards, what in ((one.cards, "discards"), (one.part or None, "discards"), (one.kept, "keeps")):
            self._check_held(one.line, one.name, hand, cards, what)
        self._part_of(one, holding)
        kept = one.kept
        if hand is not None and one.cards is not None:
            kept = tuple(card for card in hand if card not in one.cards)
        elif hand is not None and kept is not None:
            holding.gone = tuple(card for card in hand if card not in kept)
        if kept is not None and len(kept) != HAND - one.count:
            _refuse(one.line, f"that {one.name} keeps {_said(kept)}", f"{counted(HAND - one.count, 'card')}")
        holding.count, holding.deck = one.count, self.deck
        holding.gone = one.cards if one.cards is not None else holding.gone
        if not one.count:
            if hand is None and kept is not None:
                self._hold(one.line, one.name, kept)
                holding.hand = kept
            return
        for card in holding.gone or ():
            self.places[card] = Place(one.name, one.line, held=False, deck=self.deck)
        holding.kept, holding.hand = kept, None

    def _part_of(self, one: statements.Discarded, holding: Holding) -> None:
        """Discard from a partly known hand; raise `Contradicted` if known and discarded cards exceed its size."""
        thrown = one.cards or one.part
        left = tuple([card for card in holding.part if card not in thrown])
        if holding.part and len({*holding.part, *thrown}) > HAND:
            says = f"that {one.name} discards {_said(thrown)}"
            _refuse(one.line, says, f"that {one.name} was dealt {_said(holding.part)} too")
        holding.part, holding.unseen = left, one.count - len(thrown)
        for card in (*one.part, *(left if holding.unseen else ())):  # unreported discards may be cards that are known
            self.places[card] = Place(one.name, one.line, held=False, deck=self.deck)

    def _served(self, line: int) -> None:
        """Raise `Contradicted` if a player still lacks cards when another statement follows."""
        if self.waiting is not None:
            holding = self.of(self.waiting)
            missing = counted(holding.count - holding.served, "card")
            _refuse(line, "something else", f"that {self.waiting} is dealt {missing} more")

    def _drew(self, one: statements.Drew) -> None:
        holding = self.of(one.name)
        holding.deck = self.deck
        if self.waiting not in (None, one.name):
            self._served(one.line)
        count = one.count if one.count is not None else len(one.cards) if one.cards is not None else None
        if count is not None:
            left = holding.count - holding.served
            if count > left:
                expected = f"{counted(left, 'card')}, as many as were discarded"
                _refuse(one.line, f"that {one.name} is dealt {counted(count, 'card')}", expected)
            holding.served += count
            self.waiting = one.name if count < left else None
        if one.kept is not None and holding.kept is not None and set(one.kept) != set(holding.kept):
            _refuse(one.line, f"that {one.name} keeps {_said(one.kept)}", f"{_said(holding.kept)}")
        kept = one.kept if holding.kept is None else holding.kept
        hand, cards = one.hand, one.cards
        if one.part:
            self._hold(one.line, one.name, one.part)
            holding.part_drawn = (*holding.part_drawn, *one.part)
        if cards is not None and holding.drawn:
            cards = (*holding.drawn, *cards)
        if hand is None and kept is not None and cards is not None and len(kept) + len(cards) == HAND:
            hand = (*kept, *cards)
        if hand is None:
            if cards is not None:
                self._hold(one.line, one.name, cards)
                holding.drawn = cards
            return
        if len(hand) != HAND:
            _refuse(one.line, f"that {one.name} has {_said(hand)}", f"{counted(HAND, 'card')}")
        if kept is not None and not set(kept) <= set(hand):
            _refuse(one.line, f"that {one.name} has {_said(hand)}", f"that {_said(kept)} were kept")
        if holding.dealt is not None and holding.gone is None:
            holding.gone = tuple([card for card in holding.dealt if card not in hand])
            if len(holding.gone) != holding.count:
                changed = counted(len(holding.gone), "card")
                _refuse(
                    one.line, f"a hand of {one.name} with {changed} changed", f"that {holding.count} were discarded"
                )
        self._hold(one.line, one.name, hand)
        holding.hand = hand
        if kept is not None:
            holding.drawn = tuple(card for card in hand if card not in kept)
        elif cards is not None:
            holding.drawn = cards

    def _not_shown(self, one: statements.NotShown) -> None:
        if one.part:
            self._shown_in_part(one, one.part, "shows")

    def _shown_in_part(self, one: statements.PlayerStatement, cards: Cards, does: str) -> None:
        """Take cards, some or all of a hand, that a player shows voluntarily."""
        holding = self.of(one.name)
        if len(cards) > HAND:
            _refuse(one.line, f"that {one.name} {does} {_said(cards)}", f"{counted(HAND, 'card')} at most")
        self._check_held(one.line, one.name, holding.hand, cards, does)
        if holding.hand is None:
            self._hold(one.line, one.name, cards)

    def _give_up(self, one: statements.Folded) -> None:
        holding = self.of(one.name)
        if one.cards:
            self._shown_in_part(one, one.cards, "folds")
        for card in (*(holding.hand or (*holding.part, *holding.part_drawn)), *(one.cards or ())):
            self.places[card] = Place(one.name, one.line, held=False, deck=self.deck)

    def _told_hand(self, one: statements.PlayerStatement, cards: Cards, what: str) -> None:
        if len(cards) != HAND:
            _refuse(one.line, f"that {one.name} {what} {_said(cards)}", f"{counted(HAND, 'card')}")
        holding = self.of(one.name)
        known = holding.shown or holding.hand
        if known is not None:
            if set(known) != set(cards):
                _refuse(one.line, f"that {one.name} {what} {_said(cards)}", f"that {one.name} has {_said(known)}")
        else:
            known_parts = ((holding.kept, "kept"), (holding.drawn, "was dealt"), (holding.part_drawn, "was dealt"))
            for part, said in known_parts:
                if part is not None and not set(part) <= set(cards):
                    _refuse(one.line, f"that {one.name} {what} {_said(cards)}", f"that {one.name} {said} {_said(part)}")
            missing = [card for card in holding.part if card not in cards]
            if len(missing) > holding.unseen:
                says = f"that {one.name} {what} {_said(cards)}"
                _refuse(one.line, says, f"that {one.name} kept {_said(missing)}")
            if holding.dealt is not None and holding.gone is None:
                changed = sum(card not in cards for card in holding.dealt)
                if changed != holding.count:
                    says = f"a hand of {one.name} with {counted(changed, 'card')} changed"
                    _refuse(one.line, says, f"that {holding.count} were discarded")
            self._hold(one.line, one.name, cards)
        holding.shown = cards

    def _check_held(self, line: int, name: str, hand: Cards | None, cards: Cards | None, what: str) -> None:
        if cards is None:
            return
        if len(set(cards)) != len(cards):
            _refuse(line, f"that {name} {what} {_said(cards)}", "that all cards differ")
        if hand is not None and not set(cards) <= set(hand):
            _refuse(line, f"that {name} {what} {_said(cards)}", f"that {name} has {_said(hand)}")
        if hand is None:
            for card in cards:
                self._free(line, name, card)

    def _hold(self, line: int, name: str, cards: Cards) -> None:
        if len(set(cards)) != len(cards):
            _refuse(line, f"that {name} has {_said(cards)}", "that all cards differ")
        here = Place(name, line, held=True, deck=self.deck)
        for card in cards:
            if card in self.places:
                self._free(line, name, card)
            self.places[card] = here

    def _free(self, line: int, name: str, card: Card) -> None:
        """Raise `Contradicted` if a player cannot get a card: it is elsewhere, and no reshuffle has freed it."""
        place = self.places.get(card)
        if place is None or (place.name == name and (place.held or card in self.of(name).part)):
            return
        if place.name == name or place.held or self.of(name).deck <= place.deck:
            had = "has" if place.held else "had"
            _refuse(line, f"that {name} has {card}", f"that {place.name} {had} it (line {place.line})")


_TAKES: Final[Mapping[type[statements.Statement], Callable[..., None]]] = {
    statements.Dealt: KnownCards._dealt,
    statements.Discarded: KnownCards._discarded,
    statements.Drew: KnownCards._drew,
    statements.Reshuffled: KnownCards._reshuffle,
    statements.Folded: KnownCards._give_up,
    statements.Showed: KnownCards._showed,
    statements.Mucked: KnownCards._mucked,
    statements.NotShown: KnownCards._not_shown,
    statements.Summed: KnownCards._summed,
}


def oddly_counted(one: statements.Discarded | statements.Drew) -> Iterator[Contradiction]:
    """Yield a finding for a number of cards that is worded as no site words it."""
    if one.odd is not None:
        yield Contradiction(one.line, one.odd, counted(one.count or 0, "card"), "the site writes")


def _refuse(line: int, says: str, implied: str) -> None:
    raise Contradicted(Contradiction(line, says, implied))


def _said(cards: Iterable[Card]) -> str:
    return " ".join(map(str, cards)) or "no card"
