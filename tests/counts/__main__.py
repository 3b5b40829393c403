"""Print the counts of now, or store them: ``python -m tests.counts [--store]``."""

import json
import sys
from pathlib import Path
from typing import Final

from .work import Figures, measured

STORED: Final = Path(__file__).with_name("figures.json")
VERSION: Final = f"{sys.version_info.major}.{sys.version_info.minor}"
"""Instructions and calls are those of a minor version of Python; a patch release leaves them as they are."""


def stored() -> dict[str, Figures]:
    """Return the stored figures of each version of Python that has some."""
    found: dict[str, Figures] = json.loads(STORED.read_text("utf-8"))
    return found


def main(arguments: list[str]) -> None:
    """Count, and print the figures as JSON or store them in the place of those of this version of Python."""
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
