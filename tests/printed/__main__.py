"""``python -m tests.printed`` collects all imports that the docs ever printed, from the history of git."""

from tests.printed.gather import HERE, gathered

for name, text in gathered().items():
    (HERE / name).write_text(text, "utf-8")
