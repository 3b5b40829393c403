"""Reports on the hands in files: one line for each hand that is wrong, and totals by outcome."""

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
        help="Number of processes. [up to 8 for large files; else 1]",
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
"""Outcome of a hand in an import → its words in the report, in the order of the totals."""
FORESEEN: Final = {
    "stored": "would be stored",
    "known": "stored or told before",
    "learned": "would gain cards",
    "refused": "with findings",
    "kept": "would be stored with findings",
    "known_wrong": "stored or told before with findings",
    "unread": "unreadable",
}
"""Outcome of a hand → its words in the report of a dry run, which stores nothing."""
AUDITED: Final = {
    "refused": "with findings",
    "unread": "unreadable",
    "checked": "without findings",
    "known": "told before",
    "learned": "with more cards of one told before",
}
"""Outcome of a hand → its words in the report of an audit of files."""


class HandsReport:
    """Prints problems of hands as they are found, and counts hands by outcome."""

    def __init__(self, named: Collection[Path], *, as_json: bool, said: Mapping[str, str] = IMPORTED) -> None:
        """Report on hands in the ``named`` files and folders; ``said`` maps each outcome to its words in the totals."""
        self._named, self._said = named, said
        self._array = JsonArray() if as_json else None
        self._files = 0
        """The number of files that could not be read at all."""
        self.became: Counter[str] = Counter()
        self.unchecked: Counter[str] = Counter()

    def telling(self) -> AbstractContextManager[object]:
        """Return a context for reporting all hands; at the end it closes the JSON array, even after an exception."""
        return nullcontext() if self._array is None else self._array

    @property
    def audits(self) -> bool:
        """Whether this is the report of an audit, in which no hands are stored."""
        return self._said is AUDITED

    @property
    def clean(self) -> bool:
        """Whether no file or hand was unreadable and no hand has findings, so that the command succeeds."""
        return not self._files and not self.wrong

    @property
    def stored(self) -> bool:
        """Whether the database has any of the hands reported so far."""
        return any(self.became[stored] for stored in ("stored", "known", "learned", "kept", "known_wrong"))

    @property
    def hands(self) -> int:
        """The number of hands reported so far."""
        return sum(self.became.values())

    @property
    def wrong(self) -> int:
        """The number of hands that have findings or cannot be read."""
        return sum(self.became[found] for found in ("refused", "kept", "known_wrong", "unread"))

    def hand(
        self,
        became: str,
        one: "histories.checking.CheckedHand | histories.reading.Unread",
        contradictions: "Iterable[histories.following.finding.Contradiction]" = (),
    ) -> None:
        """Count a hand, and print its problems."""
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
        """Report and count an unreadable file; if it is no hand history and only its folder was named, just note it."""
        if one.other and one.path not in self._named:
            print(wrapped(printable(f"note: {one.why}"), "  "), file=sys.stderr)
            return
        self._files += 1
        if self._array is not None:
            self._array.add(_json_of("unread", one, []))
        else:
            print(wrapped(printable(one.why), "  "))

    def end(self) -> None:
        """Print totals by outcome and what could not be checked; print nothing in JSON, where each hand states them."""
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
def progress(paths: list[Path], told: HandsReport) -> Iterator[Callable[[int], None]]:
    """At a terminal, show the progress of reading, its rate, and the findings so far."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    with cli.drawing.progress_bar.bar(
        "", histories.checking.size_of(paths), cli.drawing.progress_bar.HANDS, told=told
    ) as update:
        yield lambda read: update(advance=read)


def tell(told: HandsReport, found: "Iterable[histories.importing.Imported]") -> None:
    """Report the results of an import, a dry run or an audit; in an audit, "stored" means checked without findings."""
    for one in found:
        became = one.became.value
        told.hand("checked" if told.audits and became == "stored" else became, one.told, one.contradictions)


def files_named(texts: Iterable[str]) -> list[Path] | None:
    """Return texts as paths, or None if no text is the path of a file or folder."""
    paths = [Path(text) for text in texts]
    return paths if any(path.exists() for path in paths) else None


def _where(one: "histories.reading.Unread") -> str:
    """Return the start of a message about an unreadable part: its file, and its line unless the message has it."""
    if one.line is None:
        return ""
    named = one.why.startswith((f"Line {one.line} ", f"Line {one.line}:"))
    return f"{one.path}: " if named else f"{one.path}, line {one.line}: "
