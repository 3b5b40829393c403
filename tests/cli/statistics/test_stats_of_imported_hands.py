"""Statistics of imported hands: the figures were computed by hand from the text of the samples."""

from pathlib import Path
from typing import Any

import pytest

from pokersvc.games.draw_poker.recorded_hands.recorded import hand_id
from tests.cli.program import Program

SAMPLES = Path(__file__).parents[2] / "histories/samples"
FILES = [SAMPLES / name for name in ("pokerstars.txt", "pokerstars-more.txt", "full-tilt.txt", "boss.xml", "merge.xml")]


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """The program in a home with hands of four sites in dollars, euros and the chips of a tournament."""
    program = Program(tmp_path_factory.mktemp("imported"))
    program.ended("import", *FILES)
    return program


def row(program: Program, player: str, site: str, currency: str) -> dict[str, Any]:
    rows = {(found["site"], found["currency"]): found for found in program.json("stats", player)}
    return dict(rows[site, currency])


def test_a_players_six_hands_are_counted_as_the_file_tells_them(imported: Program) -> None:
    kai = row(imported, "Kai", "PokerStars", "USD")
    assert kai["hands"] == 6
    # Raises to 0.20 and collects 0.43; folds; posts 0.10 twice and 0.05 once for nothing; 0.20 + 0.17 for 0.76.
    assert kai["net"] == (43 - 20) + 0 - 10 - 10 - 5 + (76 - 37) == 37
    assert kai["rates"]["won_per_100"] == pytest.approx(100 * 3.7 / 6)  # the big blind is 0.10 in all six
    assert (kai["vpip"], kai["pfr"], kai["walks"]) == (2, 2, 0)  # to check the big blind is not voluntary
    assert (kai["bets"], kai["raises"], kai["calls"], kai["folds"]) == (0, 0, 1, 0)  # calls 0.17 at the end
    assert (kai["saw_draw"], kai["showdowns"], kai["won_showdowns"]) == (3, 3, 2)  # mucks once, which is to lose
    assert kai["drew"] == [0, 0, 0, 3, 0, 0]
    assert kai["rake"] == 2 + 3  # of pots of 0.45 and 0.79


def test_the_hero_of_several_stakes_is_counted_in_big_blinds_of_each(imported: Program) -> None:
    # His ten hands in pokerstars.txt, in cents and in big blinds of 10, 25 and 100 cents:
    # a walk, a pot that nobody called, two lost showdowns after a bet or none, a lost call of a flush.
    cents = [0, 5, 191 - 50, -800, -20, -5, 0, 25 - 10, -50, 0]
    blinds = [10, 10, 25, 100, 10, 10, 10, 10, 10, 10]
    by_game = {hand["game"]: hand for hand in imported.json("stats", "Hero", "--list")}
    numbers = ["57273888010", "62899098639", "60267294618", "15504835000", "49909572764", "68690673330",
               "79625180593", "66521786905", "13059921315", "89500336678"]  # fmt: skip
    of_file = [by_game[hand_id("PokerStars", number)] for number in numbers]
    assert [hand["net"] for hand in of_file] == cents
    assert [hand["net_milli"] for hand in of_file] == [
        1000 * units // blind for units, blind in zip(cents, blinds, strict=True)
    ]
    assert [hand["walks"] for hand in of_file] == [0, 1, 0, 0, 0, 0, 0, 0, 0, 0]
    assert [hand["vpip"] for hand in of_file] == [0, 0, 1, 1, 1, 0, 0, 1, 1, 0]
    assert [hand["pfr"] for hand in of_file] == [0, 0, 1, 0, 0, 0, 0, 1, 1, 0]
    assert of_file[0]["position"] == "CO", "four are dealt in, and he acts just before the button"
    assert of_file[3]["day"] == "2010-09-21", "20:00 in Los Angeles, as in New York, is the next day in UTC"


def test_amounts_of_currencies_and_sites_stand_apart(imported: Program) -> None:
    rows = imported.json("stats", "Hero", "Cid", "Bob B")
    keys = [(found["player"], found["site"], found["currency"]) for found in rows]
    assert len(set(keys)) == len(keys)
    assert {key[1:] for key in keys if key[0] == "Hero"} == {
        ("PokerStars", "USD"), ("PokerStars", "EUR"), ("PokerStars", ""), ("Full Tilt", "USD"), ("Boss", "EUR"),
        ("Merge", "USD"),
    }  # fmt: skip
    by_key = dict(zip(keys, rows, strict=True))
    # Two euros of a big blind that a straddle of 4 took: 4 − 2 uncalled in, 5 out.
    assert by_key["Hero", "PokerStars", "EUR"]["net"] == -200
    assert by_key["Cid", "PokerStars", "EUR"]["net"] == 500 - 400 + 200
    # Calls 0.10 and bets 0.50, which Merge rakes although nobody called: 0.98 of 1.00.
    merge = by_key["Cid", "Merge", "USD"]
    assert (merge["net"], merge["rake"], merge["bets"], merge["vpip"], merge["pfr"]) == (98 - 60, 2, 1, 1, 0)


def test_what_a_pot_pays_and_what_the_house_keeps_is_what_the_losers_put_in(imported: Program) -> None:
    rows = [found for found in imported.json("stats") if found["site"] == "Full Tilt"]
    ann = next(found for found in rows if found["player"] == "Ann")
    assert (ann["net"], ann["rake"]) == (1140 - 500, 60)
    assert ann["rates"]["won_per_100"] == 100 * 6.40 / 0.50
    assert (ann["rates"]["aggression_factor"], ann["rates"]["aggression_frequency"]) == (None, 1.0)
    assert sum(found["net"] + found["rake"] for found in rows) == 0
