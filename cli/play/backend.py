"""The place that keeps a game played at this terminal, such as a database or a server, and how play may stop."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator

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


class Backend(ABC):
    """The place that keeps a session's game, such as a database: its words in messages, and waiting for news."""

    hosts: bool = False
    """Whether the people at this terminal are the hosts of the game."""
    again: str = "resume"
    """The verb in messages for returning to the game."""

    @property
    @abstractmethod
    def how_to_resume(self) -> str:
        """The command that continues the game."""

    @property
    @abstractmethod
    def kept(self) -> str:
        """What happens to the game when a person stops playing at this terminal, in words such as "is saved"."""

    @abstractmethod
    def over(self) -> bool:
        """Return whether the game is over."""

    @abstractmethod
    def end(self, session: "pokersvc.Session") -> Iterator[str]:
        """Yield the lines to print when the game has ended or stopped, wrapped to the terminal."""

    def recap(self, session: "pokersvc.Session") -> "Iterator[core.drawing.Line]":
        """Yield the lines to print after the last screen of a drawn table: by default the lines of `end`."""
        for line in self.end(session):
            yield (core.drawing.Piece(line),)

    def clock(self, seat: int) -> list[str]:
        """Return a line with the time that a seat has left for its choice; no line without a clock."""
        return []

    def left(self, seat: int) -> float | None:
        """Return the seconds that a seat has left for its choice; None if there is no clock."""
        return None

    def missing(self) -> Collection[int]:
        """Return the seats of people elsewhere who have lost the connection."""
        return ()

    @abstractmethod
    def wait(self, waiting: "pokersvc.Waiting") -> None:
        """Wait until others may have acted."""

    def stopped(self, error: PokersvcError) -> PokersvcError:
        """Return the error to report when an error ends the game at this terminal."""
        return GameStopped(f"{str(error).rstrip('.')}; {self.what_is_kept('the game so far')}")

    def what_is_kept(self, what: str) -> str:
        """Return a sentence on what happens to the game, and how to resume it unless it is over."""
        if self.over():
            return f"{what} is over and saved."
        return f"{what} {self.kept}, {self.again} with: {self.how_to_resume}"

    def fileno(self) -> int | None:
        """Return the file descriptor that is readable when others may have acted; None if nobody else can act."""
        return None

    def say(self, text: str) -> None:
        """Say a line to the others at the table; raise an error with the reason if it cannot be said."""
        raise GameStopped("Only at a server's table can you say something to the others.")

    def change_stakes(self, given: "pokersvc.core.setup.Options", seat: int) -> None:
        """Change the stakes for a host, whose seat may be 0 for none; raise an error if this change is refused."""
        raise GameStopped("Only the table's host can change the stakes, on the page of the table.")

    def answer_purchase(self, seat: int, admits: bool, by: int) -> None:
        """Answer a person who asks to buy chips, for a host at seat ``by`` (0 for no seat)."""
        raise GameStopped("Only the table's host answers purchases, on the page of the table.")

    def sign(self, name: str) -> None:
        """Give the others at the table a sign; raise an error with the reason if it cannot be given."""
        raise GameStopped("Only at a server's table can you give the others a sign.")

    def heard(self) -> None:  # noqa: B027  # most backends hear of nothing
        """Read the news that made `fileno` readable, so that only further news makes it readable again."""

    def speak_by(self, notice: Callable[[str], None]) -> None:  # noqa: B027  # most have nothing to tell
        """From now on, call ``notice`` to report events outside the game, such as a lost connection."""
