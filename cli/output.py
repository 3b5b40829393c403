"""What commands print: JSON documents, and plain lines."""

import json
import os
import sys
from collections.abc import Iterable
from typing import Any


def print_json(value: Any) -> None:
    """Print one JSON document."""
    print(json.dumps(value, indent=2, ensure_ascii=False))


def stream_json(values: Iterable[Any]) -> None:
    """Print a JSON array, one element a line, without holding it in memory."""
    opening = "["
    for value in values:
        print(f"{opening}\n{json.dumps(value, ensure_ascii=False)}", end="")
        opening = ","
    print("[]" if opening == "[" else "\n]")
    sys.stdout.flush()


def close_output() -> None:
    """Let go of an output that nobody reads: what waits in its buffer would raise again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
