"""The members of an OHH that are read, and their types; other members are ignored."""

from decimal import Decimal
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

EXTENSION: Final = "five-card"
"""The value of `Extension.draw`: our own name for the game, as OHH has none."""

Amount: TypeAlias = Annotated[int | Decimal, Field(ge=0, le=10**15)]


class _Shape(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="ignore", populate_by_name=True)


class Extension(_Shape):
    """Our extension of a hand, ``x_pokersvc``."""

    draw: str
    order: Literal["in turn", "together"] | None = None
    level: str | None = None
    min_bet: Amount | None = None
    small_bet: Amount = 0
    big_bet: Amount = 0
    straddle: Amount = 0


class DrawExtension(_Shape):
    """Our extension of an action, ``x_pokersvc``: a discard, a draw, or a reshuffle."""

    discards: Annotated[int, Field(ge=0, le=5)] | None = None
    draws: Annotated[int, Field(ge=0, le=5)] | None = None
    reshuffled: bool = False


class OhhAction(_Shape):
    """An action."""

    action_number: int
    player_id: int | None = None
    action: str
    amount: Amount | None = None
    is_allin: bool | None = None
    cards: list[str] | None = None
    extension: DrawExtension | None = Field(default=None, alias="x_pokersvc")


class OhhRound(_Shape):
    """A round."""

    id: int | None = None
    street: str
    cards: list[str] | None = None
    actions: list[OhhAction]


class OhhPlayer(_Shape):
    """A player."""

    id: int
    seat: int
    name: str
    starting_stack: Amount
    is_sitting_out: bool = False


class OhhWin(_Shape):
    """A payment from a pot to a player."""

    player_id: int
    win_amount: Amount


class PotExtension(_Shape):
    """Our extension of a pot, ``x_pokersvc``: whether it stands for several pots, and the rake of each."""

    several: bool = False
    rakes: list[Amount] = []


class OhhPot(_Shape):
    """A pot."""

    number: Annotated[int, Field(ge=0, le=100)]
    amount: Amount
    rake: Amount | None = None
    jackpot: Amount | None = None
    player_wins: list[OhhWin]
    extension: PotExtension | None = Field(default=None, alias="x_pokersvc")


class BetLimit(_Shape):
    """The betting limit."""

    bet_type: Literal["NL", "PL", "FL"]
    bet_cap: Amount | None = None


class OhhTournament(_Shape):
    """A tournament."""

    tournament_number: str
    currency: str | None = None
    buyin_amount: Amount | None = None
    fee_amount: Amount | None = None
    bounty_fee_amount: Amount | None = None


class OhhHand(_Shape):
    """A hand."""

    spec_version: str
    site_name: str
    tournament: bool = False
    tournament_info: dict[str, Any] | None = None
    game_number: str
    start_date_utc: str
    table_name: str
    game_type: str
    bet_limit: BetLimit
    table_size: int
    currency: str
    dealer_seat: int
    small_blind_amount: Amount = 0
    big_blind_amount: Amount = 0
    ante_amount: Amount = 0
    hero_player_id: int | None = None
    flags: list[str] | None = None
    players: list[OhhPlayer]
    rounds: list[OhhRound]
    pots: list[OhhPot]
    extension: Extension | None = Field(default=None, alias="x_pokersvc")
