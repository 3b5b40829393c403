"""``python -m tests.printed`` writes down what the pages have ever told people to import, from the history of git."""

from tests.printed.gather import HERE, gathered

for name, text in gathered().items():
    (HERE / name).write_text(text, "utf-8")
