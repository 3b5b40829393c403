"""The manual pages, generated from the program's help: `python -m tests.docs.man` writes them to docs/man."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import typer

from pokersvc import __version__
from pokersvc.cli.lazy import imported
from pokersvc.cli.main import Program, app

MAN: Final = Path(__file__).parents[2] / "docs/man"
FILES: Final = (
    ("~/.local/share/pokersvc/pokerdb.sqlite", "The database, where --db and POKERSVC_DATABASE_URL name none."),
    ("~/.config/pokersvc/config.toml", "Your settings: see pokersvc-config(1)."),
)
_ESCAPES: Final = {"\\": r"\e", "-": r"\-", "`": r"\(ga", "~": r"\(ti", "'": r"\(aq"}
ENVIRONMENT: Final = (
    ("POKERSVC_DATABASE_URL", "The database: a file or a URL."),
    ("NO_COLOR", "Where it is set, nothing is coloured."),
)


def commands() -> dict[str, Any]:
    """Return every command as typer makes it, by its whole name: ``pokersvc db backup``."""
    found: dict[str, Any] = {"pokersvc": typer.main.get_command(app)}
    for name, lazy in Program.lazy.items():
        command = imported(lazy, name)
        found[f"pokersvc {name}"] = command
        for sub, below in getattr(command, "commands", {}).items():
            found[f"pokersvc {name} {sub}"] = below
    return found


def pages() -> dict[str, str]:
    """Return each page by the name of its file."""
    found = commands()
    return {f"{name.replace(' ', '-')}.1": "\n".join(_page(name, one, found)) + "\n" for name, one in found.items()}


def _page(name: str, command: Any, others: dict[str, Any]) -> Iterator[str]:
    title = name.replace(" ", "-")
    help_ = (command.help or command.callback.__doc__ or "").strip()
    short, *paragraphs = re.split(r"\n\s*\n", help_)
    yield f'.TH {_text(title.upper())} 1 "" "pokersvc {__version__}" "pokersvc"'
    yield ".SH NAME"
    yield rf"{_text(title)} \- {_text(_joined(short).rstrip('.'))}"
    yield ".SH SYNOPSIS"
    yield f".B {_text(name)}"
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    subs = getattr(command, "commands", None)
    metavars = [*(_argument(one) for one in arguments), *(["COMMAND [ARGUMENT]..."] if subs else [])]
    yield _text(" ".join(["[OPTION]...", *metavars]))
    texts = [_joined(one) for one in paragraphs]
    described = [one for one in texts if not one.startswith("Example")]
    if described:
        yield ".SH DESCRIPTION"
        for number, one in enumerate(described):
            yield from ([".PP"] if number else [])
            yield _text(one)
    if subs:
        yield ".SH COMMANDS"
        for sub, below in subs.items():
            yield from _entry(f"{name} {sub}", below.get_short_help_str(200))
    if arguments:
        yield ".SH ARGUMENTS"
        for one in arguments:
            yield from _entry(_argument(one), one.help or "")
    yield ".SH OPTIONS"
    for one in command.params:
        if one.param_type_name == "option":
            yield from _entry(_option(one), _about(one))
    yield from _entry("-h, --help", "Show the help and exit.")
    if examples := [one.partition(":")[2].strip() for one in texts if one.startswith("Example")]:
        yield ".SH EXAMPLE"
        for example in examples:
            yield f".B {_text(example)}"
    if subs and name == "pokersvc":
        yield ".SH EXIT STATUS"
        yield _text(_joined(command.epilog or "").removeprefix("Exit codes: "))
        for heading, entries in (("ENVIRONMENT", ENVIRONMENT), ("FILES", FILES)):
            yield f".SH {heading}"
            for what, about in entries:
                yield from _entry(what, about)
    yield ".SH SEE ALSO"
    parent = name.rpartition(" ")[0]
    near = [
        other for other in others if other == parent or (other.rpartition(" ")[0] in (name, parent) and other != name)
    ]
    near = [other for other in near if name == "pokersvc" or other == parent or other.startswith(f"{name} ")
            or parent != "pokersvc"]  # fmt: skip
    yield ",\n".join(rf".BR {_text(other.replace(' ', '-'))} (1)" for other in near).replace(" (1),", " (1),")


def _argument(parameter: Any) -> str:
    name = (parameter.metavar or parameter.name.upper()).strip("[]").removesuffix("...").rstrip("]")
    name = f"{name}..." if parameter.nargs == -1 else name
    return name if parameter.required else f"[{name}]"


def _option(option: Any) -> str:
    value = "" if option.is_flag else f" {option.metavar or option.name.upper()}"
    return ", ".join(sorted(option.opts, key=len)) + value


def _about(option: Any) -> str:
    default = option.default
    shown = option.show_default and not option.is_flag and isinstance(default, str | int | float) and default != ""
    return (option.help or "") + (f" [default: {default}]" if shown else "")


def _entry(what: str, about: str) -> Iterator[str]:
    yield ".TP"
    yield f".B {_text(what)}"
    yield _text(_joined(about))


def _joined(text: str) -> str:
    return " ".join(text.split())


def _text(text: str) -> str:
    """Return a text as roff reads it: nothing in it is a command or an escape."""
    escaped = "".join(_ESCAPES.get(one) or (one if one.isascii() else rf"\[u{ord(one):04X}]") for one in text)
    return rf"\&{escaped}" if escaped.startswith(".") else escaped


def main() -> None:
    """Write the pages, and remove those of commands that no longer exist."""
    MAN.mkdir(exist_ok=True)
    found = pages()
    for path in MAN.glob("*.1"):
        if path.name not in found:
            path.unlink()
    for name, text in found.items():
        (MAN / name).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
