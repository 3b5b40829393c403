"""The terms of betting: named parameters that each game derives from its own rules and its engine number.

Nothing here is stored. The same terms always mean the same: whatever a later engine does differently is a parameter.
"""

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias

Raises: TypeAlias = Literal["none", "double", "no_limit", "pot_limit", "fixed_limit"]
PostKind: TypeAlias = Literal["small", "big", "extra", "dead", "straddle"]
"""A ``small`` or a ``big`` blind; an ``extra`` blind, which is live but no raise; ``dead`` money, which does not count
towards the price; or a ``straddle``, a blind raise whose seat acts last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StreetTerms:
    """The part of a street that betting needs: who begins, and the sizes and number of bets."""

    least: int
    """The minimum opening bet, and the unit of a fixed limit."""
    may_check: bool = True
    """Whether a seat that faces no bet may check."""
    most_bets: int | None = None
    """The maximum number of bets and raises (with ``raises = "fixed_limit"``); None for no limit."""
    opener_said: bool = False
    """Whether the game says who begins, such as by chance or by cards: see `turns.start_betting`. Otherwise the first
    seat after the button begins, or the first after the last blind where posts open the betting."""
    posts_open: bool = False
    """Whether the posts made before the deal set the opening price of the street."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RakeTerms:
    """The house's rake: a share of a pot, rounded, up to a cap."""

    caps: tuple[int, ...] = ()
    """The cap with two players dealt in, with three, and so on; the last also applies to more. Empty for no cap."""
    rounding: Literal["down", "nearest", "up"] = "down"
    share: int
    """In basis points (hundredths of a percent)."""
    unit: int = 1
    """The share is rounded to a multiple of this."""

    def of(self, pot: int, players: int) -> int:
        """Return the rake of a pot; ``players`` is the number of players dealt in.

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
    """The terms of betting throughout a game; amounts are chips."""

    raises: Raises = "none"
    """Whether and how a bet may be raised: ``double`` to twice the price."""
    all_in: bool = False
    """Whether a player with less than the price stays in with all they have, which makes side pots; else they fold."""
    cap: int | None = None
    """The highest price of a betting round (``raises = "double"``)."""
    check_ends: bool = False
    """Whether the opener's check ends the betting round."""
    fold_free: bool = False
    """Whether a seat that faces no bet may fold."""
    maximum: int | None = None
    """The maximum opening bet; None if only the stack, or the limit of ``raises``, bounds it."""
    uncapped: Literal["never", "two_dealt_in", "two_left"] = "never"
    """When two players may raise without end despite `StreetTerms.most_bets`: if only two were dealt in, or if only two
    can still bet as the betting round begins."""
    price_settles: bool = True
    """Whether, after a short big blind, the price drops to the most that is in once fewer than two can bet."""

    small_blind: int = 0
    big_blind: int = 0
    """0 where there are no blinds."""
    straddle: int = 0
    """A blind raise after the big blind, where three or more are dealt in; 0 for none."""
    dead_button: bool = False
    """Whether the big blind moves to the next player each round, so that the button may come to an empty seat; else the
    button moves to the next player."""
    big_blind_alternates: bool = True
    """Whether, when two are left, nobody has the big blind twice in a row."""
    waits_after_heads_up: bool = True
    """Whether a player who owes a blind waits if, with three dealt in, the button would be on a blind."""

    rake: RakeTerms | None = None
    buy_up_to: int = 0
    """The stack up to which the house sells chips."""
    cash: bool = False
    """Whether people sit down, get up and buy chips between rounds."""
    keeps_seats: bool = False
    """Whether a player with too few chips keeps the seat, and is dealt in again after buying more."""
    only_who_can_pay: bool = True
    """Whether only seats that can pay for another round and do not sit out are dealt in; otherwise all seated ones."""
    people_come_to_programs: bool = True
    """Whether a person may sit down while only bots play on."""
    pauses_for_all: bool = False
    """Whether a person may leave even before the players who cannot go on are out."""
    winners_sit: bool = True
    """Whether only players who are still seated can win the game."""
    stay: int = 1
    """The minimum stack to stay in the game."""
    ante: int = 0
    """The ante of the first round, if a seat needs all of it to be dealt in; 0 if a short seat posts what it has."""
    ante_increase: int = 0
    """The increase of this ante from each round to the next."""

    currency: str = ""
    """The currency code of the chips, such as ``USD``; empty for plain chips."""
    exponent: int = 0
    """The number of decimal places of the currency's smallest unit."""


class PostDue(NamedTuple):
    """A post before the deal; a seat with less puts in all it has."""

    amount: int
    kind: PostKind
    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstRound:
    """Facts that a record states about the first round of a game; None where they follow from the terms."""

    button: int | None = None
    """The seat with the button."""
    posts: tuple[PostDue, ...] | None = None
    """The posts, in order."""
    rake: tuple[int, ...] | None = None
    """The rake of each pot, from the main pot on; pots beyond the last one stated paid nothing."""


NOTHING_STATED: Final = FirstRound()
