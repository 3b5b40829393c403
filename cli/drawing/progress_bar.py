"""Progress bars on standard error; imported only when someone waits at a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Final

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)

SHARE: Final[tuple[str | ProgressColumn, ...]] = Progress.get_default_columns()
COUNT: Final = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
HANDS: Final = (
    BarColumn(),
    TransferSpeedColumn(),
    TimeRemainingColumn(),
    TextColumn("{task.fields[told].hands:,} hands, {task.fields[told].wrong:,} wrong"),
)


@contextmanager
def bar(
    what: str,
    total: float | None,
    columns: tuple[str | ProgressColumn, ...] = SHARE,
    *,
    completed: int = 0,
    **fields: object,
) -> Iterator[Callable[..., None]]:
    """Show a bar and yield a function that updates it, with rich's ``advance``, ``completed`` and ``total``."""
    console = Console(stderr=True)
    progress = Progress(*columns, console=console, transient=True, redirect_stdout=sys.stdout.isatty())
    task = progress.add_task(what, total=total, completed=completed)
    progress.tasks[0].fields.update(fields)
    with progress:
        yield partial(progress.update, task)
