"""Players that use up all resources, each another one, and honest players; loaded from a file like users' players.

Whoever comes to the end of its misdeed answers as the honest ones do.
"""

import ctypes
import os
import threading
import time
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, NoReturn

from pokersvc.games.draw_poker.actions import Bet, Call, Check, Discard, Fold, LegalActions
from pokersvc.games.draw_poker.view import DrawPokerView

WORK: int = 1  # filled in: how often an honest player that computes does so, for a tenth of its limit alone
ANSWER, SCRATCH = Path("/choice/this/answer"), Path("/choice/this/tmp")
MIB = 1 << 20


class AtOnce:
    """An honest bot: it computes its bets, calls, folds and discards from its hand, without delay."""

    work = 1

    def choose(self, view: DrawPokerView, legal: LegalActions, random: Random) -> Any:
        seat = view.to_act
        assert seat is not None
        cards: tuple[Any, ...] = view.seat(seat).cards or ()
        found = str(cards).encode()
        for _ in range(self.work):
            found = sha256(found).digest()
        if legal.discard is not None:
            return Discard(seat, tuple(sorted(cards))[: min(found[0] % 3, legal.discard)])
        if legal.bet is not None and found[0] % 4 == 0:
            return Bet(seat, legal.bet[0])
        if legal.call:
            return Call(seat) if found[0] % 8 else Fold(seat)
        return Check(seat)


class Computes(AtOnce):
    """Honest, and needs a tenth of its limit."""

    work = WORK


class Hog(AtOnce):
    def choose(self, view: DrawPokerView, legal: LegalActions, random: Random) -> Any:
        self.take(view)
        return super().choose(view, legal, random)

    def take(self, view: DrawPokerView) -> None:
        """Use up a resource; each subclass uses another one."""


class Drips(Hog):
    """Prints a byte at a time without end; in every other round it answers so."""

    def take(self, view: DrawPokerView) -> NoReturn:
        written = os.open(ANSWER, os.O_WRONLY) if view.round % 2 == 0 else 1
        while True:
            os.write(written, b"A")
            time.sleep(0.001)


class Floods(Hog):
    def take(self, view: DrawPokerView) -> NoReturn:
        while True:
            os.write(1, b"x" * 65536)


class FloodsItsAnswer(Hog):
    def take(self, view: DrawPokerView) -> NoReturn:
        with ANSWER.open("wb", buffering=0) as answer:
            while True:
                answer.write(b"A" * 65536)


class Spins(Hog):
    """Uses all processors, with as many threads as allowed."""

    def take(self, view: DrawPokerView) -> None:
        with suppress(RuntimeError):
            while True:
                threading.Thread(target=self.spin).start()
        self.spin()

    def spin(self) -> NoReturn:
        held = b"x" * MIB
        while True:
            sha256(held)


class ForksInVain(Hog):
    def take(self, view: DrawPokerView) -> NoReturn:
        clone, shared = 56, 0x100 | 17
        call = ctypes.CDLL(None).syscall
        while True:
            with suppress(OSError):
                if not os.fork():
                    os._exit(0)
            call(clone, shared, 0, 0, 0, 0)


class FillsScratch(Hog):
    """Fills the scratch space, first with bytes, then with files."""

    def take(self, view: DrawPokerView) -> None:
        with suppress(OSError), (SCRATCH / "all").open("wb", buffering=0) as file:
            while True:
                file.write(b"x" * MIB)
        with suppress(OSError):
            (SCRATCH / "all").unlink()
            for number in range(9999):
                (SCRATCH / str(number)).touch()


class FillsMemory(Hog):
    def take(self, view: DrawPokerView) -> None:
        held = []
        with suppress(MemoryError):
            while True:
                held.append(b"x" * (16 * MIB))


AT_LOAD = {
    "NeverReads": """
import os, time
from hogs import AtOnce as NeverReads
really = os.open
def opens(name, *more, **named):
    if name == "/choice/this/question":
        time.sleep(9999)
    return really(name, *more, **named)
os.open = opens
""",
    "TakesAtLoad": """
import os, time
from hogs import MIB, AtOnce as TakesAtLoad
for _ in range(200):
    os.write(1, b"x" * MIB)
held = [b"x" * (16 * MIB) for _ in range(64)]
del held[32:]
until = time.monotonic() + 1
while time.monotonic() < until:
    pass
""",
}
"""Files of players that use up a resource while loading, or change the code that runs before a choice."""

HOGS = (*AT_LOAD, *(hog.__name__ for hog in Hog.__subclasses__()))
