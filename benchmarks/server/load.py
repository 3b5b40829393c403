"""Loads: commands one after the other at many tables, and commands at a given rate with streams that follow."""

import asyncio
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import NamedTuple

from benchmarks.server.client import SEATS, WATCHERS, Table

AT_ONCE = 16
"""Requests under way while tables are made and streams opened."""


class Size(NamedTuple):
    """The size of a measurement."""

    tables: int
    rate: float
    """Commands a second at all tables together, in the open loop."""
    seconds: float
    clients: int
    """Tables that send commands in the closed loop."""


class Delays(NamedTuple):
    """The times from commands to their events on the last stream, in seconds, ascending; and the rate reached."""

    seconds: list[float]
    sent_a_second: float


class Measured(NamedTuple):
    """The figures of a server in the open loop."""

    delays: Delays
    busy: float
    """Processor seconds of a command."""
    memory: float
    """Bytes of memory of a table."""


class Pace(NamedTuple):
    """The rate at which commands were carried out."""

    a_second: float
    busy: tuple[float, ...]
    """Processor seconds of a command, for each process that was asked about."""


async def tables(ports: list[int], number: int, *, pinned: bool = False) -> list[Table]:
    """Make tables whose games have started; each is at one server if ``pinned``, otherwise at all of them in turn."""
    made = [Table([ports[at % len(ports)]] if pinned else ports) for at in range(number)]
    gate = asyncio.Semaphore(AT_ONCE)

    async def make(table: Table) -> None:
        async with gate:
            await table.make()

    await asyncio.gather(*map(make, made))
    return made


async def closed_loop(
    ports: list[int], number: int, seconds: float, busy: Callable[[], Sequence[float]], *, pinned: bool = False
) -> Pace:
    """Measure commands if every table sends the next as soon as the last is answered.

    The work that a server does once, at its first command, is not measured.
    """
    made = await tables(ports, number, pinned=pinned)
    for _ in range(1 if pinned else len(ports)):
        await asyncio.gather(*[table.act() for table in made])
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
    taken = [(now - then) / sent for now, then in zip(busy(), before, strict=True)]
    return Pace(sent / (perf_counter() - begin), tuple(taken))


class Open:
    """Tables with all their streams open."""

    def __init__(self, made: list[Table]) -> None:
        self._tables = made
        self._following: list[asyncio.Task[None]] = []

    @classmethod
    async def at(cls, ports: list[int], number: int) -> "Open":
        """Make tables, and open all their streams."""
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
        """Send commands at a rate, whether or not earlier ones are answered; return the times to their last stream.

        A time runs from the moment at which a command was due, so that a server that lags gains nothing, to the moment
        at which the command's event has come on every stream.
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
        """Close every connection."""
        for task in self._following:
            task.cancel()
        await asyncio.gather(*self._following)
        for table in self._tables:
            table.close()
