"""What commands print of the hands of files: one line for each that is wrong, and what became of all."""

import json
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from pokersvc import cli, histories
from pokersvc.cli.output import wrapped
from pokersvc.errors import printable
from pokersvc.text import counted, listed

_SAID = {
    "stored": "stored",
    "known": "stored before",
    "learned": "learned cards of",
    "refused": "with findings",
    "kept": "stored with findings",
    "unread": "unreadable",
    "checked": "without findings",
}
"""What became of hands, in the order and the words in which it is told."""


class HandsTold:
    """Prints what is wrong as it is found, and counts the rest."""

    def __init__(self, named: Collection[Path], *, as_json: bool) -> None:
        """Tell hands of files that somebody named, and of those in folders that somebody named."""
        self._named, self._as_json = named, as_json
        self._files = 0
        """How many files could not be read at all."""
        self._opening = "["
        self.became: Counter[str] = Counter()
        self.unchecked: Counter[str] = Counter()

    @property
    def clean(self) -> bool:
        """Whether every hand could be read and nothing was found."""
        return not self._files and not any(self.became[found] for found in ("refused", "kept", "unread"))

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
        self.became[became] += 1
        found = list(contradictions)
        warnings: tuple[tuple[int, str], ...] = ()
        if isinstance(one, histories.checking.CheckedHand):
            self.unchecked.update(one.unchecked)
            warnings = one.warnings
        if self._as_json:
            self._print(_json_of(became, one, found))
            return
        for line, warning in warnings:
            print(wrapped(printable(f"{one.path}, line {line}: note: {warning}"), "  "), file=sys.stderr)
        if isinstance(one, histories.reading.Unread):
            where = f"{one.path}, line {one.line}: " if one.line is not None else ""
            print(wrapped(printable(f"{where}{one.why}"), "  "))
        elif found:
            print(wrapped(printable(f"{one.path}: hand {one.number} of {one.site}: {found[0]}."), "  "))

    def _file(self, one: "histories.reading.Unread") -> None:
        """Take a file of which nothing can be read; one of something else is no fault in a folder."""
        if one.other and one.path not in self._named:
            print(wrapped(printable(f"note: {one.why}"), "  "), file=sys.stderr)
            return
        self._files += 1
        if self._as_json:
            self._print(_json_of("unread", one, []))
        else:
            print(wrapped(printable(one.why), "  "))

    def end(self) -> None:
        """Print what became of all hands, and what could not be checked."""
        if self._as_json:
            print("[]" if self._opening == "[" else "\n]")
            return
        hands = sum(self.became.values())
        parts = [f"{self.became[became]:,} {said}" for became, said in _SAID.items() if self.became[became]]
        print(wrapped(f"{counted(hands, 'hand')}: {', '.join(parts)}." if parts else "No hand was found."))
        if self._files:
            print(wrapped(f"{counted(self._files, 'file')} could not be read."))
        if self.unchecked:
            kinds = [counted(count, kind) for kind, count in sorted(self.unchecked.items())]
            print(wrapped(f"Not checked, as the files do not say it: {listed(kinds)}."))

    def _print(self, fields: Mapping[str, object]) -> None:
        print(f"{self._opening}\n{json.dumps(fields, ensure_ascii=False)}", end="")
        self._opening = ","


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
    with cli.bars.bar("", histories.checking.size_of(paths), cli.bars.HANDS, hands=0, wrong=0) as update:

        def advance(read: int) -> None:
            wrong = sum(told.became[found] for found in ("refused", "kept", "unread"))
            update(advance=read, hands=sum(told.became.values()), wrong=wrong)

        yield advance


def tell_checked(
    told: HandsTold, checked: "Iterable[histories.checking.CheckedHand | histories.reading.Unread]"
) -> None:
    """Tell hands that are only checked."""
    for one in checked:
        if isinstance(one, histories.reading.Unread):
            told.hand("unread", one)
        else:
            told.hand("refused" if one.contradictions else "checked", one, one.contradictions)


def files_named(texts: Iterable[str]) -> list[Path] | None:
    """Return the files and folders that texts name; None where none of them is there."""
    paths = [Path(text) for text in texts]
    return paths if any(path.exists() for path in paths) else None
