"""Worker processes ignore Ctrl-C, and a Ctrl-C is delayed while they start."""

import os
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context

import pytest

from pokersvc.system.workers import interrupts_held, workers

METHODS = ("spawn", "forkserver")


def press_ctrl_c() -> None:
    os.kill(os.getpid(), signal.SIGINT)


def wait_for_ever() -> None:
    threading.Event().wait()


def hears_ctrl_c() -> bool:
    """Return whether a Ctrl-C would reach this process, which was not told to ignore it."""
    return signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


def test_a_ctrl_c_comes_after_the_block() -> None:
    done: list[object] = []

    def interrupted() -> None:
        with interrupts_held():
            press_ctrl_c()
            done.append("the rest of the block")

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert done
    assert hears_ctrl_c()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_ctrl_c_that_another_thread_takes_comes_after_the_block_too() -> None:
    """The kernel gives it to any thread that does not block it, and Python then interrupts the main thread."""
    end = threading.Event()
    thread = threading.Thread(target=end.wait)
    thread.start()
    done: list[object] = []

    def interrupted() -> None:
        with interrupts_held():
            press_ctrl_c()
            done.extend(range(10_000))

    try:
        with pytest.raises(KeyboardInterrupt):
            interrupted()
    finally:
        end.set()
        thread.join()
    assert len(done) == 10_000


def test_a_ctrl_c_that_is_ignored_is_ignored_still() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with interrupts_held():
            press_ctrl_c()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_any_thread_may_start_processes() -> None:
    def held() -> bool:
        with interrupts_held():
            return hears_ctrl_c()

    with ThreadPoolExecutor(1) as executor:
        assert executor.submit(held).result() is False


@pytest.mark.parametrize("method", METHODS)
def test_processes_are_born_deaf_to_a_ctrl_c(method: str) -> None:
    with workers(1, get_context(method)) as pool:
        assert pool.submit(hears_ctrl_c).result() is False
    assert hears_ctrl_c(), "their parent is not"


@pytest.mark.parametrize("method", METHODS)
def test_processes_end_with_what_uses_them(method: str) -> None:
    pids: list[int] = []

    def fail() -> None:
        with workers(1, get_context(method)) as pool:
            pids.append(pool.submit(os.getpid).result())
            pool.submit(wait_for_ever)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    with pytest.raises(ProcessLookupError):
        os.kill(pids[0], 0)
