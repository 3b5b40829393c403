"""The terms of betting: named parameters that each game derives from its own rules and its engine number.

Nothing here is stored. The same terms always mean the same: anything that a later engine does differently is a
parameter.
"""

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias

from pokersvc.betting.cash_seats import NO_CASH_TERMS, CashTerms

Raises: TypeAlias = Literal["none", "double", "no_limit", "pot_limit", "fixed_limit"]
PostKind: TypeAlias = Literal["small", "big", "extra", "dead", "straddle"]
"""The kinds of posts, which are chips put in before the deal.

A ``small`` or a ``big`` blind; an ``extra`` blind, which is live but not a raise; ``dead`` money, which does not count
towards the price; or a ``straddle``, a blind raise whose seat acts last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StreetTerms:
    """The terms of betting on one street: who begins, and the sizes and the number of bets."""

    least: int
    """The minimum opening bet, and the unit of a fixed limit."""
    bets: bool = True
    """Whether anybody may bet on this street at all."""
    may_check: bool = True
    """Whether a seat that faces no bet may check."""
    most_bets: int | None = None
    """The maximum number of bets and raises (with ``raises = "fixed_limit"``); None for no limit."""
    opener_said: bool = False
    """Whether the game chooses the seat that begins, by chance or by cards (see `turns.start_betting`).

    Otherwise the first seat after the button begins or, where posts open the betting, the first after the last
    blind."""
    posts_open: bool = False
    """Whether the posts made before the deal set the price to stay in with which the street's betting begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RakeTerms:
    """The house's rake: a share of a pot, rounded, up to a cap."""

    caps: tuple[int, ...] = ()
    """The caps for two players dealt in, for three and so on; the last cap also applies to more. Empty for no cap."""
    rounding: Literal["down", "nearest", "up"] = "down"
    share: int
    """The share of the pot in basis points (hundredths of a percent)."""
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
    """The raises that are allowed; with ``double``, a raise must double the price that a seat must pay to stay in."""
    all_in: bool = False
    """Whether players can be all in, with side pots; if not, a player with less than the price must fold."""
    cap: int | None = None
    """The highest price of a betting round (``raises = "double"``)."""
    check_ends: bool = False
    """Whether the opener's check ends the betting round."""
    fold_free: bool = False
    """Whether a seat that faces no bet may fold."""
    maximum: int | None = None
    """The maximum opening bet; None if the only limits are the stack and ``raises``."""
    uncapped: Literal["never", "two_dealt_in", "two_left"] = "never"
    """When two players may raise any number of times, despite `StreetTerms.most_bets`.

    Either if only two were dealt in, or if only two can still bet as the betting round begins."""
    price_settles: bool = True
    """Whether, after a big blind posted short, the price falls to the most that was put in if fewer than 2 can bet."""

    small_blind: int = 0
    big_blind: int = 0
    """The amount of the big blind; 0 if there are no blinds."""
    straddle: int = 0
    """The amount of the straddle, which is posted if three or more players are dealt in; 0 for no straddle.

    If straddles are by choice (`CashTerms.straddle_by_choice`), only players who wish to straddle post it."""
    dead_button: bool = False
    """Whether the big blind moves to the next player each round, so that the button may be at an empty seat.

    If not, the button moves to the next player."""
    big_blind_alternates: bool = True
    """Whether nobody has the big blind twice in a row when only two players are left."""
    waits_after_heads_up: bool = True
    """Whether a third player owing a blind waits, after heads-up play, while the button would be at a blind's seat."""

    rake: RakeTerms | None = None
    at_cash: CashTerms = NO_CASH_TERMS
    """The terms of a cash game for purchases, absence and return."""
    buy_up_to: int = 0
    """The maximum stack up to which a player can buy chips."""
    cash: bool = False
    """Whether people may sit down, get up and buy chips between rounds."""
    keeps_seats: bool = False
    """Whether a player with too few chips keeps the seat, and is dealt in again after buying more."""
    only_who_can_pay: bool = True
    """Whether seats that sit out or cannot pay for another round are not dealt in; if False, all seats are."""
    people_come_to_programs: bool = True
    """Whether a person may sit down while only bots play on."""
    pauses_for_all: bool = False
    """Whether people may leave between rounds even before players who cannot go on are out of the game."""
    winners_sit: bool = True
    """Whether only players who are still seated can win the game."""
    stay: int = 1
    """The minimum stack to stay in the game."""
    ante: int = 0
    """The ante of the first round of these terms, if a seat must be able to pay it to stay in; else 0."""
    ante_increase: int = 0
    """The increase of ``ante`` from each round to the next."""

    currency: str = ""
    """The currency code of the chips, such as ``USD``; empty for plain chips."""
    exponent: int = 0
    """The number of decimal places of the currency's smallest unit."""


class PostDue(NamedTuple):
    """A post that is due before the deal; a seat with fewer chips posts all it has."""

    amount: int
    kind: PostKind
    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstRound:
    """What an imported record states about the first round of a game; None for facts that follow from the terms."""

    button: int | None = None
    """The seat with the button."""
    posts: tuple[PostDue, ...] | None = None
    """The posts, in order."""
    rake: tuple[int, ...] | None = None
    """The rake of each pot, the main pot first; later pots without a stated rake paid nothing."""


NOTHING_STATED: Final = FirstRound()
