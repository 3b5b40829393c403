"""The summary of a round, and the recap of a drawn game that is over: who won, and each player's net."""

from collections.abc import Iterator

import pokersvc
from pokersvc import core
from pokersvc.cli.play.keys import amount, net_lines, total
from pokersvc.core.drawing import Line, Piece, Tone
from pokersvc.text import cells, padded


def summary(session: "pokersvc.Session", entry: "pokersvc.Entry", columns: int) -> list[Line]:
    """Return the summary of a round: its line of the history, and each player's net."""
    lines: list[Line] = [(Piece(line, Tone.STRONG),) for line in session.game.words.line(entry).split("\n")]
    return [*lines, *net_lines(session, entry, columns)]


def recap(session: "pokersvc.Session") -> Iterator[Line]:
    """Yield the result, and a line for each player with their final score and their net over all rounds."""
    words, seats, outcome = session.game.words, session.all_seats, session.state.outcome
    if outcome is None:
        return
    yield (Piece(words.result_of(session.facts, seats, outcome), Tone.STRONG),)
    nets = total(session)
    lines = words.standings_of(session.facts, seats, outcome.scores)
    held = [seat for seat, who in enumerate(seats, 1) if who.kind != core.seats.OPEN]
    if not nets or len(lines) != len(held):
        yield from (((Piece(f"  {line}"),)) for line in lines)
        return
    wide = max(map(cells, lines))
    for seat, line in zip(held, lines, strict=True):
        yield Piece(f"  {padded(line, wide)}  "), amount(nets[seat])
