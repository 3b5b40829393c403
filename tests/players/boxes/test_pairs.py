"""Two choices cannot communicate through the kernel: a reader finds the same, whatever a writer did."""

import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from random import Random
from threading import Thread
from time import sleep

import pytest

from pokersvc.core.randomness.chance import SEED_BYTES, StreamRandom
from pokersvc.players import Programs
from pokersvc.players.process import LOG
from tests.players.boxes import pairs
from tests.players.boxes.support import Asked, why_no_box

pytestmark = pytest.mark.usefixtures("box")

Both = tuple[Asked, Asked]


@pytest.fixture(scope="module")
def boxes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Both | None]:
    """The boxes of two files of one stranger."""
    if why_no_box() is not None:
        yield None
        return
    with ExitStack() as stack:
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        found = []
        for name in ("one", "other"):
            folder = tmp_path_factory.mktemp(name)
            shutil.copy(pairs.__file__, folder / f"{name}.py")
            (log := folder / "printed").touch()
            patch.setenv(LOG, str(log))  # each box has its own
            found.append(Asked(stack.enter_context(Programs(30)), f"{folder}/{name}.py:Side", log))
        yield found[0], found[1]


def does(name: str, side: int) -> Random:
    """Return a source by which a choice takes this side of this pair."""
    return Random(_seeds()[list(pairs.PAIRS).index(name), side])


@cache
def _seeds() -> dict[tuple[int, int], int]:
    found: dict[tuple[int, int], int] = {}
    seed = 0
    while len(found) < len(pairs.PAIRS) * 4:
        stream = StreamRandom(Random(seed).randbytes(SEED_BYTES))
        stream.randbytes(32)  # which seed the module `random`
        found.setdefault((stream.randrange(len(pairs.PAIRS)), stream.randrange(4)), seed)
        seed += 1
    return found


@pytest.mark.parametrize("name", pairs.PAIRS)
def test_a_reader_finds_the_same_whatever_was_written(boxes: Both, name: str) -> None:
    """At one table, where the other seat's box is asked next, and in the other order of a deal, where the same is."""
    writer, other = boxes
    asked = [other, writer]
    before = [box.choose(does(name, pairs.READS)) for box in asked]
    after = []
    for box in asked:
        writer.choose(does(name, pairs.WRITES))
        after.append(box.choose(does(name, pairs.READS)))
    assert after == before
    assert {"", "raised", "timeout", "illegal"}.isdisjoint(before)


@pytest.mark.slow
@pytest.mark.parametrize("name", pairs.PAIRS)
def test_a_reader_at_another_table_finds_the_same_while_it_is_written(boxes: Both, name: str) -> None:
    found = {writes: [at_two_tables(boxes, name, writes=writes) for _ in range(2)] for writes in (False, True)}
    assert found[True] == found[False]
    assert len(set(found[False])) == 1
    assert found[False][0] not in {"", "raised", "timeout", "illegal"}


def at_two_tables(boxes: Both, name: str, *, writes: bool) -> str:
    """Return what a choice finds while another is made at another table."""
    side = pairs.WRITES_AND_STAYS if writes else pairs.IDLE
    writing = Thread(target=boxes[0].choose, args=(does(name, side),))
    writing.start()
    sleep(pairs.STAYS / 2)
    found = boxes[1].choose(does(name, pairs.READS))
    writing.join()
    return found


def test_a_writer_and_a_reader_with_nothing_between_them_are_told_apart(tmp_path: Path) -> None:
    """Without a box two choices can communicate by a lock, so the test above can fail."""
    pairs.PAIRS["a lock of a file"].write()
    assert "BlockingIOError" in pairs.tried(pairs.PAIRS["a lock of a file"].read)
