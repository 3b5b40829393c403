"""The tables of docs/ladder.md come from the commands above them."""

from pathlib import Path
from textwrap import dedent

from tests.docs.ladders import BLOCK, PAGE, words_of, write

OF_TWO = """
Text.

    $ pokersvc ladder add minimum random \\
          --rules fixed-limit --seed 1 --deals 2
    $ pokersvc ladder run --ladder fixed-limit --processes 1

    an old table

    of two parts

More text.
"""


def test_each_table_of_the_page_has_its_commands() -> None:
    found = [*BLOCK.finditer(PAGE.read_text("utf-8"))]
    assert len({block["name"] for block in found}) == len(found) > 0
    for block in found:
        bots = [word for word in words_of(block["add"])[2:] if not word.startswith("--")]
        title = dedent(block["printed"]).strip().split("\n")[0]
        assert title.startswith(f"{block['name']}: ")
        assert [word for word in block["add"].split()[2:5] if word not in block["printed"]] == [], bots


def test_a_table_is_replaced_and_a_database_continues(tmp_path: Path) -> None:
    page, database = tmp_path / "page.md", str(tmp_path / "games.sqlite")
    page.write_text(OF_TWO)
    write(page, database)
    made = page.read_text()
    assert made.startswith(OF_TWO.partition("\n    an old table")[0])
    assert "\n    fixed-limit: 2 bots, 2 deals: 4 games of Five-card draw, fixed-limit\n\n      bot " in made
    assert "an old table" not in made
    assert made.endswith("\n\nMore text.\n")
    page.write_text(made.replace("minimum random", "minimum random table"))
    write(page, database)
    assert "fixed-limit: 3 bots, 2 deals: 12 games of" in page.read_text()
