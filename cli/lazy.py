"""Groups of commands that import the module of a command only when the command is typed, so that help is instant."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any, ClassVar, Final, NamedTuple

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup


class PlainArgument(TyperArgument):
    """An argument whose help shows only what to type, such as ``GAME``, not the Python type that typer adds."""

    def display_type_rich(self, ctx: Any) -> str:
        """Return an empty text, so that help shows no type; the metavar, such as ``GAME``, says enough."""
        return ""

    def _usage_display_name(self) -> str:
        return super()._usage_display_name().translate(_NO_BRACES)


_NO_BRACES: Final = str.maketrans("", "", "{}")


class Lazy(NamedTuple):
    """The module of a command, and the command's line in its group's help, which is shown without an import."""

    module: str
    help: str
    function: str | None = None
    """The name of the command's function; None if the command is a group of commands, the module's ``app``."""
    command_class: str | None = None
    """The command's class as ``MODULE:CLASS``, if it is not a plain `TyperCommand`."""


class LazyGroup(TyperGroup):
    """A group whose commands are imported only when they are typed. A subclass lists its commands in ``lazy``."""

    lazy: ClassVar[Mapping[str, Lazy]] = {}

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for name, lazy in self.lazy.items():  # for the list in help, and for suggestions after a typing error
            self.commands[name] = TyperCommand(name, short_help=lazy.help, rich_markup_mode=None)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Return the name of the first command in the arguments, the command, and the other arguments."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, command if name is None else imported(self.lazy[name], name), rest


@cache
def imported(lazy: Lazy, name: str) -> Any:
    """Import a command or a group of commands and return it; a second call returns the same object."""
    module = import_module(lazy.module)
    if lazy.function is None:
        group: Any = typer.main.get_command(module.app)
        for command in group.commands.values():
            _make_plain(command)
        return group
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command(name, cls=None if lazy.command_class is None else _attribute(lazy.command_class))(
        getattr(module, lazy.function)
    )
    command = typer.main.get_command(app)
    _make_plain(command)
    return command


def _make_plain(command: Any) -> None:
    """Turn a command's arguments into `PlainArgument` objects; typer always makes them as `TyperArgument`."""
    for parameter in command.params:
        if type(parameter) is TyperArgument:
            parameter.__class__ = PlainArgument


def _attribute(path: str) -> Any:
    module, _, name = path.partition(":")
    return getattr(import_module(module), name)
