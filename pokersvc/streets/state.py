"""The state of a game of streets besides chips: hands, board, deck, and the phase of the round.

The functions at the end return the next cards of the deck, and the cards of a new deck once it is used up.

Seats count from 1; lists by seat have an unused place 0. Cards that are hidden from this copy of a game are None.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple, TypeAlias

from pokersvc.betting.seats import has, seats_in
from pokersvc.betting.state import BettingState
from pokersvc.betting.terms import NOTHING_STATED, FirstRound, StreetTerms, Terms
from pokersvc.cards import FRESH_DECK, Card, shuffle
from pokersvc.cards.deck import salts_of
from pokersvc.cards.unknown import AnyCard, known_among
from pokersvc.core.seats import Seat
from pokersvc.core.state import WithheldSecrets
from pokersvc.errors import InvalidValue
from pokersvc.streets.phases import BETWEEN, SERVE
from pokersvc.streets.street import CardTerms, Deal, Street
from pokersvc.text import counted

SALTS_AT_ONCE: Final = 16
"""How many salts of cards are made at a time: two players are seldom dealt more."""
Cards: TypeAlias = tuple[AnyCard | None, ...]
"""Cards, some of which may be hidden from this copy of the game (None), or unknown if `CardTerms.partly_known`."""


class Unsure(NamedTuple):
    """A seat's draw, if this copy of the game knows the cards before it and how many were discarded, but not which."""

    dealt: Cards
    discarded: int

    def fits(self, held: Iterable[AnyCard | None], cards: tuple[Card, ...]) -> bool:
        """Return whether a seat can hold ``cards``, given what this copy knows of its hand (``held``).

        The kept cards come first, in the order in which they were dealt. If a reshuffle splits the draw in two, a copy
        may know one part only: in the place of each hidden card, any other card is possible.
        """
        drawn = {card for card in held if card is not None}
        kept = len(self.dealt) - self.discarded
        hidden = len(cards) - len(drawn) - kept
        dealt = iter(self.dealt)
        return (
            drawn.issubset(cards)
            and len(set(cards) - drawn.union(self.dealt)) <= hidden
            # One iterator: each search continues where the last one ended.
            and all(card in dealt for card in cards[:kept])
        )


class Commitment(NamedTuple):
    """Cards to which the dealer is committed, dealt to one seat, and how many of them the seat still holds."""

    digests: tuple[bytes, ...]
    held: int
    """The number of these cards that the seat still holds; a copy may not know which."""
    cards: Cards
    """The cards that this copy of the game knows."""
    salts: tuple[bytes, ...]
    """The salts of the cards that this copy of the game knows."""


class StreetsState(BettingState):
    """The streets' part of a game's state. Only the functions of this package, and the game's own, change it."""

    __slots__ = (
        "betting_round", "board", "cached_deck", "cached_salts", "card_terms", "committed", "deals", "deck_cards",
        "deck_label", "deck_left", "deck_seed", "discarded", "hand_size", "hands", "need", "phase", "put_away",
        "reshuffles", "reused", "settled", "showed", "shown", "street", "streets", "unserved", "unsure", "up",
    )  # fmt: skip

    def __init__(
        self,
        streets: tuple[Street, ...],
        card_terms: CardTerms,
        terms: Terms,
        seats: tuple[Seat, ...],
        stacks: list[int],
        *,
        persons: int = 0,
        out: int = 0,
        rounds: int | None = None,
        stated: FirstRound = NOTHING_STATED,
    ) -> None:
        """Set up the state before the first round; raise `InvalidValue` if ``streets`` fail `check_streets`."""
        check_streets(streets, len(seats))
        self.streets = streets
        self.card_terms = card_terms
        self.phase = BETWEEN
        super().__init__(terms, streets[0], seats, stacks, persons=persons, out=out, rounds=rounds, stated=stated)
        self.clear_cards()

    def __eq__(self, other: object) -> bool:
        """Return whether all attributes of streets and betting are equal; a subclass also compares its own."""
        if not isinstance(other, StreetsState):
            return NotImplemented
        own = (name for name in StreetsState.__slots__ if not name.startswith("cached_"))
        return BettingState.__eq__(self, other) and all(getattr(self, name) == getattr(other, name) for name in own)

    __hash__ = None

    def clear_round(self, street: StreetTerms) -> None:
        """Reset everything about the round, but not the stacks, the pot and the seats."""
        super().clear_round(street)
        self.clear_cards()

    def clear_cards(self) -> None:
        """Reset everything about cards."""
        places = len(self.stacks)
        self.street = 0
        """The number of the street that the round has reached; 0 before the deal."""
        self.betting_round = 0
        """The number of the street whose betting began last; 0 before the first."""
        self.hands: list[Cards] = [()] * places
        """All cards of each seat, face down and up, in the order dealt; cards kept in a draw come first."""
        self.up: list[Cards] = [()] * places
        """The cards of each seat that are face up."""
        self.board: tuple[Card, ...] = ()
        self.hand_size = 0
        """The number of cards that a hand has after the deals so far."""
        self.deals: tuple[Deal, ...] = ()
        """The deals still to come on this street, the current one first."""
        self.discarded: list[Cards] = [()] * places
        """The cards that each seat discarded in the last draw."""
        self.put_away: Cards = ()
        """The cards that were discarded in earlier draws and have not been dealt again."""
        self.unsure: dict[int, Unsure] = {}
        """Seat → its draw, if this copy of the game knows the deck but not which cards the seat discarded."""
        self.reused = 0
        """Seats whose folded hand or discards were shuffled into a new deck."""
        self.shown = self.settled = 0
        """Seats whose hands are shown, and seats that have shown or mucked in the showdown."""
        self.committed: dict[int, tuple[Commitment, ...]] = {}
        """Seat → the digests of the cards that it was dealt, in games whose dealer commits to each card."""
        self.showed: dict[int, dict[bytes, Card]] = {}
        """Seat → the cards that it showed by its own choice after the round, each by its digest."""
        self.need = self.reshuffles = 0
        self.unserved = 0
        """Seats that have discarded and wait for replacements, if all seats discard first (`DrawTerms.together`)."""
        self.deck_seed: bytes | None = None
        self.deck_label = "deck"
        self.deck_cards: Cards = FRESH_DECK
        self.deck_left = len(FRESH_DECK)
        self.cached_deck: tuple[Card, ...] | None = None
        self.cached_salts: tuple[bytes, ...] = ()

    def clear_seat(self, seat: int) -> None:
        """Reset the last round's cards of a seat where somebody else sits down."""
        self.hands[seat] = self.up[seat] = self.discarded[seat] = ()
        self.shown &= ~(1 << seat)

    def dealt_in(self) -> int:
        """Return how many seats were dealt a hand in this round."""
        return len(self.hands) - self.hands.count(())


# The streets


def check_streets(streets: tuple[Street, ...], players: int) -> None:
    """Raise `InvalidValue` with the reason if a list of streets cannot be played."""
    dealt, up, draws = 0, False, False
    for street in streets:
        draws = draws or street.draw is not None
        for cards, where in street.deals:
            dealt += cards if where == "board" else cards * players
            up = up or where == "up"
        if street.opens_hands and street is not streets[-1]:
            raise InvalidValue("Hands can be opened before the betting on the last street alone.")
    if dealt > len(FRESH_DECK):
        raise InvalidValue(
            f"{counted(players, 'player')} cannot play: the deck has {counted(len(FRESH_DECK), 'card')}, and"
            f" {counted(dealt, 'card')} are dealt."
        )
    if up and draws:
        raise InvalidValue("A game that deals cards face up can have no draw.")


# The deck


def next_cards(state: StreetsState, count: int) -> tuple[Card, ...]:
    """Return the next cards of the deck in the order given by its seed; raise `WithheldSecrets` without the seed."""
    deck = state.cached_deck
    if deck is None:
        if state.deck_seed is None:
            raise WithheldSecrets
        cards = FRESH_DECK if state.deck_cards is FRESH_DECK else known(state.deck_cards)
        deck = state.cached_deck = shuffle(cards, state.deck_seed, state.deck_label)
    at = len(deck) - state.deck_left
    return deck[at : at + count]


def next_salts(state: StreetsState, count: int) -> tuple[bytes, ...]:
    """Return the salts of the next cards of the deck; raise `WithheldSecrets` without the deck's seed."""
    first = len(state.deck_cards) - state.deck_left
    end = first + count
    if len(state.cached_salts) < end:
        if state.deck_seed is None:
            raise WithheldSecrets
        most = (end // SALTS_AT_ONCE + 1) * SALTS_AT_ONCE  # most of a deck is never dealt
        state.cached_salts = salts_of(state.deck_seed, state.deck_label, most)
    return state.cached_salts[first:end]


def known(cards: Cards) -> tuple[Card, ...]:
    """Return the cards unchanged; raise `WithheldSecrets` if one of them is hidden."""
    if not all(cards):  # a card is never falsy
        raise WithheldSecrets
    return cards  # type: ignore[return-value]  # a call of `cast` would take as long as the rest


def hidden(count: int) -> tuple[None, ...]:
    """Return ``count`` cards that are hidden from this copy of the game."""
    return (None,) * count


def repeats(cards: Cards) -> bool:
    """Return whether a known card occurs twice; hidden and unknown cards may occur several times."""
    known = known_among(cards)
    return len(set(known)) != len(known)


def out_of_play_seats(state: StreetsState) -> int:
    """Return the seats whose folded hands or discards would go into a new deck, made for the seat that draws now."""
    found = 0
    for seat in range(1, len(state.hands)):
        if state.discarded[seat] or (state.hands[seat] and not has(state.live, seat)):
            found |= 1 << seat
    if state.phase is SERVE and state.card_terms.reshuffle == "others":
        found &= ~(1 << state.cursor)  # without what the served seat has just discarded
    return found & ~state.reused


def out_of_play(state: StreetsState) -> Cards:
    """Return the cards that would make up a new deck, lowest first; None for each hidden card."""
    cards = list(state.put_away)
    for seat in seats_in(out_of_play_seats(state)):
        cards += state.discarded[seat] or state.hands[seat]
    return tuple(sorted(cards, key=lambda card: -1 if card is None else card.number))
