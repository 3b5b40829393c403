"""Cards known only from a second file of a hand appear in exports, for viewers who may know them."""

import re
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import pytest

from pokersvc import Database, EventLog, Service
from pokersvc.core.event import AUDITOR, EVERYONE, Viewer
from pokersvc.histories.checking import CheckedHand, check
from pokersvc.histories.exporting import WRITERS, write_hands
from pokersvc.histories.hand import HandHistory
from pokersvc.histories.importing import Became, store
from pokersvc.histories.reading import hands_in
from pokersvc.histories.statements import Mucked, Summed

from .goldens import SAMPLES
from .test_importing import HAND, SAME_OF_DORA

STARS = (SAMPLES / "pokerstars.txt").read_text("utf-8").split("\n\n\n")
TILT = (SAMPLES / "full-tilt.txt").read_text("utf-8")
MUCKED = next(hand for hand in STARS if "mucked [4h Ks 3s Jc 7h]" in hand)
SILENT = next(hand for hand in STARS if "doesn't show hand" in hand)
ONLY_MUCKED = MUCKED.replace("mucked [4h Ks 3s Jc 7h]", "mucked")
OF_KAI = (re.sub(r"Dealt to Hero .*\n", "Dealt to Kai [Ks 7h 9c 8c 2d]\n", ONLY_MUCKED)).replace(
    "Kai: discards 3 cards\n", "Kai: discards 3 cards [9c 8c 2d]\nDealt to Kai [Ks 7h] [4h 3s Jc]\n"
)
TILT_OF_BOB = (
    re.sub(r"Dealt to Hero .*\n", "Dealt to Bob B [Js Jc 9d 9s 2d]\n", TILT)
    .replace("Bob B discards 1 card\n", "Bob B discards 1 card [2d]\n")
    .replace("Bob B is dealt 1 card\n", "Dealt to Bob B [Js Jc 9d 9s] [5s]\n")
)


class Told(NamedTuple):
    """A hand in two files, and the part of an auditor's export that the first file lacks."""

    first: str
    second: str
    phh: tuple[str, ...]
    ohh: tuple[str, ...]
    pokerstars: tuple[str, ...] | None
    """The PokerStars text; None if the format cannot express the hand."""


CASES = {
    "a hand that was mucked": Told(
        ONLY_MUCKED,
        MUCKED,
        ('_mucked = [\n  "p2 4hKs3sJc7h",\n]',),
        ('"Mucks Cards", "cards": ["4h", "Ks", "3s", "Jc", "7h"]',),
        ("Seat 2: Kai (big blind) mucked [4h Ks 3s Jc 7h]",),
    ),
    "another hero's deal, discards and draw": Told(
        HAND,
        SAME_OF_DORA,
        ('"d dh p3 AdKs9c8c7c"', '"p3 sd 9c8c7c"', '"d dh p3 4dKd3h"', '"d dh p1 6sJh7d2h3s"'),
        (
            '"cards": ["9c", "8c", "7c"], "x_pokersvc": {"discards": 3}',
            '["4d", "Kd", "3h"], "x_pokersvc": {"draws": 3}',
        ),
        ("Dealt to Hero [6s 7d 2h 3s] [Qs]",),
    ),
    "the first hero's": Told(
        re.sub(r"Dealt to .*\n", "", HAND).replace(" [Jh]", ""),
        HAND,
        ('_hero = "Hero"', '"d dh p1 6sJh7d2h3s"', '"p1 sd Jh"', '"d dh p1 Qs"'),
        ('"hero_player_id": 3', '"cards": ["Jh"], "x_pokersvc": {"discards": 1}', '["Qs"], "x_pokersvc": {"draws": 1}'),
        ("Dealt to Hero [6s Jh 7d 2h 3s]", "Hero: discards 1 card [Jh]", "Dealt to Hero [6s 7d 2h 3s] [Qs]"),
    ),
    "a hand that nobody called": Told(
        SILENT,
        SILENT.replace("doesn't show hand", "shows [2c 3c 4c 5d 7d] (high card Seven)"),
        ('_shown = [\n  "p1 2c3c4c5d7d",\n]',),
        ('"Shows Cards", "cards": ["2c", "3c", "4c", "5d", "7d"]',),
        ("Dora: shows [2c 3c 4c 5d 7d] (high card Seven)",),
    ),
    "where all discard first": Told(
        TILT,
        TILT_OF_BOB,
        ('"d dh p1 JsJc9d9s2d"', '"p1 sd 2d"', '"d dh p1 5s"', '"d dh p4 8h7h7cQsJh"'),
        ('["2d"], "x_pokersvc": {"discards": 1}', '["5s"], "x_pokersvc": {"draws": 1}'),
        None,
    ),
}


class Stored:
    """A database with one hand."""

    def __init__(self, folder: Path, *texts: str) -> None:
        self.log, self.file = EventLog(Database.for_writing(":memory:")), folder / "hand"
        self.became = [self.add(text) for text in texts]

    def add(self, text: str) -> Became:
        self.file.write_text(text, "utf-8")
        (found,) = store(Service(self.log), check([self.file]))
        assert not found.contradictions, f"{found.contradictions[0]}\n{text}"
        assert isinstance(found.told, CheckedHand), found.told
        self.game_id = found.told.game_id
        return found.became

    def out(self, format_: str, viewer: Viewer) -> str:
        out = BytesIO()
        write_hands(out, self.log, self.game_id, viewer, format_=format_)
        return out.getvalue().decode()


WRITTEN = [(name, format_) for name in CASES for format_ in WRITERS if getattr(CASES[name], format_) is not None]


@pytest.mark.parametrize(("name", "format_"), WRITTEN)
def test_an_auditors_export_has_the_cards_that_a_second_file_told(name: str, format_: str, tmp_path: Path) -> None:
    """Given both files, when the hand is exported, then it has those cards; importing it again finds it stored."""
    told = CASES[name]
    stored = Stored(tmp_path, told.first, told.second)
    assert stored.became == [Became.STORED, Became.LEARNED]
    text = stored.out(format_, AUDITOR)
    assert [part for part in getattr(told, format_) if part not in text] == []
    assert stored.add(text) is Became.KNOWN


@pytest.mark.parametrize(("name", "format_"), [one for one in WRITTEN if one[1] != "pokerstars"])
def test_no_file_adds_anything_to_an_auditors_export(name: str, format_: str, tmp_path: Path) -> None:
    """The PokerStars format has a single hero, and so no dealt cards of others."""
    told = CASES[name]
    text = Stored(tmp_path, told.first, told.second).out(format_, AUDITOR)
    assert Stored(tmp_path, text, told.first, told.second).became == [Became.STORED, Became.KNOWN, Became.KNOWN]


@pytest.mark.parametrize("format_", WRITERS)
def test_who_may_not_know_learned_cards_is_not_told_them(format_: str, tmp_path: Path) -> None:
    """Given Hero's and Dora's files, then each sees their own cards; everyone, and Cid, see nobody's."""
    stored = Stored(tmp_path, HAND, SAME_OF_DORA)
    heros, doras = ("Jh", "9c")
    for seat, mine, others in ((3, heros, doras), (2, doras, heros)):
        text = stored.out(format_, seat)
        assert mine in text
        assert others not in text
    for viewer in (EVERYONE, 1):
        text = stored.out(format_, viewer)
        assert not [card for card in (heros, doras) if card in text]


@pytest.mark.parametrize("format_", WRITERS)
def test_a_muck_that_was_learned_is_its_players_own(format_: str, tmp_path: Path) -> None:
    """As in the log: the first file's is everybody's."""
    stored = Stored(tmp_path, ONLY_MUCKED, MUCKED)
    cards = {viewer: mucks(stored.out(format_, viewer), tmp_path) for viewer in (AUDITOR, EVERYONE, 1, 2)}
    assert cards == {AUDITOR: "4h Ks 3s Jc 7h", EVERYONE: None, 1: None, 2: "4h Ks 3s Jc 7h"}
    told_at_once = Stored(tmp_path, MUCKED)
    assert mucks(told_at_once.out(format_, EVERYONE), tmp_path) == "4h Ks 3s Jc 7h"


def mucks(text: str, folder: Path) -> str | None:
    """Return the cards that Kai mucked, according to a text."""
    (folder / "out").write_text(text, "utf-8")
    (hand,) = hands_in(folder / "out")
    assert isinstance(hand, HandHistory)
    of_kai = [one.cards for one in hand.told if isinstance(one, Mucked | Summed) and one.name == "Kai" and one.cards]
    return " ".join(card.notation for card in of_kai[0]) if of_kai else None


def test_what_a_player_has_told_stays_known_where_a_later_file_tells_other_cards(tmp_path: Path) -> None:
    """Given Kai's file, and then one with only Kai's mucked hand, then importing Kai's file again adds nothing."""
    stored = Stored(tmp_path, ONLY_MUCKED, OF_KAI, MUCKED, OF_KAI, MUCKED)
    assert stored.became == [Became.STORED, Became.LEARNED, Became.LEARNED, Became.KNOWN, Became.KNOWN]
    assert '"d dh p2 Ks7h9c8c2d"' in stored.out("phh", AUDITOR)
