"""Values written as TOML."""

import json
from collections.abc import Iterable, Mapping


def text(value: str) -> str:
    r"""Return a text as a quoted TOML string.

    >>> print(text('a "b" \\ \x7f'), text("é♠"))
    "a \"b\" \\ \u007f" "é♠"
    """
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def array(values: Iterable[str]) -> str:
    """Return a TOML array on one line."""
    return f"[{', '.join(values)}]"


def lines(values: Iterable[str]) -> str:
    """Return a TOML array with one line per value."""
    return "[\n" + "".join(f"  {value},\n" for value in values) + "]"


def table(values: Mapping[str, str]) -> str:
    """Return a TOML inline table, on one line."""
    return "{ " + ", ".join(f"{key} = {value}" for key, value in values.items()) + " }"
