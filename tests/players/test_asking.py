"""A process that is asked without a thread that waits: what is there already when somebody looks, and what is late."""

import os
import select
import subprocess
import time
from collections.abc import Iterator
from typing import cast

import pytest

from pokersvc.players.messages import ANSWERED
from pokersvc.players.process import NoAnswerError, PendingAnswer, PipeWait, Steps

NOBODY = cast("subprocess.Popen[bytes]", None)


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    ends = os.pipe()
    yield ends
    for end in ends:
        os.close(end)


def asking(reading: int, seconds: float, reads: int = 1) -> PendingAnswer:
    def steps() -> Steps[tuple[bytes, bytes]]:
        found = b""
        for _ in range(reads):
            yield PipeWait(reading, select.POLLIN, deadline)
            found += os.read(reading, 1)
        return ANSWERED, found

    deadline = time.monotonic() + seconds
    return PendingAnswer(steps(), NOBODY)


def test_whoever_looks_need_not_wait(pipe: tuple[int, int]) -> None:
    reading, writing = pipe
    asked = asking(reading, 60, reads=2)
    assert asked.answer() is None
    os.write(writing, b"a")
    assert asked.answer() is None
    os.write(writing, b"b")
    assert asked.answer() == asked.answer() == (ANSWERED, b"ab")


def test_an_answer_that_was_there_in_time_may_be_looked_at_later_but_none_is_waited_for(pipe: tuple[int, int]) -> None:
    reading, writing = pipe
    os.write(writing, b"abc")
    assert asking(reading, -1).answer() == (ANSWERED, b"a")
    for wait in (True, False):  # one look, so that a player that drips its answer does not go on for ever
        with pytest.raises(NoAnswerError, match="timeout"):
            asking(reading, -1, reads=2).answer(wait=wait)
