"""A table of ten boxes, nine with players that use up all resources: other games are unaffected.

What such a table takes is measured by `benchmarks.load`; nothing here depends on how fast this machine is.
"""

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from benchmarks.load import HONEST, LOG_OF_A_TABLE, Table, apart, table, until, written
from pokersvc.players.box.init import MOST_LOGGED
from tests.players.boxes import hogs

LIMIT = 2.0
ROUNDS = 2
OTHERS = (HONEST, "AtOnce", "steady", "minimum")

FORFEITED = {
    "NeverReads": {"timeout"},
    "Drips": {"timeout", "raised"},
    "Floods": {"timeout"},
    "FloodsItsAnswer": {"raised"},
    "Spins": {"timeout"},
    "ForksInVain": {"timeout"},
}
"""The code of the forfeits of players that never answer; the others may be too late, or not."""


@pytest.mark.slow
@pytest.mark.usefixtures("box")
def test_players_that_take_all_they_can_get_harm_nobody_but_themselves(tmp_path: Path) -> None:
    """This is a single test, because all checks use the same games, which take a minute."""
    (ours := tmp_path / "ours").mkdir()
    written(ours, LIMIT)
    shutil.copytree(ours, theirs := tmp_path / "theirs")
    mounts = Path("/proc/self/mounts").read_text()
    done = tmp_path / "done"
    with apart() as processes:
        alone = processes.submit(table, ours, OTHERS, LIMIT, games=2, rounds=4).result()
        playing = processes.submit(table, theirs, (HONEST, *hogs.HOGS), LIMIT, games=1, rounds=ROUNDS)
        playing.add_done_callback(lambda _: done.touch())
        meanwhile = processes.submit(until, done, ours, OTHERS, LIMIT, games=2, rounds=4).result()
        ten = playing.result()
    assert len(alone.games) == 2
    assert len(meanwhile) >= 1
    for found in meanwhile:
        assert found.games == alone.games, "the games of others are the same to the byte"
    for found in (alone, ten, *meanwhile):
        assert honest_forfeits(found) == [], "who takes a tenth of its limit alone is never too late"
        assert found.left == [], "nothing is left running"
    for name in hogs.HOGS:
        check_forfeits(name, [one.code for one in ten.choices if one.name == name])
    kept_at_load = 512 << 20  # by one of them, and seen once more in its next choice, which stands ready
    assert ten.most_memory < 2 * kept_at_load + (1 << 30), "memory is given back when a choice ends"
    assert Path("/proc/self/mounts").read_text() == mounts, "a box's file systems are seen in no other place"
    loaded_and_chose = len(hogs.HOGS) + sum(one.name in hogs.HOGS for one in ten.choices)
    assert (theirs / LOG_OF_A_TABLE).stat().st_size < loaded_and_chose * 2 * MOST_LOGGED


def honest_forfeits(found: Table) -> list[object]:
    honest = [one for one in found.choices if one.name not in hogs.HOGS]
    assert HONEST in {one.name for one in honest}
    return [one for one in honest if one.code is not None]


def check_forfeits(name: str, codes: Sequence[str | None]) -> None:
    assert len(codes) >= ROUNDS, f"{name} is asked again in the next round"
    if name in FORFEITED:
        assert set(codes) == FORFEITED[name], name
    else:
        assert set(codes) <= {None, "timeout"}, name
