"""How people bet in a game: named parameters, which each game derives from its own rules, and from its engine number.

Nothing here is stored. The same terms always mean the same: what a later engine does otherwise is a parameter.
"""

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias

Raises: TypeAlias = Literal["none", "double", "no_limit", "pot_limit", "fixed_limit"]
PostKind: TypeAlias = Literal["small", "big", "extra", "dead", "straddle"]
"""A blind; an ``extra`` blind, which is live and no raise; ``dead`` money, which is no part of a seat's price; a
``straddle``, a blind raise whose seat acts last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StreetTerms:
    """What betting sees of a street: who begins, and the sizes and number of bets."""

    least: int
    """The least opening bet, and the unit of a fixed limit."""
    may_check: bool = True
    """Whether a seat that faces no bet may check."""
    most_bets: int | None = None
    """The most bets and raises (``raises = "fixed_limit"``); None for any number."""
    opener_said: bool = False
    """Whether the game says who begins, such as by chance or by cards: see `turns.start_betting`. Else it is the first
    seat after the button, or after the last blind where posts open the betting."""
    posts_open: bool = False
    """Whether what was posted before the deal stands as the price with which the street opens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RakeTerms:
    """What the house keeps of a pot: a share, rounded, at most a cap."""

    caps: tuple[int, ...] = ()
    """The most it takes with two players dealt in, with three and so on; the last holds for more. Empty for no cap."""
    rounding: Literal["down", "nearest", "up"] = "down"
    share: int
    """Hundredths of a percent."""
    unit: int = 1
    """It takes a multiple of this."""

    def of(self, pot: int, players: int) -> int:
        """Return what is taken of a pot for which so many players were dealt in.

        >>> RakeTerms(share=500, caps=(1, 3)).of(47, players=4), RakeTerms(share=500, rounding="up").of(47, players=4)
        (2, 3)
        """
        whole = 10_000 * self.unit
        added = {"down": 0, "nearest": whole // 2, "up": whole - 1}[self.rounding]
        taken = (pot * self.share + added) // whole * self.unit
        cap = self.caps[min(players - 2, len(self.caps) - 1)] if self.caps else pot
        return min(taken, cap, pot)


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """How people bet in a game, from its start to its end; amounts are chips."""

    raises: Raises = "none"
    """Whether and how a bet may be raised: ``double`` to twice the price."""
    all_in: bool = False
    """Whether who has less than the price stays in with all they have, which makes side pots; else they fold."""
    cap: int | None = None
    """The highest price of a betting round (``raises = "double"``)."""
    check_ends: bool = False
    """Whether the opener's check ends the betting round."""
    fold_free: bool = False
    """Whether a seat that faces no bet may fold."""
    maximum: int | None = None
    """The most to open with; None where the stack, or the limit of ``raises``, is the most."""
    uncapped: Literal["never", "two_dealt_in", "two_left"] = "never"
    """When two may raise without end in spite of the most bets of a street: where no more were dealt in, or where no
    more can still bet as the betting round begins."""
    price_settles: bool = True
    """Whether a short big blind is priced at what is in, once fewer than two can bet."""

    small_blind: int = 0
    big_blind: int = 0
    """0 where there are no blinds."""
    straddle: int = 0
    """A blind raise after the big blind, where three or more are dealt in; 0 for none."""
    dead_button: bool = False
    """Whether the big blind moves by one seat each round, so that the button may come to an empty one; else the button
    moves forward to the next player."""
    big_blind_alternates: bool = True
    """Whether, when two are left, nobody has the big blind twice in a row."""
    waits_after_heads_up: bool = True
    """Whether who owes a blind waits where the button would be a blind of a round of three."""

    rake: RakeTerms | None = None
    buy_up_to: int = 0
    """The stack up to which the house sells chips."""
    cash: bool = False
    """Whether people sit down, get up and buy chips between rounds."""
    keeps_seats: bool = False
    """Whether who has too few chips keeps the seat, and is dealt in again after buying some."""
    only_who_can_pay: bool = True
    """Whether a seat is dealt in only with chips for another round, and not where it sits out; else all who sit are."""
    people_come_to_programs: bool = True
    """Whether somebody may sit down where programs alone play on."""
    pauses_for_all: bool = False
    """Whether a person may leave even before those who cannot go on are out."""
    winners_sit: bool = True
    """Whether only who still sits can win the game."""
    stay: int = 1
    """The least stack with which a seat stays in the game."""
    ante: int = 0
    """The ante of the first round, where a seat needs the whole of it to be dealt in; 0 where it posts what it has."""
    ante_increase: int = 0
    """How much more that is in each round than in the one before."""

    currency: str = ""
    """The code of what chips are worth, such as ``USD``; empty for chips."""
    exponent: int = 0
    """How many digits the smallest unit of the currency has after the point."""


class PostDue(NamedTuple):
    """What a seat puts in before the deal, or all it has if that is less."""

    amount: int
    kind: PostKind
    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstRound:
    """What a record states of the first round of a game; None where it follows from the terms."""

    button: int | None = None
    """The seat."""
    posts: tuple[PostDue, ...] | None = None
    """What is posted, in this order."""
    rake: tuple[int, ...] | None = None
    """What the house took of each pot, from the main pot on; pots that are not stated paid nothing."""


NOTHING_STATED: Final = FirstRound()
