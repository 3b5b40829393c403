"""`pokersvc tournament`: bots against each other on the same deals, and their standings."""

import csv
import hashlib
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from platformdirs import user_data_path

import pokersvc
from pokersvc import cli
from pokersvc.cli.arguments import MOST
from pokersvc.cli.database import opening as databases
from pokersvc.cli.options import Kind, Limit, MayRead, MayUseNetwork, Opening, RoundsPerGame, Rules, Trust, game_options
from pokersvc.cli.output import Interrupted, print_json, wrapped
from pokersvc.cli.play.players import kinds_of, seat_named, walls_of
from pokersvc.cli.statistics import plot_option
from pokersvc.cli.statistics.plot_option import PlotOption
from pokersvc.cli.statistics.standings import advice, table
from pokersvc.errors import InvalidValue
from pokersvc.text import counted

_ANY_SEED: Final = "any"
"""The placeholder for a seed that is not known yet: the name of the results file does not depend on the seed."""


class Where(StrEnum):
    """The place where the games are played: processes of this machine, or a Dask cluster."""

    PROCESSES = "processes"
    DASK = "dask"


def tournament(
    context: typer.Context,
    player: Annotated[
        list[str],
        typer.Option("--player", metavar="NAME=KIND", help="Who plays: a bot or FILE.py:CLASS. Repeatable."),
    ],
    candidate: Annotated[
        list[str] | None,
        typer.Option(
            "--candidate", metavar="NAME=KIND", help="Who fills one more seat in turn, to be compared. Repeatable."
        ),
    ] = None,
    kind: Kind = "draw",
    rules: Rules = None,
    deals: Annotated[int, typer.Option("--deals", min=1, max=MOST, metavar="N", help="Number of deals.")] = 100,
    seats: Annotated[
        int | None,
        typer.Option(
            "--seats",
            min=2,
            max=MOST,
            metavar="N",
            help="Seats at a table; if fewer than players, every combination plays.",
        ),
    ] = None,
    orders: Annotated[
        str | None,
        typer.Option(
            "--orders", metavar="all|rotations|N", help="Seat orders on each deal. [all up to 24, else rotations]"
        ),
    ] = None,
    rounds: RoundsPerGame = None,
    opening: Opening = None,
    seed: Annotated[
        str | None,
        typer.Option(
            "--seed",
            metavar="TEXT",
            help="Seed for all deals. It determines every card: keep it secret. [random]",
        ),
    ] = None,
    count: Annotated[
        int | None,
        typer.Option("--processes", min=1, max=1024, metavar="N", help="Number of processes. [all processors]"),
    ] = None,
    where: Annotated[
        Where, typer.Option("--executor", help="Where the games are played; dask needs --scheduler.")
    ] = Where.PROCESSES,
    scheduler: Annotated[
        str | None,
        typer.Option(
            "--scheduler",
            metavar="ADDRESS",
            help="Address of the scheduler of --executor dask, such as tcp://HOST:8786.",
        ),
    ] = None,
    lbr: Annotated[
        str | None,
        typer.Option(
            "--lbr", metavar="NAME", help="Play the local best response against the only player, by its name."
        ),
    ] = None,
    lbr_sizes: Annotated[
        str | None,
        typer.Option(
            "--lbr-sizes", metavar="X,X,…", help="Bets of --lbr in parts of the pot, besides all-in. [0.5,1,2]"
        ),
    ] = None,
    lbr_late: Annotated[bool, typer.Option("--lbr-late", help="Let --lbr bet in the last betting round only.")] = False,
    lbr_hands: Annotated[
        int | None,
        typer.Option("--lbr-hands", min=1, max=100_000, metavar="N", help="Hands in the range of --lbr. [200]"),
    ] = None,
    least: Annotated[
        float | None,
        typer.Option(
            "--least",
            metavar="X",
            help="Least difference to find, in mbb/hand or the game's unit; between two, what one wins from the other.",
        ),
    ] = None,
    aivat: Annotated[
        bool,
        typer.Option("--aivat", help="Take luck out of the results (AIVAT), so that fewer deals are needed."),
    ] = False,
    show_kinds: Annotated[bool, typer.Option("--show-kinds", help="Show players the kinds of the others.")] = False,
    limit: Limit = 10.0,
    trust: Trust = False,
    may_read: MayRead = None,
    may_use_network: MayUseNetwork = None,
    strict: Annotated[
        bool,
        typer.Option("--strict", help="Each choice of a custom player takes its whole limit and reads no libraries."),
    ] = False,
    results: Annotated[
        Path | None,
        typer.Option("--results", metavar="FILE", help="Where results are kept. [a file in your data folder]"),
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Discard the results so far.")] = False,
    store: Annotated[bool, typer.Option("--store", help="Record every game in the database.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print a row for each player as CSV.")] = False,
    plot: PlotOption = None,
) -> None:
    """Let bots play each other on the same deals, in all seats.

    Example: pokersvc tournament --player A=steady --player B=table --deals 500

    Each result is saved at once. After an interruption, the same command
    continues; with more --deals it plays the new ones. A random seed is hidden
    until the tournament is over, and then shown.
    """
    if as_json and as_csv:
        raise InvalidValue("Results are printed as JSON or as CSV, not both; leave out --json or --csv.")
    if (where is Where.DASK) != (scheduler is not None):
        raise InvalidValue("--executor dask and --scheduler ADDRESS need each other; give both, or neither.")
    if where is Where.DASK and count is not None:
        raise InvalidValue("--processes is for this machine, not for a cluster; leave it out.")
    plot_option.check(plot, for_programs=as_json or as_csv)
    game = pokersvc.game_of(kind)
    players = tuple(map(seat_named, (*player, *(candidate or ()))))
    terms = _terms_of(lbr, lbr_sizes, lbr_hands, late=lbr_late)
    if lbr is not None:
        _check_answered(lbr, players, store=store, strict=strict)
    plan_of = partial(
        pokersvc.tournament.plan,
        game,
        game_options(context) | ({} if rules is None else {"rules": rules}),
        players,
        deals,
        seats=seats,
        orders=orders_of(orders),
        rounds=rounds,
        opening=opening,
        hidden_kinds=not show_kinds,
        candidates=len(candidate or ()),
        aivat=aivat,
        lbr=terms,
        least=least,
        limit=limit,
        walls=walls_of(
            kinds_of(players),
            trust=trust,
            may_read=may_read,
            may_use_network=may_use_network,
            strict=strict,
        ),
    )
    planned = plan_of(seed=_ANY_SEED if seed is None else seed)
    with pokersvc.Programs(
        limit, planned.folder, planned.walls
    ) as programs:  # refuse players that cannot play before any game
        programs.check(game, planned.players)
    with ExitStack() as stack:
        stored = label = None
        if store:
            database = stack.enter_context(databases.writing(context))
            # Use the full path: workers may be in other folders, and files in different folders may have the same name.
            file = None if database.path is None else str(database.path.resolve())
            stored, label = file or databases.chosen(context), file or database.label
        path = _results_path(planned.fingerprint, label, hidden=seed is None) if results is None else results
        pokersvc.tournament.announce(path, planned, again=again)
        hidden = pokersvc.tournament.HiddenSeed(path) if seed is None else None
        if hidden is None:
            kept = stack.enter_context(pokersvc.tournament.Results(path, planned, label=label or ""))
        else:
            planned = plan_of(seed=hidden.text)
            kept = stack.enter_context(pokersvc.tournament.Results(path, planned, label=label or "", hide=hidden.keep))
            hidden.check(kept)
            # Not among JSON or CSV data; these have the digest too, but only at the end.
            beside = sys.stderr if as_json or as_csv else sys.stdout
            print(f"Seed digest: {planned.seed_digest}", file=beside, flush=True)
        found = _played(planned, kept, count=count, scheduler=scheduler, store=stored)
        if hidden is not None:
            kept.show()
        _print(found, kept.plans, as_json=as_json, as_csv=as_csv, hidden=hidden is not None)
        for sentence in advice(planned, kept.spent):
            print(sentence, file=sys.stderr)
        if plot is not None:
            plot_option.show(pokersvc.tournament.plot.charts(found), plot, for_programs=as_json or as_csv)
        if hidden is not None:  # the tournament is over: from here on its seed is public
            hidden.forget()
            if results is None:
                kept.move(_results_path(planned.fingerprint, label))


def _played(
    planned: "pokersvc.tournament.Tournament",
    kept: "pokersvc.tournament.Results",
    *,
    count: int | None,
    scheduler: str | None,
    store: str | None,
) -> "pokersvc.tournament.Standings":
    """Play the games without a stored result, on this machine or on a cluster, and return the standings."""
    try:
        if missing := len(kept.missing):
            entered = (
                pokersvc.tournament.processes(
                    min(count or pokersvc.tournament.usable_processors(), missing), type(planned.game).__module__
                )
                if scheduler is None
                else pokersvc.tournament.cluster(scheduler)
            )
            with entered as workers, _progress("Playing", planned.games, planned.games - missing) as progress:
                pokersvc.tournament.run(planned, kept, workers, store=store, progress=progress)
        with _progress("Counting", planned.games, 0) as progress:
            return pokersvc.tournament.standings(planned, kept.played, kept.differed, progress=progress)
    except KeyboardInterrupt:
        done = planned.games - len(kept.missing)
        raise Interrupted(
            f"Interrupted; {done:,} of {counted(planned.games, 'game')} are saved, and the same command continues."
        ) from None


def _print(
    found: "pokersvc.tournament.Standings",
    plans: "Sequence[pokersvc.tournament.announced.Announced]",
    *,
    as_json: bool,
    as_csv: bool,
    hidden: bool,
) -> None:
    """Print the standings and the plans that were announced, and then the seed, if it was hidden before."""
    if as_json:
        print_json(found.document() | {"plans": [one.plan for one in plans]})
    elif as_csv:
        _print_csv(found)
    else:
        print(*table(found, seed_follows=hidden), sep="\n")
        if len(plans) > 1:
            times = counted(len(plans) - 1, "time")
            print("", wrapped(f"The plan was changed after there was a seed: {times}. --json has each plan."), sep="\n")
        if hidden:
            print(f"\nSeed: {found.tournament.seed}")
    sys.stdout.flush()  # before the only other copy of the seed is deleted


def orders_of(text: str | None) -> "pokersvc.tournament.Orders | None":
    """Parse the value of --orders: ``rotations`` or a number of seat orders; None for all."""
    if text is None or text == "all":
        return None
    if text == "rotations":
        return "rotations"
    if re.fullmatch(r"[0-9]{1,9}", text):
        return int(text)
    raise InvalidValue(f"--orders {text!r} is wrong; it must be all, rotations or a number.")


def _terms_of(
    lbr: str | None, sizes: str | None, hands: int | None, *, late: bool
) -> "pokersvc.core.bots.ranges.RangeTerms | None":
    """Return the terms of --lbr, set by the options that belong to it; None without --lbr."""
    if lbr is not None:
        terms = pokersvc.core.bots.ranges.RangeTerms
        usual = terms()
        return terms(usual.sizes if sizes is None else _sizes(sizes), late, usual.samples if hands is None else hands)
    if sizes is not None or hands is not None or late:
        raise InvalidValue("--lbr-sizes, --lbr-late and --lbr-hands say how --lbr plays; give --lbr NAME, or none.")
    return None


def _check_answered(lbr: str, players: "tuple[pokersvc.Seat, ...]", *, store: bool, strict: bool) -> None:
    """Raise `InvalidValue` for options that do not go with --lbr."""
    if [lbr] != [seat.name for seat in players]:
        raise InvalidValue(f"--lbr {lbr} must name the only player; give --player {lbr}=KIND, and no other.")
    if store:
        raise InvalidValue("Games with --lbr cannot be recorded, as LBR is not a kind of player; leave out --store.")
    if strict:
        raise InvalidValue(
            "With --strict, each hand of the range of --lbr would take the whole limit of a choice; leave out --strict."
        )


def _sizes(text: str) -> tuple[float, ...]:
    try:
        return tuple(map(float, text.split(",")))
    except ValueError:
        raise InvalidValue(f"--lbr-sizes {text!r} is wrong; it must be numbers with commas, such as 0.5,1,2.") from None


def _results_path(fingerprint: str, label: str | None, *, hidden: bool = False) -> Path:

    of_log = "" if label is None else "-" + hashlib.sha256(label.encode()).hexdigest()[:8]
    name = f"{'hidden-' if hidden else ''}{fingerprint}{of_log}.jsonl"
    return user_data_path("pokersvc", appauthor=False) / "tournaments" / name


@contextmanager
def _progress(what: str, games: int, done: int) -> Iterator[Callable[[int], None]]:
    """Yield a function to call with numbers of finished games; at a terminal, it moves a progress bar."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    with cli.drawing.progress_bar.bar(what, games, cli.drawing.progress_bar.COUNT, completed=done) as update:
        yield lambda played: update(advance=played)


def _print_csv(found: "pokersvc.tournament.Standings") -> None:
    rows: list[dict[str, Any]] = found.rows()
    writer = csv.DictWriter(sys.stdout, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
