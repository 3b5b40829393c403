"""Boss and Merge: samples read word for word, and XML that is cut, duplicated, too large or malicious."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pokersvc.histories.contributions import Contributions
from pokersvc.histories.dialect import Block, Dialect
from pokersvc.histories.dialects.blocks import MOST
from pokersvc.histories.dialects.boss import Boss
from pokersvc.histories.dialects.merge import Merge
from pokersvc.histories.hand import HandHistory, UnreadableHand
from pokersvc.histories.statements import Cancelled, Totals, Won

from .goldens import SAMPLES, in_lines, read

BOSS, MERGE = SAMPLES / "boss.xml", SAMPLES / "merge.xml"


@pytest.mark.parametrize(
    ("dialect", "name"), [(Boss(), "boss"), (Boss(), "boss-more"), (Merge(), "merge"), (Merge(), "merge-more")]
)
def test_a_sample_says_what_a_person_read_in_it(dialect: Dialect, name: str) -> None:
    golden = (SAMPLES / f"{name}.told").read_text("utf-8")
    assert "\n".join(map(in_lines, read(dialect, f"{name}.xml"))) == golden


def called_pot(hand: HandHistory) -> int:
    """Return all chips put in, less the uncalled bet."""
    staked = Contributions(hand.players, hand.big_blind)
    for told in hand.told:
        staked.take(told)
    staked.return_uncalled()
    return staked.pot


def test_the_pots_of_every_boss_hand_are_what_was_put_in_and_called() -> None:
    for hand in read(Boss(), "boss.xml") + read(Boss(), "boss-more.xml"):
        totals = next(told for told in hand.told if isinstance(told, Totals))
        won = sum(told.amount for told in hand.told if isinstance(told, Won))
        assert (totals.pot, totals.rake) == (called_pot(hand), called_pot(hand) - won), hand.number


def test_what_merge_pays_is_all_that_was_put_in_without_the_rake() -> None:
    rakes = []
    for hand in read(Merge(), "merge.xml") + read(Merge(), "merge-more.xml"):
        if any(isinstance(told, Cancelled) for told in hand.told):
            continue
        staked = Contributions(hand.players, hand.big_blind)
        for told in hand.told:
            staked.take(told)
        rakes.append(
            staked.pot + sum(staked.returned.values()) - sum(told.amount for told in hand.told if isinstance(told, Won))
        )
    assert rakes == [2, 250, 0]


def blocks(dialect: Dialect, text: str) -> list[Block]:
    return list(dialect.blocks(iter(text.splitlines(keepends=True))))


def test_a_hand_is_a_block_wherever_its_lines_end() -> None:
    text = BOSS.read_text("utf-8")
    at_once = blocks(Boss(), text.replace("\n", " "))
    assert [Boss().read(block).number for block in at_once] == [Boss().read(one).number for one in blocks(Boss(), text)]
    assert at_once[0].text.startswith("<HISTORY ID")
    assert at_once[0].text.endswith("</HISTORY>")


def test_a_description_goes_with_the_games_after_it() -> None:
    hands = read(Merge(), "merge-more.xml")
    assert [hand.limit for hand in hands] == ["no-limit", "no-limit", "fixed-limit"]


def told(dialect: Dialect, text: str) -> Iterator[str]:
    """Yield for each hand its number, or the line and the sentence that it cannot be read for."""
    for block in blocks(dialect, text):
        try:
            yield dialect.read(block).number
        except UnreadableHand as error:
            yield f"{error.line}: {error}"


def test_a_hand_that_is_cut_off_leaves_the_next_one_whole() -> None:
    lines = BOSS.read_text("utf-8").splitlines(keepends=True)
    end = next(number for number, line in enumerate(lines) if "</HISTORY>" in line)
    numbers = list(told(Boss(), "".join(lines[: end - 3] + lines[end + 1 :])))
    assert re.match(r"4\d: This is not XML of one whole hand: ", numbers[0])
    assert numbers[1:] == ["1046721213", "6649814790", "2195925149"]


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("<ROOT>", '<!DOCTYPE ROOT [<!ENTITY a "b">]><ROOT>', "A document type has no place"),
        ('<PLAYER NAME="Ann"', '<PLAYER NAME="&a;"', "undefined entity"),
        ('NAME="Ann" SEAT="2"', 'NAME="Ann" NAME="Ann" SEAT="2"', "duplicate attribute"),
        ("</HISTORY>", "<A>" * 9 + "</A>" * 9 + "</HISTORY>", "nested more than 8 deep"),
        ("</HISTORY>", "<!-- x --></HISTORY>", "A comment has no place"),
        ("</HISTORY>", "<?x y?></HISTORY>", "A processing instruction has no place"),
        ("</HISTORY>", "all in</HISTORY>", "The text 'all in' is between elements"),
        ("</HISTORY>", " " * MOST + "</HISTORY>", "more than 131,072 characters"),
        ("</HISTORY>", "\ud800</HISTORY>", "half of a surrogate pair"),
        ("GAME_FCD", "GAME_THM", "'GAME_THM' is not five-card draw"),
        ('LIMIT="FL"', 'LIMIT="XL"', "'XL' in <HISTORY> is not known in this format"),
        ('SEAT="2" ', "", "<PLAYER> has no SEAT"),
        ('VALUE="1.00"', 'VALUE="1.005"', "'1.005' is not a whole number of the smallest unit"),
        ('VALUE="4.00"', 'VALUE="0.50"', "The total of 0.50 is less than the player has put in already"),
        ('PLAYER="Hero"', 'PLAYER="Nobody"', "'Nobody' is not listed at the table"),
        ('NAME="Hero"', 'NAME="Ann"', "'Ann' is listed twice"),
        ('LINK="30"', 'LINK="52"', "'52' is not the number of a card"),
        ("ACTION_FOLD", "ACTION_SING", "'ACTION_SING' in <ACTION> is not known"),
        ('DATE="1315776178"', 'DATE="99999999999999"', "not a time in seconds since 1970"),
        ("<RESULT", "<TIP></TIP><RESULT", "'TIP' in <SHOWDOWN> is not known in this format"),
    ],
)
def test_a_boss_hand_that_cannot_be_read_has_a_sentence(old: str, new: str, sentence: str) -> None:
    text = BOSS.read_text("utf-8")
    assert old in text
    first, *others = told(Boss(), text.replace(old, new, 1))
    assert sentence in first
    assert others[-3:] == ["1046721213", "6649814790", "2195925149"]


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("<description", "<describing", "No <description> comes before this game"),
        ('type="5-Draw"', 'type="5-Draw w/Joker"', "'5-Draw w/Joker' is not five-card draw"),
        ("Pot Limit", "Half Pot Limit", "not known in this format"),
        ('sequence="5" type="CHECK"', 'sequence="4" type="CHECK"', "Event 4 comes after event 4"),
        ('player="4"', 'player="9"', "Nobody has seat 9"),
        ('seat="1"', 'seat="0"', "Two players have seat 0"),
        ("4h,7h", "4h,7x", "'7x' is not a card"),
        ('text="3"', 'text="x"', "text of <event> is 'x', not a whole number"),
        ('timestamp="1315630225221"', 'timestamp="1315630225221000"', "not a time in milliseconds"),
    ],
)
def test_a_merge_hand_that_cannot_be_read_has_a_sentence(old: str, new: str, sentence: str) -> None:
    text = MERGE.read_text("utf-8")
    assert old in text
    assert sentence in list(told(Merge(), text.replace(old, new, 1)))[-1]


def test_events_that_are_missing_or_out_of_time_are_told() -> None:
    text = MERGE.read_text("utf-8").replace(
        'sequence="3" type="INITIAL_BLIND" timestamp="1315630225807"', 'sequence="3" type="INITIAL_BLIND" timestamp="1"'
    )
    text = re.sub(r"\t\t<event sequence=\"18\".*\n", "", text)
    (hand,) = map(Merge().read, blocks(Merge(), text))
    assert [line for line, _ in hand.warnings] == [13, 36]


@pytest.mark.parametrize(
    ("dialect", "sample", "old", "new", "note"),
    [
        (Boss(), BOSS, 'ENDTIME="1315776203"', 'ENDTIME="1315776177"', "ENDTIME is earlier than DATE"),
        (Merge(), MERGE, '"20110909235102"', '"20110908235102"', "starttime and the first event are 29 hours apart"),
    ],
)
def test_two_times_that_cannot_both_be_right_are_told(
    dialect: Boss | Merge, sample: Path, old: str, new: str, note: str
) -> None:
    text = sample.read_text("utf-8")
    assert old in text
    first, *_ = map(dialect.read, blocks(dialect, text))
    assert first.warnings == ()
    first, *_ = map(dialect.read, blocks(dialect, text.replace(old, new)))
    assert [said.startswith(note) for _, said in first.warnings] == [True]
