"""Leaks of a box: how much one choice can tell another by the clock, by files in memory, by processors and caches.

For each way, one boxed program writes a symbol and another reads it. The writer's view has the symbol as its
pot; the reader answers with what it read, as the amount of a bet; both see the number of the choice as the hand.
"""

import ctypes
import mmap
import os
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from math import log2
from pathlib import Path
from random import Random
from stat import S_ISREG
from statistics import mean, median
from tempfile import TemporaryDirectory
from typing import Any, Final

from benchmarks.table import markdown
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.draw_poker.actions import Bet
from pokersvc.players import ChoiceForfeited, Programs, Walls

PAGE: Final = mmap.PAGESIZE
LEARNING: Final = 8
"""Choices from which a reader's delay or threshold is learned; they are not counted."""
SLOT: Final = 0.08
"""Seconds in which one program spins or sleeps at another table, and the other counts."""
SHOWN: Final = tuple(
    dict.fromkeys(
        os.path.realpath(place)
        for place in ("/usr/lib", "/usr/lib64", "/usr/local/lib", f"{sys.base_prefix}/lib", *sys.path)
        if place.endswith(("/lib", "/lib64", "/site-packages", "/dist-packages")) and Path(place).is_dir()
    )
)
"""Folders of libraries, which boxes show."""

PLAYER: Final = """
import hashlib, mmap, os, threading, time
from pokersvc.games.draw_poker.actions import Bet
{values}

class Player:
    def choose(self, view, legal, random):
        now = time.monotonic()
        if view.pot < 0:
            return Bet(view.to_act, read(view.hand, now))
        write(view.hand, view.pot)
        return Bet(view.to_act, 0)

{source}
"""

CLOCK: Final = """
def write(number, symbol):
    now = time.monotonic()
    until = now + (symbol * WIDTH - now) % PERIOD
    time.sleep(max(0, until - time.monotonic() - 0.0003))
    while time.monotonic() < until:
        pass

def read(number, now):
    return int(now % PERIOD * 1e9)
"""
FILES: Final = """
def pages(number):
    for path, page in PAGES[number * COUNT : (number + 1) * COUNT]:
        file = os.open(path, os.O_RDONLY)
        held = mmap.mmap(file, 0, flags=mmap.MAP_SHARED, prot=mmap.PROT_READ)
        held.madvise(mmap.MADV_RANDOM)  # no page but the one that is touched
        yield held, page
        os.close(file)

def was_there(held, page):  # else it must be read, which takes longer
    start = time.perf_counter()
    held[page * mmap.PAGESIZE]
    return time.perf_counter() - start < 25e-6

def write(number, symbol):
    for place, (held, page) in enumerate(pages(number)):
        if symbol >> place & 1:
            held[page * mmap.PAGESIZE]

def read(number, now):
    time.sleep(LATER)
    return sum(was_there(held, page) << place for place, (held, page) in enumerate(pages(number)))
"""
PROCESSORS: Final = """
def spin(until):
    block = bytes(1 << 16)
    while time.monotonic() < until:
        hashlib.sha256(block)  # which other threads of Python need not wait for

def slot(now):
    return (now // SLOT + 1) * SLOT

def write(number, symbol):
    begin = slot(time.monotonic())
    time.sleep(begin - time.monotonic())
    if symbol:
        threads = [threading.Thread(target=spin, args=(begin + SLOT / 2,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

def read(number, now):
    begin, count = slot(now), 0
    time.sleep(begin + SLOT / 8 - time.monotonic())
    while time.monotonic() < begin + SLOT / 2:
        count += 1
    return count
"""

LINES: Final = """
import lines
lines.keep(LIBRARY)

def write(number, symbol):
    until = time.monotonic() + 2 * WAIT
    lines.touch(number * COUNT, symbol, 1)
    while time.monotonic() < until:
        lines.touch(number * COUNT, symbol, 100)

def read(number, now):
    time.sleep(WAIT / 2)
    return sum((found > 0) << place for place, found in enumerate(lines.there(number * COUNT, TRIES, CYCLES)))
"""


class Boxed:
    """A program in a box, which is asked without a game."""

    def __init__(self, programs: Programs, file: Path, source: str, **values: object) -> None:
        said = "\n".join(f"{name} = {value!r}" for name, value in values.items())
        text = PLAYER.replace("{source}", source).replace("{values}", said)
        file.write_text(text)
        found = programs.find(DRAW_POKER, f"{file}:Player")
        assert found is not None
        self._player = found()

    def ask(self, number: int, symbol: int = -1) -> int:
        """Have the program write a symbol, or read one if none is given; return the amount of its answer."""
        view, legal = question()
        action = self._player.choose(replace(view, hand=number, pot=symbol), legal, Random(number))
        assert isinstance(action, Bet)
        return action.amount


@cache
def question() -> tuple[Any, Any]:
    """Return a view and its legal actions."""
    source = EntropySource.from_text("leaks")
    seats = tuple(Seat("steady", f"Player{number}") for number in (1, 2))
    state, entropy = DRAW_POKER.new(DRAW_POKER.start(Setup(seats, source, 1, {}))), source.entropy()
    while (event := state.dealer_event(entropy)) is not None:
        state.apply(event)
    assert state.to_act is not None
    return state.view(state.to_act), state.legal(state.to_act)


@dataclass(frozen=True)
class Way:
    """A way to transmit symbols: its programs, its number of symbols, and how they are decoded."""

    name: str
    source: str
    symbols: int
    values: dict[str, object]
    decode: Callable[[Sequence[tuple[int, int]]], list[int]]
    """Returns the symbols read, from pairs of written and read; may use only the first `LEARNING` written ones."""
    parts: int = 1
    """The number of independent symbols that a choice transmits: pages, or lines of memory."""
    extension: Path | None = None
    """The source of a module in C that its programs import."""


def clock(period: float, symbols: int) -> Way:
    """Return the way by the moment at which a choice ends."""
    width = period / symbols

    def decode(both: Sequence[tuple[int, int]]) -> list[int]:
        phases = [(symbol * width, read / 1e9) for symbol, read in both]
        first = (phases[0][1] - phases[0][0]) % period
        # Around the first delay: delays may lie on both sides of a period's end.
        near = [(read - written - first + period / 2) % period - period / 2 for written, read in phases[:LEARNING]]
        delay = first + median(near)
        return [round((read - delay) / width) % symbols for _, read in phases]

    values: dict[str, object] = {"PERIOD": period, "WIDTH": width}
    return Way(f"the clock, {period * 1000:g} ms in {symbols}", CLOCK, symbols, values, decode)


def files(count: int, cold: Sequence[tuple[str, int]], later: float = 0.0) -> Way:
    """Return the way by the pages of files that are in memory."""
    values: dict[str, object] = {"PAGES": cold, "COUNT": count, "LATER": later}
    return Way(f"{count} pages of files", FILES, 2, values, lambda both: [read for _, read in both], count)


def processors() -> Way:
    """Return the way by the load of the processors."""

    def decode(both: Sequence[tuple[int, int]]) -> list[int]:
        apart = [[read for written, read in both[:LEARNING] if written == symbol] or [0] for symbol in (0, 1)]
        border = (median(apart[0]) + median(apart[1])) / 2
        return [int(read < border) for _, read in both]

    return Way("processors, busy or not", PROCESSORS, 2, {"SLOT": SLOT}, decode)


def lines(wait: float = 0.0) -> Way:
    """Return the way by the lines of a library in caches, which the writer touches for twice ``wait`` seconds."""
    count, cycles = 64, 280  # a cycle of the clock that rdtsc reads; memory took 340 or more, and another's cache fewer
    library = max((size, path) for path, size in _files().items() if ".so" in path)[1]
    values: dict[str, object] = {
        "LIBRARY": library, "COUNT": count, "WAIT": wait, "TRIES": 400 if wait else 1, "CYCLES": cycles,
    }  # fmt: skip
    extension = Path(__file__).with_name("lines.c")
    return Way(f"{count} lines of memory", LINES, 2, values, lambda both: [read for _, read in both], count, extension)


# Files that nobody has in memory.


def cold_pages(most: int) -> list[tuple[str, int]]:
    """Drop files of libraries from memory, and return pages that are no longer in it."""
    found: list[tuple[str, int]] = []
    for path, size in sorted(_files().items()):
        if size >= 1 << 18:
            with Path(path).open("rb") as file:
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
            if not any(held := resident(path)):  # otherwise somebody has it mapped
                found += [(path, page) for page in range(len(held))]
        if len(found) >= most:
            break
    return found[:most]


@cache
def _files() -> dict[str, int]:
    """Return the files of libraries that a box shows, and their sizes."""
    found = {}
    for place in SHOWN:
        for folder, _, names in os.walk(place):
            for name in names:
                known = os.lstat(path := f"{folder}/{name}")
                if S_ISREG(known.st_mode) and known.st_size:
                    found[path] = known.st_size
    return found


def resident(path: str) -> list[bool]:
    """Return which pages of a file are in memory (mincore(2))."""
    with Path(path).open("rb") as file, mmap.mmap(file.fileno(), 0, mmap.MAP_PRIVATE) as held:
        found = (ctypes.c_ubyte * -(-len(held) // PAGE))()
        start = ctypes.c_char.from_buffer(held)
        result = ctypes.CDLL(None).mincore(ctypes.c_void_p(ctypes.addressof(start)), ctypes.c_size_t(len(held)), found)
        del start  # otherwise the file could not be closed
    assert result == 0
    return [bool(one & 1) for one in found]


def _cold_share(sample: int) -> float:
    paths = Random(1).sample(sorted(_files()), sample)
    held = [one for path in paths for one in resident(path)]
    return 1 - sum(held) / len(held)


# Transmission.


def told(way: Way, where: str, times: int, limit: float | None = None) -> tuple[str, ...]:
    """Have one program write random symbols and another read them, ``times`` times; return a row of the table.

    With a limit in seconds, the boxes are strict.
    """
    random, took = Random(1), list[float]()
    written = [number % 2 for number in range(LEARNING)]
    written += [random.randrange(way.symbols**way.parts) for _ in range(times)]
    pairs: list[tuple[int, int]] = []
    programs = Programs(30.0) if limit is None else Programs(limit, walls=Walls(strict=True))
    with TemporaryDirectory() as folder, programs, ThreadPoolExecutor(1) as other:
        if way.extension is not None:
            _compile(way.extension, Path(folder))
        writer = Boxed(programs, Path(folder, "writer.py"), way.source, **way.values)
        reader = (
            writer if where == "the same box" else Boxed(programs, Path(folder, "reader.py"), way.source, **way.values)
        )
        for number, symbol in enumerate(written):
            start = time.monotonic()
            with suppress(ChoiceForfeited):  # in a strict box, a choice may be late
                if where == "two tables":
                    writing = other.submit(writer.ask, number, symbol)
                    found = reader.ask(number)
                    writing.result()
                else:
                    writer.ask(number, symbol)
                    found = reader.ask(number)
                pairs.append((symbol, found))
                took.append(time.monotonic() - start)
    decoded = way.decode(pairs)[LEARNING:]
    wrong = mean(_wrong(way, symbol, found) for (symbol, _), found in zip(pairs[LEARNING:], decoded, strict=True))
    bits, seconds = way.parts * capacity(way.symbols, wrong), mean(took[LEARNING:])
    tables = where if limit is None else f"{where}, strict"
    shown = f"{wrong:.1%}", f"{bits:.1f}", f"{seconds * 1000:.0f}", f"{bits / seconds:,.0f}"
    return way.name, tables, str(len(decoded)), *shown


def _compile(source: Path, folder: Path) -> None:
    """Make a module of Python from a file in C."""
    made = folder / f"{source.stem}{sysconfig.get_config_var('EXT_SUFFIX')}"
    include = sysconfig.get_path("include")
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", f"-I{include}", source, "-o", made], check=True)


def _wrong(way: Way, written: int, read: int) -> float:
    """Return the share of a choice's symbols that were misread."""
    return (written ^ read).bit_count() / way.parts if way.parts > 1 else float(written != read)


def capacity(symbols: int, wrong: float) -> float:
    """Return the bits that a symbol carries, if each of the others is read equally often in its place.

    >>> capacity(8, 0), capacity(2, 0.5), round(capacity(4, 0.1), 2)
    (3.0, 0.0, 1.37)
    """
    if wrong >= 1 - 1 / symbols:  # no better than a guess
        return 0.0
    lost = (1 - wrong) * log2(1 - wrong) + (wrong * log2(wrong / (symbols - 1)) if wrong else 0.0)
    return log2(symbols) + lost


def run(*, quick: bool = False) -> str:
    """Try every way; return a table."""
    share = _cold_share(200 if quick else 2000)
    times = 12 if quick else 100
    rows = [
        told(clock(0.01, 4), "one table", times),
        told(clock(0.1, 12), "one table", times),
        told(clock(0.1, 12), "the same box", times),
        *([] if quick else [told(clock(1.0, 64), "one table", times // 2)]),
    ]
    tries = ((16, "one table"), (64, "one table"), (64, "two tables"), (64, "the same box"))
    cold = iter(cold_pages(sum(count for count, _ in tries) * (LEARNING + times)))
    for count, where in tries:
        mine = list(islice(cold, count * (LEARNING + times)))
        rows.append(told(files(count, mine, 0.03 if where == "two tables" else 0.0), where, times))
    rows.append(told(processors(), "two tables", times))
    rows += [told(lines(), "one table", times, 0.2), told(lines(0.06), "two tables", times, 0.4)]
    return markdown(
        "What a choice in a box can tell another by what is left open",
        ("by", "where", "choices", "misread", "bits a choice", "ms for both choices", "bits/s"),
        rows,
        "Symbols in random order; the bits are the capacity of a symmetric channel with as many misread. At one table"
        " the reader is asked after the writer; at two tables at the same moment; the same box is asked twice, as in"
        " two orders of a deal. The files had just been dropped from memory (POSIX_FADV_DONTNEED), and each page tells"
        f" once. The libraries that a box shows have {sum(_files().values()) / 1e6:,.0f} MB; of a sample of their"
        f" files, {share:.1%} of the pages were not in memory before.",
    )
