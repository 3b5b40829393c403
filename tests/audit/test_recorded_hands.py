"""Tampering with hands dealt elsewhere: audits find it, except in facts that only the imported file states."""

import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import suppress

import pytest

from pokersvc.games.draw_poker.recorded_hands.recorded import is_same_hand
from pokersvc.games.draw_poker.recorded_hands.recorded_events import CardsLearned
from pokersvc.service import Service
from pokersvc.service.importing import Elsewhere
from tests.games.card_rooms.rooms import house
from tests.games.draw_poker.retold import dealt, retold
from tests.games.draw_poker.test_recorded import MUCKED, MUCKED_ACTIONS
from tests.games.draw_poker.told import cards, quote, told

from .changes import Change, each_value_rehashed
from .played import Tampered, in_one_file, tampering

pytestmark = pytest.mark.no_cover


def write(service: Service) -> None:
    """Record games with partly unknown cards: a mucked hand told later, cards learned later, side pots, a reshuffle."""
    games = [Elsewhere("mucked", told(MUCKED, MUCKED_ACTIONS).finished(quote()))]
    for seed, players in ((3, 3), (5, 4), (6, 10)):
        hand = dealt(house("no-limit"), (200, 50, 90, 7, 300, 150, 80, 60, 40, 999)[:players], seed)
        games.append(Elsewhere(f"dealt-{seed}", told(*retold(hand, {1, 3})).finished(quote(str(seed)))))
    service.with_secrets.record("draw", games, same=is_same_hand)
    learned = CardsLearned(cards("4h Ks 9c 9d 9s"), cards("9c 9d 9s"), cards("3s Jc 7h"), (), 2)
    service.with_secrets.add("mucked", [quote(text="Kai's"), learned], expected=len(games[0].events))


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[Tampered]:
    with tampering(in_one_file(write)) as found:
        yield found


FILES_OWN_WORD = frozenset({"HandQuoted"})
"""Event types whose facts nothing else in the log confirms; only the hash and a checkpoint protect them."""


def test_they_audit_whole(elsewhere: Tampered) -> None:
    elsewhere.restore()
    assert elsewhere.audit() == []
    counted = {one.game_id: one.unchecked for one in elsewhere.audited() if one.game_id}
    assert counted["mucked"] == {"unknown hand": 3, "unknown discard": 1, "unknown draw": 1}
    assert all(unchecked["unknown hand"] for unchecked in counted.values())


def missed(elsewhere: Tampered, changes: Iterable[tuple[str, Change]]) -> list[str]:
    """Return the changes that no check finds."""
    found = []
    for game_id, change in changes:
        elsewhere.restore()
        with suppress(sqlite3.IntegrityError):
            change.make(elsewhere)
            if not elsewhere.audit(game_id):
                found.append(change.words)
    return found


def changes(elsewhere: Tampered, *types: str) -> list[tuple[str, Change]]:
    """Return changes of each value in events of these types, with the hashes recomputed."""
    elsewhere.restore()
    ids = [game_id for (game_id,) in elsewhere.sql("SELECT game_id FROM games ORDER BY game_id")]
    made = [(game_id, change) for game_id in ids for change in each_value_rehashed(elsewhere.records(game_id))]
    of_these = tuple(f"({type_})" for type_ in types)
    return [
        (game_id, change)
        for game_id, change in made
        if change.kind.startswith(("payload", "secret", "type", "version")) and any(t in change.words for t in of_these)
    ]


def test_what_was_recorded_cannot_be_changed_alone(elsewhere: Tampered) -> None:
    assert missed(elsewhere, changes(elsewhere, "DealRecorded")) == []


@pytest.mark.slow
@pytest.mark.parametrize("every", [5, pytest.param(1, marks=pytest.mark.exhaustive)], ids=["a fifth", "all"])
def test_every_change_is_found_but_for_the_files_own_word(elsewhere: Tampered, every: int) -> None:
    elsewhere.restore()
    types = {type_ for (type_,) in elsewhere.sql("SELECT DISTINCT type FROM events")}
    found = missed(elsewhere, changes(elsewhere, *sorted(types - FILES_OWN_WORD))[::every])
    # By engines 3 to 5 a hand that nobody joins after it, and which no dealer dealt, is the same.
    found = [
        words for words in found if not re.match(r"""payload of event 1 \(GameStarted\) .*"engine":[34],""", words)
    ]
    assert [words for words in found if "(RecordedCardsDiscarded)" not in words] == []
    assert len(found) <= 2, "discards in another order are the same discards"
