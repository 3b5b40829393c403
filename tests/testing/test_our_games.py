"""Every built-in game passes the kit's checks, and so do the small games of these tests.

What the kit cannot know of a game, such as how its answers are typed, stands in ``checked.py`` among the game's tests.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

import pytest
from kuhn import KUHN

from pokersvc.core import event as marks
from pokersvc.core.event import Event, secret_fields
from pokersvc.core.game import Game
from pokersvc.core.registry import game_kinds, game_of
from pokersvc.games.draw_poker.recorded_hands import recorded_events
from pokersvc.testing import BrokenPromise, Promise, check_game
from tests.nim import checked as nim
from tests.nim.game import NIM
from tests.sealed import checked as sealed
from tests.sealed.game import SEALED

# Much of the same: what these run is measured where the other tests run it.
pytestmark = pytest.mark.no_cover


def how(game: Game, patch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return how a game's own tests check it; they may leave out slow parts."""
    name = f"tests.games.{type(game).__module__.split('.')[-2]}"
    if not find_spec(name) or not find_spec(f"{name}.checked"):
        return {}
    checked = import_module(f"{name}.checked")
    getattr(checked, "quicken", lambda _: None)(patch)
    said: dict[str, Any] = checked.CHECKED
    return said


@pytest.mark.slow
@pytest.mark.parametrize("kind", game_kinds())
def test_a_few_games(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of(kind)
    check_game(game, seeds=range(max(4, len(game.houses()))), stored=1, **how(game, monkeypatch))


SMALL: Final[dict[Game, dict[str, Any]]] = {NIM: nim.CHECKED, KUHN: {}, SEALED: sealed.CHECKED}
ELSEWHERE: Final = frozenset(recorded_events.EVENT_TYPES.values())
"""Events of hands that were dealt elsewhere: nobody starts such a game (tests/evidence/test_recorded_hands.py)."""
SECRETS: Final = [
    (game, event_type)
    for game in (*map(game_of, game_kinds()), *SMALL)
    for event_type in game.event_types.values()
    if secret_fields(event_type) and event_type not in game.upcasters and event_type not in ELSEWHERE
]
SHORTEST_FIRST: Final = (5, 6, 9, 0, 2, 3, 7, 8, 1, 4)
"""Seeds of the first games, of which a game is played to its end even if all is found at its start.

In the third, only bots play draw poker; the fourth comes before shorter ones because it has all events with secrets.
"""


@pytest.mark.parametrize(("game", "event_type"), SECRETS, ids=lambda value: getattr(value, "__name__", ""))
def test_a_secret_without_its_mark_is_found(
    game: Game, event_type: type[Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    said = SMALL[game] if game in SMALL else how(game, monkeypatch)
    codec = game.codec  # made before the mark is gone: it is what is there again afterwards
    monkeypatch.setitem(marks._SECRET_FIELDS, event_type, {})
    monkeypatch.setattr(marks, "_OF_SEAT", {})
    monkeypatch.setattr(game, "codec", type(codec)(game.event_types, game.upcasters))
    with pytest.raises(BrokenPromise) as raised:
        check_game(game, seeds=SHORTEST_FIRST, stored=0, **{"rounds": 3, **said})
    assert raised.value.promise is Promise.MARKED


@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.kind)
def test_small_games(game: Game) -> None:
    check_game(game, seeds=range(3), stored=1, **SMALL[game])


def in_games(few: int, many: int) -> pytest.MarkDecorator:
    """Have the slow tests check a few games, and the exhaustive ones many."""
    return pytest.mark.parametrize("games", [few, pytest.param(many, marks=pytest.mark.exhaustive)])


@pytest.mark.slow
@in_games(11, 30)
@pytest.mark.parametrize("kind", game_kinds())
def test_many_games(kind: str, games: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of draw poker, the first ten are at large tables, which take long; one of them is among the few."""
    seeds = range(100, 130) if games == 30 else (106, *range(110, 120))
    check_game(game_of(kind), seeds=seeds, stored=games // 7, **how(game_of(kind), monkeypatch))


@pytest.mark.slow
@in_games(10, 100)
@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.kind)
def test_many_small_games(game: Game, games: int) -> None:
    check_game(game, seeds=[*range(games), *range(100, 100 + games)], stored=games // 10, **SMALL[game])
