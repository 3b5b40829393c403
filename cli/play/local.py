"""Games that are stored in the database of this terminal's command."""

from collections.abc import Iterator
from contextlib import suppress

import pokersvc
from pokersvc import core
from pokersvc.cli.output import wrapped
from pokersvc.cli.play.backend import Backend
from pokersvc.cli.play.keys import total_lines
from pokersvc.cli.play.recap import recap
from pokersvc.cli.replay.reading import history_lines
from pokersvc.errors import PokersvcError
from pokersvc.text import counted


class LocalBackend(Backend):
    """Keeps a game in a database; all its people are at this terminal."""

    kept = "is saved"
    hosts = True

    def __init__(self, database: "pokersvc.Database", service: "pokersvc.Service", game_id: str, program: str) -> None:
        self._database, self._service, self._game_id, self._program = database, service, game_id, program

    @property
    def how_to_resume(self) -> str:
        """The command that continues the game."""
        return f"{self._program} resume {self._game_id[:8]}"

    def over(self) -> bool:
        """Return whether the game is over."""
        with suppress(PokersvcError):  # a database that cannot be read has been reported already
            return self._service.status(self._game_id).outcome is not None
        return False

    def end(self, session: "pokersvc.Session") -> Iterator[str]:
        """Yield the history, and who won or how to resume."""
        summary = pokersvc.game_summary(self._database, self._game_id)
        for line in history_lines(self._database, summary, session.viewer, hands=True):
            yield wrapped(line, "  ")
        yield ""
        if session.people:
            yield from total_lines(session)
        if summary.result is None:
            rounds = counted(session.rounds_alone, "round")
            yield f"Stopped after {rounds}. Resume any time with: {self.how_to_resume}"
        else:
            yield f"{summary.result}; see how: {self._program} replay {self._game_id[:8]}"

    def recap(self, session: "pokersvc.Session") -> "Iterator[core.drawing.Line]":
        """Yield the result and each player's net or, if the game is not over, how to resume; and where to see more."""
        short = self._game_id[:8]
        yield from recap(session)
        if not self.over():
            rounds = counted(session.rounds_alone, "round")
            yield (core.drawing.Piece(f"Stopped after {rounds}. Resume any time with: {self.how_to_resume}"),)
            return
        seat = self._reviewed(session)  # `h` shows the history too; a low screen has no room for three lines
        other = (
            ("See more", f"history {short}") if seat is None else ("Review your play", f"review {short} --as {seat}")
        )
        for why, command in (other, ("See more", f"replay {short}")):
            quiet = core.drawing.Piece(f"  {why}: ", core.drawing.Tone.QUIET)
            yield quiet, core.drawing.Piece(f"{self._program} {command}", core.drawing.Tone.KEY)

    def _reviewed(self, session: "pokersvc.Session") -> int | None:
        """Return the only person's seat, if the game has a review; None otherwise."""
        if len(session.people) != 1:
            return None
        (seat,) = session.people
        with suppress(PokersvcError):  # as in a house without a review
            started = next(iter(self._service.replay(self._game_id, seat))).event
            if session.game.review(started, seat, core.bots.reviewing.ReviewTerms(b"")) is not None:
                return seat
        return None

    def change_stakes(self, given: "pokersvc.core.setup.Options", seat: int) -> None:
        """Change the stakes between two rounds."""
        self._service.change_stakes(self._game_id, given, seat=seat)

    def answer_purchase(self, seat: int, admits: bool, by: int) -> None:
        """Admit or refuse the purchase that a seat has asked for."""
        self._service.answer_purchase(self._game_id, seat, admits=admits, by=by)

    def wait(self, waiting: "pokersvc.Waiting") -> None:
        """Raise AssertionError: nobody else can play."""
        raise AssertionError(f"nobody but those at this terminal can play the seats {waiting.seats}")
