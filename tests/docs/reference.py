"""The pages of docs/reference, which are made from the code: the command line, events and error codes.

``python -m tests.docs.api`` writes them; this module has no command of its own.

They are in the repository and not only on the site, so that they can be read where the repository is shown, and so that
a change of the command line, of an event or of a code is seen in review.
"""

from pathlib import Path
from typing import Final

from tests.docs import api
from tests.docs.commands import commands
from tests.docs.error_codes import error_codes
from tests.docs.events import events

FOLDER: Final = api.ROOT / "docs" / "reference"
NOTE: Final = "<!-- Made from the code by `make api-docs`; do not edit. -->"


def reference() -> dict[Path, str]:
    """Return the text of every page that is made, by its file."""
    made = {"commands": commands(), "events": events(), "errors": error_codes()}
    return {FOLDER / f"{page}.md": "\n\n".join([NOTE, *parts]) + "\n" for page, parts in made.items()}


def write() -> None:
    """Write the pages."""
    FOLDER.mkdir(exist_ok=True)
    for path, text in reference().items():
        path.write_text(text, "utf-8")
