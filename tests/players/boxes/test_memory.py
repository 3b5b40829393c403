"""The objects of a player's process are together in memory, so that a copy of it is made, and works, in less time."""

import gc
import os
import subprocess
import sys
from pathlib import Path

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


def run(program: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", BEFORE + program], check=True, capture_output=True, text=True, timeout=60
    ).stdout


def test_objects_are_in_one_piece_of_memory() -> None:
    assert run(TOGETHER) == "900000\n"


def test_new_objects_are_beside_each_other_once_gaps_are_filled() -> None:
    assert run(GAPS) == "True True\n"


def test_most_objects_of_a_loaded_player_are_in_huge_pages(tmp_path: Path) -> None:
    others = set(below(os.getpid()))
    with asking(tmp_path, "print(1)", "LOADED = [str(number) for number in range(200_000)]") as player:
        assert player.choose() == "1\n"
        _, _, loaded, _ = sorted(of_a_box(others))
        memory = Path(f"/proc/{loaded}/smaps").read_text()
    in_heap = memory[memory.index("[heap]") :]
    heaps = [part.partition("VmFlags")[0] for part in in_heap.split("[heap]")[1:]]
    assert sum(of(heap, "AnonHugePages") for heap in heaps) > 0.3 * sum(of(heap, "Rss") for heap in heaps) > 5_000


def of(mapping: str, name: str) -> int:
    """Return how many kB of a mapping are of this kind."""
    return int(mapping.partition(f"\n{name}:")[2].split()[0])


def test_garbage_is_searched_for_less_often_in_a_block_only() -> None:
    before = gc.get_threshold()
    with searched_less_often():
        assert gc.get_threshold() == (200_000, *before[1:])
    assert gc.get_threshold() == before
