"""The page about a session: the results of all its hands, and the logs of its games with their checks."""

from base64 import b64encode
from collections.abc import Callable, Iterator
from html import escape
from io import BytesIO
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import pokersvc
from pokersvc.cli.output import NotChecked, output
from pokersvc.cli.replay import report_page
from pokersvc.cli.replay.report_facts import PotShown, Winnings, biggest, counted_rounds, nets_of, pot_of, with_nets
from pokersvc.games.draw_poker.house.cash_table import Currency
from pokersvc.histories.sessions import HandGroup, Money, games_of
from pokersvc.text import counted, listed

ViewerOf = Callable[["pokersvc.GameSummary"], "pokersvc.Viewer"]


class _Checked(NamedTuple):
    """The export of a game's log, which passed its check."""

    verified: "pokersvc.Verified"
    file: bytes


def session_page(
    database: "pokersvc.Database",
    session: HandGroup,
    stakes: list[str],
    seen_by: str,
    viewer_of: ViewerOf,
    *,
    force: bool,
) -> str:
    """Return the page of a session, with each game as its viewer may see it; raise `NotChecked` if a check fails."""
    whose = f" of {session.player}" if session.player is not None else ""
    began, ended = (hand.at[:16].replace("T", " ") for hand in (session.hands[0], session.hands[-1]))
    tables = [f"table {where.table}" for where in session.tables if where.table is not None]
    where = tables[0] if len(tables) == 1 else counted(len(session.tables), "table")
    about = f"{began} to {ended} UTC, {where}, {listed(stakes)}, {seen_by}"
    found = [
        _winnings(database, session, money, viewer_of, force=force)
        for money in dict.fromkeys((at.currency, at.exponent) for at in session.tables)
    ]
    parts = [_result(session, found)]
    for winnings in found:
        parts += [report_page.curve(winnings), report_page.pots(winnings)]
    parts.append(_check(list(_checked(database, session, viewer_of, force=force))))
    return report_page.page_of(f"Session{whose} at {session.site}", escape(about), parts)


def _winnings(
    database: "pokersvc.Database", session: HandGroup, money: Money, viewer_of: ViewerOf, *, force: bool
) -> Winnings:
    """Return the winnings and the biggest pots in the session's hands of one currency."""
    found: list[PotShown] = []
    numbers = {(hand.game_id, hand.round): number for number, hand in enumerate(session.hands, 1)}
    paid = {hand.game_id for hand in session.hands if (hand.where.currency, hand.where.exponent) == money}
    for game_id, rounds in games_of(session):
        if game_id not in paid:
            continue
        viewer = viewer_of(pokersvc.game_summary(database, game_id))
        for entry in pokersvc.history(database, game_id, viewer, force=force):
            if entry.number in rounds:
                number = numbers[game_id, entry.number]
                hand = session.hands[number - 1]
                table = f", table {hand.where.table}" if hand.where.table is not None else ""
                line = f"Hand {number:,} of {len(session.hands):,}, {hand.at[:16].replace('T', ' ')} UTC{table}"
                found.append(pot_of(line, entry)._replace(round=number))
    nets: dict[str, list[int]] = {}
    if session.player is not None:
        curve = nets.setdefault(session.player, [0])
        for hand in session.hands:
            if (hand.where.currency, hand.where.exponent) == money:
                curve.append(curve[-1] + (hand.net or 0))
    code, exponent = money
    currency = Currency(code=code, exponent=exponent) if code else None
    return Winnings(nets, currency, [_with_nets(database, session, pot) for pot in biggest(found)], "hand")


def _with_nets(database: "pokersvc.Database", session: HandGroup, pot: PotShown) -> PotShown:
    """Return a pot of a session with each player's net in that hand."""
    hand = session.hands[pot.round - 1]
    rounds = counted_rounds(database, pokersvc.game_summary(database, hand.game_id))
    return with_nets(pot, nets_of(next(islice(rounds, hand.round - 1, None))))


def _result(session: HandGroup, found: list[Winnings]) -> str:
    hours, minutes = divmod(session.minutes, 60)
    time = f"{counted(hours, 'hour')} and {counted(minutes, 'minute')}" if hours else counted(minutes, "minute")
    nets = [winnings.amount(curve[-1], signed=True) for winnings in found for curve in winnings.nets.values()]
    said = f"{listed(nets)} in {counted(len(session.hands), 'hand')}" if nets else counted(len(session.hands), "hand")
    return report_page.section(
        "Result",
        f'<p class="result">{escape(said)}</p>\n<p>From the start of the first hand to that of the last: {time}.</p>\n',
    )


def _checked(
    database: "pokersvc.Database", session: HandGroup, viewer_of: ViewerOf, *, force: bool
) -> Iterator[_Checked]:
    log = pokersvc.EventLog(database)
    with TemporaryDirectory() as folder:
        for game_id, _ in games_of(session):
            export = Path(folder) / f"{game_id}.jsonl"
            viewer = viewer_of(pokersvc.game_summary(database, game_id))
            with output(export, private=True) as file:
                pokersvc.write_export(file, log, game_id, viewer, force=force)
            verified = pokersvc.verify_export(export)
            if not verified.passed:
                wrong = verified.findings[0] if verified.findings else verified.fault
                raise NotChecked(f"Game {game_id} does not pass the check of its export, so no page is made: {wrong}")
            yield _Checked(verified, export.read_bytes())
            export.unlink()


def _check(checked: list[_Checked]) -> str:
    """Return the section about the check, with the logs in a ZIP file."""
    together = BytesIO()
    with ZipFile(together, "w", ZIP_DEFLATED) as file:
        for one in checked:
            file.writestr(ZipInfo(f"{one.verified.export.game_id}.jsonl"), one.file, ZIP_DEFLATED)
    data = b64encode(together.getvalue()).decode()
    events = sum(one.verified.export.count for one in checked)
    hidden = sum(one.verified.secrets - one.verified.shown for one in checked)
    left = "" if not hidden else (
        f" {counted(hidden, 'secret')}, such as hands and decks that this point of view may not see, are in them as"
        " digests alone, so what follows from them was not checked."
    )  # fmt: skip
    heads = "".join(
        f"<li>{escape(one.verified.export.game_id)}.jsonl {one.verified.export.head.hex()}</li>\n" for one in checked
    )
    return report_page.section(
        "Checked",
        f"<p>The session has {counted(len(checked), 'log')} with {counted(events, 'event')}, each chained to the one"
        f" before it by its hash. pokersvc {pokersvc.__version__} checked a copy of every log when the page was made:"
        f" the chains are intact, and as far as the copies show it, every event follows the rules and all the money is"
        f" accounted for.{left}</p>\n"
        f'<p>A page can claim anything, so check it yourself: <a download="session.zip"'
        f' href="data:application/zip;base64,{data}">save the logs</a>, unpack them, and run'
        f" <code>pokersvc verify FILE</code> for each. It must end with the head that stands here.</p>\n"
        f'<ul class="head">\n{heads}</ul>\n'
        "<p>A log alone cannot prove that it was not made up as a whole, nor that another site dealt a hand.</p>\n",
    )
