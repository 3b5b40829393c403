"""The summary of a round, and the recap of a drawn game that is over: who won, and each player's net."""

from collections.abc import Iterator
from typing import Final

import pokersvc
from pokersvc import core
from pokersvc.cli.drawing.wrapping import said
from pokersvc.cli.play.keys import amount, net_lines, total
from pokersvc.core.drawing import Line, Piece, Tone
from pokersvc.text import cells, padded

MOST_NET_LINES: Final = 3
"""The most lines of nets below a table, which would leave it too little room for more; ``h`` shows all."""


def summary(session: "pokersvc.Session", entry: "pokersvc.Entry", columns: int) -> list[Line]:
    """Return the summary of a round: its line of the history, and the players' nets if they take few lines."""
    lines = said(session.game.words.line(entry).split("\n"), columns, Tone.STRONG)
    nets = net_lines(session, entry, columns)
    return [*lines, *nets] if len(nets) <= MOST_NET_LINES else lines


def recap(session: "pokersvc.Session") -> Iterator[Line]:
    """Yield the result, and a line for each player with their final score.

    If the net over all rounds differs from the score, the net follows the score.
    """
    words, seats, outcome = session.game.words, session.all_seats, session.state.outcome
    if outcome is None:
        return
    yield (Piece(words.result_of(session.facts, seats, outcome), Tone.STRONG),)
    nets = total(session)
    lines = words.standings_of(session.facts, seats, outcome.scores)
    held = [seat for seat, who in enumerate(seats, 1) if who.kind != core.seats.OPEN]
    # In a cash game, scores are nets, which must not be shown twice.
    are_scores = all(nets.get(seat) == outcome.scores[seat - 1] for seat in held)
    if not nets or are_scores or len(lines) != len(held):
        yield from (((Piece(f"  {line}"),)) for line in lines)
        return
    wide = max(map(cells, lines))
    for seat, line in zip(held, lines, strict=True):
        yield Piece(f"  {padded(line, wide)}  "), amount(nets[seat])
