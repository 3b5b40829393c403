"""Draw poker's option ``advisor``: the method of advice for bots and people at a table."""

from dataclasses import replace
from enum import StrEnum
from typing import Any, Final

from pokersvc.core.seats import Seat
from pokersvc.core.setup import Option
from pokersvc.errors import InvalidValue
from pokersvc.games.draw_poker.advising.players import PLAYERS


class Advisor(StrEnum):
    """A method of advice, for bots that draw as advised and for people who ask for advice."""

    EXACT = "exact"
    MONTE_CARLO = "monte-carlo"


OPTION: Final = Option(
    "advisor", "How programs and people are advised.  [default: exact]", of=Advisor, metavar=None, open=False
)


def advisor_of(value: Any) -> Advisor:
    """Return the advisor that an option names; raise `InvalidValue` if there is no such advisor."""
    try:
        return Advisor(value)
    except ValueError:
        raise InvalidValue(f"There is no advisor {value!r}; advisors are {', '.join(Advisor)}.") from None


def advised_kind(advisor: Advisor, kind: str) -> str:
    """Return the given kind of bot, or ``steady`` if the advisor cannot advise that kind."""
    return kind if advisor is Advisor.EXACT or f"{kind}/{advisor}" in PLAYERS else "steady"


def advised_by(advisor: Advisor, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Return the seats, with the advisor added to the kind of each bot that draws by advice: ``steady/monte-carlo``.

    People are advised in the same way as the bots at their table. Raise `InvalidValue` if the advisor changes nothing.
    """
    if advisor is Advisor.EXACT:
        return seats
    advised = tuple(
        replace(seat, kind=kind) if (kind := f"{seat.kind}/{advisor}") in PLAYERS else seat for seat in seats
    )
    if advised == seats:
        raise InvalidValue(
            f"--advisor {advisor} changes nothing: no program at this table draws by advice,"
            " and people get the same advice as programs."
        )
    return advised
