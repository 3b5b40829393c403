"""Makes a box, and waits for its end: ``python __main__.py QUESTIONS ANSWERS LOG``, open files; the last may be -1."""

import os
import signal
import sys
import traceback
from pathlib import Path

if __name__ == "__main__":
    sys.path.append(str(Path(__file__).parents[3]))

from pokersvc.players.box import namespaces
from pokersvc.players.box.forker import PlayerEndedError
from pokersvc.players.box.init import Box, OutsideEndedError, WaysOut, read_spec, tell
from pokersvc.players.box.inside import ANSWER, NO_BOX


def main(questions: int, answers: int, log: int) -> None:
    """Make the box that is asked for, and serve it until its end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    number, spec = read_spec(questions)
    try:
        user = namespaces.enter(network=spec.network)
    except namespaces.NoBoxError as error:
        tell(answers, number, NO_BOX, str(error).encode())
        return
    if first := os.fork():  # the first process of the new namespace, with which all others in it end
        for end in (questions, answers):
            os.close(end)
        os.waitpid(first, 0)
        return
    try:
        box = Box(spec, user, WaysOut(questions, answers, None if log < 0 else log))
        kind, what = box.load()
        box.tell(number, kind, what)
        if kind == ANSWER:
            box.serve()
    except namespaces.NoBoxError as error:
        tell(answers, number, NO_BOX, str(error).encode())
    except (OutsideEndedError, PlayerEndedError, BrokenPipeError):
        pass
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(0)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
