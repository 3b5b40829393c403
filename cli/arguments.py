"""Arguments and options shared by several commands."""

from pathlib import Path
from typing import Annotated, Final

import typer

MOST: Final = 1_000_000_000
"""The largest number that any option takes; databases and web pages represent it exactly."""

GameArgument = Annotated[str, typer.Argument(metavar="GAME", help="A game ID, a unique prefix of one, or `last`.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
OutputOption = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write to a new file. [standard output]")
]
