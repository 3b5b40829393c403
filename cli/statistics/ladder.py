"""`pokersvc ladder`: bots that all play each other on the same deals, rated, and kept in the database."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final

import typer

import pokersvc
from pokersvc import cli
from pokersvc.cli.arguments import MOST, JsonOption
from pokersvc.cli.database import opening as databases
from pokersvc.cli.options import GameCommand, Kind, Limit, Opening, RoundsPerGame, Rules, Trust, game_options
from pokersvc.cli.output import Interrupted, print_json, stream_json, wrapped
from pokersvc.cli.play.players import seat_named
from pokersvc.cli.statistics import plot_option
from pokersvc.cli.statistics.plot_option import PlotOption
from pokersvc.errors import InvalidValue, PokersvcError
from pokersvc.text import counted, listed

app = typer.Typer(
    add_completion=False,
    help="Rate bots that all play each other on the same deals.\n\nExample: pokersvc ladder add steady table random",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

LadderOption = Annotated[
    str | None, typer.Option("--ladder", metavar="NAME", help="The ladder. [the only one, or of every ladder]")
]
_TERMS: Final = {
    "kind": "--game", "rules": "--rules", "rounds": "--rounds", "opening": "--opening", "seats": "--seats",
    "seed": "--seed", "deals": "--deals", "limit": "--limit",
}  # fmt: skip
"""Parameter of `add` → its option, which sets a term of a new ladder, such as its rules."""


class MemberUnable(PokersvcError):
    """A member of a ladder cannot play; the games of all other members are played."""

    code = "member_unable"


@app.command(cls=GameCommand)
def add(
    context: typer.Context,
    bots: Annotated[
        list[str],
        typer.Argument(metavar="BOT", help="A bot, FILE.py:CLASS, or NAME= before either.", show_default=False),
    ],
    name: Annotated[
        str | None,
        typer.Option("--ladder", metavar="NAME", help="The ladder; a new name begins one. [the house or game]"),
    ] = None,
    kind: Kind = "draw",
    rules: Rules = None,
    rounds: RoundsPerGame = None,
    opening: Opening = None,
    seats: Annotated[
        int | None,
        typer.Option(
            "--seats", min=2, max=6, metavar="N", help="Seats at a table, half for each of two. [2; market: 4]"
        ),
    ] = None,
    deals: Annotated[
        int, typer.Option("--deals", min=1, max=MOST, metavar="N", help="Deals that each two bots play.")
    ] = 200,
    seed: Annotated[
        str | None,
        typer.Option("--seed", metavar="TEXT", help="Seed for all deals. It determines every card. [random]"),
    ] = None,
    limit: Limit = 10.0,
    trust: Trust = False,
) -> None:
    """Add bots to a ladder; with the first one a new ladder begins.

    A new ladder is of the game and rules that the options name. On a ladder
    that is there, a bot plays by its rules, on its deals.

    Example: pokersvc ladder add steady Ann=table --rules no-limit
    """
    rooms = pokersvc.tournament.ladder
    given = {option: value for option, value in game_options(context).items() if value not in ((), [])}
    given |= {} if rules is None else {"rules": rules}
    named = [option for parameter, option in _TERMS.items() if _is_given(context, parameter)]
    with databases.writing(context) as database:
        store = rooms.LadderStore(database)
        known = name is not None and name in store.names()
        if known and name is not None and not (named or given):
            ladder = store.find(name)
        else:
            ladder = rooms.new_ladder(
                name or _usual_name(kind, given),
                kind,
                given,
                rounds=rounds,
                opening=opening,
                seats=seats,
                seed=seed,
                deals=deals,
                seconds=limit,
            )
            if ladder.name in store.names():
                ladder = _as_it_is(store.find(ladder.name), ladder, named)
        members = [_member(ladder, one) for one in bots]
        for member in members:
            if (why := rooms.playing.why_unable(ladder, member, pokersvc.Walls(trusted=trust))) is not None:
                raise MemberUnable(why)
        for member in members:
            store.add(ladder, member)
        progress, program = store.progress(ladder.name), databases.program(context, database)
    joined = listed([member.name for member in members])
    print(
        wrapped(
            f"{joined} {'joins' if len(members) == 1 else 'join'} the ladder {ladder.name}, of {ladder.title}:"
            f" {counted(len(progress.members), 'bot')}, {counted(progress.missing_games, 'game')} to play."
        )
    )
    if progress.missing_games:
        print(f"Play them with: {program} ladder run")


@app.command()
def run(
    context: typer.Context,
    name: LadderOption = None,
    deals: Annotated[
        int | None,
        typer.Option("--deals", min=1, max=MOST, metavar="N", help="Change the deals that each two play to N."),
    ] = None,
    count: Annotated[
        int | None,
        typer.Option("--processes", min=1, max=1024, metavar="N", help="Number of processes. [all processors]"),
    ] = None,
    trust: Trust = False,
) -> None:
    """Play the games that are missing, and print the ranking.

    Each deal is saved at once. After an interruption, the same command
    continues; several may run at once.

    Example: pokersvc ladder run --deals 500
    """
    rooms, unable = pokersvc.tournament.ladder, dict[str, str]()
    with databases.writing(context) as database:
        store = rooms.LadderStore(database)
        for one in _chosen(store, name):
            ladder = store.find(one) if deals is None else store.play_deals(one, deals)
            missing = store.progress(one).missing_games
            processes = min(count or pokersvc.tournament.usable_processors(), max(missing, 1))
            try:
                with (
                    pokersvc.tournament.processes(processes, type(ladder.game).__module__) as workers,
                    _progress(one, missing) as progress,
                ):
                    walls = pokersvc.Walls(trusted=trust)
                    unable |= rooms.play_missing(database, one, workers, walls=walls, progress=progress)
            except KeyboardInterrupt:
                left = counted(store.progress(one).missing_games, "game")
                raise Interrupted(
                    f"Interrupted; {left} of the ladder {one} are missing, and the same command continues."
                ) from None
            print(*cli.statistics.ladder_table.table(rooms.ranking_of(store, one)), sep="\n", flush=True)
    if unable:
        raise MemberUnable(f"Not all could play: {' '.join(unable.values())}")


@app.command()
def show(
    context: typer.Context,
    name: LadderOption = None,
    as_json: JsonOption = False,
    plot: PlotOption = None,
) -> None:
    """Show the ranking of a ladder.

    Example: pokersvc ladder show --plot -
    """
    plot_option.check(plot, for_programs=as_json)
    rooms = pokersvc.tournament.ladder
    with databases.reading(context) as database:
        store = rooms.LadderStore(database)
        found = [rooms.ranking_of(store, one) for one in _chosen(store, name)]
    if as_json:
        stream_json(ranking.document() for ranking in found)
    else:
        for ranking in found:
            print(*cli.statistics.ladder_table.table(ranking), sep="\n")
    if plot is not None:
        charts = [chart for ranking in found for chart in rooms.plot.charts(ranking)]
        if not charts:
            raise InvalidValue("Nothing was played on the ladder yet; play it with `pokersvc ladder run`.")
        plot_option.show(charts, plot, for_programs=as_json)


@app.command("list")
def list_(context: typer.Context, as_json: JsonOption = False) -> None:
    """List the ladders, their bots, and what is still to be played.

    Example: pokersvc ladder list
    """
    with databases.reading(context) as database:
        store = pokersvc.tournament.ladder.LadderStore(database)
        found = [store.progress(one) for one in store.names()]
    if as_json:
        print_json(
            [
                {
                    "ladder": one.ladder.name,
                    "game": one.ladder.kind,
                    "title": one.ladder.title,
                    "deals": one.ladder.deals,
                    "members": [{"name": member.name, "kind": member.kind} for member in one.members.values()],
                    "missing_games": one.missing_games,
                }
                for one in found
            ]
        )
        return
    for one in found:
        left = f", {counted(one.missing_games, 'game')} to play" if one.missing_games else ""
        bots = ", ".join(sorted(one.members))
        print(
            wrapped(f"{one.ladder.name}: {one.ladder.title}, {counted(one.ladder.deals, 'deal')}: {bots}{left}", "  ")
        )


@app.command()
def remove(
    context: typer.Context,
    member: Annotated[str, typer.Argument(metavar="NAME", help="The name of a bot on the ladder.")],
    name: LadderOption = None,
) -> None:
    """Remove a bot from a ladder, with its results.

    The last bot takes the ladder with it.

    Example: pokersvc ladder remove random
    """
    with databases.writing(context) as database:
        store = pokersvc.tournament.ladder.LadderStore(database)
        ladder = _only(store, name)
        last = store.remove(ladder, member)
    print(f"{member} left the ladder {ladder}{', which ended with it' if last else ''}.")


@app.command()
def anchor(
    context: typer.Context,
    member: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="The bot whose rating is 1,500. [the mean of all]")
    ] = None,
    name: LadderOption = None,
) -> None:
    """Fix a bot's rating, so that ratings do not move when others come.

    Example: pokersvc ladder anchor steady
    """
    with databases.writing(context) as database:
        store = pokersvc.tournament.ladder.LadderStore(database)
        ladder = store.anchor(_only(store, name), member)
    print(f"On the ladder {ladder.name}, {'the mean of all ratings' if member is None else member} is 1,500.")


def _is_given(context: typer.Context, parameter: str) -> bool:
    source = context.get_parameter_source(parameter)
    return source is not None and source.name == "COMMANDLINE"


def _usual_name(kind: str, given: "pokersvc.Options") -> str:
    """Return the default name of a ladder: its house or, in games without houses, its game."""
    game = pokersvc.game_of(kind)
    if "rules" in given:
        return Path(str(given["rules"])).stem
    ladder = pokersvc.tournament.ladder.new_ladder(kind, kind, given, seed="1")
    return str(game.facts(ladder.start).get("house", kind))


def _as_it_is(
    stored: "pokersvc.tournament.ladder.Ladder", wanted: "pokersvc.tournament.ladder.Ladder", named: Sequence[str]
) -> "pokersvc.tournament.ladder.Ladder":
    """Return a ladder as it is stored; raise `InvalidValue` if other rules or another number of deals was requested."""
    same = {
        "--seed": stored.seed == wanted.seed,
        "--deals": stored.deals == wanted.deals,
        "--limit": stored.seconds == wanted.seconds,
    }
    for option in named:
        if not same.get(option, True):
            more = "change it with `pokersvc ladder run --deals N`" if option == "--deals" else "leave it out"
            raise InvalidValue(f"The ladder {stored.name!r} already exists with another {option}; {more}.")
    pokersvc.tournament.ladder.store.check_same_terms(stored, wanted)
    return stored


def _member(ladder: "pokersvc.tournament.ladder.Ladder", text: str) -> "pokersvc.tournament.ladder.Member":
    """Return the member that a text ``KIND`` or ``NAME=KIND`` names; a file's default name is that of its class."""
    own = pokersvc.core.bots.custom_players.own_file(text)
    if "=" in text and not (own is not None and Path(own.file).is_file()):
        seat = seat_named(text)
        return pokersvc.tournament.ladder.new_member(ladder, seat.name, seat.kind, Path.cwd())
    return pokersvc.tournament.ladder.new_member(ladder, text if own is None else own.name, text, Path.cwd())


def _chosen(store: "pokersvc.tournament.ladder.LadderStore", name: str | None) -> list[str]:
    """Return the name of the requested ladder, or all names; raise `UnknownLadder` if there is none."""
    if name is not None:
        return [store.find(name).name]
    if not (names := store.names()):
        raise pokersvc.tournament.ladder.ladders.UnknownLadder(
            "There is no ladder yet; begin one with `pokersvc ladder add BOT`."
        )
    return names


def _only(store: "pokersvc.tournament.ladder.LadderStore", name: str | None) -> str:
    names = _chosen(store, name)
    if len(names) > 1:
        raise InvalidValue(f"There are {len(names)} ladders: name {listed(names, 'or')} with --ladder.")
    return names[0]


@contextmanager
def _progress(name: str, missing: int) -> Iterator[Callable[[int], None]]:
    """Yield a function to call with the number of games left; at a terminal, it moves a progress bar."""
    if not sys.stderr.isatty() or not missing:
        yield lambda _: None
        return
    with cli.drawing.progress_bar.bar(name, missing, cli.drawing.progress_bar.COUNT) as update:
        yield lambda left: update(completed=max(0, missing - left))
