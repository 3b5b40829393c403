"""Many tables in one array: each step has the engine's observations and gains, for the same decks and choices."""

from typing import Any, Final, cast

import numpy as np
import pytest
from numpy.typing import NDArray

from pokersvc.cards.deck import FRESH_DECK, shuffle
from pokersvc.core.actions import IllegalAction
from pokersvc.core.bots.many_tables import NotVectorised
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.envs import Numbers, VectorEnv, VectorStep
from pokersvc.envs.episode import Episode
from pokersvc.envs.table import EnvTable, EpisodeStarts
from pokersvc.errors import InvalidValue
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.draw_poker.learning.many_tables import HOUSES

TABLES: Final = 64
"""The number of tables that are compared at once."""
FIXED_LIMIT: Final[EnvTable] = {"options": {"rules": "fixed-limit"}, "seats": 2}
MOST_DEALT: Final = 20


class Engine:
    """Seeded games of the engine: game n of table t has its own seed."""

    def __init__(self, table: EnvTable, name: str) -> None:
        self._starts, self._name = EpisodeStarts(DRAW_POKER, table), name
        self._numbers = Numbers(DRAW_POKER, self._starts.first, table)

    def _source(self, table: int, game: int) -> EntropySource:
        return EntropySource.from_text(f"{self._name}/{table}/{game}")

    def begin(self, table: int, game: int) -> Episode:
        source = self._source(table, game)
        return Episode(self._numbers, self._starts.start(source), source, {})

    def deck(self, table: int, game: int) -> list[int]:
        return [card.number for card in shuffle(FRESH_DECK, self._source(table, game).entropy().seed(1))]


def assert_alike(episode: Episode, now: VectorStep, table: int) -> None:
    turn = episode.turn
    assert turn is not None
    assert turn.seat == now.seats[table]
    seen = episode.observation(turn.seat)
    for theirs, ours in (
        (seen["action_mask"], now.action_mask[table]),
        (seen["features"], now.features[table]),
        (seen["observation"], now.observation[table]),
    ):
        assert theirs.dtype == ours.dtype
        assert theirs.tobytes() == ours.tobytes()


def chosen(mask: NDArray[np.int8], random: np.random.Generator) -> NDArray[np.int64]:
    """Return a random legal choice for each table; only one in five folds is chosen, so most hands go on for long."""
    weights = random.random(mask.shape) * mask
    weights[:, 0] *= random.random(len(mask)) < 0.2
    weights[:, 1] += 1e-9 * mask[:, 1]  # whoever may fold may call
    found: NDArray[np.int64] = weights.argmax(axis=1)
    return found


def hands_compared(table: EnvTable, games: int, name: str) -> int:
    """Compare this many games at each table with those of the engine; return how many hands were compared."""
    engine, random = Engine(table, name), np.random.default_rng(list(name.encode()))
    many = VectorEnv("draw", TABLES, **table)
    now = many.reset(decks=[[engine.deck(at, game) for game in range(games)] for at in range(TABLES)])
    episodes = [engine.begin(at, 0) for at in range(TABLES)]
    played = [0] * TABLES
    while min(played) < games:
        for at, episode in enumerate(episodes):
            assert_alike(episode, now, at)
        numbers = chosen(now.action_mask, random)
        now = many.step(numbers)
        for at, episode in enumerate(episodes):
            episode.choose(int(numbers[at]))
            assert now.over[at] == (episode.turn is None)
            assert tuple(now.rewards[at]) == episode.gains
            if episode.turn is None:
                played[at] += 1
                episodes[at] = engine.begin(at, played[at] % games)  # a table plays its decks again
    return sum(played)


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize(
    "hands",
    [
        pytest.param(150),
        pytest.param(7_000, marks=pytest.mark.slow),
        pytest.param(340_000, marks=[pytest.mark.slow, pytest.mark.exhaustive]),
    ],
)
def test_every_step_is_that_of_the_engine_from_the_same_decks_and_choices(house: str, hands: int) -> None:
    table: EnvTable = {"options": {"rules": house}, "seats": 2}
    compared = part = 0
    while compared < hands:
        compared += hands_compared(table, min(20, hands // TABLES), f"{house}, part {part}")
        part += 1


def test_sizes_of_bets_are_those_that_were_asked_for() -> None:
    table: EnvTable = {**FIXED_LIMIT, "options": {"rules": "no-limit"}, "actions": {"sizes": ["all_in", "half_pot"]}}
    assert hands_compared(table, 2, "sizes") >= 2 * TABLES


def test_hands_of_people_whose_cards_have_digests_are_the_same_in_numbers() -> None:
    assert hands_compared({**FIXED_LIMIT, "learner": "human"}, 1, "people") >= TABLES


def test_a_seed_decides_all_hands_and_without_one_they_differ() -> None:
    many = VectorEnv("draw", 8, **FIXED_LIMIT)

    def played(seed: int | None) -> list[bytes]:
        now, found = many.reset(seed), list[bytes]()
        for _ in range(40):
            found += [now.observation.tobytes(), now.rewards.tobytes()]
            now = many.step(now.action_mask.shape[1] - 1 - now.action_mask[:, ::-1].argmax(axis=1))
        return found

    assert played(7) == played(7)
    assert len({str(played(seed)) for seed in (7, 8, None, None)}) == 4


def test_every_table_and_every_hand_has_a_deck_of_its_own() -> None:
    many = VectorEnv("draw", 50, **FIXED_LIMIT)
    card = many.numbers.feature_names.index("card 1")
    hands = [many.reset(seed=1).features, many.step(np.zeros(50, int)).features]
    dealt = np.concatenate(hands)[:, card : card + 5]
    assert len({tuple(hand) for hand in dealt.tolist()}) == 100
    assert (np.diff(dealt) > 0).all(), "sorted, and no card twice"
    assert set(dealt.ravel().tolist()) == set(range(52))


def arrays(now: VectorStep) -> tuple[NDArray[Any], ...]:
    return cast("tuple[NDArray[Any], ...]", now)


def test_arrays_of_a_step_stay_as_they_are_whatever_is_done_to_them_and_to_the_tables() -> None:
    many, other = (VectorEnv("draw", 4, **FIXED_LIMIT) for _ in range(2))
    now, same = many.reset(seed=1), other.reset(seed=1)
    many.step([1] * 4)
    for one, two in zip(arrays(now), arrays(same), strict=True):
        assert one.tobytes() == two.tobytes()
        one.fill(0)
    many.reset(seed=1).action_mask.fill(0)
    assert many.step([1] * 4).observation.tobytes() == other.step([1] * 4).observation.tobytes()


def test_a_number_that_a_mask_excludes_is_refused_and_no_table_is_stepped() -> None:
    many = VectorEnv("draw", 3, **FIXED_LIMIT)
    many.reset(seed=1)
    for number in (3, -1, 35, 2**40):
        with pytest.raises(IllegalAction, match=rf"^{number} is not legal at table 1 of 0 to 2; legal are 0, 1, 2.$"):
            many.step([1, number, 1])
    for wrong in ([1, 1], [1.0, 1.0, 1.0], [[1, 1, 1]]):
        with pytest.raises(InvalidValue, match=r"^A step takes whole numbers in the shape \(3,\), not"):
            many.step(wrong)
    now = many.step([1, 1, 1])
    assert now.seats.tolist() == [2, 2, 2]
    assert now.features[:, many.numbers.feature_names.index("pot")].tolist() == [4, 4, 4]
    many.step([1, 1, 1])
    with pytest.raises(IllegalAction, match=r"^-1 is not legal at table 2 of 0 to 2; legal are 3, 4, "):
        many.step([34, 34, -1])


def test_tables_without_games_cannot_be_stepped() -> None:
    with pytest.raises(InvalidValue, match="call `reset` first"):
        VectorEnv("draw", 1, **FIXED_LIMIT).step([0])


IN_ORDER: Final = list(range(MOST_DEALT))


@pytest.mark.parametrize(
    ("decks", "said"),
    [
        pytest.param([IN_ORDER], r"not \(1, 20\)", id="a table without"),
        pytest.param([IN_ORDER[:-1]] * 2, r"with 20 cards or more, not \(2, 19\)", id="too few cards"),
        pytest.param([[], []], r"not \(2, 0\)", id="no cards"),
        pytest.param(np.zeros((2, 0, 52), int), r"not \(2, 0, 52\)", id="no games"),
        pytest.param([IN_ORDER, [*IN_ORDER[:-1], 52]], "0 to 51", id="no card"),
        pytest.param([IN_ORDER, [*IN_ORDER[:-1], -1]], "0 to 51", id="below"),
        pytest.param([IN_ORDER, [float(card) for card in IN_ORDER]], "card numbers", id="no whole numbers"),
        pytest.param([IN_ORDER, [*IN_ORDER[:-1], 0]], "a card twice", id="twice"),
    ],
)
def test_decks_that_cannot_be_dealt_are_refused(decks: Any, said: str) -> None:
    with pytest.raises(InvalidValue, match=said) as refused:
        VectorEnv("draw", 2, **FIXED_LIMIT).reset(decks=decks)
    assert refused.value.field == "decks"


def test_the_first_twenty_cards_of_a_deck_are_enough() -> None:
    many = VectorEnv("draw", 2, **FIXED_LIMIT)
    now = many.reset(decks=[IN_ORDER, IN_ORDER[::-1]])
    while not now.over.any():
        now = many.step(now.action_mask.shape[1] - 1 - now.action_mask[:, ::-1].argmax(axis=1))
    assert now.over.all()
    assert now.rewards.sum(axis=1).tolist() == [0, 0]


def test_a_reset_begins_with_the_first_deck_again() -> None:
    many = VectorEnv("draw", 1, **FIXED_LIMIT)
    decks = [[IN_ORDER, IN_ORDER[::-1], [*IN_ORDER[10:], *IN_ORDER[:10]]]]
    first = many.reset(decks=decks)
    second = many.step([0])
    assert second.observation.tobytes() != first.observation.tobytes()
    assert many.reset(decks=decks).observation.tobytes() == first.observation.tobytes()
    assert many.step([0]).observation.tobytes() == second.observation.tobytes()


@pytest.mark.parametrize(
    ("kind", "table", "said"),
    [
        pytest.param("kalah", {}, "^The game 'kalah' has no vectorised form.$", id="a game"),
        pytest.param("draw", {**FIXED_LIMIT, "seats": 3}, "not for 3 seats, games of 1 hand and these", id="seats"),
        pytest.param("draw", {**FIXED_LIMIT, "rounds": 2}, "not for 2 seats, games of 2 hands and", id="rounds"),
        pytest.param("draw", {"options": {"rules": "rising-ante"}, "seats": 2}, "of 'rising-ante'.$", id="a house"),
        pytest.param(
            "draw", {"options": {"rules": "no-limit", "stack": "50"}, "seats": 2}, "of 'no-limit'.$", id="a stack"
        ),
        pytest.param(
            "draw",
            {"options": {"rules": "no-limit", "stack": "200, Player1=50"}, "seats": 2},
            "'no-limit'.$",
            id="unequal",
        ),
        pytest.param(
            "draw", {**FIXED_LIMIT, "actions": {"sizes": "all"}}, "sizes of bets, not for each amount", id="amounts"
        ),
    ],
)
def test_a_table_without_such_a_form_is_refused(kind: str, table: EnvTable, said: str) -> None:
    with pytest.raises(NotVectorised, match=said):
        VectorEnv(kind, 2, **table)


@pytest.mark.parametrize(
    ("count", "table", "field"),
    [
        pytest.param(0, FIXED_LIMIT, "tables", id="no tables"),
        pytest.param(True, FIXED_LIMIT, "tables", id="no number"),
        pytest.param(1, {**FIXED_LIMIT, "bots": {1: "steady"}}, "bots", id="a bot"),
        pytest.param(1, {**FIXED_LIMIT, "length": 267}, "length", id="a record that may not fit"),
    ],
)
def test_arguments_that_cannot_be_are_refused(count: int, table: EnvTable, field: str) -> None:
    with pytest.raises(InvalidValue) as refused:
        VectorEnv("draw", count, **table)
    assert refused.value.field == field
