"""`pokersvc audit`: checks the log; prints one line per game and per finding."""

import json
import os
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Annotated, Any, Final, Self

import typer

import pokersvc
from pokersvc import cli, core, evidence, histories
from pokersvc.cli.arguments import JsonOption
from pokersvc.cli.database import opening as databases
from pokersvc.cli.histories import hands
from pokersvc.cli.output import EXIT_FINDINGS, STOPS, JsonArray, NotChecked, finding_json, wrapped
from pokersvc.errors import InvalidValue, printable
from pokersvc.text import counted

MOST_TOLD = 3
WIDTH = 80


def audit(
    context: typer.Context,
    games: Annotated[
        list[str] | None, typer.Argument(metavar="GAME|FILE", help="Games, or files of hand histories. [all games]")
    ] = None,
    checkpoint: Annotated[
        Path | None, typer.Option("--checkpoint", metavar="FILE", help="Find what changed since this checkpoint.")
    ] = None,
    key: Annotated[
        Path | None,
        typer.Option("--key", metavar="PUB", help="Require the checkpoint to be signed by this public key."),
    ] = None,
    ledger: Annotated[bool, typer.Option("--ledger", help="Print where every chip went, round by round.")] = False,
    chain: Annotated[bool, typer.Option("--chain", help="Check the hash chain only.")] = False,
    processes: hands.ProcessesOption = None,
    as_json: JsonOption = False,
) -> None:
    """Check the log, and that the games followed their rules.

    The audit checks the hash chain, the format of every event, the rules, the
    deal, the money, and the game list and histories. It prints one line per
    game and per finding; exit code 3 if there are findings, 1 if a game was
    not checked. Hand histories (FILE) are checked without a database: each hand
    by itself, and against the hands before it. If a file and a game have the
    same name, the file is meant.

    Example: pokersvc audit last --ledger
    """
    if (files := hands.files_named(games or ())) is not None:
        _refuse_for_files(checkpoint=checkpoint, key=key, ledger=ledger, chain=chain)
        _audit_files(files, processes, as_json=as_json)
        return
    _refuse_missing_files(context, games or ())
    processes = processes or 1
    if ledger and (chain or processes > 1):
        other = "--chain" if chain else "--processes"
        raise InvalidValue(f"--ledger cannot be combined with {other}; leave one of them out.")
    if key is not None:
        _check_signature(checkpoint, key)
    with databases.reading(context) as database:
        ids = None if not games else _found(database, games, checkpoint)
        clean, complete, unchecked = True, True, 0
        with _Json() if as_json else _Plain() as said, _progress(database, ids) as progress:
            options = {"checkpoint": checkpoint, "only_chain": chain, "progress": progress}
            with closing(_audited(context, database, ids, processes, said.page if ledger else None, options)) as found:
                for audited in found:
                    said.game(audited)
                    clean = clean and not audited.count
                    complete = complete and audited.checked
                    unchecked += audited.game_id is not None and not audited.checked
    if not clean:
        raise typer.Exit(EXIT_FINDINGS)
    if unchecked:
        said_where = "was not checked; its line says" if unchecked == 1 else "were not checked; their lines say"
        raise NotChecked(f"{counted(unchecked, 'game')} {said_where} why.")
    if not complete:
        raise NotChecked("Not everything outside the games was checked; the line of the database says why.")


def _refuse_missing_files(context: typer.Context, texts: Iterable[str]) -> None:
    """Raise `UnknownGame` for a text that looks like a file name, if neither such a file nor a database exists."""
    if (missing := next(filter(_looks_like_file, texts), None)) is not None:
        with databases.reading_if_there(context) as database:
            if database is None:
                raise _neither(missing)


def _looks_like_file(text: str) -> bool:
    return bool(Path(text).suffix) or "/" in text or os.sep in text


def _neither(text: str) -> "pokersvc.UnknownGame":
    said = f"There is neither a game nor a file {text!r}: `pokersvc games` lists the games"
    return pokersvc.UnknownGame(f"{said}, and a hand history is named by its path.")


def _refuse_for_files(**options: object) -> None:
    """Raise `InvalidValue` for an option that applies only to games in the log."""
    for name, value in options.items():
        if value:
            raise InvalidValue(f"--{name} is for games of the database; leave it out to audit a file.")


def _audit_files(files: list[Path], processes: int | None, *, as_json: bool) -> None:
    told = hands.HandsReport(files, as_json=as_json, said=hands.AUDITED)
    processes = processes or histories.checking.fitting_processes(files)
    with told.telling(), hands.progress(files, told) as progress:
        checked = histories.checking.check(files, processes=processes, events=False, progress=progress)
        hands.tell(told, histories.dry_run.audited(checked))
    told.end()
    if not told.clean:
        raise typer.Exit(EXIT_FINDINGS)


def _found(database: "pokersvc.Database", texts: list[str], checkpoint: Path | None) -> list[str]:
    """Return the IDs of the games that texts name, from the log or, for removed games, from the checkpoint."""
    log = pokersvc.EventLog(database)
    kept = _kept(checkpoint, texts)
    found = []
    for text in texts:
        try:
            found.append(text if text in kept[text] else log.find(text))
        except pokersvc.UnknownGame:
            if not kept[text]:
                if _looks_like_file(text):
                    raise _neither(text) from None
                raise
            if len(kept[text]) > 1:
                raise pokersvc.AmbiguousGame(
                    f"{text!r} could be any of the games ({', '.join(kept[text])}) of the checkpoint: write more."
                ) from None
            found += kept[text]
    return list(dict.fromkeys(found))


def _kept(checkpoint: Path | None, texts: list[str]) -> dict[str, list[str]]:
    """Map each text to the equal ID in the checkpoint or, if there is none, to the first few IDs that begin with it."""
    kept: dict[str, list[str]] = {text: [] for text in texts}
    for game in () if checkpoint is None else evidence.checkpoint.games_in(checkpoint):
        for text, ids in kept.items():
            if game.game_id == text or (game.game_id.startswith(text) and len(ids) < MOST_TOLD):
                ids.append(game.game_id)
    return kept


def _check_signature(checkpoint: Path | None, key: Path) -> None:

    if checkpoint is None:
        raise InvalidValue("--key needs --checkpoint; name the checkpoint that it signed.")
    pokersvc.check_signature(pokersvc.read_checkpoint(checkpoint), pokersvc.public_key(key))


def _audited(
    context: typer.Context,
    database: "pokersvc.Database",
    ids: list[str] | None,
    processes: int,
    page: "Callable[[str, pokersvc.LedgerPage], None] | None",
    options: dict[str, Any],
) -> "Generator[pokersvc.Audited, None, None]":

    if processes == 1:
        yield from pokersvc.audit(database, ids, ledger=page, **options)
    else:
        yield from pokersvc.audit_in_processes(databases.chosen(context), processes, ids, **options)


@contextmanager
def _progress(database: "pokersvc.Database", ids: list[str] | None) -> Iterator[Callable[[int], None]]:
    """Show the progress of the audit on a terminal."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    with cli.drawing.progress_bar.bar("Auditing", evidence.audit.events_in(database, ids)) as update:
        yield lambda events: update(advance=events)


class _Plain:
    """Prints the results of an audit as text for people."""

    def __init__(self) -> None:
        self._game: str | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def page(self, game_id: str, page: "pokersvc.LedgerPage") -> None:
        if game_id != self._game:
            print(f"Game {printable(game_id)}")
            self._game = game_id
        print("\n".join(table(page)))

    def game(self, audited: "pokersvc.Audited") -> None:
        if audited.game_id is not None:
            events = counted(audited.events, "event")
            id_, kind = printable(audited.game_id[:8]), printable(audited.kind or "")
            print(f"{id_}  {kind:<6}  {events:>16}  {_verdict(audited)}")
            why = None if audited.known else core.registry.why_unusable(audited.kind or "")
            for more in (
                str(why) if isinstance(why, pokersvc.UnusableGame) else None,
                audited.shuffled,
                _left_unchecked(audited),
            ):
                if more is not None:
                    print(wrapped(more, "  "))
        for uncounted, games in audited.unchecked.items() if audited.game_id is None else ():
            print(wrapped(f"The database: {_WITHOUT_HANDS[uncounted].format(games=counted(games, 'game'))}.", "  "))
        for finding in audited.findings if audited.fault is None else [audited.fault, *audited.findings]:
            print(wrapped(str(finding), "  "))
        for check, count in audited.not_shown.items():
            print(f"  and {count:,} more found by the check of {check.replace('_', ' ')}")


_WITHOUT_HANDS: Final = {
    "unknown game": "the tallies were checked without the hands of {games} that this pokersvc does not know",
    "uncounted game": "the tallies were not compared with the hands, as those of {games} cannot be counted",
}
"""Why games were left out when tallies were checked (key of `Audited.unchecked`) → a sentence that counts them."""


def _left_unchecked(audited: "pokersvc.Audited") -> str | None:
    """Return a sentence that counts the unchecked parts of a game played elsewhere; None if all was checked."""
    if not audited.unchecked:
        return None
    return f"Taken as recorded: {', '.join(counted(count, kind) for kind, count in audited.unchecked.items())}."


def _verdict(audited: "pokersvc.Audited") -> str:
    return _of_itself(audited) + (", not in the checkpoint" if audited.in_checkpoint is False else "")


def _of_itself(audited: "pokersvc.Audited") -> str:
    if audited.count:
        found = counted(audited.count, "finding")
        return found if audited.checked else f"{found}; {_why_not_checked(audited)}"
    return "passed" if audited.checked else f"{_why_not_checked(audited)}; its chain is intact"


def _why_not_checked(audited: "pokersvc.Audited") -> str:
    if audited.fault is not None:
        return f"not checked, {audited.fault.error} at {audited.fault.place}"
    return f"not checked, this pokersvc does not know {audited.kind!r}"


def table(page: "pokersvc.LedgerPage") -> list[str]:
    """Return a ledger page as lines of a table."""
    cells = [[_cell(value, column) for value, column in zip(row, page.columns, strict=True)] for _, row in page.rows]
    names = [f"  {name}" for name, _ in page.rows]
    widths = [max(map(len, column)) for column in zip(page.columns, *cells, strict=True)]
    first = max(map(len, names))
    gap = "  " if first + sum(widths) + 2 * len(widths) <= WIDTH else " "
    lines = [page.title.ljust(first), *(name.ljust(first) for name in names)]
    for number, row in enumerate([list(page.columns), *cells]):
        lines[number] += "".join(gap + cell.rjust(width) for cell, width in zip(row, widths, strict=True))
    return [*(line.rstrip() for line in lines), *(wrapped(f"  {note}", "    ") for note in page.notes), ""]


def _cell(value: int | None, column: str) -> str:
    if value is None:
        return ""
    return f"{value:+}" if column == "net" and value else str(value)


class _Json(JsonArray):
    """Prints the results of an audit as a JSON array with an object for each game."""

    def __init__(self) -> None:
        super().__init__()
        self._open: str | None = None
        """The game whose ledger is being printed; None if none is."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if isinstance(error, STOPS) and self._open is not None:
            print("]}", end="")
        super().__exit__(kind, error, at)

    def page(self, game_id: str, page: "pokersvc.LedgerPage") -> None:
        if game_id != self._open:
            self.begin(f'{{"game": {json.dumps(game_id)}, "ledger": [')
            self._open = game_id
        else:
            print(",", end="")
        rows = [{"name": name, **dict(zip(page.columns, row, strict=True))} for name, row in page.rows]
        print(f"\n{_json({'title': page.title, 'rows': rows, 'notes': page.notes})}", end="")

    def game(self, audited: "pokersvc.Audited") -> None:
        fields: dict[str, object] = {
            "kind": audited.kind,
            "known": audited.known,
            "checked": audited.checked,
            "result": "findings" if audited.count else "whole" if audited.checked else "not checked",
            "fault": None if audited.fault is None else finding_json(audited.fault),
            "over": audited.over,
            "events": audited.events,
            **({} if audited.in_checkpoint is None else {"in_checkpoint": audited.in_checkpoint}),
            "missed_shares": audited.missed_shares,
            "unchecked": audited.unchecked,
            "findings": [finding_json(finding) for finding in audited.findings],
            "untold": dict(audited.not_shown),
        }
        if audited.game_id is not None and audited.game_id == self._open:
            print(f"], {_json(fields)[1:]}", end="")
            self._open = None
        elif audited.game_id is not None or audited.findings or audited.unchecked or audited.fault is not None:
            self.add({"game": audited.game_id, **fields})


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
