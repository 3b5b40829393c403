"""The statements of a hand history: what players did, and the results that the file states.

Every statement has the number of its line (from 1, in the file). Amounts are in the smallest unit of the hand's
currency. Cards that the file does not know are None. A statement is what the file says, which need not be true: it is
checked against the rules later.
"""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from pokersvc.cards import Card
from pokersvc.core.value import Value

Cards: TypeAlias = tuple[Card, ...]
PostKind: TypeAlias = Literal["ante", "small", "big", "both", "extra", "dead", "straddle"]
POST_KINDS: Final[tuple[PostKind, ...]] = get_args(PostKind)
"""All kinds of posts, in the order in which they are due; some sites list them in another order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement(Value):
    """Base of the statements."""

    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerStatement(Statement):
    """Base of statements about one player."""

    name: str


# Chips that are put in before the deal.


@dataclass(frozen=True, slots=True, kw_only=True)
class Posted(PlayerStatement):
    """A player put in an ante or a blind; a second ``big`` in a hand is a newcomer's."""

    amount: int
    kind: PostKind
    """``dead``: money nobody must match; ``both``: a big and a dead small blind; ``extra``: a newcomer's live blind."""
    all_in: bool | None = False
    """Whether the player has no chips left after this; None if it is not said. `all_in` below means the same."""


# The cards.


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealt(PlayerStatement):
    """A player was dealt a hand."""

    cards: Cards | None
    count: int = 5
    part: Cards = ()
    """The known cards, if not all are known."""
    called: str | None = None
    """The site's name for the hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Discarded(PlayerStatement):
    """A player discarded cards, or none; ``kept`` has the cards that the player kept, if the file says."""

    cards: Cards | None
    count: int
    part: Cards = ()
    """The known cards, if not all are known."""
    kept: Cards | None = None
    odd: str | None = None
    """The file's number of cards, in words that no site would write, such as ``2 card``; else None."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drew(PlayerStatement):
    """A player was dealt cards for those discarded; ``hand`` is the whole new hand, if the file gives that."""

    cards: Cards | None
    count: int | None
    part: Cards = ()
    """The known cards, if not all are known."""
    hand: Cards | None = None
    kept: Cards | None = None
    called: str | None = None
    """The site's name for the new hand."""
    odd: str | None = None
    """The file's number of cards, in words that no site would write; else None."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PotSoFar(Statement):
    """The pots when the draw begins, as the file states them, without uncalled bets."""

    amount: int
    pots: tuple[int, ...] = ()
    """The main pot and the side pots, if the file lists them separately."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reshuffled(Statement):
    """The deck ran out, and cards out of play were shuffled into a new one."""


# The betting.


@dataclass(frozen=True, slots=True, kw_only=True)
class Folded(PlayerStatement):
    """A player gave up the hand."""

    cards: Cards | None = None
    """The cards that the player showed, as some do when they fold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked(PlayerStatement):
    """A player stayed in without a bet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Called(PlayerStatement):
    """A player put in ``amount`` more, to match a bet."""

    amount: int
    all_in: bool | None = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Bet(PlayerStatement):
    """A player opened the betting."""

    amount: int
    all_in: bool | None = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Raised(PlayerStatement):
    """A player raised ``to`` a total in this betting round; ``by`` is the step over the bet, if the file states it."""

    to: int
    by: int | None = None
    adds: int | None = None
    """The chips that the player put in now, if the file states that (OnGame)."""
    all_in: bool | None = False


# How it ended.


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned(PlayerStatement):
    """A player took back the uncalled part of a bet."""

    amount: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Showed(PlayerStatement):
    """A player showed a hand; ``called`` is the site's name for it, such as ``a pair of Kings``."""

    cards: Cards
    called: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mucked(PlayerStatement):
    """A player gave up the hand at the showdown without showing it; the site may still state the cards."""

    cards: Cards | None = None
    called: str | None = None
    """The site's name for the hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotShown(PlayerStatement):
    """The last player left in did not show the hand, or showed only a part of it."""

    part: Cards = ()
    """The cards that were shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Won(PlayerStatement):
    """A player was paid from a pot, after rake; ``pot`` counts from 0, the main pot, and is None if not stated."""

    amount: int
    pot: int | None = None
    uncalled_too: bool = False
    """Whether the amount includes an uncalled bet that the site does not mention."""
    called: str | None = None
    """The site's name for the winning hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedPot(Statement):
    """The size of one pot as the file states it, before rake; ``pot`` counts from 0, the main pot."""

    pot: int
    amount: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals(Statement):
    """The totals that the file states for all pots; None for those that it does not state."""

    pot: int | None = None
    """All pots together, without uncalled bets."""
    rake: int | None = None
    pots: tuple[int, ...] = ()
    """The main pot and the side pots, as the site counts them (net of rake or not)."""
    rakes: tuple[int, ...] = ()
    """The rake from each pot, beginning with the main pot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summed(PlayerStatement):
    """The facts that a summary states about one player; None for those that it does not state."""

    number: int | None = None
    """The seat number in the summary."""
    won: int | None = None
    """The chips that the pots paid the player, after rake."""
    net: int | None = None
    """The change of the player's stack in the hand."""
    stack: int | None = None
    """The stack after the hand."""
    cards: Cards | None = None
    called: str | None = None
    """The site's name for the hand."""
    outcome: (
        Literal["folded_before_draw", "folded_after_draw", "collected", "showed", "lost", "mucked", "sat_out"] | None
    ) = None
    """``showed`` means showed and won; ``lost`` means showed and lost."""
    did_not_bet: bool | None = False
    """Whether the site says that the player put in nothing but an ante; None if it does not say."""
    position: tuple[Literal["button", "small", "big"], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Cancelled(Statement):
    """The hand was cancelled, and everybody got their chips back."""


# Players who come and go.


@dataclass(frozen=True, slots=True, kw_only=True)
class Away(PlayerStatement):
    """A player sits out, left, joined or came back while the hand was on; it changes nothing in the hand."""

    what: Literal["sits_out", "left", "joined", "back"]
