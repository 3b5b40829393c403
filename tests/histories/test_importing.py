"""Hands in files become games: each once, with cards added from other heroes' files, with findings only on request."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pokersvc import Database, EventLog, Service, audit, open_database
from pokersvc.cards import parse_cards
from pokersvc.core.event import Event
from pokersvc.eventlog.record import is_moment
from pokersvc.games.draw_poker.recorded_hands.recorded import Recording
from pokersvc.games.draw_poker.recorded_hands.recorded_events import CardsLearned, HandQuoted
from pokersvc.histories.checking import CheckedHand, check
from pokersvc.histories.importing import Became, Imported, store
from pokersvc.histories.reading import Unread
from pokersvc.histories.sessions import played_hands
from pokersvc.histories.sources import with_origin
from pokersvc.service.read_models.game_search import Sought, games
from pokersvc.service.read_models.statistics import statistics

SAMPLES = Path(__file__).parent / "samples"
HAND = (SAMPLES / "pokerstars.txt").read_text("utf-8").split("\n\n\n")[3]
OF_DORA = (
    HAND.replace("Dealt to Hero [6s Jh 7d 2h 3s]\n", "Dealt to Dora [4d Ad Ks 9c 8c]\n")
    .replace("Hero: discards 1 card [Jh]\nDealt to Hero [6s 7d 2h 3s] [Qs]\n", "Hero: discards 1 card\n")
    .replace("Dora: discards 3 cards\n", "Dora: discards 2 cards [9c 8c]\nDealt to Dora [4d Ad Ks] [Kd 3h]\n")
)
"""The same hand from Dora's file, in which she discards two cards: a public fact that differs."""
SAME_OF_DORA = OF_DORA.replace("[4d Ad Ks 9c 8c]", "[Ad Ks 9c 8c 7c]").replace(
    "Dora: discards 2 cards [9c 8c]\nDealt to Dora [4d Ad Ks] [Kd 3h]\n",
    "Dora: discards 3 cards [9c 8c 7c]\nDealt to Dora [Ad Ks] [4d Kd 3h]\n",
)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with open_database(str(tmp_path / "db.sqlite")) as opened:
        yield opened


@pytest.fixture
def service(database: Database) -> Service:
    return Service(EventLog(database))


def imported(service: Service, folder: Path, *texts: str, keep: bool = False) -> list[Imported]:
    paths = []
    for number, text in enumerate(texts):
        paths.append(folder / f"{number}.txt")
        paths[-1].write_text(text, "utf-8")
    return list(store(service, check(paths), keep=keep))


def became(found: list[Imported]) -> list[Became]:
    return [one.became for one in found]


def whole(database: Database) -> bool:
    return not any(one.count for one in audit(database))


def test_samples_are_stored_once_and_audit_whole(service: Service, database: Database) -> None:
    files = sorted(path for path in SAMPLES.iterdir() if path.suffix != ".told")
    first, second = (list(store(service, check(files))) for _ in range(2))
    assert set(became(first)) == {Became.STORED}
    assert set(became(second)) == {Became.KNOWN}
    assert len({one.told.game_id for one in first if isinstance(one.told, CheckedHand)}) == len(first)
    assert whole(database)


def test_another_heros_file_adds_cards(service: Service, database: Database, tmp_path: Path) -> None:
    """Given the hero's hand, when Dora's file of it is imported, then her cards are added, once."""
    assert became(imported(service, tmp_path, HAND)) == [Became.STORED]
    (found,) = imported(service, tmp_path, SAME_OF_DORA)
    assert found.became is Became.LEARNED, found.contradictions
    assert isinstance(found.told, CheckedHand)
    kept = service.with_secrets.kept(found.told.game_id)
    learned = [event for event in kept if isinstance(event, CardsLearned)]
    assert [event.seat for event in learned] == [2]
    assert learned[0].dealt == parse_cards("Ad Ks 9c 8c 7c")
    assert [event.hero for event in kept if isinstance(event, HandQuoted)] == [3, 2]
    assert Recording.of(kept).unchecked["unknown hand"] == 1
    assert became(imported(service, tmp_path, SAME_OF_DORA, HAND)) == [Became.KNOWN, Became.KNOWN]
    assert whole(database)


@pytest.mark.parametrize(
    ("others", "said"),
    [
        (SAME_OF_DORA, Became.KNOWN),
        (SAME_OF_DORA.replace("7c]", "6c]"), Became.REFUSED),
    ],
    ids=["the same cards", "other cards of the player"],
)
def test_another_import_adds_cards_at_the_same_moment(
    service: Service,
    database: Database,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    others: str,
    said: Became,
) -> None:
    """Given two imports that look up the same hand, when one has added cards, then the other looks again."""
    imported(service, tmp_path, HAND)
    kept = service.with_secrets.kept
    at_once = iter([others])

    def kept_before_the_other(game_id: str) -> list[Event]:
        stored = kept(game_id)
        for text in at_once:
            imported(Service(EventLog(database)), tmp_path / "other", text)
        return stored

    (tmp_path / "other").mkdir()
    monkeypatch.setattr(service.with_secrets, "kept", kept_before_the_other)
    assert became(imported(service, tmp_path, SAME_OF_DORA)) == [said]
    assert whole(database)


def test_a_file_that_differs_in_public_is_refused(service: Service, database: Database, tmp_path: Path) -> None:
    imported(service, tmp_path, HAND)
    (found,) = imported(service, tmp_path, OF_DORA)
    assert found.became is Became.REFUSED
    line = OF_DORA.split("\n").index("Dora: discards 2 cards [9c 8c]") + 1
    assert list(map(str, found.contradictions)) == [
        f"line {line} says that Dora discards 2 cards, and the hand that is stored says that Dora discards 3 cards"
    ]
    assert isinstance(found.told, CheckedHand)
    assert not [event for event in service.with_secrets.kept(found.told.game_id) if isinstance(event, CardsLearned)]


OTHER_CARDS = {
    "is dealt": (
        {"[6s Jh 7d 2h 3s]\nDora": "[6s Jc 7d 2h 3s]\nDora", "[Jh]": "[Jc]"},
        "line 9 says that Hero is dealt 6S JC 7D 2H 3S, and the hand that is stored says that Hero is dealt"
        " 6S JH 7D 2H 3S",
    ),
    "mucks": (
        {"mucked [4h Ks 3s Jc 7h]": "mucked [4h Ks 3s Jc 7d]"},
        "line 23 says that Kai held 4H KS 3S JC 7D, and the hand that is stored says that Kai held 4H KS 3S JC 7H",
    ),
    "discards": (
        {"[2s]": "[Jd]", "[Jd Qd Td Kd] [9h]": "[Qd Td Kd 2s] [9h]"},
        "line 21 says that Hero discards JD, and the hand that is stored says that Hero discards 2S",
    ),
    "draws": (
        {"[9h]": "[9s]"},
        "line 22 says that Hero draws 9S, and the hand that is stored says that Hero draws 9H",
    ),
}


@pytest.mark.parametrize(("changes", "said"), OTHER_CARDS.values(), ids=OTHER_CARDS)
def test_nobodys_cards_are_told_in_two_ways(
    service: Service, database: Database, tmp_path: Path, changes: dict[str, str], said: str
) -> None:
    """Even cards that only one player saw: a copy of the hero's hand with another card is a finding."""
    hands = (SAMPLES / "pokerstars.txt").read_text("utf-8").split("\n\n\n")
    hand = next(one for one in hands if all(old in one for old in changes))
    imported(service, tmp_path, hand)
    other = hand
    for old, new in changes.items():
        other = other.replace(old, new)
    (found,) = imported(service, tmp_path, other)
    assert found.became is Became.REFUSED
    assert list(map(str, found.contradictions)) == [said]
    assert became(imported(service, tmp_path, hand)) == [Became.KNOWN]
    assert whole(database)


def test_two_heroes_have_no_card_in_common(service: Service, tmp_path: Path) -> None:
    imported(service, tmp_path, HAND)
    (found,) = imported(service, tmp_path, SAME_OF_DORA.replace("7c]\n", "Jh]\n").replace("[9c 8c 7c]", "[9c 8c Jh]"))
    assert found.became is Became.REFUSED
    assert [str(one) for one in found.contradictions] == [
        "line 9 says JH with Dora, and the hand that is stored implies another card, as Hero had JH"
    ]


def test_hands_are_listed_by_when_they_were_played(service: Service, database: Database, tmp_path: Path) -> None:
    """The order of hands in the files does not matter."""
    later = HAND.replace("Game #", "Game #9", 1).replace("2010/09/20", "2010/09/21")
    first_of_all = HAND.replace("Game #", "Game #8", 1).replace("2010/09/20", "2010/09/19")
    assert became(imported(service, tmp_path, later, HAND, first_of_all)) == [Became.STORED] * 3
    listed = list(games(database, Sought()))
    assert [game.started_at[:11] for game in listed] == ["2010-09-22T", "2010-09-21T", "2010-09-20T"]
    assert all(is_moment(game.started_at) for game in listed)
    of_hero = Sought(player="hero", since="2010-09-21")
    assert list(games(database, of_hero)) == list(games(database, Sought(since="2010-09-21"))) == listed[:2]
    assert list(games(database, Sought(since="2026"))) == []
    for (_, _, quoted), game in zip(with_origin(database, ((game, None) for game in listed)), listed, strict=True):
        assert quoted is not None
        assert quoted.played == game.started_at.replace(".000000Z", "Z")
    assert whole(database)


@pytest.mark.parametrize("change", [("Rake $0.90", "Rake $0.80"), ("Cid: calls $2\n", "")])
def test_hands_with_findings_are_kept_only_where_asked(
    service: Service, database: Database, tmp_path: Path, change: tuple[str, str]
) -> None:
    """Kept, they have their findings in the log, and the game is whole: what cannot be followed is a cancelled hand."""
    wrong = HAND.replace(*change)
    (found,) = imported(service, tmp_path, wrong)
    assert found.became is Became.REFUSED
    assert isinstance(found.told, CheckedHand)
    assert service.with_secrets.kept(found.told.game_id) == []
    (found,) = imported(service, tmp_path, wrong, keep=True)
    assert found.became is Became.KEPT
    assert isinstance(found.told, CheckedHand)
    (quote,) = (one for one in service.with_secrets.kept(found.told.game_id) if isinstance(one, HandQuoted))
    assert quote.findings == tuple(map(str, found.contradictions))
    assert quote.text is not None
    assert change[1] in quote.text
    assert whole(database)


def test_a_hand_kept_with_findings_takes_no_good_hands_place_and_is_not_counted(
    service: Service, database: Database, tmp_path: Path
) -> None:
    wrong, wrong_again = HAND.replace("Rake $0.90", "Rake $0.80"), HAND.replace("collected $18.10", "collected $18")
    found = imported(service, tmp_path, wrong, wrong_again, wrong, HAND, HAND, keep=True)
    assert became(found) == [Became.KEPT, Became.KEPT, Became.KNOWN, Became.STORED, Became.KNOWN]
    ids = [one.told.game_id for one in found if isinstance(one.told, CheckedHand)]
    assert [ids.index(one) for one in ids] == [0, 1, 0, 3, 3]
    assert {figures.dealt for figures in statistics(database).sums.values()} == {1}
    assert [len(hands) for hands in played_hands(database, ["Hero"]).hands.values()] == [1]
    marks = {one.game_id: one.unchecked.get("wrong line", 0) for one in audit(database) if one.game_id}
    assert marks == {ids[0]: 1, ids[1]: 2, ids[3]: 0}
    assert whole(database)


def test_what_cannot_be_read_stops_nothing(service: Service, tmp_path: Path) -> None:
    broken = HAND.replace("#15504835000", "#15504835001").replace("Cid: folds", "Cid: does a dance")
    last = HAND.replace("#15504835000", "#15504835002")
    found = imported(service, tmp_path, f"{HAND}\n\n\n{broken}\n\n\n{last}")
    assert became(found) == [Became.STORED, Became.UNREAD, Became.STORED]
    unread = found[1].told
    assert isinstance(unread, Unread)
    assert unread.line == f"{HAND}\n\n\n{broken}".split("\n").index("Cid: does a dance") + 1


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {"Rake $0.90": "Rake $0.80", "$18.10": "$18.20"},
            "line 25 says that the house takes $0.80 of the pot, and the hand that is stored says that"
            " the house takes $0.90 of the pot",
        ),
        (
            {"Dora": "Dorothea"},
            "line 1 says that Dorothea sits at seat 3 with $34.95, and the hand that is stored says that Dora sits at"
            " seat 3 with $34.95",
        ),
        (
            {"Seat 3: Dora ($34.95": "Seat 3: Dora ($35.95"},
            "line 1 says that Dora sits at seat 3 with $35.95, and the hand that is stored says that Dora sits at"
            " seat 3 with $34.95",
        ),
        (
            {"Hero: bets $5": "Hero: bets $6", "calls $5": "calls $6", "$19": "$21", "$18.10": "$20.10"},
            "line 17 says that Hero bets $6.00, the pot is $15.00, and the hand that is stored says that Hero bets"
            " $5.00, the pot is $14.00",
        ),
    ],
)
def test_each_public_fact_that_differs_is_told_in_words(
    service: Service, tmp_path: Path, changes: dict[str, str], said: str
) -> None:
    imported(service, tmp_path, HAND)
    other = HAND
    for old, new in changes.items():
        assert old in other
        other = other.replace(old, new)
    (found,) = imported(service, tmp_path, other)
    assert list(map(str, found.contradictions)) == [said]


def test_each_event_has_its_line(service: Service, tmp_path: Path) -> None:
    (found,) = imported(service, tmp_path, HAND)
    assert isinstance(found.told, CheckedHand)
    _, quote, *played = service.with_secrets.kept(found.told.game_id)
    assert isinstance(quote, HandQuoted)
    told = ["", *HAND.split("\n")]
    said = [(type(event).__name__, told[line]) for event, line in zip(played, quote.lines, strict=True)]
    assert [one for one in said if one[1]] == [
        ("BlindPosted", "Hero: posts small blind $0.50"),
        ("BlindPosted", "Cid: posts big blind $1"),
        ("RecordedHandDealt", "Dealt to Hero [6s Jh 7d 2h 3s]"),
        ("Raised", "Dora: raises $2 to $3"),
        ("Called", "Hero: calls $2.50"),
        ("Called", "Cid: calls $2"),
        ("RecordedCardsDiscarded", "Hero: discards 1 card [Jh]"),
        ("RecordedCardsDrawn", "Dealt to Hero [6s 7d 2h 3s] [Qs]"),
        ("RecordedCardsDiscarded", "Cid: discards 1 card"),
        ("RecordedCardsDiscarded", "Dora: discards 3 cards"),
        ("Bet", "Hero: bets $5"),
        ("Folded", "Cid: folds"),
        ("Called", "Dora: calls $5"),
        ("HandShown", "Hero: shows [6s Qs 7d 2h 3s] (high card Queen)"),
        ("HandShown", "Dora: shows [4d Ad Ks Kd 3h] (a pair of Kings)"),
        ("RakeTaken", "Total pot $19 | Rake $0.90"),
        ("PotAwarded", "Dora collected $18.10 from pot"),
    ]


def test_what_the_followed_state_says_is_what_the_events_make(tmp_path: Path) -> None:
    hands = [one for one in check([SAMPLES]) if isinstance(one, CheckedHand)]
    assert all(one.followed is not None for one in hands)
    shown = []
    for name, given in (("followed", hands), ("applied", [one._replace(followed=None) for one in hands])):
        with open_database(str(tmp_path / f"{name}.sqlite")) as database:
            assert {one.became for one in store(Service(EventLog(database)), given)} <= {Became.STORED, Became.KNOWN}
            with database.read() as connection:
                shown.append(
                    [
                        connection.exec_driver_sql(f"SELECT {columns} ORDER BY game_id").all()
                        for columns in (
                            "game_id, kind, facts, seats, rounds, outcome FROM game_summaries",
                            "game_id, number, seq, facts FROM history_entries",
                        )
                    ]
                )
    assert shown[0] == shown[1]
    assert len(shown[0][0]) > 5
