"""The events of draw poker. Seats count from 1; amounts are chips; fields are in alphabetical order."""

from dataclasses import dataclass
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import AfterValidator, Field

from pokersvc.cards import Card
from pokersvc.cards.deck import SALT_BYTES
from pokersvc.core import common_events
from pokersvc.core.codec import EventTypes
from pokersvc.core.common_events import Number, Started
from pokersvc.core.event import COMMITTED, Audience, Event
from pokersvc.core.randomness.chance import Seed
from pokersvc.core.seats import check_name
from pokersvc.core.value import Value
from pokersvc.games.draw_poker.cash_events import (
    BombPotAnnounced,
    PurchaseAdmitted,
    PurchaseAsked,
    PurchaseRefused,
    SatInWithBlind,
    SatOutAtBlind,
    SeatFreed,
    ToppedUp,
    WishesSet,
)
from pokersvc.games.draw_poker.house.cash_rules import CashRules, TablePeople
from pokersvc.games.draw_poker.house.cash_table import CashTable
from pokersvc.games.draw_poker.house.entry import TournamentEntry
from pokersvc.games.draw_poker.house.levels import Levels
from pokersvc.games.draw_poker.house.rules import DrawPokerRules
from pokersvc.games.draw_poker.house.stakes import Stakes

Chips: TypeAlias = Annotated[int, Field(ge=0)]
Cards: TypeAlias = tuple[Card, ...]
SeatsCards: TypeAlias = Annotated[Cards | None, Audience.SEAT]
Digests: TypeAlias = Annotated[tuple[Annotated[bytes, Field(min_length=32, max_length=32)], ...], COMMITTED]
Salts: TypeAlias = tuple[Annotated[bytes, Field(min_length=SALT_BYTES, max_length=SALT_BYTES)], ...]
SeatsSalts: TypeAlias = Annotated[Salts | None, Audience.SEAT, COMMITTED]
GameClosed: TypeAlias = common_events.GameClosed
Forfeited: TypeAlias = common_events.Forfeited
"""A bot gave no legal answer: in betting its hand is folded, in the draw it stands pat."""
RoundForgone: TypeAlias = common_events.RoundForgone
"""A seat whose share of the common shuffle is missing is folded, even out of turn, and gets no bet back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameStarted(Started):
    """A game began."""

    cash: CashRules | None = None
    """The rules of a cash game besides those of its house; None if there are none."""
    changeable: bool = False
    """Whether the host may change the stakes between rounds."""
    entry: TournamentEntry | None = None
    """The price of an entry and what each place wins; None if the game is not played for prizes."""
    game: Literal["draw"]
    levels: Levels | None = None
    """The schedule of blinds and antes; None if nobody but the host may change them."""
    people: TablePeople | None = None
    """The persons of a cash game whose table has had games before; None if each person has the seat's number."""
    rounds: Number | None
    rules: DrawPokerRules
    shuffle: Number
    table: CashTable | None = None
    """Stacks, seat numbers and currency; None if they are simply those of the house."""


@dataclass(frozen=True, slots=True)
class RoundStarted(Event):
    """A round began, with its ante; ``button`` is None in houses without one. A dead button may be at an empty seat."""

    ante: Chips
    button: Number | None
    round: Number


@dataclass(frozen=True, slots=True)
class DeckShuffled(Event):
    """The deck was put in the order that follows from the seed."""

    seed: Annotated[Seed | None, Audience.DEALER]


@dataclass(frozen=True, slots=True)
class AntePosted(Event):
    """A seat put its ante into the pot."""

    amount: Chips
    seat: Number


@dataclass(frozen=True, slots=True)
class BlindPosted(Event):
    """A seat put a blind, or all it had, into the pot."""

    amount: Chips
    blind: Literal["small", "big"]
    seat: Number


@dataclass(frozen=True, slots=True)
class Posted(Event):
    """A seat put in an extra blind, dead money or a straddle before the deal, or all it had; see `Post`."""

    amount: Chips
    kind: Literal["extra", "dead", "straddle"]
    seat: Number


@dataclass(frozen=True, slots=True)
class HandDealt(Event):
    """A seat was dealt its hand. Everybody knows the salted digest of each card; only the seat knows the salts."""

    cards: SeatsCards
    count: Number
    digests: Digests
    salts: SeatsSalts
    seat: Number


@dataclass(frozen=True, slots=True)
class OpenerChosen(Event):
    """The seat that opens a betting round (1 or 2) was drawn at random."""

    betting: Number
    seat: Number


@dataclass(frozen=True, slots=True)
class Checked(Event):
    """A seat stayed in without a bet."""

    seat: Number


@dataclass(frozen=True, slots=True)
class Bet(Event):
    """A seat opened the betting."""

    amount: Chips
    seat: Number


@dataclass(frozen=True, slots=True)
class Called(Event):
    """A seat put in what it lacked to match the price, or all it had."""

    amount: Chips
    seat: Number


@dataclass(frozen=True, slots=True)
class Raised(Event):
    """A seat put in ``amount`` and so raised the price to ``to``."""

    amount: Chips
    seat: Number
    to: Chips


@dataclass(frozen=True, slots=True)
class Folded(Event):
    """A seat gave up its hand: it chose to, or (``short``) it could do nothing else."""

    reason: Literal["chosen", "short"]
    seat: Number


@dataclass(frozen=True, slots=True)
class CardsDiscarded(Event):
    """A seat discarded cards, or none."""

    cards: SeatsCards
    count: Chips
    seat: Number


@dataclass(frozen=True, slots=True)
class CardsDrawn(Event):
    """A seat was dealt cards in place of those it discarded, with digests and salts as in `HandDealt`."""

    cards: SeatsCards
    count: Number
    digests: Digests
    salts: SeatsSalts
    seat: Number


@dataclass(frozen=True, slots=True)
class DeckReshuffled(Event):
    """The deck ran out in the draw: ``count`` cards out of play became a new deck, the ``number``-th of the round."""

    count: Number
    number: Number


@dataclass(frozen=True, slots=True)
class OpenHand(Value):
    """A hand that is shown."""

    cards: Cards
    seat: Number


@dataclass(frozen=True, slots=True)
class HandsOpened(Event):
    """All hands still in were shown."""

    hands: tuple[OpenHand, ...]


@dataclass(frozen=True, slots=True)
class HandShown(Event):
    """A seat showed its hand in the showdown."""

    cards: Cards
    seat: Number


@dataclass(frozen=True, slots=True)
class HandMucked(Event):
    """A seat gave up a beaten hand in the showdown without showing it."""

    seat: Number


@dataclass(frozen=True, slots=True)
class UncalledBetReturned(Event):
    """A seat took back the part of a bet that nobody could call."""

    amount: Number
    seat: Number


@dataclass(frozen=True, slots=True)
class RakeTaken(Event):
    """The house took its rake of a pot (1 is the main pot), before the pot is awarded."""

    amount: Number
    pot: Number


@dataclass(frozen=True, slots=True)
class Share(Value):
    """One winner's share of a pot."""

    amount: Chips
    seat: Number


@dataclass(frozen=True, slots=True)
class PotAwarded(Event):
    """A pot (1 is the main pot) was paid to its winners; chips that cannot be divided stay in it."""

    pot: Number
    reason: Literal["showdown", "last_in", "game_end"]
    shares: tuple[Share, ...]


@dataclass(frozen=True, slots=True)
class RemainderCarried(Event):
    """Chips that could not be divided stay in the pot for the next round."""

    amount: Number


@dataclass(frozen=True, slots=True)
class PlayerLeft(Event):
    """A seat left the game: it could not pay (``short``; ``amount`` went into the pot) or a person withdrew."""

    amount: Chips
    reason: Literal["short", "withdrew"]
    seat: Number


@dataclass(frozen=True, slots=True)
class SatDown(Event):
    """A person sat down at an open seat of a cash game, with chips."""

    amount: Number
    name: Annotated[str, AfterValidator(check_name)] | None
    """The new name of the seat, if somebody else sits down there; None if it keeps its name."""
    person: Number | None
    """The number that the table gave the person when they first sat down; None in games of engines 1 to 4."""
    seat: Number


@dataclass(frozen=True, slots=True)
class GotUp(Event):
    """A person got up from a cash game and took all their chips."""

    amount: Chips
    seat: Number


@dataclass(frozen=True, slots=True)
class ChipsBought(Event):
    """A person bought chips in a cash game."""

    amount: Number
    seat: Number


@dataclass(frozen=True, slots=True)
class SatOut(Event):
    """A person stays at the table of a cash game and is not dealt in."""

    seat: Number


@dataclass(frozen=True, slots=True)
class SatIn(Event):
    """A person who sat out of a cash game is dealt in again."""

    seat: Number


@dataclass(frozen=True, slots=True)
class CardsShown(Event):
    """A person showed cards of the last round by their own choice, each with the salt of its digest."""

    cards: Cards
    salts: Salts
    seat: Number


@dataclass(frozen=True, slots=True)
class LevelBegan(Event):
    """Between two rounds, the next level began, because the time of the one before was over."""

    level: Number


@dataclass(frozen=True, slots=True)
class ChipsRacedOff(Event):
    """When a level began, chips below the level's smallest were raced off: seats still in have no such chips."""

    chip: Number
    """The value of the smallest chip from now on."""
    stacks: tuple[Chips, ...]
    """The stacks of all seats after the race."""


@dataclass(frozen=True, slots=True)
class StakesChanged(Event):
    """Between two rounds, the host set the amounts of all rounds to come; nobody's chips changed."""

    by: Number | None
    """The seat of the host who asked; None for a host without a seat."""
    stakes: Stakes


@dataclass(frozen=True, slots=True)
class RoundEnded(Event):
    """A round is over."""

    round: Number


@dataclass(frozen=True, slots=True)
class HandsRevealed(Event):
    """After the game, the dealer showed the hands of a round that had not been shown, as they were last held."""

    hands: tuple[OpenHand, ...]
    round: Number


@dataclass(frozen=True, slots=True)
class Reentered(Event):
    """A person who had lost all chips entered a tournament again, with ``amount`` chips, for a price in units."""

    amount: Number
    price: Number
    seat: Number


@dataclass(frozen=True, slots=True)
class AddOnTaken(Event):
    """A person took the add-on of a tournament: ``amount`` chips, for a price in units."""

    amount: Number
    price: Number
    seat: Number


@dataclass(frozen=True, slots=True)
class PrizesAwarded(Event):
    """A tournament is over: each seat's place, what it paid in all, and its prize. Prizes are units, never chips."""

    places: tuple[Number, ...]
    """The place of each seat; seats that tie share the higher one."""
    prices: tuple[Chips, ...]
    prizes: tuple[Chips, ...]


@dataclass(frozen=True, slots=True)
class GameEnded(Event):
    """The game is over: too few players can continue, or (``rounds``) all rounds are played or the game was closed.

    ``stacks`` has the stacks of all seats.

    The winners have the largest stack among the players who are still seated; in engine 1, among all players.
    """

    reason: Literal["last_player", "rounds"]
    stacks: tuple[Chips, ...]
    winners: tuple[Number, ...]


EVENT_TYPES: Final[EventTypes] = {
    ("GameStarted", 7): GameStarted,
    ("RoundStarted", 1): RoundStarted,
    ("DeckShuffled", 1): DeckShuffled,
    ("AntePosted", 1): AntePosted,
    ("BlindPosted", 1): BlindPosted,
    ("Posted", 1): Posted,
    ("HandDealt", 2): HandDealt,
    ("OpenerChosen", 1): OpenerChosen,
    ("Checked", 1): Checked,
    ("Bet", 1): Bet,
    ("Called", 1): Called,
    ("Raised", 1): Raised,
    ("Folded", 1): Folded,
    ("Forfeited", 1): Forfeited,
    ("RoundForgone", 1): RoundForgone,
    ("CardsDiscarded", 1): CardsDiscarded,
    ("CardsDrawn", 2): CardsDrawn,
    ("DeckReshuffled", 1): DeckReshuffled,
    ("HandsOpened", 1): HandsOpened,
    ("HandShown", 1): HandShown,
    ("HandMucked", 1): HandMucked,
    ("UncalledBetReturned", 1): UncalledBetReturned,
    ("RakeTaken", 1): RakeTaken,
    ("PotAwarded", 1): PotAwarded,
    ("RemainderCarried", 1): RemainderCarried,
    ("PlayerLeft", 1): PlayerLeft,
    ("SatDown", 3): SatDown,
    ("GotUp", 1): GotUp,
    ("ChipsBought", 1): ChipsBought,
    ("SatOut", 1): SatOut,
    ("SatIn", 1): SatIn,
    ("CardsShown", 1): CardsShown,
    ("StakesChanged", 1): StakesChanged,
    ("LevelBegan", 1): LevelBegan,
    ("ChipsRacedOff", 1): ChipsRacedOff,
    ("RoundEnded", 1): RoundEnded,
    ("HandsRevealed", 1): HandsRevealed,
    ("GameClosed", 1): GameClosed,
    ("Reentered", 1): Reentered,
    ("AddOnTaken", 1): AddOnTaken,
    ("PrizesAwarded", 1): PrizesAwarded,
    ("GameEnded", 1): GameEnded,
    ("PurchaseAsked", 1): PurchaseAsked,
    ("PurchaseAdmitted", 1): PurchaseAdmitted,
    ("PurchaseRefused", 1): PurchaseRefused,
    ("WishesSet", 1): WishesSet,
    ("ToppedUp", 1): ToppedUp,
    ("SatOutAtBlind", 1): SatOutAtBlind,
    ("SatInWithBlind", 1): SatInWithBlind,
    ("SeatFreed", 1): SeatFreed,
    ("BombPotAnnounced", 1): BombPotAnnounced,
}
