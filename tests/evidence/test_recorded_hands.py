"""Exports of hands dealt elsewhere: each viewer's copy verifies, and shows no hidden card of another seat."""

from collections.abc import Iterator

import pytest

from pokersvc.core.event import AUDITOR, EVERYONE, Viewer
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.games.draw_poker.recorded_hands.recorded import is_same_hand
from pokersvc.service import Service
from pokersvc.service.importing import Elsewhere
from tests.games.draw_poker.test_recorded import MUCKED, MUCKED_ACTIONS
from tests.games.draw_poker.test_recorded_sites import SITES
from tests.games.draw_poker.told import quote, told

from .support import exported, findings

HERO_SECRETS = ("6d", "8s", "2c", "Td", "5c")


@pytest.fixture(scope="module")
def log() -> Iterator[EventLog]:
    games = [Elsewhere("mucked", told(MUCKED, MUCKED_ACTIONS).finished(quote(hero=4, text="6d 8s 2c Td 5c")))]
    games += [Elsewhere(name, told(site.hand, site.actions).finished(quote(name))) for name, site in SITES.items()]
    with Database.for_writing(":memory:") as database:
        log = EventLog(database)
        Service(log).with_secrets.record("draw", games, same=is_same_hand)
        yield log


@pytest.mark.parametrize("viewer", [EVERYONE, 1, 2, 3, AUDITOR])
@pytest.mark.parametrize("game_id", ["mucked", *SITES])
def test_every_copy_verifies(log: EventLog, game_id: str, viewer: Viewer) -> None:
    assert findings(exported(log, game_id, viewer)) == []


@pytest.mark.parametrize("viewer", [EVERYONE, 1, 2])
def test_no_copy_of_another_shows_the_heros_cards_or_the_text(log: EventLog, viewer: Viewer) -> None:
    content = exported(log, "mucked", viewer).decode()
    assert not any(f'"{card}"' in content.replace('\\"', '"') for card in HERO_SECRETS)
    assert "6d 8s 2c Td 5c" not in content


def test_the_copy_of_the_hero_shows_his_cards_and_no_text(log: EventLog) -> None:
    content = exported(log, "mucked", 4).decode().replace('\\"', '"')
    assert all(f'"{card}"' in content for card in HERO_SECRETS)
    assert "6d 8s 2c Td 5c" not in content
