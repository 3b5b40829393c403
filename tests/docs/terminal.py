"""Remake the picture of a game at a terminal, docs/screens/terminal.svg, from a real game: ``make screens`` does.

The lines are those that `Words.draw` gives a terminal of 72 columns, in the colours that a dark one shows.
"""

from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Final

import pokersvc
from pokersvc import EntropySource, EventLog, Seat, Service, Setup
from pokersvc.cli.drawing.wrapping import said
from pokersvc.core.drawing import Line, Piece, Room, Tone
from pokersvc.text import cells

FILE: Final = Path(__file__).parents[2] / "docs" / "screens" / "terminal.svg"
ROOM: Final = Room(72, 22)
SEED: Final = "screen"
PICKS: Final = "1 4 5"
"""The discard being typed: positions of cards."""
CELL: Final = (8.4, 19)
"""How wide and how high a character is, at 14 pixels."""

COLOURS: Final = {
    Tone.QUIET: "#8f9aa3", Tone.HIDDEN: "#8f9aa3", Tone.TURN: "#ff9df5", Tone.CHIPS: "#dfb06a", Tone.GOOD: "#87d787",
    Tone.BAD: "#ff7b72", Tone.KEY: "#5fd7d7", Tone.RED: "#ff7b72", Tone.GREEN: "#5fd787", Tone.BLUE: "#6cb6ff",
}  # fmt: skip
BOLD: Final = {Tone.STRONG, Tone.TURN, Tone.MINE, Tone.GOOD, Tone.BAD, Tone.KEY}


def lines() -> list[Line]:
    """Return the screen of a five-card draw game against three bots, before the person discards."""
    with pokersvc.open_database(":memory:") as database:
        service = Service(EventLog(database))
        seats = (Seat("human", "You"), Seat("steady", "Bo"), Seat("steady", "Cy"), Seat("steady", "Di"))
        game, _ = service.start("draw", Setup(seats, EntropySource.from_text(SEED)))
        words = pokersvc.game_of("draw").words
        while True:
            while service.status(game).to_act != 1:
                service.step(game)
            turn = service.turn(game, 1)
            if turn.legal.discard is not None:
                break
            service.act(game, words.read("c" if turn.legal.call or turn.legal.check else "b 50", turn.view, turn.legal))
        asked = said([words.ask(turn.view, turn.legal)], ROOM.columns, Tone.TURN)
        table = words.draw_picked(PICKS, turn.view, turn.legal, ROOM)
        assert table is not None
        typed = (Piece("> "), Piece(PICKS, Tone.STRONG), Piece("▏", Tone.KEY))
        command = (Piece("$ pokersvc play --players 4", Tone.QUIET),)
        return [command, (), *table, (), *asked, typed]


def drawn(shown: list[Line]) -> Iterator[str]:
    """Yield a picture of lines, line by line."""
    width, height = int(ROOM.columns * CELL[0]) + 32, len(shown) * CELL[1] + 28
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">'
    yield "<title>A game of five-card draw at a terminal</title>"
    yield f'<rect width="{width}" height="{height}" rx="8" fill="#14191f"/>'
    yield '<g font-family="ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace" font-size="14" fill="#e6edf3">'
    for row, line in enumerate(shown):
        column = 0
        for piece in line:
            size = cells(piece.text)
            if piece.text.strip():
                bold = ' font-weight="bold"' if piece.tone in BOLD else ""
                colour = f' fill="{COLOURS[piece.tone]}"' if piece.tone in COLOURS else ""
                yield (
                    f'<text x="{16 + column * CELL[0]:.1f}" y="{28 + row * CELL[1]}" xml:space="preserve"'
                    f' textLength="{size * CELL[0]:.1f}"{bold}{colour}>{escape(piece.text)}</text>'
                )
            column += size
    yield "</g>"
    yield "</svg>"


def write() -> None:
    """Write the picture."""
    FILE.write_text("\n".join(drawn(lines())) + "\n", "utf-8")


if __name__ == "__main__":
    write()
