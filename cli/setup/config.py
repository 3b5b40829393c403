"""`pokersvc config`: a person's settings."""

import sys
from typing import Annotated, Final

import typer

from pokersvc.cli import rules
from pokersvc.cli.arguments import JsonOption
from pokersvc.cli.output import print_json
from pokersvc.cli.setup import preferences, settings
from pokersvc.errors import InvalidValue

app = typer.Typer(
    add_completion=False,
    help="Show or change your settings: name, house, opponents, advice and more.\n\n"
    "Example: pokersvc config set name Ann",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="A variable such as POKERSVC_NAME overrides the file, and an option overrides both.",
)
KeyArgument = Annotated[
    str, typer.Argument(metavar="KEY", help="name, house, opponents, colours, advice, memory or limits.")
]
_WIDTH: Final = max(map(len, settings.SETTINGS))


@app.command("list")
def list_(as_json: JsonOption = False) -> None:
    """List the settings, and where each was set.

    Example: pokersvc config list
    """
    chosen = settings.chosen()
    if as_json:
        print_json(
            {
                key: {"value": chosen[key].value, "set_by": chosen[key].origin}
                if key in chosen
                else {"value": None, "set_by": None}
                for key in settings.SETTINGS
            }
        )
        return
    for key, setting in settings.SETTINGS.items():
        if key in chosen:
            print(f"{key:<{_WIDTH}}  {_said(chosen[key].value)}  (from {chosen[key].origin})")
        else:
            print(f"{key:<{_WIDTH}}  {setting.default}  (not set: {setting.help})")


@app.command()
def get(key: KeyArgument) -> None:
    """Print the value of a setting.

    If it is not set, nothing is printed, and the exit code is 1.

    Example: pokersvc config get name
    """
    settings.setting(key)
    chosen = settings.chosen()
    if key not in chosen:
        raise typer.Exit(1)
    print(_said(chosen[key].value))


@app.command(name="set")
def set_(key: KeyArgument, value: Annotated[str, typer.Argument(metavar="VALUE", help="The value.")]) -> None:
    """Change a setting in the file.

    The rest of the file stays as it is.

    Example: pokersvc config set name Ann
    """
    try:
        read = settings.setting(key).read(value)
    except settings.InvalidSetting:
        raise
    except InvalidValue as error:
        raise settings.InvalidSetting(f"{key} cannot be {value!r}: {error}") from None
    if key == "house":
        _check_house(value)
    if key == "opponents":
        _check_opponents(value)
    settings.change(key, read)
    if settings.chosen()[key].value != read:
        print(f"Warning: {settings.chosen()[key].origin} is set, and overrides the file.", file=sys.stderr)


@app.command()
def unset(key: KeyArgument) -> None:
    """Remove a setting from the file.

    Example: pokersvc config unset name
    """
    settings.setting(key)
    settings.change(key, None)


@app.command(name="path")
def path_() -> None:
    """Print the path of the settings file.

    Example: pokersvc config path
    """
    print(settings.path())


def _said(value: settings.Value) -> str:
    return value if isinstance(value, str) else str(value).lower()


def _check_house(name: str) -> None:
    names = [house.name for _, house in rules.houses()]
    if name not in names:
        raise settings.InvalidSetting(f"house cannot be {name!r}: the houses are {', '.join(names)}.")


def _check_opponents(kind: str) -> None:
    if kind not in (known := preferences.bots()):
        raise settings.InvalidSetting(f"opponents cannot be {kind!r}: bots are {', '.join(known)}.")
