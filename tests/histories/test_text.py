"""Deceptive text lines: names like statements, chat like statements, and lines that no site writes."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokersvc.histories.dialect import Block, Dialect
from pokersvc.histories.dialects.full_tilt import FullTilt
from pokersvc.histories.dialects.ongame import OnGame
from pokersvc.histories.dialects.pokerstars import PokerStars
from pokersvc.histories.following.walk import follow
from pokersvc.histories.hand import Currency, HandHistory, HistoryPlayer, HistoryTournament, UnreadableHand
from pokersvc.histories.statements import (
    Discarded,
    Folded,
    Mucked,
    PlayerStatement,
    Posted,
    Returned,
    Statement,
    Summed,
    Totals,
    Won,
)

from .checker import contradiction

SAMPLES = Path(__file__).parent / "samples"
STARS, TILT, ONGAME = PokerStars(), FullTilt(), OnGame()


def sample(dialect: Dialect, number: int = 0, more: str = "") -> Block:
    text = (SAMPLES / f"{dialect.name}{more}.txt").read_text("utf-8")
    return list(dialect.blocks(text.splitlines(keepends=True)))[number]


def changed(dialect: Dialect, old: str, new: str, number: int = 0, more: str = "") -> HandHistory:
    block = sample(dialect, number, more)
    assert old in block.text
    return dialect.read(Block(1, block.text.replace(old, new)))


def refused(dialect: Dialect, old: str, new: str, number: int = 0, more: str = "") -> tuple[int, str]:
    with pytest.raises(UnreadableHand) as said:
        changed(dialect, old, new, number, more)
    return said.value.line, str(said.value)


def renamed(hand: HandHistory, name: str) -> tuple[list[object], str | None]:
    """Return a hand's statements with another name for Hero."""
    people: list[HistoryPlayer | PlayerStatement] = [
        *hand.players,
        *(told for told in hand.told if isinstance(told, PlayerStatement)),
    ]
    rest: list[object] = [told for told in hand.told if not isinstance(told, PlayerStatement)]
    hero = "Hero" if hand.hero == name else hand.hero
    return rest + [replace(one, name="Hero" if one.name == name else one.name) for one in people], hero


@pytest.mark.parametrize("dialect", [STARS, TILT, ONGAME], ids=lambda dialect: dialect.name)
@given(name=st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=12))
def test_any_name_is_bound_whatever_it_has_in_it(dialect: Dialect, name: str) -> None:
    strange = f"{name}: folds ($1) [Ah] {name}"
    if len(strange.encode()) > 64:
        strange = strange[:15]
    read = changed(dialect, "Hero", strange)
    assert renamed(read, strange) == renamed(dialect.read(Block(1, sample(dialect).text)), "Hero")


@pytest.mark.parametrize(
    "name",
    [
        "Bob: folds",
        "Hero:",
        "Dealt to Hero",
        "Seat 1: Cid",
        "Seat 3",
        "Uncalled bet",
        "posts small blind $5",
        "A ($5 in chips)",
        "B ($5)",
        "x is sitting out",
        "[Kh Jh Qd 4d 7h]",
        "said,",
        "*** SUMMARY ***",
        "x (button)",
        "pot",
        "(small blind) collected ($5)",
        "a  b",
        "안녕 ☂",
        "é" * 32,
    ],
)
@pytest.mark.parametrize("dialect", [STARS, TILT, ONGAME], ids=lambda dialect: dialect.name)
def test_a_name_like_a_line_is_a_name(dialect: Dialect, name: str) -> None:
    read = changed(dialect, "Hero", name)
    assert renamed(read, name) == renamed(dialect.read(Block(1, sample(dialect).text)), "Hero")


def test_of_two_names_the_longest_that_fits_is_meant() -> None:
    """There are Cid, and a player whose name begins with the text of one of Cid's actions."""
    read = changed(STARS, "Eve", "Cid: folds")
    folds = [(told.line, told.name) for told in read.told if isinstance(told, Folded)]
    assert folds == [(13, "Hero"), (14, "Cid"), (16, "Cid: folds")]
    read = changed(STARS, "Eve", "Cid (button)")
    sums = [(told.name, told.position) for told in read.told if isinstance(told, Summed)]
    assert sums == [("Cid", ("button",)), ("Dora", ("small",)), ("Cid (button)", ("big",)), ("Hero", ())]


def test_the_longest_name_is_meant_where_both_would_fit() -> None:
    name = "Ann shows [Kc Qc 5c 4c 3c]"
    read = changed(TILT, "Bob B", name)
    assert [told.name for told in read.told if isinstance(told, Mucked)] == [name]


def test_nothing_comes_back_to_somebody_who_is_not_there() -> None:
    assert refused(STARS, "returned to Dora", "returned to Zed")[0] == 17


def test_nobody_shows_before_the_line_that_begins_the_showdown() -> None:
    shown = "Hero: shows [Td Th 6h 4h Ks] (a pair of Tens)"
    marker = "*** SHOW DOWN ***"
    line, why = refused(STARS, f"{marker}\n{shown}", f"{shown}\n{marker}", 4)
    assert (line, why) == (23, f"Line 23 is out of place: {marker!r}.")


def test_a_hand_begins_at_its_first_line_also_without_a_blank_line_before_it() -> None:
    for dialect in (STARS, TILT, ONGAME):
        one = sample(dialect).text
        blocks = list(dialect.blocks(f"{one}\n{one}\n".splitlines(keepends=True)))
        assert [block.text for block in blocks] == [one, one]
        assert blocks[1].first_line == one.count("\n") + 2


def test_a_name_of_more_than_64_bytes_is_refused() -> None:
    assert refused(STARS, "Hero", "é" * 33) == (6, f"The name {'é' * 33!r} is empty or longer than 64 bytes.")


@pytest.mark.parametrize("name", [" Hero", "He\u200bro", "He\u202ero"])
def test_a_name_that_no_game_can_store_is_refused_at_its_seat(name: str) -> None:
    line, why = refused(STARS, "Hero", name)
    assert line == 6
    assert why.startswith(f"The name {name!r} is not what a game can store")


def test_names_that_differ_by_capitals_alone_are_refused_at_the_second() -> None:
    assert refused(STARS, "Hero", "DORA") == (6, "The names 'Dora' and 'DORA' are the same.")


@pytest.mark.parametrize(
    ("dialect", "line"),
    [
        (STARS, 'Dora said, "Eve: folds"'),
        (STARS, 'Zed [observer] said, "Dora: raises $1 to $2"'),
        (STARS, 'Dora said, "Seat 1: Cid collected ($5)"'),
        (STARS, 'Dora said, "" said, "x"'),
        (STARS, "Zed has timed out"),
        (STARS, "Zed has timed out while being disconnected"),
        (STARS, "Zed wins the $0.50 bounty for eliminating Yan"),
        (TILT, "Dora: Bob B folds"),
        (TILT, "Dora: folds"),
        (TILT, "Dora: Zed sits down"),
        (TILT, "Dora: *** SUMMARY ***"),
        (TILT, "Zed (Observer): Dora folds"),
        (TILT, "Zed adds $20"),
        (ONGAME, "---"),
    ],
)
def test_what_people_say_changes_nothing(dialect: Dialect, line: str) -> None:
    plain = sample(dialect).text.split("\n")
    place = next(number for number, text in enumerate(plain) if text.startswith("Dealt to") or "pocket" in text) + 1
    noisy = [*plain[:place], line, *plain[place:]]
    told = [str(one).split(" ", 1)[1] for one in dialect.read(Block(1, "\n".join(noisy))).told]
    assert told == [str(one).split(" ", 1)[1] for one in dialect.read(Block(1, "\n".join(plain))).told]


@pytest.mark.parametrize(
    ("dialect", "old", "new", "line", "why"),
    [
        (STARS, "Hero: folds", "Zed: folds", 13, "is not a line that PokerStars writes: 'Zed: folds'"),
        (STARS, "Hero: folds", "Hero: dances", 13, "is not a line that PokerStars writes"),
        (STARS, "Hero: folds", "Hero:folds", 13, "is not a line that PokerStars writes"),
        (STARS, "Eve: folds", "Eve: posts big blind $0.10", 16, "is out of place"),
        (STARS, "*** SUMMARY ***", "*** SUMMARY ***\n*** DEALING HANDS ***", 21, "is out of place"),
        (STARS, "*** SUMMARY ***", '*** SUMMARY ***\nCid said, "x"', 21, "is not a line"),
        (STARS, "*** SUMMARY ***\n", "", 20, "is out of place"),
        (STARS, "Seat 3: Eve ($", "Seat 2: Eve ($", 5, "Two players have seat 2"),
        (STARS, "Seat 3: Eve ($", "Seat 3: Dora ($", 5, "'Dora' is listed twice"),
        (STARS, "Kh Jh Qd", "Kh 1h Qd", 10, "'1h' is not a card"),
        (STARS, "[Kh Jh", "[10h Jh", 10, "'10h' is not a card"),
        (STARS, "raises $0.10 to $0.20", "raises $0.10 to $0.205", 15, "'$0.205' is not a whole number"),
        (STARS, "raises $0.10 to $0.20", "raises €0.10 to $0.20", 15, "'€0.10' is not an amount in USD"),
        (STARS, "2011/06/26 16:35:49 ET", "2011/06/31 16:35:49 ET", 1, "is not a date and a time"),
        (STARS, "16:35:49 ET", "16:35:49 XX", 1, "'XX' is not the name of a known time zone"),
        (STARS, "Table 'Table D II'", "Tisch 'Table D II'", 2, "does not say which table it is"),
        (STARS, "Seat 2: Dora (small", "Seat 2: Zed (small", 23, "is not a line that PokerStars writes"),
        (STARS, "Gus joins", "x" * 1_001 + " joins", 12, "is too long for a hand"),
        (STARS, "5 Card Draw Limit", "Triple Draw 2-7 Lowball Limit", 1, "only five-card draw is read"),
        (STARS, "5 Card Draw Limit (", "8-Game (2-7 Triple Draw Limit, ", 1, "hand of '2-7 Triple Draw Limit': only"),
        (STARS, "5 Card Draw Limit (", "HORSE (Razz Limit) - Level IV (", 1, "hand of 'Razz Limit': only"),
        (TILT, "No Limit 5 Card Draw", "No Limit Hold'em", 1, "only five-card draw is read"),
        (TILT, "No Limit 5 Card Draw", "No Limit 2-7 Single Draw", 1, "hand of 'No Limit 2-7 Single Draw': only"),
        (TILT, "$0.25/$0.50 - No Limit 5 Card Draw", "NL 2-7 Single Draw - $1/$2", 1, "'NL 2-7 Single Draw': only"),
        (TILT, "$0.25/$0.50 - No Limit 5 Card Draw", "10-Game - $1/$2", 1, "hand of '10-Game': only"),
        (TILT, "Hero folds", "Zed folds", 14, "is not a line that Full Tilt writes"),
        (TILT, "Dora folds\n", "The button is in seat #2\n", 13, "says again where the button is"),
        (ONGAME, "FIVE_CARD_DRAW", "TEXAS_HOLDEM", 3, "only five-card draw is read"),
        (ONGAME, "FIVE_CARD_DRAW", "OMAHA_HI_LO_8", 3, "hand of 'OMAHA_HI_LO_8': only five-card draw is read"),
        (ONGAME, "Players in round: 4", "Players in round: 5", 10, "there are 4, not 5"),
        (ONGAME, "End of hand R5-46987275-232", "End of hand R5-46987275-233", 34, "ends another hand"),
        (ONGAME, "won by Fay_7", "won by Zed", 28, "does not name who at the table won"),
        (ONGAME, "Sep 13", "Sex 13", 2, "'Sex' is not a month"),
    ],
)  # fmt: skip
def test_a_line_that_nobody_writes_makes_the_hand_unreadable(
    dialect: Dialect, old: str, new: str, line: int, why: str
) -> None:
    at, said = refused(dialect, old, new)
    assert at == line
    assert why in said
    assert said.endswith(".")


@pytest.mark.parametrize("dialect", [STARS, TILT, ONGAME], ids=lambda dialect: dialect.name)
def test_a_hand_cut_off_anywhere_before_its_last_part_is_unreadable(dialect: Dialect) -> None:
    lines = sample(dialect).text.split("\n")
    summary = next(number for number, text in enumerate(lines) if "summary" in text.lower())
    for count in range(1, summary + 1):
        with pytest.raises(UnreadableHand) as said:
            dialect.read(Block(1, "\n".join(lines[:count])))
        assert said.value.line <= count
        assert "cut off" in str(said.value) or "there are" in str(said.value)


@pytest.mark.parametrize("dialect", [STARS, TILT, ONGAME], ids=lambda dialect: dialect.name)
@pytest.mark.parametrize("more", ["", "-more"])
def test_every_line_is_a_statement_a_known_frame_or_known_noise(dialect: Dialect, more: str) -> None:
    """Any additional line that is not in the grammar is found, wherever it stands."""
    lines = sample(dialect, 0, more).text.split("\n")
    for place in range(1, len(lines) + 1):
        with pytest.raises(UnreadableHand):
            dialect.read(Block(1, "\n".join([*lines[:place], "Something else.", *lines[place:]])))


def test_lines_that_stand_between_hands_of_a_mail_are_no_hands() -> None:
    one = sample(STARS).text
    mail = f"Transcript for your last 2 hands requested by Hero\n\n*********** # 1 **************\n{one}\n\n"
    blocks = list(STARS.blocks((mail + mail.split("\n\n", 1)[1]).splitlines(keepends=True)))
    assert [block.text for block in blocks] == [one, one]


def test_a_block_tells_its_text_to_the_letter_and_where_it_begins() -> None:
    text = (SAMPLES / "pokerstars.txt").read_text("utf-8")
    for block in STARS.blocks(text.splitlines(keepends=True)):
        assert "\n".join(text.split("\n")[block.first_line - 1 :]).startswith(block.text)
        assert STARS.read(block).text == block.text


def test_a_tournament_has_its_level_buy_in_fee_and_bounty() -> None:
    usd = Currency("USD", 2)
    hand = STARS.read(sample(STARS, 5, "-more"))
    assert hand.tournament == HistoryTournament(number="700001", level="IV", buy_in=100, fee=10, currency=usd)
    hand = changed(STARS, "$1.00+$0.10", "$1.00+$0.50+$0.10", 5, "-more")
    assert hand.tournament == HistoryTournament(
        number="700001", level="IV", buy_in=100, fee=10, bounty=50, currency=usd
    )
    hand = changed(STARS, "$1.00+$0.10 USD", "Freeroll", 5, "-more")
    assert hand.tournament == HistoryTournament(number="700001", level="IV")
    hand = TILT.read(sample(TILT, 1, "-more"))
    assert hand.tournament == HistoryTournament(number="160000001", buy_in=100, fee=20, currency=usd)
    hand = ONGAME.read(sample(ONGAME, 1, "-more"))
    assert hand.tournament == HistoryTournament(number="S-77", buy_in=500, currency=usd)
    assert STARS.read(sample(STARS)).tournament is None


def test_times_that_disagree_or_come_twice_are_told() -> None:
    first, twice, _, settled, *_ = (STARS.read(sample(STARS, number, "-more")).played for number in range(8))
    assert first is not None
    assert twice is not None
    assert settled is not None
    assert (first.ambiguous, twice.ambiguous, settled.ambiguous) == (False, True, False)
    disagreeing = STARS.read(sample(STARS, 3)).played
    assert disagreeing is not None
    assert disagreeing.contradicts == "2010/09/20 20:00:00 PT"
    weekday = ONGAME.read(sample(ONGAME, 1, "-more")).played
    assert weekday is not None
    assert weekday.contradicts == "Fri"


def kinds(hand: HandHistory, kind: type[Statement]) -> list[Statement]:
    return [told for told in hand.told if type(told) is kind]


def test_no_statement_shares_a_line_but_those_of_one_pot() -> None:
    for dialect in (STARS, TILT, ONGAME):
        hand = dialect.read(sample(dialect, 0, "-more"))
        lines = [told.line for told in hand.told if not isinstance(told, Won)]
        assert lines == sorted(set(lines))
    assert len(kinds(STARS.read(sample(STARS, 0, "-more")), Returned)) == 1
    assert len(kinds(TILT.read(sample(TILT, 0, "-more")), Posted)) == 9


def test_a_hand_of_many_lines_is_too_long_to_be_one() -> None:
    chat = 'Dora said, "hello"\n' * 8_000
    assert refused(STARS, "Hero: folds", f"{chat}Hero: folds") == (1, "The hand at line 1 is too long to be one.")


def test_no_card_discarded_is_told_as_none() -> None:
    hand = changed(STARS, "Kai: discards 3 cards", "Kai: discards 0 cards", 4)
    assert [told.cards for told in hand.told if isinstance(told, Discarded) and told.name == "Kai"] == [()]


def test_the_stakes_are_those_of_the_header_and_never_a_short_stack() -> None:
    assert changed(STARS, "small blind $0.05", "small blind $0.02 and is all-in").small_blind == 0
    assert changed(STARS, "small blind $0.05", "small blind $0.02").small_blind == 2
    assert changed(TILT, "antes $0.05", "antes $0.03", 0, "-more").ante == 5
    assert changed(STARS, "the ante 10", "the ante 9 and is all-in", 5, "-more").ante == 0


def test_who_has_no_seat_is_not_the_hero() -> None:
    assert changed(ONGAME, "User: Hero", "User: Spy").hero is None


@pytest.mark.parametrize(
    "winners", ["Fay_7 ($0.21) and more", "Fay_7 ($0.11)Hero ($0.10)", "Fay_7 ($0.21), Zed ($0.01)"]
)
def test_winners_stand_in_a_list(winners: str) -> None:
    block = sample(ONGAME).text.replace("won by Fay_7 ($0.21)", f"won by {winners}")
    with pytest.raises(UnreadableHand, match="does not name who"):
        ONGAME.read(Block(1, block))


THREE_POTS = """\
Full Tilt Poker Game #22000000077:  Table Rose B (6 max) - $1/$2 - No Limit 5 Card Draw - 23:58:00 ET - 2010/11/06
Seat 1: Ann ($10)
Seat 2: Bob ($30)
Seat 3: Cid ($60)
Seat 4: Hero ($60)
Bob posts the small blind of $1
Cid posts the big blind of $2
The button is in seat #1
*** HOLE CARDS ***
Dealt to Hero [9d Td Jd Qs Ks]
Hero raises to $6
Ann raises to $10, and is all in
Bob raises to $30, and is all in
Cid raises to $60, and is all in
Hero calls $54, and is all in
*** DRAW *** (Pot: $160)
Bob stands pat
Cid stands pat
Hero stands pat
Ann stands pat
*** SHOW DOWN ***
Cid shows [9c Tc Js Qd Kd] a straight, King high
Hero shows [9d Td Jd Qs Ks] a straight, King high
Cid ties for side pot #2 ($30) with a straight, King high
Hero ties for side pot #2 ($30) with a straight, King high
Bob shows [2c 2d 2h 3c 4c] three of a kind, Twos
Cid ties for side pot #1 ($30) with a straight, King high
Hero ties for side pot #1 ($30) with a straight, King high
Ann shows [Ac Ad Ah 5c 5d] a full house, Aces full of Fives
Ann wins the main pot ($37) with a full house, Aces full of Fives
*** SUMMARY ***
Total pot $160 Main pot $40. Side pot 1 $60. Side pot 2 $60. | Rake $3
"""


def test_full_tilt_numbers_several_side_pots() -> None:
    hand = TILT.read(Block(1, THREE_POTS))
    assert [told.pots for told in hand.told if isinstance(told, Totals)] == [(4000, 6000, 6000)]
    assert follow(hand, "0" * 64).contradictions == ()
    with pytest.raises(UnreadableHand) as said:
        TILT.read(Block(1, THREE_POTS.replace("Side pot 2 $60", "Side pot 3 $60")))
    assert said.value.line == 32


def reshuffled(place: int) -> HandHistory:
    """Return a Full Tilt hand in which six players draw five cards each, with a reshuffle before one of them."""
    names = ("Bob", "Cid", "Dora", "Eve", "Hero", "Ann")
    draws = [f"{name} is dealt 5 cards" for name in names]
    draws.insert(place, "The deck is reshuffled")
    lines = [
        "Full Tilt Poker Game #22000000078:  Table Rose B - $1/$2 - No Limit 5 Card Draw - 23:58:00 ET - 2010/11/06",
        *(f"Seat {seat}: {name} ($100)" for seat, name in enumerate(("Ann", *names[:-1]), 1)),
        "Bob posts the small blind of $1",
        "Cid posts the big blind of $2",
        "The button is in seat #1",
        "*** HOLE CARDS ***",
        *(f"{name} calls $2" for name in ("Dora", "Eve", "Hero", "Ann")),
        "Bob calls $1",
        "Cid checks",
        "*** DRAW *** (Pot: $12)",
        *(f"{name} discards 5 cards" for name in names),
        *draws,
        "Bob bets $2",
        *(f"{name} folds" for name in names[1:]),
        "Uncalled bet of $2 returned to Bob",
        "Bob wins the pot ($12)",
        "*** SUMMARY ***",
        "Total pot $12 | Rake $0",
    ]
    return TILT.read(Block(1, "\n".join(lines)))


@pytest.mark.parametrize(
    ("place", "line"), [(0, 25), (3, 28), (4, None), (5, 29), (6, 29)], ids=["first", "early", "due", "late", "last"]
)
def test_full_tilt_reshuffles_when_the_deck_lacks_cards_for_who_is_served(place: int, line: int | None) -> None:
    hand = reshuffled(place)
    found, other = follow(hand, "0" * 64).contradictions, contradiction(hand)
    assert [one.line for one in found] == ([] if line is None else [line])
    assert (None if other is None else other.line) == line
