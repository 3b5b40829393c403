"""Print the current counts, or store them: ``python -m tests.counts [--store]``."""

import json
import sys
from pathlib import Path
from typing import Final

from .work import Figures, measured

STORED: Final = Path(__file__).with_name("figures.json")
VERSION: Final = f"{sys.version_info.major}.{sys.version_info.minor}"
"""The minor version of Python, on which the counts depend; patch releases do not change them."""


def stored() -> dict[str, Figures]:
    """Return the stored counts of each version of Python."""
    found: dict[str, Figures] = json.loads(STORED.read_text("utf-8"))
    return found


def main(arguments: list[str]) -> None:
    """Count, and print the counts as JSON or store them for this version of Python."""
    found = {
        what: {measure: float(f"{figure:.4g}") for measure, figure in figures.items()}
        for what, figures in measured().items()
    }
    if "--store" in arguments:
        known = stored() if STORED.exists() else {}
        STORED.write_text(json.dumps({**known, VERSION: found}, indent=2) + "\n", "utf-8")
    else:
        print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main(sys.argv[1:])
