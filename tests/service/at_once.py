"""Processes that are let go at the same moment."""

import json
import os
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from typing import Any

from tests.forks import TIMEOUT, forks


def said_at_once(function: str, each: Iterable[Sequence[object]], times: int = 1) -> list[list[Any]]:
    """Run a function in a process for each list of arguments; let them go when all are ready, and hear what they say.

    A process says ``ready``, waits for a line on standard input, and then says a line of JSON, so many ``times``.
    Returns what all said, each time.
    """
    with ExitStack() as stack:
        held, processes = [], []
        for arguments in each:
            (their_in, our_in), (our_out, their_out) = os.pipe(), os.pipe()
            streams = (their_in, their_out, 2)
            processes.append(forks().start(function, arguments, streams))
            os.close(their_in)
            os.close(their_out)
            held.append((stack.enter_context(os.fdopen(our_in, "w")), stack.enter_context(os.fdopen(our_out))))
        heard = []
        for _ in range(times):
            for _, said in held:
                assert said.readline() == "ready\n"
            for told, _ in held:
                print(file=told, flush=True)
            heard.append([json.loads(said.readline()) for _, said in held])
        assert [process.wait(TIMEOUT) for process in processes] == [0] * len(processes)
        return heard
