"""`pokersvc report`: a game or a session on one page, in a file to send to a friend."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

import pokersvc
from pokersvc import cli, histories
from pokersvc.cli.database import opening as databases
from pokersvc.cli.histories.chosen_session import GapOption, PlayerOption, SessionOption, session_named
from pokersvc.cli.output import NotChecked, output, wrapped
from pokersvc.cli.replay.viewpoint import AsOption, ForceOption, viewer_of
from pokersvc.errors import InvalidValue
from pokersvc.text import counted


def report(
    context: typer.Context,
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="A game ID, a unique prefix of one, or `last`.")
    ] = None,
    *,
    html: Annotated[Path, typer.Option("--html", metavar="FILE", help="Write a page to this new file.")],
    session: SessionOption = None,
    player: PlayerOption = None,
    gap: GapOption = None,
    as_: AsOption = None,
    force: ForceOption = False,
) -> None:
    """Write a page about a game or a session, to send to a friend.

    It has the result, what each player won and lost, the three biggest pots,
    and an export of each game with the check that it passes. A browser shows
    it without a network. It has no secret that the point of view may not see.

    Example: pokersvc report last --html game.html
    """
    if game is not None and session is not None:
        raise InvalidValue(f"A page is about a game or a session; leave {game} or --session {session} out.")
    if game is None and session is None:
        raise InvalidValue("A page is about a game or a session: name a game, or add --session.")
    if session is not None:
        _session(context, session, player, gap, as_, html, force=force)
        return
    if player is not None or gap is not None:
        raise InvalidValue("--player and --gap say which session is meant; add --session.")
    assert game is not None
    with databases.reading(context) as database:
        log = pokersvc.EventLog(database)
        summary = pokersvc.game_summary(database, log.find(game))
        viewer = viewer_of(database, summary, as_, force=force)
        with TemporaryDirectory() as folder:
            export = Path(folder) / "game.jsonl"
            with output(export, private=True) as file:
                pokersvc.write_export(file, log, summary.game_id, viewer, force=force)
            verified = pokersvc.verify_export(export)
            if not verified.passed:
                wrong = verified.findings[0] if verified.findings else verified.fault
                raise NotChecked(
                    f"Game {summary.game_id} does not pass the check of its export, so no page is made: {wrong}"
                )
            facts = cli.replay.report_facts.of_game(database, summary, viewer, force=force)
            page = cli.replay.report_page.page(facts, verified, export.read_bytes())
    with output(html, private=viewer != pokersvc.EVERYONE) as file:
        file.write(page.encode())
    print(wrapped(f"{html}: game {summary.game_id}, {counted(verified.export.count, 'event')}, checked."))


def _session(
    context: typer.Context,
    named: str,
    player: str | None,
    gap: int | None,
    as_: str | None,
    html: Path,
    *,
    force: bool,
) -> None:
    with databases.reading(context) as database:
        session = session_named(database, named, player, gap)
        open_ = as_ in (None, pokersvc.EVERYONE)
        seen_by = "as everyone may see it" if open_ else f"as {as_} saw it"
        page = cli.replay.report_session.session_page(
            database,
            session,
            histories.sessions.stakes(database, session),
            seen_by,
            lambda summary: viewer_of(database, summary, as_, force=force),
            force=force,
        )
    with output(html, private=not open_) as file:
        file.write(page.encode())
    print(wrapped(f"{html}: a session of {counted(len(session.hands), 'hand')}, checked."))
