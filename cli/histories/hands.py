"""What commands print of the hands of files: one line for each that is wrong, and what became of all."""

import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Annotated, Final

import typer

from pokersvc import cli, histories
from pokersvc.cli.output import JsonArray, wrapped
from pokersvc.errors import printable
from pokersvc.text import counted, listed

MOST_PROCESSES: Final = 64

ProcessesOption = Annotated[
    int | None,
    typer.Option(
        "--processes",
        min=1,
        max=MOST_PROCESSES,
        metavar="N",
        help="How many processes share the work. [up to 8 for large files; else 1]",
    ),
]

IMPORTED: Final = {
    "stored": "stored",
    "known": "stored before",
    "learned": "learned cards of",
    "refused": "with findings",
    "kept": "stored with findings",
    "known_wrong": "stored before with findings",
    "unread": "unreadable",
}
"""What became of hands, in the order and the words in which it is told."""
FORESEEN: Final = {
    "stored": "would be stored",
    "known": "stored or told before",
    "learned": "would gain cards",
    "refused": "with findings",
    "kept": "would be stored with findings",
    "known_wrong": "stored or told before with findings",
    "unread": "unreadable",
}
"""What would become of them in an import that stores nothing."""
AUDITED: Final = {
    "refused": "with findings",
    "unread": "unreadable",
    "checked": "without findings",
    "known": "told before",
    "learned": "with more cards of one told before",
}
"""What an audit of files tells of hands."""


class HandsTold:
    """Prints what is wrong as it is found, and counts the rest."""

    def __init__(self, named: Collection[Path], *, as_json: bool, said: Mapping[str, str] = IMPORTED) -> None:
        """Tell hands of files that somebody named, and of those in folders that somebody named, in such words."""
        self._named, self._said = named, said
        self._array = JsonArray() if as_json else None
        self._files = 0
        """How many files could not be read at all."""
        self.became: Counter[str] = Counter()
        self.unchecked: Counter[str] = Counter()

    def telling(self) -> AbstractContextManager[object]:
        """Return what all hands are to be told within: it closes the array of JSON, also where something stops them."""
        return nullcontext() if self._array is None else self._array

    @property
    def audits(self) -> bool:
        """Whether the hands are of an audit, which stores none."""
        return self._said is AUDITED

    @property
    def clean(self) -> bool:
        """Whether every hand could be read and nothing was found."""
        return not self._files and not self.wrong

    @property
    def stored(self) -> bool:
        """Whether the database has any of the hands that were told."""
        return any(self.became[stored] for stored in ("stored", "known", "learned", "kept", "known_wrong"))

    @property
    def hands(self) -> int:
        """How many hands were told."""
        return sum(self.became.values())

    @property
    def wrong(self) -> int:
        """How many of them have findings, or cannot be read."""
        return sum(self.became[found] for found in ("refused", "kept", "known_wrong", "unread"))

    def hand(
        self,
        became: str,
        one: "histories.checking.CheckedHand | histories.reading.Unread",
        contradictions: "Iterable[histories.following.finding.Contradiction]" = (),
    ) -> None:
        """Take a hand, and print what is wrong in it."""
        if isinstance(one, histories.reading.Unread) and one.line is None:
            self._file(one)
            return
        found = list(contradictions)
        self.became["known_wrong" if became == "known" and found else became] += 1
        warnings: tuple[tuple[int, str], ...] = ()
        if isinstance(one, histories.checking.CheckedHand):
            self.unchecked.update(one.unchecked)
            warnings = one.warnings
        if self._array is not None:
            self._array.add(_json_of(became, one, found))
            return
        for line, warning in warnings:
            print(wrapped(printable(f"{one.path}, line {line}: note: {warning}"), "  "), file=sys.stderr)
        if isinstance(one, histories.reading.Unread):
            print(wrapped(printable(f"{_where(one)}{one.why}"), "  "))
        elif found:
            print(wrapped(printable(f"{one.path}: hand {one.number} of {one.site}: {found[0]}."), "  "))

    def _file(self, one: "histories.reading.Unread") -> None:
        """Take a file of which nothing can be read; one of something else is no fault in a folder."""
        if one.other and one.path not in self._named:
            print(wrapped(printable(f"note: {one.why}"), "  "), file=sys.stderr)
            return
        self._files += 1
        if self._array is not None:
            self._array.add(_json_of("unread", one, []))
        else:
            print(wrapped(printable(one.why), "  "))

    def end(self) -> None:
        """Print what became of all hands, and what could not be checked; JSON has it in each hand."""
        if self._array is not None:
            return
        parts = [f"{self.became[became]:,} {said}" for became, said in self._said.items() if self.became[became]]
        print(wrapped(f"{counted(self.hands, 'hand')}: {', '.join(parts)}." if parts else "No hand was found."))
        if self._files:
            print(wrapped(f"{counted(self._files, 'file')} could not be read."))
        if self.unchecked:
            kinds = [counted(count, kind) for kind, count in sorted(self.unchecked.items())]
            print(wrapped(f"Not checked, as the files do not say it: {listed(kinds)}."))


def _json_of(
    became: str,
    hand: "histories.checking.CheckedHand | histories.reading.Unread",
    found: "list[histories.following.finding.Contradiction]",
) -> dict[str, object]:
    if isinstance(hand, histories.reading.Unread):
        return {"result": became, "file": str(hand.path), "line": hand.line, "why": hand.why}
    return {
        "result": became,
        "file": str(hand.path),
        "line": hand.line,
        "site": hand.site,
        "hand": hand.number,
        "game": hand.game_id,
        "findings": [{"line": one.line, "says": one.says, "implied": one.implied} for one in found],
        "notes": [{"line": line, "note": note} for line, note in hand.warnings],
        "unchecked": dict(hand.unchecked),
    }


@contextmanager
def progress(paths: list[Path], told: HandsTold) -> Iterator[Callable[[int], None]]:
    """Show on a terminal how far the files are read, at which rate, and what was found so far."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    with cli.drawing.progress_bar.bar(
        "", histories.checking.size_of(paths), cli.drawing.progress_bar.HANDS, told=told
    ) as update:
        yield lambda read: update(advance=read)


def tell(told: HandsTold, found: "Iterable[histories.importing.Imported]") -> None:
    """Tell hands that are only looked at; for an audit, one that would be stored is one without findings."""
    for one in found:
        became = one.became.value
        told.hand("checked" if told.audits and became == "stored" else became, one.told, one.contradictions)


def files_named(texts: Iterable[str]) -> list[Path] | None:
    """Return the files and folders that texts name; None where none of them is there."""
    paths = [Path(text) for text in texts]
    return paths if any(path.exists() for path in paths) else None


def _where(one: "histories.reading.Unread") -> str:
    """Return the file and, where the sentence does not begin with it, the line of what could not be read."""
    if one.line is None:
        return ""
    named = one.why.startswith((f"Line {one.line} ", f"Line {one.line}:"))
    return f"{one.path}: " if named else f"{one.path}, line {one.line}: "
