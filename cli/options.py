"""Options of games: a command with ``--game`` also takes the options of that game."""

from collections.abc import Sequence
from dataclasses import field, make_dataclass
from functools import cache
from typing import Annotated, Any, Final, TypeAlias

import typer
from typer.core import TyperCommand

import pokersvc
from pokersvc.cli.arguments import MOST

Kind = Annotated[
    str, typer.Option("--game", metavar="KIND", help="The game; with it, --help also shows its own options.")
]
Rules = Annotated[
    str | None, typer.Option("--rules", metavar="HOUSE|FILE", help="A house, or the .toml file of a custom house.")
]
Limit = Annotated[
    float, typer.Option("--limit", metavar="SECONDS", help="Longest time a custom player may think about a choice.")
]
"""The maximum thinking time of custom players; its default is that of `pokersvc.players`, which help need not load."""
RoundsPerGame = Annotated[
    int | None,
    typer.Option("--rounds", min=1, max=MOST, metavar="N", help="Rounds per game. [the game's own; draw poker: 1]"),
]
Opening = Annotated[
    int | None,
    typer.Option(
        "--opening",
        min=0,
        max=1000,
        metavar="N",
        help="Begin with N random moves. [4 in games without a deal, such as Kalah; else 0]",
    ),
]
Plain = Annotated[
    bool, typer.Option("--plain", help="Print lines, without a drawn table or escape codes; for screen readers.")
]
Trust = Annotated[
    bool, typer.Option("--trust", help="Run custom players outside a box, with your rights; only if you trust them.")
]
MayRead = Annotated[
    list[str] | None,
    typer.Option("--player-may-read", metavar="NAME=PATH", help="Files that a custom player may read. Repeatable."),
]
MayUseNetwork = Annotated[
    list[str] | None,
    typer.Option(
        "--player-may-use-network", metavar="NAME", help="A custom player that may use the network. Repeatable."
    ),
]

_Click: TypeAlias = Any
"""A type of click; typer has its own copy of click, which it does not export."""

_HELP: Final = {"-h", "--help"}
_KEY: Final = "pokersvc.options"
_BOTS: Final = "pokersvc.bots"


class GameCommand(TyperCommand):
    """A command with its own options and those of the game that ``--game`` names.

    The command gets the values of the game's options from ``game_options``.
    """

    def parse_args(self, ctx: _Click, args: list[str]) -> list[str]:
        """Find the game before parsing, so that its options are parsed and shown like the command's own.

        Help without ``--game`` shows the command's own options only, and loads no game.
        """
        kind = _named(args)
        if kind is not None or not _HELP.intersection(args):
            game = pokersvc.game_of(kind or self._default(ctx))
            ctx.meta[_KEY], ctx.meta[_BOTS] = _parameters(tuple(game.own_options)), game.players_said
        rest = super().parse_args(ctx, args)
        given = {parameter.name: ctx.params.pop(parameter.name) for parameter in ctx.meta.get(_KEY, ())}
        ctx.meta[_KEY] = {name: value for name, value in given.items() if value is not None and value is not False}
        return rest

    def get_params(self, ctx: _Click) -> list[Any]:
        """Return the options of the command and of the game, with --help last."""
        of_game = ctx.meta.get(_KEY, ())
        *own, help_ = super().get_params(ctx)
        return [*own, *(of_game if isinstance(of_game, list) else ()), help_]

    def format_options(self, ctx: _Click, formatter: _Click) -> None:
        """Write the options and, if a game is named, how its bots play."""
        super().format_options(ctx, formatter)
        if bots := [*ctx.meta.get(_BOTS, {}).items()]:
            with formatter.section("Bots"):
                formatter.write_dl(bots)

    def _default(self, ctx: _Click) -> str:
        return next(str(parameter.get_default(ctx)) for parameter in self.params if "--game" in parameter.opts)


def game_options(context: typer.Context) -> dict[str, Any]:
    """Return the values that a `GameCommand` was given for the options of its game, by name."""
    return dict(context.meta[_KEY])


def _named(args: Sequence[str]) -> str | None:
    """Return the game that the last ``--game`` among the arguments names; None if there is no ``--game``."""
    found = None
    for word, following in zip(args, [*args[1:], None], strict=False):  # without arguments there are no pairs
        name, equals, value = word.partition("=")
        if name == "--game":
            found = value if equals else following
    return found


@cache
def _parameters(options: "tuple[pokersvc.Option, ...]") -> list[Any]:
    """Return a game's options as typer parameters; typer makes them from a dataclass with a field for each option."""
    fields = [(option.name, _field_type(option), field(default=None)) for option in options]
    app = typer.Typer(add_completion=False)
    app.command()(make_dataclass("Options", fields))
    return list(typer.main.get_command(app).params)


def _field_type(option: "pokersvc.Option") -> Any:
    declared = typer.Option("--" + option.name.replace("_", "-"), metavar=option.metavar, help=option.help)
    return Annotated[(list[option.of] if option.several else option.of) | None, declared]  # type: ignore[name-defined]  # the type is made from the option
