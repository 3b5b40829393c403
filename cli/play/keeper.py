"""Where a game that is played at this terminal is kept, and how it may stop there."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator

import pokersvc
from pokersvc import core
from pokersvc.cli.output import EXIT_CLOSED
from pokersvc.errors import PokersvcError


class GameStopped(PokersvcError):
    """The game stopped here; the sentence says how to resume it."""

    code = "stopped"


class OutputClosed(GameStopped):
    """The output was closed, as by ``| head``; the game can be resumed."""

    exit_code = EXIT_CLOSED


class Keeper(ABC):
    """Where the game of a session is kept, and what a person should know about that."""

    again: str = "resume"
    """What a person does who comes back."""

    @property
    @abstractmethod
    def how_to_resume(self) -> str:
        """What to type to continue."""

    @property
    @abstractmethod
    def kept(self) -> str:
        """What becomes of the game when a person stops here, such as "is saved"."""

    @abstractmethod
    def over(self) -> bool:
        """Tell whether the game is over."""

    @abstractmethod
    def end(self, session: "pokersvc.Session") -> Iterator[str]:
        """Yield what is said at the end of the game, or where it was stopped, in lines that fit the terminal."""

    def recap(self, session: "pokersvc.Session") -> "Iterator[core.drawing.Line]":
        """Yield what is said after the last screen of a drawn table, shorter than `end` where that is long."""
        for line in self.end(session):
            yield (core.drawing.Piece(line),)

    def clock(self, seat: int) -> list[str]:
        """Return how long a seat has for its choice, in a line; none where there is no clock."""
        return []

    @abstractmethod
    def wait(self, waiting: "pokersvc.Waiting") -> None:
        """Wait until others may have acted."""

    def stopped(self, error: PokersvcError) -> PokersvcError:
        """Return what a person is told where an error ends the game at this terminal."""
        return GameStopped(f"{str(error).rstrip('.')}; {self.what_is_kept('the game so far')}")

    def what_is_kept(self, what: str) -> str:
        """Return what becomes of the game, and how to resume it unless it is over."""
        if self.over():
            return f"{what} is over and saved."
        return f"{what} {self.kept}, {self.again} with: {self.how_to_resume}"

    def fileno(self) -> int | None:
        """Return what is readable where others may have acted; None where nobody else can."""
        return None

    def heard(self) -> None:  # noqa: B027  # most keepers hear of nothing
        """Take the news that made `fileno` readable, so that it is readable again only where there is more."""

    def speak_by(self, notice: Callable[[str], None]) -> None:  # noqa: B027  # most have nothing to tell
        """Tell from now on by ``notice`` what happens beside the game, such as to a connection."""
