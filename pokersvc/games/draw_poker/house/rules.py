"""The rules of a house as data: one model for every house of draw poker.

Fields are in alphabetical order, so that the rules inside ``GameStarted`` are written as canonical JSON.
"""

from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

MAX_CHIPS: Final = 1_000_000_000
MOST_SEATS: Final = 10
"""The maximum number of seats at a table of any house."""
Chips = Annotated[int, Field(ge=0, le=MAX_CHIPS)]
Bet = Annotated[int, Field(ge=1, le=MAX_CHIPS)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


class Ante(_Part):
    """The payment of each player to be dealt into a round."""

    amount: Chips
    """The ante of the first round."""
    increase: Chips = 0
    """The increase of the ante in each later round."""
    short: Literal["sit_out", "surrender", "post"] = "sit_out"
    """A player who cannot pay is out with their chips, is out and leaves them in the pot, or posts what they have."""
    when: Literal["before_deal", "after_deal"] = "before_deal"


class Betting(_Part):
    """The rules of a betting round."""

    cap: Bet | None = None
    """The highest price of a betting round (``raises = "double"``)."""
    check: Literal["always", "final"] = "always"
    """Whether a player facing no bet may check in both betting rounds, or in the final one only."""
    check_ends: bool = False
    """Whether the opener's check ends the betting round."""
    final_minimum: Bet | None = None
    """The minimum bet of the final betting, if it differs (the larger unit of a fixed limit)."""
    fold_free: bool = False
    """Whether a player facing no bet may fold."""
    maximum: Bet | None = None
    """The maximum opening bet; without it, the stack (or the limit that ``raises`` names)."""
    minimum: Bet
    """The minimum opening bet; the unit of a fixed limit."""
    most_bets: Annotated[int, Field(ge=1)] | None = None
    """The maximum number of bets and raises in a betting round (``raises = "fixed_limit"``)."""
    opener: Literal["first", "random", "button"] = "first"
    """The seat that opens: the first still in, one drawn at random, or the first left of the button."""
    raises: Literal["none", "double", "no_limit", "pot_limit", "fixed_limit"] = "none"
    """Whether and how a bet may be raised."""
    short: Literal["fold", "all_in"] = "fold"
    """Whether a player who cannot match a bet folds, or goes all in, which makes side pots."""
    uncapped: Literal["never", "two_dealt_in", "two_left"] = "never"
    """When two may raise without end despite ``most_bets``: never, if only two were dealt in, or if only two are left.
    Two are left if only two players can still bet when the betting round begins."""


class Blinds(_Part):
    """Forced bets left of the button."""

    big: Bet
    small: Bet
    straddle: Chips = 0
    """A blind raise by the next player after the big blind, who then acts last before the draw; 0 for none.
    It is posted if three or more are dealt in; a player who owes a blind posts that instead."""


class Rake(_Part):
    """The part of a called pot that the house keeps: a share, rounded, at most a cap; the main pot pays first."""

    caps: Annotated[tuple[Chips, ...], Field(strict=False)] = ()
    """The cap with two players dealt in, with three, and so on; the last also applies to more. Empty for no cap."""
    no_draw_no_rake: bool = True
    """Whether a hand that ends before the draw pays nothing."""
    rounding: Literal["down", "nearest", "up"] = "down"
    """How the share is rounded to whole units; ``nearest`` rounds half a unit up."""
    share: Annotated[int, Field(ge=0, le=10_000)]
    """The share in basis points (hundredths of a percent)."""
    unit: Bet = 1
    """The rake is rounded to a multiple of this unit."""


class SeatCount(_Part):
    """The number of players: by default, and at most."""

    default: Annotated[int, Field(ge=2, le=MOST_SEATS)]
    most: Annotated[int, Field(ge=2, le=MOST_SEATS)] = MOST_SEATS


class DrawPokerRules(_Part):
    """All settings in which houses of five-card draw differ from each other."""

    advice: Literal["linear", "code", "rank", "win"]
    """The objective that an advisor of this house maximises."""
    ante: Ante
    betting: Betting
    blinds: Blinds | None = None
    """The blinds, if any; a house with blinds has a button that moves."""
    button_rule: Literal["forward", "dead"] = "forward"
    """How the button moves: to the next player in the game, or so that the big blind moves to the next player."""
    discards: Annotated[int, Field(ge=0, le=5)]
    """The maximum number of cards that a player may discard."""
    draw: Literal["in_turn", "together"] = "in_turn"
    """Whether each player discards and is dealt new cards in turn, or all discard and then all are dealt new cards."""
    history: Literal["all", "shown"] = "shown"
    """The hands that the history shows after the game: all hands of all rounds, or only those that were shown."""
    muck_all_in: bool = False
    """Whether a beaten hand may be mucked even if a player is all in (``open_hands = "in_order"``)."""
    name: Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[a-z0-9-]+$")]
    open_hands: Literal["after_draw", "showdown", "in_order"] = "showdown"
    """When hands are shown: all after the draw, all at the showdown, or at the showdown in order, with mucking."""
    player: str
    """The kind of bot that fills the house's seats by default."""
    rake: Rake | None = None
    """The rake; by default the house takes none."""
    remainder: Literal["carry", "odd_chips"] = "carry"
    """Whether odd chips of a pot are carried into the next round, or go to winners by position, one chip each."""
    reshuffle: Literal["others", "all"] = "others"
    """The cards of a new deck when the deck runs out: all cards out of play, without or with the drawer's discards."""
    samples: Annotated[int, Field(ge=1, le=10_000_000)] = 10_000
    """The number of random draws that Monte Carlo advice takes for each discard."""
    seats: SeatCount
    shows_first: Literal["aggressor", "left_of_button"] = "aggressor"
    """Who shows first (``open_hands = "in_order"``): the last to bet or raise, or the first left of the button.
    If nobody bet or raised after the draw, it is always the first player left of the button."""
    stack: Bet
    """The chips that each player starts with."""
    stay: Chips = 1
    """The minimum stack to be dealt into another round."""
    version: Annotated[int, Field(ge=1)]

    @property
    def button(self) -> bool:
        """Whether there is a button, which moves each round (by `button_rule`)."""
        return self.blinds is not None or self.betting.opener == "button"

    @property
    def straddle(self) -> int:
        """The straddle in each round with three or more players dealt in; 0 if there is none."""
        return 0 if self.blinds is None else self.blinds.straddle

    @property
    def all_in(self) -> bool:
        """Whether a player may stay in with fewer chips than the price."""
        return self.betting.short == "all_in"

    def ante_of(self, round_: int) -> int:
        """Return the ante of a round (from 1)."""
        return self.ante.amount + self.ante.increase * (round_ - 1)

    def price_to_stay(self, round_: int) -> int:
        """Return the minimum stack to be dealt into a round (from 1)."""
        return max(self.stay, self.ante_of(round_) if self.ante.short == "sit_out" else 0)
