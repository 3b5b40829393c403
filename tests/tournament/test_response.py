"""Local best response: never more than the exact best response, and as much where that looks no further."""

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from random import Random
from typing import Any

import pytest
from kuhn import DECK, KUHN, Bet, KuhnState, KuhnView, Pass
from leduc import LEDUC, Call, Fold, LeducState, LeducView
from small_draw import SMALL_DRAW, Careful, Higher, Keep, Lower, SmallDrawState, SmallDrawView
from small_draw import Call as ChecksOrCalls
from small_draw import Fold as Folds

from pokersvc.cards import Card
from pokersvc.cli.statistics.standings import table
from pokersvc.core.actions import Action
from pokersvc.core.bots.enumerated_range import EnumeratedRange
from pokersvc.core.bots.estimates import EnumeratedEstimate
from pokersvc.core.bots.policy import Policy
from pokersvc.core.bots.ranges import RangeTerms
from pokersvc.core.event import redact
from pokersvc.core.game import Game
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.envs.game_tree import GameTree
from pokersvc.envs.solving import TreeSolver
from pokersvc.errors import InvalidValue
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.draw_poker import actions as poker
from pokersvc.games.draw_poker.events import Bet as BetMade
from pokersvc.games.draw_poker.events import CardsDiscarded, Raised
from pokersvc.players import Programs, Walls, choice_of
from pokersvc.text import counted
from pokersvc.tournament import Results, Tournament, announce, plan, standings
from pokersvc.tournament.play import play
from pokersvc.tournament.response import Responder, policies_of
from tests.estimates import KuhnEstimate, LeducEstimate

from .support import Mixes, all_played, planned


class KuhnRange(EnumeratedRange[KuhnState, KuhnView]):
    def passive(self, state: KuhnState) -> Action:
        (seat,) = state.awaited
        return Bet(seat) if "b" in state.bets else Pass(seat)

    def actions(self, state: KuhnState) -> Sequence[Action]:
        return state.legal(state.awaited[0])

    def gives_up(self, state: KuhnState, action: Action) -> bool:
        return isinstance(action, Pass) and "b" in state.bets


class LeducRange(EnumeratedRange[LeducState, LeducView]):
    def passive(self, state: LeducState) -> Action:
        return Call(state.awaited[0])

    def actions(self, state: LeducState) -> Sequence[Action]:
        return state.legal(state.awaited[0])

    def gives_up(self, state: LeducState, action: Action) -> bool:
        return isinstance(action, Fold)


class SmallDrawRange(EnumeratedRange[SmallDrawState, SmallDrawView]):
    def passive(self, state: SmallDrawState) -> Action:
        (seat,) = state.awaited
        if seat != state.changing:
            return ChecksOrCalls(seat)
        hand = state.hands[seat]
        assert hand is not None
        return Keep(seat) if hand[0] == hand[1] else Lower(seat)

    def actions(self, state: SmallDrawState) -> Sequence[Action]:
        return state.legal(state.awaited[0])

    def gives_up(self, state: SmallDrawState, action: Action) -> bool:
        return isinstance(action, Folds)


class Responds:
    """Plays the local best response to a player, from what its seat has seen so far."""

    def __init__(self, game: Game, range_of: Callable[..., EnumeratedRange[Any, Any]], estimate: Any, player: Any):
        self._game, self._range_of, self._estimate, self._player = game, range_of, estimate, player
        self._started = begun(game).started

    def policy(self, view: Any, legal: Any) -> Policy:
        held = self._range_of(self._game.new(self._started), view.viewer, self._estimate)
        responder = Responder(self._game, self._started, view.viewer, held, self._asked)
        for event in view.record:
            responder.take(event)
        return {responder.choose(): 1.0}

    def _asked(self, views: Sequence[Any], legal: Any) -> list[Policy]:
        return [self._player.policy(view, legal) for view in views]


def begun(game: Game) -> Any:
    seats = (Seat("random", "Ann"), Seat("random", "Bob"))
    return game.new(game.start(Setup(seats, EntropySource.from_text("1"), 1)))


class Equilibrium:
    """A player of Kuhn poker from whom nobody wins more than its value."""

    def policy(self, view: KuhnView, legal: Any) -> dict[Action, float]:
        bets = {"": (1 / 3, 0, 1), "p": (1 / 3, 0, 1), "b": (0, 1 / 3, 1), "pb": (0, 2 / 3, 1)}
        card = view.cards[legal[0].seat - 1]
        assert card is not None
        part = bets[view.bets][DECK.index(card)]
        return {legal[0]: 1 - part, legal[1]: part}


class GivesUp:
    """Never bets, and folds to each bet."""

    def policy(self, view: Any, legal: Any) -> dict[Action, float]:
        return {legal[0]: 1.0}


def tree_of(game: Game, estimate: EnumeratedEstimate[Any]) -> GameTree:
    started = begun(game).started
    return GameTree(game, started, estimate.outcomes, game.in_numbers(started, {}).actions)


@pytest.fixture(scope="module")
def leduc() -> GameTree:
    return tree_of(LEDUC, LeducEstimate())


@pytest.fixture(scope="module")
def kuhn() -> GameTree:
    return tree_of(KUHN, KuhnEstimate())


def both(game: Game, tree: GameTree, of: Any, estimate: Any, player: Any, seat: int) -> tuple[float, float]:
    """Return what the local and the exact best response at a seat win from a player."""
    solver, other = TreeSolver(tree), tree.strategy(player, 3 - seat)
    mine = tree.strategy(Responds(game, of, estimate, player), seat)
    strategies = (mine, other) if seat == 1 else (other, mine)
    value = solver.value(strategies)
    return value if seat == 1 else -value, solver.best_response(seat, other)


@pytest.mark.parametrize("name", "abcdefgh")
def test_on_kuhn_the_second_seat_wins_exactly_as_much_since_it_never_chooses_again(kuhn: GameTree, name: str) -> None:
    local, exact = both(KUHN, kuhn, KuhnRange, KuhnEstimate(), Mixes(name), 2)
    assert local == pytest.approx(exact, abs=1e-12)


def test_on_kuhn_the_first_seat_wins_less_where_it_should_check_to_call_or_to_fold_later(kuhn: GameTree) -> None:
    gaps = []
    for name in "abcdefgh":
        local, exact = both(KUHN, kuhn, KuhnRange, KuhnEstimate(), Mixes(name), 1)
        gaps.append(exact - local)
    assert min(gaps) == pytest.approx(0, abs=1e-12)
    assert max(gaps) == pytest.approx(0.1003, abs=1e-4), "chips a round, the largest of eight players"


@pytest.mark.parametrize("seat", [1, 2])
def test_on_kuhn_nobody_wins_from_the_equilibrium(kuhn: GameTree, seat: int) -> None:
    local, exact = both(KUHN, kuhn, KuhnRange, KuhnEstimate(), Equilibrium(), seat)
    assert exact == pytest.approx((-1 / 18, 1 / 18)[seat - 1])
    assert local == pytest.approx(exact, abs=1e-12)


@pytest.mark.parametrize("seat", [1, 2])
def test_it_is_exact_against_one_who_gives_up(kuhn: GameTree, seat: int) -> None:
    local, exact = both(KUHN, kuhn, KuhnRange, KuhnEstimate(), GivesUp(), seat)
    assert local == pytest.approx(exact, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("seat", [1, 2])
@pytest.mark.parametrize("name", ["a", "b"])
def test_on_leduc_it_wins_at_most_what_the_exact_one_wins(leduc: GameTree, name: str, seat: int) -> None:
    won = {"a": [(1.967, 2.312), (2.703, 2.932)], "b": [(1.716, 2.327), (2.997, 3.191)]}
    local, exact = both(LEDUC, leduc, LeducRange, LeducEstimate(), Mixes(name), seat)
    assert (local, exact) == pytest.approx(won[name][seat - 1], abs=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("seat", [1, 2])
def test_on_a_draw_of_two_card_hands_it_wins_at_most_what_the_exact_one_wins(seat: int) -> None:
    estimate = SMALL_DRAW.estimate(begun(SMALL_DRAW).started)
    tree = tree_of(SMALL_DRAW, estimate)
    local, exact = both(SMALL_DRAW, tree, SmallDrawRange, estimate, Careful(), seat)
    assert (local, exact) == pytest.approx([(0.711, 0.787), (0.868, 0.923)][seat - 1], abs=1e-3)


class ChangesWhatItCannot:
    """A player of a draw of two-card hands whose policy has illegal actions: for pairs some, else nothing but them."""

    def policy(self, view: SmallDrawView, legal: Any) -> Policy:
        seat = legal[0].seat
        if not isinstance(legal[0], Keep):
            return Careful().policy(view, legal)
        hand = view.hands[seat - 1]
        assert hand is not None
        return {Keep(seat): 0.5, Higher(seat): 0.5} if hand[0] == hand[1] else {ChecksOrCalls(seat): 1.0}


@pytest.mark.parametrize("seat", [1, 2])
@pytest.mark.parametrize("change", [Keep, Lower])
def test_what_is_illegal_in_a_policy_leads_nowhere(seat: int, change: type[Keep | Lower]) -> None:
    estimate, other = SMALL_DRAW.estimate(begun(SMALL_DRAW).started), 3 - seat
    asked = Responds(SMALL_DRAW, SmallDrawRange, estimate, ChangesWhatItCannot())._asked
    held = SmallDrawRange(begun(SMALL_DRAW), seat, estimate)
    responder, state = Responder(SMALL_DRAW, begun(SMALL_DRAW).started, seat, held, asked), begun(SMALL_DRAW)
    entropy = EntropySource.from_text("draws").entropy()

    def follow_to(stop: Callable[[SmallDrawState], bool]) -> None:
        while not stop(state) and state.outcome is None:
            event = state.dealer_event(entropy)
            if event is None:
                event = state.decide((change if state.changing else ChecksOrCalls)(state.awaited[0]))
            state.apply(event)
            responder.take(event)

    follow_to(lambda state: other in state.counts)
    assert held._courses
    hands = [hand for course in held._courses if (hand := course.state.hands.get(other)) is not None]
    if change is Keep:
        assert hands
        assert responder.doubts["contradicted"] == 0
        assert all(one == two for one, two in hands), "a pair alone may be kept"
    else:
        assert responder.doubts["contradicted"] == 1, "no hand changes its lower card by its policy"
    follow_to(lambda state: state.awaited == (seat,) and len(state.counts) == 2)
    assert responder.choose() in state.legal(seat)
    follow_to(lambda state: False)
    assert responder.doubts["contradicted"] == (change is Lower)


def test_in_a_small_game_a_player_with_an_illegal_policy_is_answered_to_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def range_of(game: Game, started: Any, seat: int, *_: object) -> KuhnRange:
        return KuhnRange(game.new(started), seat, KuhnEstimate())

    class Cheats:
        def policy(self, view: KuhnView, legal: Any) -> Policy:
            return {Bet(3 - legal[0].seat): 0.5, Pass(legal[0].seat): 0.5}

    monkeypatch.setattr(type(KUHN), "range_of", range_of)
    monkeypatch.setattr(type(KUHN), "players", {**KUHN.players, "cheats": Cheats})
    tournament = plan(KUHN, {}, (Seat("cheats", "Ann"),), 3, rounds=2, seed="1", lbr=RangeTerms())
    played = all_played(tournament).values()
    forfeits = sum((Counter(found) for one in played for found in one.forfeits), Counter[str]())
    assert set(forfeits) == {"illegal"}
    assert sum(one.doubts["contradicted"] for one in played if one.doubts) == forfeits["illegal"]


# In tournaments of draw poker.


def answered(kind: str, *, deals: int = 3, rules: str = "no-limit", **others: Any) -> Tournament:
    terms = RangeTerms(samples=40)
    return plan(DRAW_POKER, {"rules": rules}, (Seat(kind, "Ann"),), deals, **{"seed": "1", "lbr": terms} | others)


def test_it_plays_one_more_seat_on_shared_deals_in_both_seats() -> None:
    tournament = answered("steady")
    found = standings(tournament, all_played(tournament))
    assert [(player.name, player.kind) for player in found.players] == [("Ann", "steady"), ("LBR", "lbr")]
    assert tournament.games == 6
    assert found.players[0].measured is not None
    assert found.players[1].mean.value == -found.players[0].mean.value
    assert all_played(tournament) == all_played(tournament), "a seed repeats it"
    assert tournament.fingerprint != answered("steady", lbr=RangeTerms(samples=41)).fingerprint
    assert tournament.in_advance["lbr"] == {"sizes": [0.5, 1.0, 2.0], "late": False, "samples": 40}


@pytest.mark.parametrize(
    ("kind", "rules"),
    [
        *((kind, "no-limit") for kind in ("steady", "table", "house", "minimum", "random")),
        *(("steady", rules) for rules in ("fixed-limit", "pot-limit", "rising-ante", "capped-raise")),
    ],
)
def test_it_answers_each_built_in_kind_and_in_each_house(kind: str, rules: str) -> None:
    tournament = answered(kind, deals=1, rules=rules)
    assert all(not any(one.forfeits) for one in all_played(tournament).values())


@pytest.mark.parametrize("deal", [0, 1, 2])
def test_it_chooses_by_what_its_seat_has_seen(deal: int) -> None:
    tournament = answered("steady")
    game, setup = tournament.game, tournament.setup(tournament.sitting(2 * deal))
    entropy = setup.source.entropy()
    started = game.start(setup)

    def responder(random: Random) -> Responder:
        asked = policies_of(game, setup.seats[0], game.players["steady"], Random(1), nullcontext(), Counter())
        held = game.range_of(started, 2, RangeTerms(samples=40), asked, random)
        assert held is not None
        return Responder(game, started, 2, held, asked)

    whole, told, state, choices = responder(Random(2)), responder(Random(2)), game.new(started), 0
    while state.outcome is None:
        event = state.dealer_event(entropy)
        if event is None and state.to_act == 2:
            choices += 1
            action = whole.choose()
            assert action == told.choose()
            event = state.decide(action)
        elif event is None:
            event = choice_of(game.players["steady"], state, 1, Random(choices)).event
        state.apply(event)
        whole.take(event)
        told.take(redact(event, 2))
    assert choices


def test_it_may_bet_in_the_last_round_only() -> None:
    tournament = answered("minimum", deals=2, lbr=RangeTerms(late=True, samples=40))
    bet = {1: 0, 2: 0}
    with Programs() as programs:
        for number in range(4):
            round_, seat = 1, tournament.sitting(number).players.index(1) + 1
            for event in play(tournament, number, programs)[1]:
                round_ += isinstance(event, CardsDiscarded) and round_ == 1
                bet[round_] += isinstance(event, BetMade | Raised) and event.seat == seat
    assert bet[1] == 0 < bet[2]


CHOOSER = """
from pokersvc.games.draw_poker.actions import Discard, Fold
class Mine:
    def choose(self, view, legal, random):
        return Fold(view.to_act) if legal.discard is None else Discard(view.to_act, ())
"""


def test_a_player_of_ones_own_needs_a_policy(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(CHOOSER)
    tournament = answered(f"{tmp_path}/mine.py:Mine", walls=Walls(trusted=True))
    with (
        Programs(10, walls=Walls(trusted=True)) as programs,
        pytest.raises(InvalidValue, match=r"needs to know how Ann mixes, and .*mine.py:Mine' has no policy"),
    ):
        play(tournament, 0, programs)


POLICY = """
from pokersvc.games.draw_poker.actions import Call, Check, Discard, Fold
class Mine:
    def policy(self, view, legal):
        seat = view.to_act
        assert len([one for one in view.seat(seat).cards if one is not None]) == 5
        if legal.discard is not None:
            return {Discard(seat, view.seat(seat).cards[:2]): 0.5, Discard(seat, ()): 0.5}
        if legal.check:
            return {Check(seat): 1.0}
        return {Call(seat): 0.5, Fold(seat): 0.5}
"""


def test_a_player_of_ones_own_with_a_policy_is_answered(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(POLICY)
    tournament = answered(f"{tmp_path}/mine.py:Mine", deals=1, lbr=RangeTerms(samples=5), walls=Walls(trusted=True))
    with Programs(10, walls=Walls(trusted=True)) as programs:
        found = [play(tournament, number, programs)[0] for number in range(2)]
    assert all(one.forfeits == ({}, {}) for one in found)


class RarelyRaises:
    """Raises with the ace of spades and calls with all other hands, and discards one card, or more if it raises."""

    def policy(self, view: Any, legal: Any) -> Policy:
        seat, cards = view.to_act, view.seat(view.to_act).cards
        rare = Card.parse("AS") in cards
        if legal.discard is not None:
            return {poker.Discard(seat, cards[: 3 if rare else 1]): 1.0}
        if rare and legal.bet is not None:
            return {poker.Bet(seat, legal.bet[0]): 1.0}
        if rare and legal.raise_to is not None:
            return {poker.Raise(seat, legal.raise_to[0]): 1.0}
        return {(poker.Check if legal.check else poker.Call)(seat): 1.0}


class FailsInTheDraw(RarelyRaises):
    """Fails where it should discard, with half of all hands, and after the draw says that it folds the other's hand."""

    def policy(self, view: Any, legal: Any) -> Policy:
        seat, cards = view.to_act, view.seat(view.to_act).cards
        if legal.discard is not None and cards[0].number % 2:
            raise RuntimeError("no idea")
        if legal.discard is None and legal.call:
            return {poker.Call(seat): 0.5, poker.Fold(3 - seat): 0.5}
        return super().policy(view, legal)


@pytest.mark.parametrize("player", [RarelyRaises, FailsInTheDraw])
def test_what_no_hand_of_the_range_explains_is_counted_and_says_nothing(
    player: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(type(DRAW_POKER), "players", {**DRAW_POKER.players, "odd": player})
    tournament = answered("odd", deals=12, rules="fixed-limit", lbr=RangeTerms(samples=1))
    doubts: Counter[str] = Counter()
    played = all_played(tournament)
    for one in played.values():
        doubts.update(one.doubts)
    assert doubts["contradicted"]
    assert bool(doubts["forfeited"]) == (player is FailsInTheDraw)
    announce(tmp_path / "r", tournament)
    with Results(tmp_path / "r", tournament) as kept:
        kept.add(played.values())
    with Results(tmp_path / "r", tournament) as kept:
        assert kept.played == played
    found = standings(tournament, played)
    assert found.document()["lbr"]["contradicted"] == doubts["contradicted"]
    assert found.document()["lbr"]["forfeited"] == doubts["forfeited"]
    said = " ".join(table(found))
    assert f"contrary to its policy for every hand of the range: {counted(doubts['contradicted'], 'time')}" in said
    assert ("gave no valid policy" in said) == bool(doubts["forfeited"])


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"aivat": True}, "without candidates, --opening and --aivat"),
        ({"opening": 2}, "without candidates"),
        ({"lbr": RangeTerms((0.5, 0))}, "A bet of 0 times the pot"),
        ({"lbr": RangeTerms((float("nan"),))}, "A bet of nan times the pot"),
        ({"lbr": RangeTerms(samples=0)}, "A range cannot have 0 hands"),
        ({"kind": "steady/monte-carlo"}, "needs to know how Ann mixes"),
        ({"rules": "buy-the-pot"}, "has no local best response"),
    ],
)
def test_what_cannot_be_answered_is_refused_in_a_sentence(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidValue, match=said) as found:
        answered(**{"kind": "steady"} | wrong)
    assert str(found.value).endswith(".")


def test_only_one_player_is_answered() -> None:
    with pytest.raises(InvalidValue, match="played against one player"):
        planned("steady", "table", lbr=RangeTerms())
    with pytest.raises(InvalidValue, match="has no local best response"):
        planned("random", game=KUHN, lbr=RangeTerms())
