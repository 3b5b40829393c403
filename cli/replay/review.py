"""`pokersvc review`: the costs of a seat's choices, compared with those of a good bot."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Annotated

import typer

import pokersvc
from pokersvc import cli, core
from pokersvc.cli.arguments import MOST, GameArgument, JsonOption
from pokersvc.cli.database import opening as databases
from pokersvc.cli.output import print_json, wrapped
from pokersvc.cli.replay.viewpoint import ForceOption, viewer_of
from pokersvc.errors import InvalidValue, printable
from pokersvc.text import cells, counted, padded


def review(
    context: typer.Context,
    game: GameArgument,
    *,
    as_: Annotated[str, typer.Option("--as", metavar="SEAT", help="The player to review: a name or a seat's number.")],
    hands: Annotated[
        int | None, typer.Option("--hands", min=1, max=MOST, metavar="N", help="Only the last N hands. [all]")
    ] = None,
    samples: Annotated[
        int | None,
        typer.Option(
            "--samples", min=2, max=100_000, metavar="N", help="How often to play on from each choice. [by program]"
        ),
    ] = None,
    seed: Annotated[
        str | None, typer.Option("--seed", metavar="TEXT", help="Seed for playing on. [the game's ID]")
    ] = None,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Show what a player's choices cost, and what a good program would do.

    The program plays on from each choice many times, against the hands that
    the others may have after what they did. Discards are judged by exact
    advice. Only what the player saw is used. The five dearest choices come
    first, then a line for each hand.

    In Kalah every move is listed with its exact cost in beans, where the end
    of the game can be searched in N thousand sowings (--samples). [5000]

    Example: pokersvc review last --as Ann
    """
    with databases.reading(context) as database:
        log = pokersvc.EventLog(database)
        summary = pokersvc.game_summary(database, log.find(game))
        viewer = viewer_of(database, summary, as_, force=force)
        if not isinstance(viewer, int):
            raise InvalidValue(f"A review is of one player, not as {as_}; name a player or a seat with --as.")
        steps = pokersvc.Service(log).with_secrets.replay(summary.game_id, viewer, force=force)
        events = [step.event for step in steps]
        terms = core.bots.reviewing.ReviewTerms((seed or summary.game_id).encode(), samples)
        with _progress() as told:
            played = pokersvc.game_of(summary.kind)
            found = core.bots.review.reviewed(played, events, viewer, terms, rounds=hands, told=told)
    name = summary.seats[viewer - 1].name
    if as_json:
        print_json({"game": summary.game_id, "seat": viewer, "name": name, **document(found)})
        return
    for line in lines(found, printable(name)):
        print(line)


@contextmanager
def _progress() -> Iterator[Callable[[int, int], object] | None]:
    if not sys.stderr.isatty():
        yield None
        return
    bar = cli.drawing.progress_bar
    with bar.bar("Reviewing choices", None, bar.COUNT) as update:
        yield lambda done, of: update(completed=done, total=of)


def document(found: "core.bots.review.Review") -> dict[str, object]:
    """Return a review as plain JSON values; the choices are in the order of play."""
    return {
        "programs": [{"kind": kind, "about": about} for kind, about in found.programs],
        "unit": found.unit,
        "cost": found.cost._asdict(),
        "choices": [
            asdict(choice) | {"would": [{"action": action, "chance": chance} for action, chance in choice.would]}
            for choice in found.choices
        ],
        "rounds": [asdict(line.of) | {"cost": line.cost._asdict()} for line in found.lines],
    }


def lines(found: "core.bots.review.Review", name: str) -> Iterator[str]:
    """Yield a review as lines for people."""
    if not found.rounds:
        yield f"There is nothing to review: {name} chose nothing in a hand that is over and whose cards are known."
        return
    if found.called is None:
        yield from _lines_of_one_round(found, name)
        return
    yield wrapped(f"Review of {name}, by what {name} saw. {' '.join(about for _, about in found.programs)}")
    yield ""
    if dearest := found.dearest:
        yield f"The dearest of {counted(len(found.choices), 'choice')}, with 95 % intervals:"
        yield ""
    for number, choice in enumerate(dearest, 1):
        yield wrapped(f"{number}. {said(choice, found)}", "   ")
    if dearest:
        yield ""
    width = max(cells(line.of.had) for line in found.lines)
    yield f"hand  {padded('dealt', width)}  choices  {'won':>8}  cost"
    for line in found.lines:
        net = found.net(line.of) if line.of.net <= 0 else f"+{found.net(line.of)}"
        row = f"{line.of.round:>4}  {padded(line.of.had, width)}  {line.of.choices:>7}  {net:>8}"
        yield f"{row}  {found.said(line.cost)}"
    yield ""
    whole = f"{found.said(found.cost)} {found.unit}".rstrip()
    yield wrapped(f"Together: {whole} in {counted(len(found.rounds), 'hand')}.")
    if any(choice.doubted for choice in found.choices):
        yield wrapped(
            "In some hands another player did what the program hardly ever does: from there on they are taken to play"
            " like the bot steady."
        )


def _lines_of_one_round(found: "core.bots.review.Review", name: str) -> Iterator[str]:
    """Yield each choice of a game that is one round, and the cost of all choices."""
    yield wrapped(f"Review of {name}. {' '.join(about for _, about in found.programs)}")
    yield ""
    best = {choice: choice.would[0][0] for choice in found.choices}
    columns = [
        (choice.when, choice.had, choice.situation, choice.chose, best[choice], f"{found.said_of(choice)} {choice.by}")
        for choice in found.choices
    ]
    rows = [("", "had", "against", "chose", "best", "cost"), *columns]
    widths = [max(cells(row[at]) for row in rows) for at in range(len(rows[0]))]
    for row in rows:
        yield "  ".join(padded(cell, width) for cell, width in zip(row, widths, strict=True)).rstrip()
    yield ""
    whole = f"{found.said(found.cost)} {found.unit}".rstrip()
    yield wrapped(f"Together: {whole} in {counted(len(found.choices), 'choice')}.")


def said(choice: "core.bots.reviewing.ReviewedChoice", found: "core.bots.review.Review") -> str:
    """Return sentences with a choice, what the program would do, and the choice's cost."""
    points = "" if choice.points is None else f"; of 100 such hands it wins {choice.points:.1f} fewer than the best"
    return (
        f"Hand {choice.round}, {choice.when}, with {choice.had} ({choice.situation}): {choice.chose}."
        f" {_better(choice)} Cost: {found.said_of(choice)}{points}."
    )


def _better(choice: "core.bots.reviewing.ReviewedChoice") -> str:
    """Return what the program would do; if it would never have come to this position, return the best choice."""
    program = choice.by.capitalize()
    if choice.improvised:
        why = "" if choice.doubted else f" ({program} would not be here with this hand.)"
        return f"Best: {choice.would[0][0]}.{why}"
    return f"{program}: {', '.join(f'{action} ({100 * chance:.0f} %)' for action, chance in choice.would)}."
