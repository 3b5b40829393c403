"""What a hand history tells, statement by statement: what somebody did, and what the file says came of it.

Every statement has the number of its line (from 1, in the file). Amounts are in the smallest unit of the hand's
currency. Cards that the file does not know are None. A statement is what the file says, not what is true: the rules are
asked later.
"""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from pokersvc.cards import Card
from pokersvc.core.value import Value

Cards: TypeAlias = tuple[Card, ...]
PostKind: TypeAlias = Literal["ante", "small", "big", "both", "extra", "dead", "straddle"]
POST_KINDS: Final[tuple[PostKind, ...]] = get_args(PostKind)
"""In the order in which they are due; some sites tell them in another one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told(Value):
    """Base of the statements."""

    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Of(Told):
    """Base of statements about one player."""

    name: str


# What is put in before the deal.


@dataclass(frozen=True, slots=True, kw_only=True)
class Posted(Of):
    """A player put in an ante or a blind; ``big`` twice means that a newcomer posted too."""

    amount: int
    kind: PostKind
    """``dead`` is dead money alone, ``both`` a live big and a dead small blind, ``extra`` a newcomer's live blind."""
    all_in: bool | None = False
    """Here and below: None where the file says neither that it is the last chip nor that it is not."""


# The cards.


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealt(Of):
    """A player was dealt a hand."""

    cards: Cards | None
    count: int = 5
    part: Cards = ()
    """Where not all cards are known, those that are."""
    called: str | None = None
    """What the site calls the hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Discarded(Of):
    """A player discarded cards, or none; ``kept`` is what a player is said to hold on to, where it is said."""

    cards: Cards | None
    count: int
    part: Cards = ()
    """Where not all cards are known, those that are."""
    kept: Cards | None = None
    odd: str | None = None
    """How many they are in words that no site writes, such as ``2 card``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drew(Of):
    """A player was dealt cards for those discarded; ``hand`` is the whole new hand, where that is what is said."""

    cards: Cards | None
    count: int | None
    part: Cards = ()
    """Where not all cards are known, those that are."""
    hand: Cards | None = None
    kept: Cards | None = None
    called: str | None = None
    """What the site calls the new hand."""
    odd: str | None = None
    """As in `Discarded`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PotSoFar(Told):
    """What the file says is in the pots when the draw begins, without what nobody called."""

    amount: int
    pots: tuple[int, ...] = ()
    """The main pot and the side pots, where it tells them apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reshuffled(Told):
    """The deck ran out, and cards out of play were shuffled to a new one."""


# The betting.


@dataclass(frozen=True, slots=True, kw_only=True)
class Folded(Of):
    """A player gave up the hand."""

    cards: Cards | None = None
    """What the player showed of it, which some do as they fold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked(Of):
    """A player stayed in without a bet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Called(Of):
    """A player put in ``amount`` more, to match a bet."""

    amount: int
    all_in: bool | None = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Bet(Of):
    """A player opened the betting."""

    amount: int
    all_in: bool | None = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Raised(Of):
    """A player raised ``to`` a total in this betting round; ``by`` is the step over the bet, where it is said too."""

    to: int
    by: int | None = None
    adds: int | None = None
    """What the player put in now, where that is what is said (OnGame)."""
    all_in: bool | None = False


# How it ended.


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned(Of):
    """A player took back what nobody called."""

    amount: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Showed(Of):
    """A player showed a hand; ``called`` is what the site calls it, such as ``a pair of Kings``."""

    cards: Cards
    called: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mucked(Of):
    """A called player gave up the hand without showing it; the site may tell its cards all the same."""

    cards: Cards | None = None
    called: str | None = None
    """What the site calls the hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotShown(Of):
    """The last player in did not show the hand, or a part of it."""

    part: Cards = ()
    """What was shown of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Won(Of):
    """A player was paid from a pot, after rake; ``pot`` counts from 0, the main pot; None where it is not said."""

    amount: int
    pot: int | None = None
    uncalled_too: bool = False
    """Whether the amount includes what nobody called, which the site does not say."""
    called: str | None = None
    """What the site calls the hand that won."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PotTold(Told):
    """What the file says one pot holds, before rake; ``pot`` counts from 0, the main pot."""

    pot: int
    amount: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals(Told):
    """What the file says of all pots; None where it does not say."""

    pot: int | None = None
    """All pots together, without what nobody called."""
    rake: int | None = None
    pots: tuple[int, ...] = ()
    """The main pot and the side pots, as the site counts them (net of rake or not)."""
    rakes: tuple[int, ...] = ()
    """What the house took of each pot, from the main pot on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summed(Of):
    """What a summary says of one player; None where it does not say."""

    number: int | None = None
    """The number of the seat, as the summary has it."""
    won: int | None = None
    """What pots paid the player, after rake."""
    net: int | None = None
    """What the player has more than before the hand."""
    stack: int | None = None
    """The stack after the hand."""
    cards: Cards | None = None
    called: str | None = None
    """What the site calls the hand."""
    outcome: (
        Literal["folded_before_draw", "folded_after_draw", "collected", "showed", "lost", "mucked", "sat_out"] | None
    ) = None
    """``showed`` and won, or showed and ``lost``."""
    did_not_bet: bool | None = False
    """Whether the site says that the player put in nothing but an ante; None where it says nothing of it."""
    position: tuple[Literal["button", "small", "big"], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Cancelled(Told):
    """The hand was cancelled, and everybody has what they had before."""


# Who comes and goes.


@dataclass(frozen=True, slots=True, kw_only=True)
class Away(Of):
    """A player sits out, left, joined or came back while the hand was on; it changes nothing in the hand."""

    what: Literal["sits_out", "left", "joined", "back"]
