"""Every system call is tried under the filter of a box, and its result is compared with the table.

The filter is installed, and the kernel decides; but no call that is tried is made: `sweep.ask`.
"""

import fcntl
import mmap
import os
import pickle
import platform
import re
import signal
import socket
import subprocess
import sys
import termios
import time
from array import array
from collections.abc import Iterable, Sequence
from errno import EAGAIN, EINVAL, ENOSYS, ENXIO, EPERM
from functools import cache
from itertools import product
from pathlib import Path
from random import Random

import pytest

from pokersvc.players.box import seccomp
from tests.players.boxes import sweep, system_calls
from tests.players.boxes.sweep import Step, Try
from tests.players.boxes.system_calls import ALWAYS, UNKNOWN, WITH_NETWORK, Answer, Call

pytestmark = [
    pytest.mark.skipif(
        sys.platform != "linux" or platform.machine() != "x86_64", reason="boxes are made on Linux and x86-64 alone"
    ),
    pytest.mark.no_cover,  # what runs is the kernel
]
with_and_without_network = pytest.mark.parametrize("network", [False, True], ids=["alone", "network"])

LOAD, IF_EQUAL, RETURN = 0x20, 0x15, 0x06
KILL, ALLOW, TRACE, ERROR = 0x80000000, 0x7FFF0000, 0x7FF00000, 0x50000

ONES = (1 << 64) - 1
NOTHING = (0, 0, 0, 0, 0)
CALLS = ALWAYS | WITH_NETWORK
DECIDED_BY_AN_ARGUMENT = {name: call for name, call in CALLS.items() if call.only is not None}
NUMBERS = sorted(
    {*range(1024), *Random(0).sample(range(1024, 0x40000000), 200), 0x3FFFFFFF}
    - {call.number for call in system_calls.NOT_FILTERED.values()}
)


def arguments(index: int, value: int, others: int = 0) -> tuple[int, int, int, int, int]:
    one, two, three, four, five = (value if place == index else others for place in range(5))
    return one, two, three, four, five


# Asking the kernel.

MEANING = {
    sweep.LET_THROUGH: Answer.LET_THROUGH,
    sweep.TRACED: Answer.TRACER,
    EPERM: Answer.REFUSED,
    ENOSYS: Answer.UNKNOWN,
    EAGAIN: Answer.AGAIN,
    EINVAL: Answer.INVALID,
    -signal.SIGSYS: Answer.KILLED,
}


def asked(filter_: list[Step], tries: Sequence[Try], *, inherited: bool = False) -> list[int]:
    """The result of each call: its error, or the negative signal that ended the process."""
    program = "from pokersvc.players.box.seccomp import install; from tests.players.boxes.sweep import ask"
    done = subprocess.run(
        [sys.executable, "-c", f"{program}; ask(install)"],
        input=pickle.dumps((filter_, inherited, [tuple(one) for one in tries])),
        capture_output=True,
        cwd=Path(__file__).parents[3],
        timeout=300,
    )
    assert done.returncode == 0, done.stderr.decode()
    return array("i", done.stdout).tolist()


def answered(filter_: list[Step], value: int) -> list[Step]:
    """Return the filter with another answer in place of the tracer's, because the tries are not traced."""
    return [(*step[:3], value) if step == (RETURN, 0, 0, TRACE) else step for step in filter_]


def answers(filter_: list[Step], tries: Sequence[Try]) -> list[Answer | int]:
    found = asked(answered(filter_, ERROR | sweep.TRACED), tries)
    return [MEANING.get(one, one) for one in found]


def otherwise_than_in_the_table(filter_: list[Step], tries: Sequence[Try], *, network: bool) -> dict[str, str]:
    """Return the calls whose results differ from the table."""
    return {
        f"{name_of(one.number)}({', '.join(map(hex, one.arguments))})": f"{found}, but in the table {expected}"
        for one, found in zip(tries, answers(filter_, tries), strict=True)
        if found != (expected := system_calls.answer(one.number, one.arguments, network=network))
    }


def name_of(number: int) -> str:
    return next((name for name, call in CALLS.items() if call.number == number), str(number))


# Every number.


def every_number() -> list[Try]:
    """Yield each call with several arguments; if an argument decides, with each of its listed values."""
    chance = Random(1)
    tries = [
        Try(number, made)
        for number in NUMBERS
        for made in (NOTHING, (ONES, ONES, ONES, ONES, ONES), arguments(0, 1, chance.getrandbits(64)))
    ]
    for call in DECIDED_BY_AN_ARGUMENT.values():
        assert call.only is not None
        tries += [Try(call.number, arguments(call.only.argument, value)) for value in call.only.names.values()]
    return tries


@cache
def of_every_number(network: bool) -> dict[int, set[Answer | int]]:
    tries = every_number()
    found: dict[int, set[Answer | int]] = {}
    for one, answer in zip(tries, answers(seccomp.instructions(network=network), tries), strict=True):
        found.setdefault(one.number, set()).add(answer)
    return found


def let_through(network: bool) -> set[str]:
    through = {Answer.LET_THROUGH, Answer.TRACER}
    return {name_of(number) for number, found in of_every_number(network).items() if found & through}


@with_and_without_network
def test_no_call_is_let_through_that_the_table_does_not_name(network: bool) -> None:
    assert let_through(network) - set(CALLS if network else ALWAYS) == set()


@with_and_without_network
def test_every_call_that_the_table_names_is_let_through(network: bool) -> None:
    assert set(CALLS if network else ALWAYS) - let_through(network) == set()


@with_and_without_network
def test_a_call_without_conditions_may_have_any_arguments(network: bool) -> None:
    free = {call.number: name for name, call in (CALLS if network else ALWAYS).items() if call.only is None}
    refused = {free[number]: found for number, found in of_every_number(network).items() if number in free}
    assert {name: found for name, found in refused.items() if found != {Answer.LET_THROUGH}} == {}


@with_and_without_network
def test_every_other_call_is_refused_or_unknown(network: bool) -> None:
    """Calls for which libraries have an alternative are unknown, as are all newer ones."""
    named = {call.number for call in (CALLS if network else ALWAYS).values()}
    unknown = {call.number for call in UNKNOWN.values()} | {n for n in NUMBERS if n >= system_calls.FIRST_LATER}
    others = {number: found for number, found in of_every_number(network).items() if number not in named}
    expected = {number: {Answer.UNKNOWN if number in unknown else Answer.REFUSED} for number in others}
    assert others == expected


# Every argument that decides.


def values(names: dict[str, int]) -> list[int]:
    """Return values for an argument: small numbers, those in the table, single bits and random ones."""
    chance = Random(2)
    bits = [1 << bit for bit in range(64)]
    found = {
        *range(2048),  # commands, options, advice, operations, clocks, families
        *range(0x5400, 0x5500),  # requests to terminals, files and sockets
        *(number & mask for number in range(-200, 0) for mask in (ONES, system_calls.HALF)),  # others' clocks
        *(ONES ^ bit for bit in bits),
        *(value + near for value in names.values() for near in (-1, 0, 1)),
        *(value | bit for value in (*names.values(), 0) for bit in bits),
        *(sum(chance.sample([*names.values()], chance.randrange(len(names)))) for _ in range(200 if names else 0)),
        *(chance.getrandbits(32) for _ in range(2000)),
    }
    return sorted(value & ONES for value in found)


def every_argument(calls: Iterable[Call] = tuple(DECIDED_BY_AN_ARGUMENT.values())) -> list[Try]:
    tries = []
    for number, _, only in calls:
        assert only is not None
        for value in values(only.names):
            tries.append(Try(number, arguments(only.argument, value)))
            tries.append(Try(number, arguments(only.argument, value | system_calls.HALF << 32, ONES)))
    return tries


@pytest.mark.slow
@with_and_without_network
def test_an_argument_that_decides_is_one_that_the_table_names(network: bool) -> None:
    filter_ = seccomp.instructions(network=network)
    assert otherwise_than_in_the_table(filter_, every_argument(), network=network) == {}


# The other ways into the kernel, and what it passes by any filter.

X32 = [
    Try(system_calls.OTHER_CONVENTION + number, NOTHING)
    for number in (*range(600), *Random(3).sample(range(600, 0xC0000000), 40), 0x40000000, 0xBFFFFFFE, 0xBFFFFFFF)
]
BY_INTERRUPT = [Try(number, NOTHING, by_interrupt=True) for number in (*range(461), 0x40000000, 0xFFFFFFFF)]
NO_SUCH_WAY = {-signal.SIGSEGV, ENOSYS}
"""The result of a 32-bit call in a kernel that runs no 32-bit programs."""


def not_ended(filter_: list[Step]) -> list[Try]:
    """The calls of other conventions that do not end their process."""
    tries = [*X32, *BY_INTERRUPT]
    # What a tracer would decide is allowed, so that one process with the filter can start the others.
    found = zip(tries, asked(answered(filter_, ALLOW), tries, inherited=True), strict=True)
    return [
        one for one, result in found
        if result != -signal.SIGSYS and not (one.by_interrupt and result in NO_SUCH_WAY)
    ]  # fmt: skip


@pytest.mark.slow
@with_and_without_network
def test_every_call_of_another_convention_ends_its_process(network: bool) -> None:
    assert not_ended(seccomp.instructions(network=network)) == []


@with_and_without_network
def test_a_call_that_the_kernel_passes_by_any_filter_does_nothing(network: bool) -> None:
    tries = [Try(call.number, made) for call in system_calls.NOT_FILTERED.values() for made in (NOTHING, (ONES,) * 5)]
    found = asked(answered(seccomp.instructions(network=network), ERROR | sweep.TRACED), tries)
    assert set(found) <= {EPERM, ENXIO, -signal.SIGILL}


# That nothing is overlooked.


@with_and_without_network
def test_what_is_tried_is_the_filter_itself(network: bool) -> None:
    """It gives these seven answers and no other, and does not look at the argument by which tries are known."""
    filter_ = seccomp.instructions(network=network)
    given = {value for operation, *_, value in filter_ if operation == RETURN}
    assert given == {KILL, ALLOW, TRACE, ERROR | EPERM, ERROR | ENOSYS, ERROR | EAGAIN, ERROR | EINVAL}
    assert {value for operation, *_, value in filter_ if operation & 7 == 0} <= {0, 4, *range(16, 56, 4)}
    changed = answered(filter_, ERROR | sweep.TRACED)
    assert {old for old, new in zip(filter_, changed, strict=True) if old != new} == {(RETURN, 0, 0, TRACE)}


def with_steps(*steps: Step) -> list[Step]:
    """The filter, with these instructions where the number of a call is known and nothing is decided yet."""
    filter_ = seccomp.instructions(network=False)
    place = filter_.index((LOAD, 0, 0, 0)) + 1
    return [*filter_[:place], *steps, *filter_[place:]]


def if_call(name: str, value: int) -> list[Step]:
    return with_steps((IF_EQUAL, 0, 1, (CALLS | OTHERS)[name].number), (RETURN, 0, 0, value))


def if_argument(name: str, index: int, value: int) -> list[Step]:
    return with_steps(
        (IF_EQUAL, 0, 4, CALLS[name].number),
        (LOAD, 0, 0, 16 + 8 * index),
        (IF_EQUAL, 0, 1, value),
        (RETURN, 0, 0, ALLOW),
        (LOAD, 0, 0, 0),
    )


OTHERS = UNKNOWN | {"ptrace": Call(101, ""), "execve": Call(59, ""), "kill": Call(62, "")}
SLIPS = {
    "a call is let through": ("ptrace", if_call("ptrace", ALLOW)),
    "a call is left to the tracer": ("execve", if_call("execve", TRACE)),
    "a call ends the process": ("kill", if_call("kill", KILL)),
    "a call has another error": ("clone3", if_call("clone3", ERROR | EPERM)),
    "a call is refused": ("getpid", if_call("getpid", ERROR | EPERM)),
    "a lock is let through": ("fcntl", if_argument("fcntl", 1, 6)),
    "a new namespace is let through": ("clone", if_argument("clone", 0, 0x10010000)),
    "a new limit is let through": ("prlimit64", if_argument("prlimit64", 2, 0)),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_found(slip: str) -> None:
    name, filter_ = SLIPS[slip]
    one = (CALLS | OTHERS)[name]
    tries = [*every_number(), *every_argument([one] if one.only else [])]
    found = otherwise_than_in_the_table(filter_, tries, network=False)
    assert found
    assert all(call.startswith((f"{name}(", f"{one.number}(")) for call in found)


def test_a_filter_of_one_convention_alone_is_found() -> None:
    filter_ = [
        (*step[:3], ALLOW) if step == (RETURN, 0, 0, KILL) else step for step in seccomp.instructions(network=True)
    ]
    assert not_ended(filter_) in ([*X32, *BY_INTERRUPT], X32)


# The table itself.


def test_each_call_of_the_table_has_a_reason_and_a_number_of_its_own() -> None:
    everything = [*ALWAYS.values(), *WITH_NETWORK.values(), *UNKNOWN.values()]
    assert all(call.why for call in everything)
    assert len({call.number for call in everything}) == len(everything)
    assert not set(ALWAYS) & set(WITH_NETWORK)


def test_the_table_has_the_names_of_the_kernels_headers() -> None:
    places = [Path("/usr/include", folder, "asm/unistd_64.h") for folder in ("", "x86_64-linux-gnu")]
    if (header := next((place for place in places if place.exists()), None)) is None:
        if "CI" in os.environ:
            pytest.fail("the kernel's headers are needed")
        pytest.skip("the kernel's headers are missing")
    numbers = {name: int(number) for name, number in re.findall(r"#define __NR_(\w+) (\d+)", header.read_text())}
    named = {name: call.number for name, call in (ALWAYS | WITH_NETWORK | UNKNOWN).items()}
    assert {name: number for name, number in named.items() if numbers.get(name) != number} == {}


def test_the_table_has_pythons_names_of_arguments() -> None:
    named = {name: value for call in CALLS.values() if call.only for name, value in call.only.names.items()}
    known = {
        name: getattr(module, name) for module, name in product((fcntl, mmap, os, socket, termios, time), named)
        if getattr(module, name, 0)  # the C library has no O_LARGEFILE where each file may be large
    }  # fmt: skip
    assert len(known) > 40
    assert {name: value for name, value in known.items() if named[name] != value} == {}
