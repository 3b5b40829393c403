"""Games that were dealt elsewhere in the log: many in one transaction, once each, audited like any other."""

from dataclasses import replace

import pytest

from pokersvc.cards.unknown import unknown
from pokersvc.core.event import AUDITOR, EVERYONE
from pokersvc.errors import InvalidValue
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import ConcurrentUpdate, EventLog
from pokersvc.evidence.audit import Audited, audit
from pokersvc.games.draw_poker.recorded_hands.recorded import Recording, hand_id, is_same_hand
from pokersvc.games.draw_poker.recorded_hands.recorded_events import (
    CardsLearned,
    DealRecorded,
    HandQuoted,
    RecordedHandDealt,
)
from pokersvc.service import Service
from pokersvc.service.errors import NotOver
from pokersvc.service.importing import Elsewhere, RecordedAs
from pokersvc.service.places import places_of
from pokersvc.service.read_models import history
from tests.games.draw_poker.test_recorded import DRAWN, DRAWN_ACTIONS, MUCKED, MUCKED_ACTIONS
from tests.games.draw_poker.told import cards, quote, told

from .support import started


@pytest.fixture
def service(database: Database) -> Service:
    return Service(EventLog(database))


def mucked(number: str = "1", text: str = "a hand") -> Elsewhere:
    return Elsewhere(hand_id("PokerStars", number), told(MUCKED, MUCKED_ACTIONS).finished(quote(number, text)))


def drawn(number: str) -> Elsewhere:
    return Elsewhere(hand_id("PokerStars", number), told(DRAWN, DRAWN_ACTIONS).finished(quote(number)))


def record(service: Service, *games: Elsewhere) -> list[RecordedAs]:
    return service.with_secrets.record("draw", games, same=is_same_hand)


def audited(database: Database) -> dict[str, Audited]:
    return {one.game_id: one for one in audit(database) if one.game_id is not None}


def test_many_games_are_recorded_at_once_and_audit_whole(service: Service, database: Database) -> None:
    games = [mucked("1"), drawn("2"), mucked("3")]
    assert record(service, *games) == [RecordedAs.NEW] * 3
    found = audited(database)
    assert {game_id: one.findings for game_id, one in found.items()} == {one.game_id: [] for one in games}
    assert all(one.passed and one.over for one in found.values())
    assert found[games[0].game_id].unchecked == {"unknown hand": 4, "unknown discard": 2, "unknown draw": 2}
    status = service.status(games[1].game_id)
    assert status.outcome is not None
    assert status.outcome.scores == (30, -30)


def test_the_same_hand_twice_is_one_game(service: Service) -> None:
    assert record(service, mucked(), mucked()) == [RecordedAs.NEW, RecordedAs.KNOWN]
    again = Elsewhere(mucked().game_id, told(MUCKED, MUCKED_ACTIONS).finished(quote(digest="1" * 64, first_line=9)))
    assert record(service, again) == [RecordedAs.KNOWN]
    assert service.status(mucked().game_id).count == len(mucked().events)


def test_another_hand_of_the_same_number_is_told_and_not_recorded(service: Service) -> None:
    record(service, mucked())
    other = Elsewhere(mucked().game_id, told(DRAWN, DRAWN_ACTIONS).finished(quote("1", "another hand")))
    assert record(service, other, mucked("2")) == [RecordedAs.OTHER, RecordedAs.NEW]
    assert record(service, mucked("3"), Elsewhere(mucked("3").game_id, other.events)) == [
        RecordedAs.NEW,
        RecordedAs.OTHER,
    ]


def test_cards_are_learned_after_the_end(service: Service, database: Database) -> None:
    game = mucked()
    record(service, game)
    learned = CardsLearned(cards("4h Ks 9c 9d 9s"), cards("9c 9d 9s"), cards("3s Jc 7h"), (), 2)
    more = [quote(text="as Kai saw it", hero=2), learned]
    service.with_secrets.add(game.game_id, more, expected=len(game.events))
    found = audited(database)[game.game_id]
    assert found.passed
    assert found.unchecked == {"unknown hand": 3, "unknown discard": 1, "unknown draw": 1}
    with pytest.raises(ConcurrentUpdate):
        service.with_secrets.add(game.game_id, more, expected=len(game.events))


def test_cards_that_contradict_what_was_known_are_found_by_the_audit(service: Service, database: Database) -> None:
    game = mucked()
    record(service, game)
    better = CardsLearned(unknown(5), unknown(3), unknown(3), cards("4h 4s 3s Jc 7h"), 2)
    service.with_secrets.add(game.game_id, [quote(text="as Kai saw it"), better], expected=len(game.events))
    found = audited(database)[game.game_id]
    assert {finding.check for finding in found.findings} == {"deal"}
    assert any("paid to Jon" in finding.found and finding.seq == len(game.events) + 2 for finding in found.findings)


def test_nothing_is_learned_of_a_game_that_is_on(service: Service) -> None:
    game_id = started(service, "human", "human")
    with pytest.raises(NotOver):
        service.with_secrets.add(game_id, [quote()], expected=service.status(game_id).count)


def test_a_game_without_a_deck_is_not_started_by_anybody(service: Service) -> None:
    from .support import setup

    with pytest.raises(InvalidValue, match="recorded"):
        service.start("draw", replace(setup("human", "human"), options={"rules": MUCKED.rules, "table": MUCKED.table}))


def test_a_viewer_is_shown_no_hand_of_another(service: Service) -> None:
    game = mucked()
    record(service, game)
    for viewer in (EVERYONE, 1, 4):
        seen = [step.event for step in service.replay(game.game_id, viewer)]
        (quoted,) = (event for event in seen if isinstance(event, HandQuoted))
        (recorded,) = (event for event in seen if isinstance(event, DealRecorded))
        assert quoted.text is None, "the text shows the hero's cards"
        assert recorded.cards is None
        dealt = {event.seat: event.cards for event in seen if isinstance(event, RecordedHandDealt)}
        assert [seat for seat, hand in dealt.items() if hand is not None] == ([] if viewer == EVERYONE else [viewer])
    whole = [step.event for step in service.with_secrets.replay(game.game_id, AUDITOR)]
    assert whole == list(game.events)


def test_a_recorded_game_can_be_taken_up_from_the_log(service: Service) -> None:
    game = mucked()
    record(service, game)
    again = Recording.of(service.with_secrets.kept(game.game_id))
    assert again.events == list(game.events)
    assert again.wrong == []


def test_a_cancelled_hand_audits_whole(service: Service, database: Database) -> None:
    cancelled = Recording(MUCKED)
    cancelled.cancel()
    assert record(service, Elsewhere("cancelled", cancelled.finished(quote()))) == [RecordedAs.NEW]
    assert audited(database)["cancelled"].passed


def test_seats_have_the_numbers_of_their_table_and_are_counted_from_1_where_there_was_none(
    service: Service, database: Database
) -> None:
    record(service, mucked("1"), drawn("2"))
    here = started(service, "human", "minimum", "minimum")
    assert places_of(database, list(history.games(database))) == {
        mucked("1").game_id: (1, 2, 3, 4, 6),
        drawn("2").game_id: (3, 4),
        here: (1, 2, 3),
    }
