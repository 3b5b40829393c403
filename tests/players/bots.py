"""Custom players that misbehave, each in another way; they are loaded from a file like users' players.

They differ from a good player in what they do first, so that one that comes through its misdeed answers well.
"""

import ctypes
import os
import pickle
import re
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random
from traceback import walk_stack
from typing import Any

from pokersvc.core.actions import Action, Forfeit, Leave
from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold, LegalActions
from pokersvc.games.draw_poker.view import DrawPokerView
from pokersvc.players.answers import Answers
from pokersvc.players.messages import ANSWERED, HEADER
from pokersvc.players.worker import MEMORY


def asked() -> tuple[int, int]:
    """Look in the frames of the process for the number of the question, and the pipe to answer on."""
    for frame, _ in walk_stack(None):
        if frame.f_code.co_name == "_choose":
            return frame.f_locals["number"], frame.f_locals["answers"]
    raise LookupError


class Good:
    def choose(self, view: DrawPokerView, legal: LegalActions, random: Random) -> Any:
        seat = view.to_act
        assert seat is not None
        if legal.discard is not None:
            return Discard(seat, ())
        if legal.bet is not None:
            return Bet(seat, legal.bet[0])
        return Call(seat) if legal.call else Check(seat)


class Rolls(Good):
    """Bets by chance: from the stream it is given, from the library's, and by the order of a set."""

    def choose(self, view: DrawPokerView, legal: LegalActions, random: Random) -> Any:
        import random as anywhere

        action = super().choose(view, legal, random)
        if isinstance(action, Bet):
            letters = "".join({"a", "b", "c", "d"})
            return Bet(action.seat, 50 + random.randrange(100) + anywhere.randrange(100) + ord(letters[0]))
        return action


class Remembers(Good):
    """Bets one chip more at each question, if any state survives between choices."""

    asked = 0

    def choose(self, view: DrawPokerView, legal: LegalActions, random: Random) -> Any:
        action = super().choose(view, legal, random)
        Remembers.asked += 1
        return Bet(action.seat, 49 + Remembers.asked) if isinstance(action, Bet) else action


# Each of these fails: by the code that the log gets.


class Raises(Good):
    def choose(self, *_: Any) -> Any:
        raise RuntimeError("bug")


class RaisesWhenMade(Good):
    def __init__(self) -> None:
        raise RuntimeError("bug")


class Exits(Good):
    def choose(self, *_: Any) -> Any:
        sys.exit(0)


class ExitsAtOnce(Good):
    def choose(self, *_: Any) -> Any:
        os._exit(0)


class Interrupts(Good):
    def choose(self, *_: Any) -> Any:
        raise KeyboardInterrupt


class Kills(Good):
    def choose(self, *_: Any) -> Any:
        os.kill(os.getpid(), signal.SIGKILL)


class KillsItsParent(Good):
    def choose(self, *_: Any) -> Any:
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(30)


class KillsItsGroup(Good):
    def choose(self, *_: Any) -> Any:
        os.killpg(0, signal.SIGKILL)


class ClosesEverything(Good):
    def choose(self, view: DrawPokerView, legal: LegalActions, random: Random) -> Any:
        os.closerange(0, 256)
        return super().choose(view, legal, random)


class Crashes(Good):
    def choose(self, *_: Any) -> Any:
        return ctypes.string_at(0)


class EatsMemory(Good):
    def choose(self, view: DrawPokerView, legal: LegalActions, random: Random) -> Any:
        eaten = bytearray(MEMORY + (1 << 30))
        return eaten and super().choose(view, legal, random)


class Mutates(Good):
    def choose(self, view: Any, legal: LegalActions, random: Random) -> Any:
        view.pot = 1_000_000
        return super().choose(view, legal, random)


class Loops(Good):
    def choose(self, *_: Any) -> Any:
        while True:
            pass


class LoopsInC(Good):
    def choose(self, *_: Any) -> Any:
        return re.match(r"(a+)+$", "a" * 64 + "b")


class Sleeps(Good):
    def choose(self, *_: Any) -> Any:
        time.sleep(60)


class SleepsThroughTheAlarm(Good):
    def choose(self, *_: Any) -> Any:
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
        time.sleep(60)


class Speaks(Good):
    def choose(self, *_: Any) -> Any:
        return "bet 50"


class SaysNothing(Good):
    def choose(self, *_: Any) -> Any:
        return None


class AnswersForAnother(Good):
    def choose(self, *_: Any) -> Any:
        return Bet(2, 50)


class BetsTooMuch(Good):
    def choose(self, *_: Any) -> Any:
        return Bet(1, 10**9)


class AnswersAtLength(Good):
    def choose(self, *_: Any) -> Any:
        return Discard(1, tuple(range(100_000)))  # type: ignore[arg-type]  # no cards


class AnswersWithCode(Good):
    def choose(self, *_: Any) -> Any:
        return lambda: None


class MyInt(int):
    pass


@dataclass(frozen=True)
class Own(Action):
    amount: int


class AnswersWithAnActionOfItsOwn(Good):
    def choose(self, *_: Any) -> Any:
        return Own(1, 50)


class AnswersYes(Good):
    def choose(self, *_: Any) -> Any:
        return Bet(1, True)


class Forges(Good):
    """Writes an answer past the process that it runs in: one that would run a program where it is unpickled."""

    def choose(self, *_: Any) -> Any:
        number, answers = asked()
        forged = pickle.dumps(Forged())
        os.write(answers, HEADER.pack(number, ANSWERED, len(forged)) + forged)
        time.sleep(60)


class Forged:
    def __reduce__(self) -> Any:
        return Path.touch, (Path(__file__).with_name("forged"),)


class CannotBeWritten(Good):
    def choose(self, *_: Any) -> Any:
        return Bet(1, sys.stdout)  # type: ignore[arg-type]  # no amount


class Leaves(Good):
    def choose(self, *_: Any) -> Any:
        return Leave(1)


class Forfeits(Good):
    def choose(self, *_: Any) -> Any:
        return Forfeit(1, "timeout")


# These come through: nothing that they do reaches the game.


class AnswersWithNumbersOfItsOwn(Good):
    def choose(self, view: DrawPokerView, legal: LegalActions, random: Random) -> Any:
        action = super().choose(view, legal, random)
        return Bet(MyInt(action.seat), MyInt(action.amount)) if isinstance(action, Bet) else action


class DiscardsAList(Good):
    def choose(self, view: DrawPokerView, legal: LegalActions, random: Random) -> Any:
        action = super().choose(view, legal, random)
        return Discard(action.seat, []) if isinstance(action, Discard) else action  # type: ignore[arg-type]  # no tuple


class AnswersWhatWasAskedBefore(Good):
    """Sends another answer to a question that it has already answered."""

    def choose(self, view: DrawPokerView, legal: LegalActions, random: Random) -> Any:
        number, answers = asked()
        answer = Answers([Fold]).write(Fold(1))
        assert answer is not None
        os.write(answers, HEADER.pack(number - 1, ANSWERED, len(answer)) + answer)
        return super().choose(view, legal, random)


class Prints(Good):
    def choose(self, view: DrawPokerView, legal: LegalActions, random: Random) -> Any:
        print("I hold", view.seat(1).cards, flush=True)
        os.write(1, b"on my own\n")
        sys.stderr.write("and in red\n")
        return super().choose(view, legal, random)


class Forks(Good):
    def choose(self, view: DrawPokerView, legal: LegalActions, random: Random) -> Any:
        os.fork()
        return super().choose(view, legal, random)


class ForksAndDisagrees(Good):
    """Forks; the child answers first and differently, and its answer must be ignored."""

    def choose(self, view: DrawPokerView, legal: LegalActions, random: Random) -> Any:
        if os.fork():
            time.sleep(0.1)
            return super().choose(view, legal, random)
        return Fold(1)


class LeavesASleeper(Good):
    def choose(self, view: DrawPokerView, legal: LegalActions, random: Random) -> Any:
        if not os.fork():
            time.sleep(60)
            os._exit(0)
        return super().choose(view, legal, random)


class MutatesByForce(Good):
    def choose(self, view: DrawPokerView, legal: LegalActions, random: Random) -> Any:
        action = super().choose(view, legal, random)
        object.__setattr__(view, "pot", 1_000_000)
        object.__setattr__(view.seat(1), "stack", 1_000_000)
        return action


class MovesAway(Good):
    def choose(self, view: DrawPokerView, legal: LegalActions, random: Random) -> Any:
        os.chdir("/")
        os.environ.clear()
        sys.path.clear()
        return super().choose(view, legal, random)


NO_PLAYER = 5


class WithoutAChoice:
    pass


class Chosen:
    """Plays as the class that a file beside this one names: one process for them all."""

    def choose(self, view: DrawPokerView, legal: LegalActions, random: Random) -> Any:
        name = Path(__file__).with_name("name").read_text()
        return globals()[name]().choose(view, legal, random)
