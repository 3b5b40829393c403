"""Games of a group in lockstep, with players in this process: what a batch holds, and what is asked again."""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import nullcontext, suppress
from dataclasses import replace
from random import Random
from threading import Thread
from typing import Any, ClassVar

import pytest

from pokersvc.core.bots.player import Player
from pokersvc.core.bots.policy import Drawn
from pokersvc.core.bots.seating import Seating
from pokersvc.games.draw_poker.actions import Bet
from pokersvc.players import Choice, Programs, Walls, choice_of
from pokersvc.players.custom import Answer, CustomPlayer, PutQuestion
from pokersvc.tournament import Tournament, lockstep
from pokersvc.tournament.groups import Groups
from pokersvc.tournament.lockstep import AnsweredOtherwise, InLockstep, one_after_the_other, play_in_halves
from pokersvc.tournament.play import play, playing

from . import many
from .many import AnswersByOrder, Honest, LearnsHabits
from .support import planned

MANY = many.__file__
Asks = Sequence[tuple[Any, Any, Random]]


class Here(CustomPlayer):
    """A custom player without a process; it keeps what it was asked."""

    def __init__(self, player: Honest) -> None:
        self.player = player
        self.batches: list[list[tuple[Any, float]]] = []
        """The views of each batch, each with the first number of its randomness."""

    def choose_many(self, asks: Asks) -> list[Answer]:
        self.batches.append([])
        views, legals, randoms = [], [], []
        for view, legal, random in asks:
            views.append(view)
            legals.append(legal)
            key = random.randbytes(32)
            self.batches[-1].append((view, Random(key).random()))
            randoms.append(Random(key))
        return self.player.choose_many(views, legals, randoms)

    def question(self, asks: Asks) -> PutQuestion:
        return QuestionHere(self, asks)


class QuestionHere(PutQuestion):
    """A question that is answered in this process, by a thread."""

    def __init__(self, player: Here, asks: Asks) -> None:
        self._found = Future[list[Answer]]()
        self._thread = Thread(target=self._answer, args=(player, asks))

    @property
    def done(self) -> bool:
        return self._found.done()

    def begin(self) -> None:
        self._thread.start()

    def look(self, *, wait: bool = False) -> None:
        if wait:
            self._thread.join()

    def _answer(self, player: Here, asks: Asks) -> None:
        try:
            self._found.set_result(player.choose_many(asks))
        except LookupError as error:
            self._found.set_exception(error)

    def answers(self) -> list[Answer]:
        return self._found.result()


class ProgramsHere(Programs):
    """Bots that all play in this process; those named ``FILE:…`` are asked about many views."""

    def __init__(self, **players: Honest) -> None:
        super().__init__()
        self.players = {f"{MANY}:{name}": Here(player) for name, player in players.items()}

    def find(self, game: Seating, kind: str, *, load: bool = True) -> Callable[[], Player] | None:
        found = self.players.get(kind)
        return super().find(game, kind, load=load) if found is None else lambda: found

    def of_many(self, game: Seating, kind: str) -> CustomPlayer | None:
        return self.players.get(kind)


@pytest.fixture
def tournament() -> Tournament:
    """Two custom players and a built-in one, of which two sit at a table."""
    return planned(f"{MANY}:A", f"{MANY}:B", "steady", seats=2, deals=30)


def in_lockstep(
    tournament: Tournament, number: int, programs: Programs, *alone: str
) -> tuple[InLockstep, AnsweredOtherwise | None]:
    games = InLockstep(tournament, number, Groups(tournament)[number], programs, frozenset(alone), nullcontext())
    return games, one_after_the_other(games)


def test_a_batch_has_one_view_of_a_table_and_a_deal_at_most(tournament: Tournament) -> None:
    programs = ProgramsHere(A=Honest(), B=Honest())
    for number in range(len(Groups(tournament))):
        in_lockstep(tournament, number, programs)
    batches = [[view for view, _ in batch] for player in programs.players.values() for batch in player.batches]
    assert max(map(len, batches)) > 10
    for batch in batches:
        hands = [view.seat(view.to_act).cards for view in batch]
        assert len({*hands}) == len(hands)


def test_each_choice_is_what_it_is_in_a_game_alone(tournament: Tournament) -> None:
    programs = ProgramsHere(A=Honest(), B=Honest())
    games, difference = in_lockstep(tournament, 0, programs)
    assert difference is None
    assert games.over == {index: play(tournament, index, programs) for index in Groups(tournament)[0]}


def test_a_view_in_fifty_is_asked_again_alone_with_the_same_randomness(tournament: Tournament) -> None:
    programs = ProgramsHere(A=Honest(), B=Honest())
    for number in range(len(Groups(tournament))):
        in_lockstep(tournament, number, programs)
    again = together = 0
    for player in programs.players.values():
        last: list[Any] = []
        for batch in player.batches:
            if len(batch) == 1 and batch[0] in last:
                again += 1
            else:
                together += len(batch)
                last = batch
    assert 0.01 < again / together < 0.03


@pytest.mark.parametrize("kind", [AnswersByOrder, LearnsHabits])
def test_a_player_that_answers_by_what_else_is_in_a_batch_is_found(tournament: Tournament, kind: type[Honest]) -> None:
    found = [
        in_lockstep(tournament, number, ProgramsHere(A=kind(), B=Honest()))[1]
        for number in range(len(Groups(tournament)))
    ]
    assert {one.kind for one in found if one is not None} == {f"{MANY}:A"}


def test_a_player_that_was_found_is_asked_about_one_view_at_a_time(tournament: Tournament) -> None:
    programs = ProgramsHere(A=AnswersByOrder(), B=Honest())
    games, difference = in_lockstep(tournament, 0, programs, f"{MANY}:A")
    assert difference is None
    assert games.over == {index: play(tournament, index, programs) for index in Groups(tournament)[0]}
    assert {len(batch) for batch in programs.players[f"{MANY}:A"].batches} == {1}
    assert max(len(batch) for batch in programs.players[f"{MANY}:B"].batches) > 1


def test_the_views_of_a_batch_are_in_an_order_drawn_from_the_seed(tournament: Tournament) -> None:
    kind = f"{MANY}:A"

    def first() -> list[Any]:
        programs = ProgramsHere(A=Honest(), B=Honest())
        in_lockstep(tournament, 0, programs)
        return [view for view, _ in programs.players[kind].batches[0]]

    def waiting() -> Iterator[Any]:
        programs = ProgramsHere(A=Honest(), B=Honest())
        for index in Groups(tournament)[0]:
            game, choice = playing(tournament, index, programs), None
            with suppress(StopIteration):  # a game that ends before
                while (awaited := game.send(choice)).kind == "steady":
                    choice = choice_of(awaited.player, *awaited.ask())
                if awaited.kind == kind:
                    yield awaited.ask().ask()[0]

    in_order, found = [*waiting()], first()
    assert found == first() != in_order
    assert sorted(map(str, found)) == sorted(map(str, in_order))


class Watched(Honest):
    """Notes how many are asked at the same moment."""

    now: ClassVar[list[int]] = []
    most = 0

    def choose_many(self, *asked: Any) -> list[Any]:
        self.now.append(1)
        Watched.most = max(Watched.most, len(self.now))
        time.sleep(0.002)
        found = super().choose_many(*asked)
        self.now.pop()
        return found


class WatchedMixing(Watched):
    """Bets one of two amounts, so that it is asked ahead for luck to be taken out."""

    def choose_many(self, *asked: Any) -> list[Any]:
        found = super().choose_many(*asked)
        return [
            Drawn(one, {one: 0.5, Bet(one.seat, one.amount + 1): 0.5} if isinstance(one, Bet) else {one: 1.0})
            for one in found
        ]


@pytest.mark.parametrize("aivat", [False, True])
@pytest.mark.parametrize("alone", [(), (f"{MANY}:B",)])
def test_no_two_custom_players_are_asked_at_the_same_moment(
    tournament: Tournament, alone: tuple[str, ...], aivat: bool
) -> None:
    programs = ProgramsHere(A=Watched(), B=WatchedMixing())
    some = replace(tournament, aivat=aivat)
    assert isinstance(play_in_halves(some, 0, Groups(some)[0], programs, frozenset(alone)), dict)
    assert Watched.most == 1


@pytest.mark.parametrize("strict", [False, True])
def test_both_halves_of_a_group_are_played_and_what_stops_one_stops_the_group(
    tournament: Tournament, strict: bool
) -> None:
    games, programs = Groups(tournament)[0], ProgramsHere(A=Honest(), B=Honest())
    some = replace(tournament, walls=Walls(strict=strict))
    found = play_in_halves(some, 0, games, programs, frozenset())
    assert found == {index: play(tournament, index, programs) for index in games}
    assert isinstance(
        play_in_halves(some, 0, games, ProgramsHere(A=AnswersByOrder(), B=AnswersByOrder()), frozenset()), tuple
    )
    with pytest.raises(LookupError):
        play_in_halves(some, 0, games, ProgramsHere(A=Honest(), B=Broken()), frozenset())


class SlowToAnswer(Honest):
    """Takes a while to answer, during which the games of the other half go on."""

    def __init__(self) -> None:
        self.meanwhile: list[int] = []
        self.events: list[Any] = []

    def choose_many(self, *asked: Any) -> list[Any]:
        before = len(self.events)
        time.sleep(0.01)
        self.meanwhile.append(len(self.events) - before)
        return super().choose_many(*asked)


def test_games_go_on_while_a_player_is_asked(tournament: Tournament, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = SlowToAnswer()

    def noted(*asked: Any) -> Choice:
        slow.events.append(asked)
        return choice_of(*asked)

    monkeypatch.setattr(lockstep, "choice_of", noted)
    for strict in (True, False):
        some = replace(tournament, walls=Walls(strict=strict))
        play_in_halves(some, 0, Groups(some)[0], ProgramsHere(A=slow, B=slow), frozenset())
        assert any(slow.meanwhile) is not strict


def test_games_go_on_before_a_player_is_asked_again(tournament: Tournament) -> None:
    many_more = replace(tournament, deals=100)
    games, programs = Groups(many_more)[0], ProgramsHere(A=AnswersByOrder(), B=AnswersByOrder())
    half = InLockstep(many_more, 0, games, programs, frozenset(), nullcontext())
    playing, answers = half.play(), list[Answer]()
    with suppress(StopIteration):
        while True:
            wanted = playing.send(answers) if answers else next(playing)
            answers = [] if wanted is None else wanted.player.choose_many(wanted.asks)
    assert half.over.keys() == {*games}
    found = [again.found(again.wanted.player.choose_many(again.wanted.asks)) for again in half.again]
    first, *_ = filter(None, found)
    assert first == in_lockstep(many_more, 0, programs)[1]


@pytest.mark.parametrize("kind", [AnswersByOrder, LearnsHabits])
def test_what_is_found_is_the_same_whether_or_not_games_go_on(tournament: Tournament, kind: type[Honest]) -> None:
    programs, strict = ProgramsHere(A=kind(), B=kind()), replace(tournament, walls=Walls(strict=True))
    found = [
        [play_in_halves(some, number, games, programs, frozenset()) for some in (tournament, strict)]
        for number, games in enumerate(Groups(tournament))
    ]
    assert all(one == other for one, other in found)
    assert any(isinstance(one, AnsweredOtherwise) for one, _ in found)


class Broken(Honest):
    def choose_many(self, *_: Any) -> list[Any]:
        raise LookupError
