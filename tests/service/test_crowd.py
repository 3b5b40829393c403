"""Several processes play the same or different games at once: each choice counts once, and no process hangs."""

from collections.abc import Sequence

import pytest

from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.service import Service
from pokersvc.service.read_models.history import gaps

from .at_once import said_at_once
from .support import as_the_log_says, play_out, started, told

# Much of the same: what these run is measured where the other tests run it.
pytestmark = pytest.mark.no_cover

KINDS = "random", "steady", "minimum"


def crowd(url: str, games: Sequence[Sequence[str]]) -> list[dict[str, list[int]]]:
    """Run a process for each list of games, all at the same time; return how often each succeeded and failed."""
    won_and_lost: list[dict[str, list[int]]]
    (won_and_lost,) = said_at_once("tests.service.crowd:main", [(url, *of_process) for of_process in games])
    return won_and_lost


@pytest.mark.parametrize(
    ("processes", "games", "rounds", "same"),
    [
        pytest.param(6, 5, 12, True, id="six, the same games", marks=pytest.mark.slow),
        pytest.param(6, 5, 12, False, id="six, a game each", marks=pytest.mark.slow),
    ],
)
def test_of_all_who_play_at_once_one_takes_each_count(
    shared_url: str, processes: int, games: int, rounds: int, same: bool
) -> None:
    games = games if same else processes
    with Database.for_writing(shared_url) as database:
        log = EventLog(database)
        service = Service(log)
        alone = [started(service, *KINDS, rounds=rounds, text=f"{number}") for number in range(games)]
        for game in alone:
            play_out(service, game)
        together = [started(service, *KINDS, rounds=rounds, text=f"{number}") for number in range(games)]
        done = crowd(shared_url, [together] * processes if same else [[game] for game in together])

        for one, other in zip(alone, together, strict=True):
            assert told(log, one) == told(log, other), "what one process would have played, with its chain whole"
            commands = len({record.command_id for record in log.read(other)})
            assert sum(won.get(other, [0, 0])[0] for won in done) == commands - 1, "each command was recorded by one"
            assert as_the_log_says(service, log, other)
        if not same:
            assert sum(lost for of_process in done for _, lost in of_process.values()) == 0, "nobody is in their way"
        assert list(gaps(database)) == []
