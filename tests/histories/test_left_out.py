"""A missing line that a site always writes is a note, usually that the text was cut."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Final

import pytest

from pokersvc.core.event import AUDITOR, EVERYONE, redact
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.games.draw_poker.recorded_hands.recorded_events import CardsLearned, HandQuoted
from pokersvc.histories.checking import CheckedHand, check
from pokersvc.histories.dialect import Block
from pokersvc.histories.exporting import WRITERS, write_hands
from pokersvc.histories.following.walk import follow
from pokersvc.histories.hand import UnreadableHand
from pokersvc.histories.importing import Became, store
from pokersvc.histories.reading import Unread, hands_in
from pokersvc.histories.writers.cannot_be_written import CannotBeWritten
from pokersvc.service import Service

from .as_written import BOSS, ONGAME, SAMPLES, STARS, TEXTS, TILT, changed, one_of, sample

HANDS = [
    (name, number)
    for name in ("pokerstars", "pokerstars-more", "full-tilt", "full-tilt-more", "ongame", "ongame-more")
    for number in range((SAMPLES / f"{name}.txt").read_text("utf-8").count("\n" * 3) + 1)
]
DRAW = "*** DRAW *** (Pot: $4)"
SOME = [
    ("pokerstars", 0),
    ("pokerstars", 6),
    ("pokerstars-more", 2),
    ("full-tilt", 0),
    ("full-tilt-more", 1),
    ("ongame", 0),
]


def cuts(text: str) -> Iterator[int]:
    """Yield every place in the summary of a hand where a cut removes something."""
    begins = next(text.index(line) for line in ("*** SUMMARY ***", "Summary:") if line in text)
    return iter(range(begins + 1, len(text)))


def told_cut(name: str, number: int) -> None:
    """Check that each cut of a hand is reported, by a note, a finding or as unreadable, and the whole hand is not."""
    dialect, text = TEXTS[name.removesuffix("-more")], sample(name, number).text
    whole = one_of(dialect, f"{text}\n")
    assert one_of(dialect, text).warnings == whole.warnings == (), "also where the last line has no end"
    for cut in cuts(text):
        try:
            hand = one_of(dialect, text[:cut])
        except UnreadableHand:
            continue
        assert hand.warnings or follow(hand, "0" * 64, events=False).contradictions, text[:cut]


@pytest.mark.parametrize(("name", "number"), SOME)
def test_a_text_that_is_cut_within_its_summary_is_told(name: str, number: int) -> None:
    told_cut(name, number)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "number"), [one for one in HANDS if one not in SOME])
def test_a_text_that_is_cut_within_its_summary_is_told_of_every_sample(name: str, number: int) -> None:
    told_cut(name, number)


@pytest.mark.parametrize(
    ("last", "missing"),
    [
        ("*** SUMMARY ***\n", "the pots, Ann, Bob B, Cid, Dora, Hero and Eve"),
        ("Total pot $12 | Rake $0.60\n", "Ann, Bob B, Cid, Dora, Hero and Eve"),
        ("Seat 5: Hero folded before the Draw (didn't bet)\n", "Eve"),
    ],
)
def test_the_note_names_the_line_and_what_is_missing(last: str, missing: str) -> None:
    whole = sample("full-tilt").text
    kept = whole[: whole.index(last) + len(last)]
    note = f"The summary says nothing of {missing}: the text may be cut after this line."
    assert one_of(TILT, kept).warnings == ((kept.count("\n"), note),)


def test_what_we_write_is_never_taken_for_cut(tmp_path: Path) -> None:
    file = tmp_path / "hand"
    for path in sorted(SAMPLES.glob("*[!.told]")):
        for hand in hands_in(path):
            try:
                assert not isinstance(hand, Unread)
                file.write_text("".join(WRITERS["pokerstars"]([hand])), "utf-8")
            except CannotBeWritten:
                continue
            [again] = hands_in(file)
            assert not isinstance(again, Unread)
            assert not [note for _, note in again.warnings if "cut" in note]


CUT_COPIES: Final = [one for one in HANDS if not one[0].startswith("ongame")]


@pytest.mark.parametrize(
    ("name", "number"),
    [pytest.param(*one, marks=[pytest.mark.slow] * (at % 8 > 0)) for at, one in enumerate(CUT_COPIES)],
)
def test_a_cut_copy_first_and_the_whole_file_later_are_the_same_stored_hand(
    name: str, number: int, tmp_path: Path
) -> None:
    file, text = tmp_path / "hand", sample(name, number).text
    file.write_text(f"{text}\n", "utf-8")
    whole = EventLog(Database.for_writing(":memory:"))
    [told] = store(Service(whole), check([file]))
    assert isinstance(told.told, CheckedHand)
    game_id = told.told.game_id
    summary = text.index("*** SUMMARY ***") + len("*** SUMMARY ***")
    for cut in (place for place in range(summary, len(text)) if text[place] == "\n" or text[place:].startswith(" [")):
        later = EventLog(Database.for_writing(":memory:"))
        file.write_text(text[:cut], "utf-8")
        [first] = store(Service(later), check([file]))
        if first.became is not Became.STORED:
            continue  # a line that is cut there has a finding
        assert isinstance(first.told, CheckedHand)
        assert first.told.warnings
        file.write_text(f"{text}\n", "utf-8")
        [second] = store(Service(later), check([file]))
        assert second.became in (Became.KNOWN, Became.LEARNED)
        assert public(later, game_id) == public(whole, game_id)
        assert exports(later, game_id) == exports(whole, game_id)


def public(log: EventLog, game_id: str) -> list[object]:
    """Return the public facts of a game, except for its files and when cards became known."""
    kept = Service(log).with_secrets.kept(game_id)
    sources = (HandQuoted, CardsLearned)
    shown = [redact(event, EVERYONE) for event in kept if not isinstance(event, sources)]
    return [event for event in shown if type(event).__name__ not in ("DealRecorded", "HandsRevealed")]


def exports(log: EventLog, game_id: str) -> list[str]:
    """Return a hand as the auditor knows it, in every format."""
    texts = []
    for format_ in WRITERS:
        out = BytesIO()
        try:
            write_hands(out, log, game_id, AUDITOR, format_=format_)
        except CannotBeWritten as error:
            texts.append(error.why)
        else:
            texts.append(out.getvalue().decode())
    return texts


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("pokerstars", "Kai: discards 3 cards", "Kai: discards 3 card", "3 card, and the site writes 3 cards"),
        ("pokerstars", "Ida: stands pat", "Ida: discards 0 card", "0 card, and the site writes 0 cards"),
        ("full-tilt", "Cid discards 2 cards", "Cid discards 2 card", "2 card, and the site writes 2 cards"),
        ("full-tilt", "Ann discards 1 card\n", "Ann discards 1 cards\n", "1 cards, and the site writes 1 card"),
        ("full-tilt", "Cid is dealt 2 cards", "Cid is dealt 2 card", "2 card, and the site writes 2 cards"),
        ("full-tilt", "Seat 1: Ann", "Seat 0: Ann", "that Ann has seat 0, and the lines before it imply a seat from 1"),
        (
            "ongame",
            "Seat 1: Fay_7",
            "Seat 0: Fay_7",
            "that Fay_7 has seat 0, and the lines before it imply a seat from 1",
        ),
    ],
)
def test_what_no_site_writes_is_a_finding(name: str, old: str, new: str, said: str) -> None:
    number, text = next(
        (number, sample(one, number).text) for one, number in HANDS if one == name and old in sample(one, number).text
    )
    line = text[: text.index(old)].count("\n") + 1
    found = follow(changed(name, (old, new), number=number), "0" * 64).contradictions
    assert f"line {line} says {said}" in str(found[0])


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("ongame", "Button: seat 3", "Button: seat 0"),
        ("full-tilt", "The button is in seat #1", "The button is in seat #0"),
    ],
)
def test_a_button_at_a_seat_that_no_table_has_is_a_finding(name: str, old: str, new: str) -> None:
    [found] = follow(changed(name, (old, new)), "0" * 64).contradictions
    assert str(found).startswith("line 1 says the button at seat 0, and the lines before it imply a seat from 1 to ")


def test_ongame_writes_1_cards() -> None:
    hand = sample("ongame", 1)
    assert "changed 1 cards" in hand.text
    assert follow(ONGAME.read(hand), "0" * 64).contradictions == ()


def test_full_tilt_s_draw_without_its_line_or_a_deal_is_a_note() -> None:
    """It contradicts nothing, so the hand is stored; each discard without a draw line has its own note."""
    assert changed("full-tilt").warnings == ()
    whole = sample("full-tilt").text.split("\n")
    draw, cid, ann = (whole.index(line) + 1 for line in (DRAW, "Cid discards 2 cards", "Ann discards 1 card"))
    hand = changed("full-tilt", (f"{DRAW}\n", ""))
    assert hand.warnings == ((draw, "No line *** DRAW *** stands before this one, as the site writes."),)
    assert follow(hand, "0" * 64).contradictions == ()
    hand = changed("full-tilt", ("Cid is dealt 2 cards\n", ""), ("Ann is dealt 1 card\n", ""))
    assert hand.warnings == (
        (cid, "Cid discards 2 cards, and no line deals others."),
        (ann, "Ann discards 1 card, and no line deals others."),
    )
    assert follow(hand, "0" * 64).contradictions == ()


@pytest.mark.parametrize("element", ["HISTORY", "PLAYER", "ACTION", "RESULT", "SHOWDOWN"])
def test_two_currencies_in_a_hand_of_boss_make_it_unreadable(element: str) -> None:
    text = (SAMPLES / "boss.xml").read_text("utf-8")
    block = next(iter(BOSS.blocks(text.splitlines(keepends=True))))
    same = block.text.replace(f"<{element} ", f'<{element} TOTALCURRENCY="EUR" ', 1)
    assert BOSS.read(Block(3, same)).currency.code == "EUR"
    with pytest.raises(
        UnreadableHand, match=f"TOTALCURRENCY of <{element}> is 'USD', and the table's currency is 'EUR'"
    ):
        BOSS.read(Block(3, same.replace('TOTALCURRENCY="EUR"', 'TOTALCURRENCY="USD"')))


def test_a_hand_of_stars_without_a_line_end_may_be_cut_before_the_mucked_cards() -> None:
    text = next(
        sample(*one).text for one in HANDS if sample(*one).text.endswith("]") and "mucked [" in sample(*one).text
    )
    cut = text[: text.rindex(" [")]
    assert one_of(STARS, text).warnings == one_of(STARS, f"{cut}\n").warnings == ()
    [(_, note)] = one_of(STARS, cut).warnings
    assert note == "This line lacks what the site writes at its end: the text may be cut here."
    assert ONGAME.layout.after_it is None, "and OnGame's last line says that it is the last"
