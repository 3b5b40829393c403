"""Drawings of tables as text files, to be read and compared: one for each table and room.

Made again by `REDRAW=1 .venv/bin/python -m pytest tests/games -k drawn`.
"""

import os
from pathlib import Path
from typing import Any, Final

from pokersvc.core.drawing import Line, Room, fits, plain, width
from pokersvc.text import cells

ROOMS: Final = (Room(60, 12), Room(80, 16), Room(120, 32), Room(200, 40))
"""The room for the table in terminals of 60x20, 80x24, 120x40 and wider."""


def check_drawn(folder: Path, name: str, words: Any, view: Any, room: Room) -> None:
    """Compare a drawing with its file; with ``REDRAW`` set, write the file."""
    lines = plain(checked(words.draw(view, room), room))
    path = folder / f"{name}-{room.columns}x{room.rows}.txt"
    if os.environ.get("REDRAW"):
        folder.mkdir(exist_ok=True)
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert path.read_text(encoding="utf-8").splitlines() == lines


def checked(lines: list[Line], room: Room) -> list[Line]:
    """Return drawn lines; check that they fit their room, and that each piece has one tone and no line break."""
    assert fits(lines, room), (room, plain(lines))
    for line in lines:
        assert width(line) == sum(cells(text) for text, _ in line)
        assert all("\n" not in text and text.isprintable() for text, _ in line if text)
    return lines
