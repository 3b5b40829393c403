"""The page of docs/reference about error codes, made from the classes of errors and from where each is raised."""

import ast
import importlib
import pkgutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pokersvc
from pokersvc.errors import PokersvcError
from tests.docs.markdown import in_table

ROOT: Final = Path(__file__).parents[2] / "pokersvc"
PLAYING: Final = ROOT.parent / "docs" / "playing.md"
RUN_BY_IMPORT: Final = ("pokersvc.__main__", "pokersvc.migrations.", "pokersvc.players.closed", "pokersvc.players.box.")
"""Modules that do something when they are imported, and raise no error for a caller."""

PART: Final = "…"
"""The placeholder for a part of a sentence that varies."""


def error_codes() -> Iterator[str]:
    """Yield the parts of the page."""
    yield "# Error codes"
    yield (
        "Every error that pokersvc expects is one sentence that says what was wrong and what would be right, and a code"
        " that stays the same when the sentence is reworded. The program prints the sentence and ends with 1. In Python"
        ' it is a [`PokersvcError`](../api/errors.md) with `code`, and a server answers `{"code": …, "message": …}`.'
    )
    yield "## Exit codes of the program"
    yield PLAYING.read_text("utf-8").partition("## How the program ends\n\n")[2].strip()
    yield "## Codes of errors"
    rows = [f"| `{error.code}` | `{error.__name__}` | {in_table(line_of(error))} |" for error in errors_with_a_code()]
    yield table(("code", "error", "what it means"), rows)
    yield "## Codes with a reason"
    yield f"These errors have one code for each reason. {PART} stands for what differs each time."
    for error, reasons in sorted(given_codes().items()):
        yield f"### {error}"
        yield line_of(next(one for one in errors() if one.__name__ == error))
        yield table(("code", "the sentence"), [f"| `{code}` | {in_table(said)} |" for code, said in sorted(reasons)])


def table(heads: tuple[str, ...], rows: list[str]) -> str:
    """Return a table, each of its rows once."""
    return "\n".join([f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}", *dict.fromkeys(rows)])


def errors() -> list[type[PokersvcError]]:
    """Return all error classes of pokersvc, sorted by code and name."""
    for module in pkgutil.walk_packages(pokersvc.__path__, "pokersvc."):
        if not module.name.startswith(RUN_BY_IMPORT):
            importlib.import_module(module.name)
    found, new = set[type[PokersvcError]](), {PokersvcError}
    while new:
        found |= new
        new = {below for error in new for below in error.__subclasses__()} - found
    # A test that loads a module a second time, under a name of its own, makes its classes a second time.
    ours = [error for error in found if vars(sys.modules.get(error.__module__, object)).get(error.__name__) is error]
    ours = [error for error in ours if error.__module__.startswith("pokersvc.")]
    return sorted(ours, key=lambda error: (error.code, error.__name__))


def errors_with_a_code() -> list[type[PokersvcError]]:
    """Return the errors that have one code each."""
    return [error for error in errors() if "code" in vars(error) and error is not PokersvcError]


def line_of(error: type[PokersvcError]) -> str:
    """Return the first sentence of an error's docstring."""
    return " ".join((error.__doc__ or "").split("\n\n")[0].split()).replace("``", "`")


def given_codes() -> dict[str, set[tuple[str, str]]]:
    """Return error → the codes that it is raised with, each with its sentence."""
    without = {error.__name__ for error in errors() if "code" not in vars(error)}
    found: dict[str, set[tuple[str, str]]] = {}
    for path in sorted(ROOT.rglob("*.py")):
        source = path.read_text("utf-8")
        if not any(f"{name}(" in source for name in without):
            continue
        for call in ast.walk(ast.parse(source)):
            if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.func.id not in without:
                continue
            match call.args:
                case [ast.Constant(value=str(code)), said, *_] if code.replace("_", "").isalpha() and code.islower():
                    found.setdefault(call.func.id, set()).add((code, sentence(said)))
    return found


def _part(part: ast.expr) -> str:
    """Return a part that is filled in, with the verb of who does something (`pokersvc.text.does`)."""
    match part:
        case ast.FormattedValue(
            value=ast.Call(func=ast.Name(id="does"), args=[_, ast.Constant(value=str(verb))], keywords=[])
        ):
            return f"{PART} {verb}"
    return PART


def sentence(said: ast.expr) -> str:
    """Return a message as written in the source, with placeholders for the parts that vary."""
    match said:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(str(part.value) if isinstance(part, ast.Constant) else _part(part) for part in parts)
    return PART
