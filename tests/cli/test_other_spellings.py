"""A name that differs from an existing one only in case gets a hint; each mistake has its own message."""

from pathlib import Path

import pytest

from .program import Program


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """The program in a home with two hands of OnGame's."""
    program = Program(tmp_path_factory.mktemp("spelled"))
    program.ended("import", Path(__file__).parents[1] / "histories/samples/ongame-more.txt")
    return program


@pytest.mark.parametrize(
    ("asked", "there"),
    [
        (["stats", "hero"], "Hero"),
        (["stats", "hero", "--by", "position", "--only", "BTN"], "Hero"),
        (["stats", "--by", "position", "--only", "btn"], "BTN"),
        (["sessions", "--site", "ongame"], "OnGame"),
        (["sessions", "--player", "HERO"], "Hero"),
    ],
    ids=" ".join,
)
def test_another_spelling_by_case_is_named(imported: Program, asked: list[str], there: str) -> None:
    assert imported.read(*asked).endswith(f" is in this database; there is '{there}'.\n")
    assert "there is" not in imported.read("stats", "Nobody")
    assert "there is" not in imported.read("sessions", "--site", "Nowhere")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("export last --session last --format phh", "--session last names the hands; leave last out."),
        ("export --session last", "--session writes hands; add --format phh, ohh or pokerstars."),
        (
            "export --session last --format parquet",
            "--format parquet makes tables, and --session writes hands: phh, ohh or pokerstars.",
        ),
        (
            "export --session last --format steps",
            "--format steps makes tables, and --session writes hands: phh, ohh or pokerstars.",
        ),
        (
            "export --format steps --as 1 -o steps.parquet",
            "--format steps has what each seat has seen; leave --as and --open out.",
        ),
        (
            "export --format steps",
            "--format steps makes a Parquet file; name it with --output.",
        ),
        (
            "export --session last --format phh --open 1",
            "--open is for the events of one game, and --session for hands; leave one of them out.",
        ),
        (
            "export --format phh",
            "Name the game that a phh file is made of, such as `last`; --format parquet takes all games.",
        ),
        ("export a b", "A file holds one game, but 2 are named: a b; name one."),
        (
            "report last --session last --html x.html",
            "A page is about a game or a session; leave last or --session last out.",
        ),
        ("report --html x.html", "A page is about a game or a session: name a game, or add --session."),
    ],
)  # fmt: skip
def test_each_mistake_has_its_own_sentence(imported: Program, asked: str, said: str) -> None:
    assert imported.refused(*asked.split()) == said
