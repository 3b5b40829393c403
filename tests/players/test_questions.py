"""A player's process receives only new events of a record, but its player sees all of them at every choice."""

import builtins
import json
import pickle
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pokersvc.core.event import AUDITOR
from pokersvc.core.game import Game
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.record import GameRecord, extend
from pokersvc.core.registry import game_kinds, game_of
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.eventlog.log import EventLog
from pokersvc.players import Programs, Walls
from pokersvc.players.questions import KEPT, QuestionReader, Questions, asked
from pokersvc.service import Service
from tests.service.support import started


def views(game: Game, player: str, *, rounds: int | None = None, seats: int = 2, text: str = "asked") -> Iterator[Any]:
    """Give the view of each seat at each of its choices."""
    setup = Setup(
        tuple(Seat(player, f"Player{number}") for number in range(1, seats + 1)), EntropySource.from_text(text), rounds
    )
    state, entropy, random = game.new(game.start(setup)), setup.source.entropy(), Random(text)
    while state.outcome is None:
        if (seat := state.to_act) is None:
            event = state.dealer_event(entropy)
        else:
            yield (view := state.view(seat))
            event = state.decide(game.players[player]().choose(view, state.legal(seat), random))
        state.apply(event)


@pytest.mark.parametrize("kind", game_kinds())
def test_a_question_arrives_as_it_was_asked(kind: str) -> None:
    questions, heard = Questions(), QuestionReader()
    for view in views(game_of(kind), "random"):
        assert heard.read(questions.write((view, "legal"))) == (view, "legal")


def test_what_a_question_in_a_box_names_is_imported_once(monkeypatch: pytest.MonkeyPatch) -> None:
    _, news, body, _ = pickle.loads(Questions().write(next(views(game_of("draw"), "random"))))
    question = pickle.dumps(({number: (0, 0) for number, _ in news}, body))
    asked(question, "records")
    imported: list[str] = []
    with monkeypatch.context() as patch:
        patch.setattr(builtins, "__import__", lambda name, *_: imported.append(name))
        asked(question, "records")
    assert not imported


def test_questions_of_several_games_and_seats_in_turn_arrive_as_they_were_asked() -> None:
    questions, heard, random = Questions(), QuestionReader(), Random(0)
    games = [views(game_of("draw"), "random", seats=3, rounds=6, text=str(number)) for number in range(5)]
    asked = 0
    while games:
        playing = random.choice(games)
        if (view := next(playing, None)) is None:
            games.remove(playing)
            continue
        assert heard.read(questions.write(view)) == view
        asked += 1
    assert asked > 100


def test_a_view_may_be_asked_about_late_and_of_a_copy_of_the_game() -> None:
    questions, heard = Questions(), QuestionReader()
    happened: GameRecord[int] = GameRecord()
    early = happened.seen(AUDITOR)
    extend(happened, [[1, 2], [3]])
    late, copy = happened.seen(AUDITOR), deepcopy(happened)
    extend(copy, [[4], [5]])
    extend(happened, [[6]])
    for seen in (late, early, late, copy.seen(AUDITOR), happened.seen(AUDITOR), late, early):
        assert heard.read(questions.write((seen, seen))) == (seen, seen)


def test_what_cannot_be_written_leaves_the_next_question_whole() -> None:
    questions, heard = Questions(), QuestionReader()
    happened: GameRecord[int] = GameRecord()
    extend(happened, [[1, 2]])
    seen = happened.seen(AUDITOR)
    with pytest.raises(Exception, match="pickle"):
        questions.write((seen, lambda: None))
    assert heard.read(questions.write(seen)) == seen


def test_a_process_keeps_the_records_that_it_was_asked_about_last() -> None:
    questions, heard = Questions(), QuestionReader()
    games: list[GameRecord[int]] = [GameRecord() for _ in range(3 * KEPT)]
    for number, happened in enumerate(games):
        extend(happened, [[number], [number]])
        assert heard.read(questions.write(happened.seen(AUDITOR))) == happened.seen(AUDITOR)
    assert len(heard._kept) == KEPT
    first = games[0].seen(AUDITOR)
    assert heard.read(questions.write(first)) == first
    del first, happened
    games.clear()
    assert heard.read(questions.write(None)) is None
    assert not heard._kept, "games that nobody plays any more are forgotten"


@pytest.mark.no_cover
def test_a_question_late_in_a_long_game_has_no_more_bytes_than_an_early_one() -> None:
    questions, heard, sizes = Questions(), QuestionReader(), list[int]()
    for number, view in enumerate(views(game_of("market"), "random", rounds=1100)):
        question = questions.write(view)
        sizes.append(len(question))
        if number % 500 == 0:
            assert heard.read(question) == view
            whole = len(pickle.dumps(view))
        else:
            heard.read(question)
    assert len(sizes) > 2500
    assert max(sizes[-500:]) < 1.1 * max(sizes[10:510])
    assert whole > 20 * max(sizes[10:]), "as a whole it would be much more"


# In its process.


SAYS = """
import json, os
class {name}:
    def choose(self, view, legal, random):
        from pokersvc.games.draw_poker.actions import Fold
        rounds = [[type(event).__name__ for event in events] for events in (*view.record.past, view.record.round)]
        with open({file!r}, "a") as file:
            print(json.dumps(rounds), file=file)
        {then}
        return Fold(view.to_act)
"""
MISCHIEF = {
    "to what it was told": "view.record._of.events.clear(); view.record._of.rounds.clear()",
    "to its process": "len(rounds) % 2 or os.killpg(0, 9)",
}


@pytest.mark.parametrize(
    "mischief", [pytest.param(what, marks=[pytest.mark.slow] * (what == "to its process")) for what in MISCHIEF]
)
def test_a_player_sees_the_whole_record_at_every_choice_whatever_it_does(
    log: EventLog, tmp_path: Path, mischief: str
) -> None:
    said = tmp_path / "said"
    (tmp_path / "says.py").write_text(SAYS.format(name="Says", file=str(said), then=MISCHIEF[mischief]))
    with Programs(walls=Walls(trusted=True)) as programs:
        service = Service(log, programs=programs)
        game_id = started(service, f"{tmp_path}/says.py:Says", "minimum", rounds=4)
        expected = []
        while (status := service.status(game_id)).outcome is None:
            record = service.view(game_id, 1).record
            if status.to_act == 1:
                rounds = (*record.past, record.round)
                expected.append([[type(event).__name__ for event in events] for events in rounds])
            service.step(game_id)
    assert [json.loads(line) for line in said.read_text().splitlines()] == expected
    assert len(expected[-1]) > 1
