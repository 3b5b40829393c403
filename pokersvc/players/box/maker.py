"""Makes a box and waits for its end."""

import os
import select
import signal
import traceback

from pokersvc.players.box import namespaces
from pokersvc.players.box.forker import PlayerEndedError
from pokersvc.players.box.init import Box, OutsideEndedError, WaysOut, read_spec, tell
from pokersvc.players.box.kernel import NoBoxError, needed
from pokersvc.players.messages import ANSWERED, NO_BOX


def make(questions: int, answers: int, log: int) -> None:
    """Make the requested box, and serve it until its end; ``log`` is -1 if there is none."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    number, spec = read_spec(questions)
    try:
        with needed("process descriptors (pidfd_open), since Linux 5.3"):
            os.close(os.pidfd_open(os.getpid()))  # needed to wait for the end of a box and of a choice
        user = namespaces.enter(network=spec.network)
    except NoBoxError as error:
        tell(answers, number, NO_BOX, str(error).encode())
        return
    if first := os.fork():  # the first process of the new namespace; all others in it end when it does
        os.close(answers)
        _watch(first, questions)
        return
    try:
        box = Box(spec, user, WaysOut(questions, answers, None if log < 0 else log))
        kind, what = box.load()
        box.tell(number, kind, what)
        if kind == ANSWERED:
            box.serve()
    except NoBoxError as error:
        tell(answers, number, NO_BOX, str(error).encode())
    except (OutsideEndedError, PlayerEndedError, BrokenPipeError):
        pass
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(0)


def _watch(first: int, questions: int) -> None:
    """Wait for a box to end; once the game has ended, end the box no matter what its first process is doing."""
    ended, poll = os.pidfd_open(first), select.poll()
    poll.register(ended, select.POLLIN)
    poll.register(questions, 0)  # poll reports their end (POLLHUP) without being asked
    if ended not in dict(poll.poll()):
        poll.unregister(questions)
        if not poll.poll(1000):
            os.kill(first, signal.SIGKILL)
    os.waitpid(first, 0)
