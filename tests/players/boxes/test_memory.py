"""The objects of a player's process are together in memory, so that a copy of it is made, and works, in less time."""

import gc
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pokersvc.system.garbage import searched_less_often
from tests.players.boxes.support import asking, below, of_a_box

BEFORE = """
import ctypes, os, sys
from pokersvc.players.box import memory
libc = ctypes.CDLL(None)
libc.sbrk.restype = ctypes.c_size_t
start = libc.sbrk(ctypes.c_ssize_t(0))
"""
TOGETHER = """
memory.keep_objects_together()
made = [object() for _ in range(1_000_000)]
top = libc.sbrk(ctypes.c_ssize_t(0))
print(sum(start < id(one) < top for one in made[-900_000:]))
sys.stdout.flush()
os._exit(0)
"""
GAPS = """
def pools(size):
    return len({id(one) // memory.POOL for one in [bytes(size - 33) for _ in range(8)]})

sizes = range(256, 513, 16)
kept = {size: [bytes(size - 33) for _ in range(1000)] for size in sizes}
for some in kept.values():
    del some[::40]
print(min(map(pools, sizes)) > 2, end=" ")
memory.fill_gaps()
print(max(map(pools, sizes)) <= 2)
"""

ALL = """
memory.keep_objects_together()
kept = len(memory._kept)
memory.fill_gaps()
memory.use_huge_pages()
print(kept, len(memory._kept) - kept)
sys.stdout.flush()
os._exit(0)
"""
WITHOUT = """
whole = ctypes.CDLL

class Lacking:
    def __init__(self, name):
        self._of = whole(name)

    def __getattr__(self, name):
        if name in {names!r}:
            raise AttributeError(name)
        return getattr(self._of, name)

ctypes.CDLL = Lacking
ctypes.pythonapi = Lacking(None)
"""


def run(program: str, **environment: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", BEFORE + program],
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, **environment},
    ).stdout


def test_objects_are_in_one_piece_of_memory() -> None:
    assert run(TOGETHER) == "900000\n"


def test_new_objects_are_beside_each_other_once_gaps_are_filled() -> None:
    assert run(GAPS) == "True True\n"


@pytest.mark.parametrize("lacks", ["mallopt", "PyMem_GetAllocator", "PyObject_SetArenaAllocator"])
def test_where_memory_cannot_be_taken_otherwise_it_is_taken_as_before(lacks: str) -> None:
    assert run(WITHOUT.format(names=(lacks,)) + ALL).startswith("0 ")


@pytest.mark.parametrize("lacks", ["sbrk", "madvise"])
def test_without_a_heap_in_one_piece_or_advice_for_memory_objects_stay_where_they_are(lacks: str) -> None:
    assert run(WITHOUT.format(names=(lacks,)) + ALL).startswith("1 ")


def test_a_kernel_without_huge_pages_refuses_and_nothing_happens() -> None:
    assert run("memory.kernel.COLLAPSE = 9999" + ALL).startswith("1 ")


def test_gaps_are_filled_only_where_objects_are_in_pools() -> None:
    assert int(run(ALL).split()[1]) > 1000
    assert run(ALL, PYTHONMALLOC="malloc") == run(ALL, PYTHONMALLOC="debug") == "1 0\n"
    assert run("memory._BYTES = 49" + ALL) == "1 0\n", "a build that keeps more with each object"


def test_most_objects_of_a_loaded_player_are_in_huge_pages(tmp_path: Path) -> None:
    others = set(below(os.getpid()))
    with asking(tmp_path, "print(1)", "LOADED = [str(number) for number in range(200_000)]") as player:
        assert player.choose() == "1\n"
        _, _, loaded, _ = sorted(of_a_box(others))
        memory = Path(f"/proc/{loaded}/smaps").read_text()
    in_heap = memory[memory.index("[heap]") :]
    heaps = [part.partition("VmFlags")[0] for part in in_heap.split("[heap]")[1:]]
    there = sum(of(heap, "Rss") for heap in heaps)
    at_its_ends = 2 * 2_048 * len(heaps)  # a heap begins and ends within a huge page of 2 MB
    assert there > 5_000
    assert there - sum(of(heap, "AnonHugePages") for heap in heaps) < at_its_ends


def of(mapping: str, name: str) -> int:
    """Return how many kB of a mapping are of this kind."""
    return int(mapping.partition(f"\n{name}:")[2].split()[0])


ASKED = """
from collections import Counter
from collections.abc import Mapping
from pokersvc.players.box.inside import remember_abstract_classes

class Asked(Mapping):
    times = 0

    @classmethod
    def __subclasshook__(cls, kind):
        Asked.times += cls is Asked
        return NotImplemented

remember_abstract_classes()
before = Asked.times
for values in ([1], (1,), "1", {1}, range(1), iter([1]), map(str, [1]), (one for one in [1])):
    Counter(values)
print(before > 0, Asked.times - before)
"""


def test_counting_asks_no_class_whether_its_argument_is_a_mapping() -> None:
    assert run(ASKED) == "True 1\n"


def test_garbage_is_searched_for_less_often_in_a_block_only() -> None:
    before = gc.get_threshold()
    with searched_less_often():
        assert gc.get_threshold() == (200_000, *before[1:])
    assert gc.get_threshold() == before
