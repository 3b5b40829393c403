"""`pokersvc` with levels `quick` that last a minute each: ``python -m tests.browser.minute_levels``.

Over HTTP a host may name presets only, and the shortest of these takes eight minutes a level.
"""

import re
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from pokersvc.cli.main import run
from pokersvc.games.draw_poker.house import levels


def main() -> None:
    """Run the program with presets of which `quick` is changed."""
    with TemporaryDirectory() as folder, patch.object(levels, "_PRESETS", folder):
        for preset in files("pokersvc.games.draw_poker").joinpath("level_presets").iterdir():
            text = preset.read_text("utf-8")
            if preset.name == "quick.toml":
                text = re.sub(r"^minutes = \d+$", "minutes = 1", text, flags=re.MULTILINE)
            Path(folder, preset.name).write_text(text, "utf-8")
        run()


if __name__ == "__main__":
    main()
