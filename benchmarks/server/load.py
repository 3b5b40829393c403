"""Loads: commands one after the other at many tables, and commands at a given rate with streams that follow."""

import asyncio
from collections.abc import Callable
from time import perf_counter
from typing import NamedTuple

from benchmarks.server.client import SEATS, WATCHERS, Table

AT_ONCE = 16
"""Requests under way while tables are made and streams opened."""


class Delays(NamedTuple):
    """How long commands took to the last stream, in seconds, in order; and how the rate was kept."""

    seconds: list[float]
    sent_a_second: float


class Pace(NamedTuple):
    """How fast commands were carried out."""

    a_second: float
    busy: float
    """Seconds of a processor that the servers took for one command."""


async def tables(ports: list[int], number: int) -> list[Table]:
    """Make tables whose games are on."""
    made = [Table(ports) for _ in range(number)]
    gate = asyncio.Semaphore(AT_ONCE)

    async def make(table: Table) -> None:
        async with gate:
            await table.make()

    await asyncio.gather(*map(make, made))
    return made


async def closed_loop(ports: list[int], number: int, seconds: float, busy: Callable[[], float]) -> Pace:
    """Measure commands where every table sends the next as soon as the last is answered."""
    made = await tables(ports, number)
    begin, before = perf_counter(), busy()
    end = begin + seconds

    async def play(table: Table) -> int:
        sent = 0
        while perf_counter() < end:
            await table.act()
            sent += 1
        table.close()
        return sent

    sent = sum(await asyncio.gather(*map(play, made)))
    return Pace(sent / (perf_counter() - begin), (busy() - before) / sent)


class Open:
    """Tables with all their streams open."""

    def __init__(self, made: list[Table]) -> None:
        self._tables = made
        self._following: list[asyncio.Task[None]] = []

    @classmethod
    async def at(cls, ports: list[int], number: int) -> "Open":
        """Make tables, and open every stream."""
        found = cls(await tables(ports, number))
        gate = asyncio.Semaphore(AT_ONCE)

        async def follow(table: Table) -> None:
            async with gate:
                for stream in table.streams():
                    await stream.open()
                    found._following.append(asyncio.create_task(stream.follow()))

        await asyncio.gather(*map(follow, found._tables))
        return found

    async def at_rate(self, rate: float, seconds: float) -> Delays:
        """Send commands at a rate, whatever becomes of those before; return how long each took to the last stream.

        The time counts from the moment at which a command was due, so that a server that lags is not let off.
        """
        begin = perf_counter()
        sent = []
        for number in range(int(rate * seconds)):
            due = begin + number / rate
            await asyncio.sleep(max(0.0, due - perf_counter()))
            sent.append(asyncio.create_task(self._one(self._tables[number % len(self._tables)], due)))
        delays = sorted(await asyncio.gather(*sent))
        return Delays(delays, len(sent) / (perf_counter() - begin))

    async def _one(self, table: Table, due: float) -> float:
        async with table.lock:
            await table.act()
            while (here := table.arrived.get(table.count)) is None or here[0] < SEATS + WATCHERS:
                await asyncio.sleep(0.002)
        return here[1] - due

    async def close(self) -> None:
        """End every connection."""
        for task in self._following:
            task.cancel()
        await asyncio.gather(*self._following)
        for table in self._tables:
            table.close()
