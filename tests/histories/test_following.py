"""The follower finds nothing wrong in real hands, and finds each changed claim."""

import json
from pathlib import Path

import pytest

from pokersvc.histories.checking import CheckedHand, check
from pokersvc.histories.hand import HandHistory
from pokersvc.histories.reading import hands_in

from .checker import contradiction

HERE = Path(__file__).parent
SAMPLES = sorted(path for path in (HERE / "samples").iterdir() if path.suffix != ".told")


def checked(path: Path) -> list[CheckedHand]:
    found = list(check([path]))
    assert all(isinstance(one, CheckedHand) for one in found), found
    return [one for one in found if isinstance(one, CheckedHand)]


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_no_sample_contradicts_itself(path: Path) -> None:
    found = checked(path)
    assert found
    for one in found:
        assert one.contradictions == (), (one.number, *map(str, one.contradictions))
        assert one.events


@pytest.mark.parametrize(("name", "line"), json.loads((HERE / "doctored/expected.json").read_text()).items())
def test_each_doctored_hand_is_found_at_its_line(name: str, line: int | None) -> None:
    (one,) = checked(HERE / f"doctored/{name}.phh")
    assert [found.line for found in one.contradictions[:1]] == ([] if line is None else [line])


@pytest.mark.parametrize("folder", ["samples", "doctored"])
def test_the_same_is_found_where_no_game_is_asked_for(folder: str) -> None:
    whole, bare = (list(check([HERE / folder], events=events)) for events in (True, False))
    made = [one._replace(events=(), followed=None) if isinstance(one, CheckedHand) else one for one in whole]
    assert made == bare
    assert any(isinstance(one, CheckedHand) and one.contradictions for one in bare) == (folder == "doctored")


@pytest.mark.slow
def test_two_processes_find_the_same_in_the_same_order(tmp_path: Path) -> None:
    hand, wrong = ((HERE / f"doctored/{name}.phh").read_text("utf-8") for name in ("as_it_was", "same_card_twice"))
    texts = [wrong if number % 7 == 3 else hand for number in range(400)]
    file = tmp_path / "many.phhs"
    file.write_text("\n".join(f"[{number}]\n{text}" for number, text in enumerate(texts)), "utf-8")
    one, two = (list(check([file], processes=processes, events=False)) for processes in (1, 2))
    assert one == two
    assert sum(isinstance(found, CheckedHand) and bool(found.contradictions) for found in one) == 57


ABSENT = """\
PokerStars Hand #57: Tournament #57, $1.00+$0.10 USD 5 Card Draw Limit - Level II (20/40) - 2013/01/05 13:00:00 ET
Table '57 12' 6-max Seat #1 is the button
Seat 1: Ann (1500 in chips) is sitting out
Seat 2: Bob (30 in chips) out of hand (moved from another table into small blind)
Seat 3: Hero (1500 in chips)
Seat 4: Cid (35 in chips) is sitting out
Cid is sitting out
Hero: posts small blind 10
Cid: posts big blind 20
*** DEALING HANDS ***
Dealt to Hero [Ah As 3c 4d 9h]
Ann: folds
Hero: raises 20 to 40
Cid: folds
Uncalled bet (20) returned to Hero
Hero collected 40 from pot
*** SUMMARY ***
Total pot 40 | Rake 0
Seat 1: Ann (button) folded before the Draw (didn't bet)
Seat 3: Hero (small blind) collected (40)
Seat 4: Cid (big blind) folded before the Draw
"""
ABSENT_AT_FULL_TILT = """\
Full Tilt Poker Game #58: $1 + $0.20 Sit & Go (16), Table 1 - 20/40 - Limit 5 Card Draw - 01:30:00 ET - 2010/11/09
Seat 1: Hero (1,500)
Seat 2: Bob B (1,500), is sitting out
Hero posts the small blind of 10
Bob B posts the big blind of 20
The button is in seat #1
*** HOLE CARDS ***
Dealt to Hero [Ac Kh 9d 5s 2c]
Hero raises to 40
Bob B folds
Uncalled bet of 20 returned to Hero
Hero wins the pot (40)
*** SUMMARY ***
Total pot 40 | Rake 0
"""


@pytest.mark.parametrize(
    ("text", "in_a_tournament", "in_no_tournament"),
    [
        (ABSENT, ": Tournament #57, $1.00+$0.10 USD 5 Card Draw Limit - Level II (", ":  5 Card Draw Limit ("),
        (ABSENT_AT_FULL_TILT, "$1 + $0.20 Sit & Go (16), ", ""),
    ],
    ids=["PokerStars", "Full Tilt"],
)
def test_the_absent_are_dealt_in_in_a_tournament_and_in_no_cash_game(
    text: str, in_a_tournament: str, in_no_tournament: str, tmp_path: Path
) -> None:
    """They post and fold; who was moved into the small blind is out of the hand."""
    file = tmp_path / "hand.txt"
    file.write_text(text, "utf-8")
    (one,) = checked(file)
    assert one.contradictions == ()
    assert in_a_tournament in text
    file.write_text(text.replace(in_a_tournament, in_no_tournament), "utf-8")
    (one,) = checked(file)
    assert one.contradictions[0].says == "that Hero is dealt in"


def test_a_summary_names_no_button_where_nobody_has_it(tmp_path: Path) -> None:
    file = tmp_path / "hand.txt"
    file.write_text(THE_HAND.replace(" Seat #3 is the button", ""), "utf-8")
    (one,) = checked(file)
    assert str(one.contradictions[0]).endswith(
        "says that Dora has the button, and the lines before it imply that nobody does"
    )


THE_HAND = (HERE / "samples/pokerstars.txt").read_text("utf-8").split("\n\n\n")[3]
"""Three players, a raise, two draws, a bet that is called, and a showdown with rake."""

CHANGES = {
    "a smaller stack than what is put in": ("Dora ($34.95", "Dora ($3.95"),
    "another small blind": ("small blind $0.50", "small blind $0.25"),
    "a blind of somebody else's": ("Cid: posts big blind", "Dora: posts big blind"),
    "no big blind": ("Cid: posts big blind $1\n", ""),
    "a raise by another step": ("raises $2 to $3", "raises $1 to $3"),
    "a raise above the pot": ("raises $2 to $3", "raises $9 to $10"),
    "a raise below the least": ("raises $2 to $3", "raises $0.50 to $1.50"),
    "a raise all in with chips left": ("raises $2 to $3", "raises $2 to $3 and is all-in"),
    "a call of too much": ("calls $2.50", "calls $2.60"),
    "a call that is missing": ("Hero: calls $2.50\n", ""),
    "a call out of turn": ("Hero: calls $2.50\nCid: calls $2\n", "Cid: calls $2\nHero: calls $2.50\n"),
    "a choice twice": ("Cid: calls $2\n", "Cid: calls $2\nCid: calls $2\n"),
    "a check where there is a bet": ("Cid: folds", "Cid: checks"),
    "a discard of a card that is not held": ("[Jh]\nDealt", "[Ah]\nDealt"),
    "a discard of too many cards": ("discards 3 cards", "discards 6 cards"),
    "other cards kept": ("[6s 7d 2h 3s] [Qs]", "[6s 7d 2h 4s] [Qs]"),
    "more cards drawn than discarded": ("[6s 7d 2h 3s] [Qs]", "[6s 7d 2h 3s] [Qs Ks]"),
    "a card that the hero holds": ("Dora: shows [4d Ad Ks Kd 3h]", "Dora: shows [4d Ad Ks Kd 6s]"),
    "a card that the hero discarded": ("Dora: shows [4d Ad Ks Kd 3h]", "Dora: shows [4d Ad Ks Kd Jh]"),
    "a hand that the hero does not have": ("Hero: shows [6s Qs 7d 2h 3s]", "Hero: shows [6s Qs 7d 2h 4s]"),
    "a name that a hand does not have": ("(a pair of Kings)", "(a pair of Queens)"),
    "a hand by the name of another kind": ("(high card Queen)", "(a pair of Queens)"),
    "a winner who lost": ("Dora collected $18.10", "Hero collected $18.10"),
    "another amount won": ("Dora collected $18.10", "Dora collected $18.20"),
    "nobody paid": ("Dora collected $18.10 from pot\n", ""),
    "another total": ("Total pot $19 ", "Total pot $18 "),
    "another rake": ("Rake $0.90", "Rake $0.80"),
    "a summary of another fold": ("Cid (big blind) folded after", "Cid (big blind) folded before"),
    "a summary of another win": ("won ($18.10)", "won ($18.00)"),
    "a summary of other cards": ("showed [4d Ad Ks Kd 3h]", "showed [4d Ad Ks Kd 5h]"),
    "a summary of another seat": ("Seat 1: Cid (big blind) folded", "Seat 2: Cid (big blind) folded"),
    "a summary of another button": ("Dora (button) showed", "Dora showed"),
    "a summary of another blind": ("Hero (small blind) showed", "Hero (big blind) showed"),
    "a bet returned that was called": ("*** SHOW DOWN", "Uncalled bet ($5) returned to Hero\n*** SHOW DOWN"),
    "a hand mucked that wins": ("Dora: shows [4d Ad Ks Kd 3h] (a pair of Kings)", "Dora: mucks hand"),
    "the button elsewhere": ("Seat #3 is the button", "Seat #4 is the button"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_found_at_the_first_line_that_contradicts(change: str, tmp_path: Path) -> None:
    old, new = CHANGES[change]
    assert THE_HAND.count(old) == 1, old
    file = tmp_path / "changed.txt"
    file.write_text(THE_HAND.replace(old, new), "utf-8")
    (one,) = checked(file)
    assert one.contradictions, change
    changed = THE_HAND[: THE_HAND.index(old)].count("\n") + 1
    assert one.contradictions[0].line >= changed - 1


@pytest.mark.parametrize("amount", ["$0.01", "$5.00"])
def test_of_who_is_not_dealt_in_and_posts_nothing_is_due(amount: str, tmp_path: Path) -> None:
    text = THE_HAND.replace("Seat 4: Hero ($40", "Seat 2: Gus ($9 in chips) is sitting out\nSeat 4: Hero ($40", 1)
    blind = "Cid: posts big blind $1\n"
    file = tmp_path / "hand.txt"
    file.write_text(text.replace(blind, f"{blind}Gus: posts the ante {amount}\n"), "utf-8")
    (one,) = checked(file)
    line = text[: text.index(blind)].count("\n") + 2
    assert [(found.says, found.implied) for found in one.contradictions if found.line == line][:2] == [
        ("that Gus posts", "that Gus is not dealt in"),
        (f"that Gus posts {amount}", "$0.00"),
    ]


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_summary_of_a_fold_that_there_was_not_is_found(when: str, tmp_path: Path) -> None:
    before, said, _ = THE_HAND.partition("Seat 4: Hero (small blind) ")
    file = tmp_path / "hand.txt"
    file.write_text(f"{before}{said}folded {when} the Draw\n", "utf-8")
    (one,) = checked(file)
    (found,) = one.contradictions
    assert found.line == before.count("\n") + 1
    assert (found.says, found.implied) == (f"that Hero folded {when} the draw", "that Hero did not fold")


SHORT_BIG_BLIND = """variant = "N5CD"
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [171, 1, 628]
actions = [
  "d dh p1 5s3hQs9sJh", "d dh p2 7hTdKc4s4d", "d dh p3 8c7c9hTc4c", "p3 cc", "p1 cc",
  "p1 sd", "p2 sd 7hTdKc", "p3 sd 9h", "d dh p2 8s5h8d", "d dh p3 5c", "p1 cc", "p3 cc",
  "p1 sm 5s3hQs9sJh", "p2 sm 4s4d8s5h8d", "p3 sm 8c7cTc4c5c",
]
players = ["Ann", "Bob", "Cid"]
finishing_stacks = [169, 0, 631]
"""


SHORT_STRADDLE = """variant = "N5CD"
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 4]
min_bet = 2
starting_stacks = [100, 100, 3]
actions = [
  "d dh p1 5s3hQs9sJh", "d dh p2 7hTdKc4s4d", "d dh p3 8c7c9hTc2c", "p1 f", "p2 cc", "p2 sd", "p3 sd",
  "p2 sm 7hTdKc4s4d", "p3 sm 8c7c9hTc2c",
]
players = ["Ann", "Bob", "Cid"]
finishing_stacks = [99, 104, 0]
"""


def test_a_straddle_of_a_whole_stack_may_be_less_than_twice_the_big_blind(tmp_path: Path) -> None:
    file = tmp_path / "short.phh"
    file.write_text(SHORT_STRADDLE, "utf-8")
    (one,) = checked(file)
    assert one.contradictions == (), list(map(str, one.contradictions))


@pytest.mark.parametrize(("ante", "straddle", "implied"), [(0, 7, None), (1, 7, None), (0, 8, "7"), (1, 8, "7")])
def test_a_straddle_under_a_pot_limit_is_held_to_both_blinds_and_not_to_antes(
    ante: int, straddle: int, implied: str | None, tmp_path: Path
) -> None:
    file = tmp_path / "pot.phh"
    text = SHORT_STRADDLE.replace("N5CD", "P5CD").replace("[1, 2, 4]", f"[1, 2, {straddle}]")
    text = text.replace("antes = [0, 0, 0]", f"antes = [{ante}, {ante}, {ante}]").replace("100, 3]", "100, 100]")
    after = [99 - ante, 98 - ante, 103 + 2 * ante]
    text = text[: text.index('  "d dh')] + f'"p1 f", "p2 f"]\nfinishing_stacks = {after}\n'
    file.write_text(text, "utf-8")
    (one,) = checked(file)
    said = [(found.says, found.implied) for found in one.contradictions]
    assert said == ([] if implied is None else [(f"a straddle of {straddle}", f"at most {implied}")])
    (hand,) = hands_in(file)
    assert isinstance(hand, HandHistory)
    assert (contradiction(hand) is None) == (implied is None)


def test_a_big_blind_that_is_all_in_for_less_is_called_whole(tmp_path: Path) -> None:
    file = tmp_path / "short.phh"
    file.write_text(SHORT_BIG_BLIND, "utf-8")
    (one,) = checked(file)
    assert one.contradictions == (), list(map(str, one.contradictions))
