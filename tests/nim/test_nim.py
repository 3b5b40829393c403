"""Nim, a game that is not poker, on the same service, log, readers and program."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokersvc.cli.main import main
from pokersvc.core.actions import Forfeit, IllegalAction, Leave
from pokersvc.core.common_events import Forfeited, PlayerLeft
from pokersvc.core.event import AUDITOR, EVERYONE, Viewer
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.seats import HUMAN, Seat
from pokersvc.core.setup import Option, Setup
from pokersvc.eventlog.database import Database
from pokersvc.eventlog.log import EventLog
from pokersvc.eventlog.record import NewEvent
from pokersvc.service import Service
from pokersvc.service.read_models import history
from tests.cli.program import inside
from tests.sending import send

from . import events
from .game import NIM
from .state import NimState, NimView, Take

ROOT = Path(__file__).parents[2]
PROGRAMS = (Seat("careful", "Ann"), Seat("careless", "Bob"), Seat("careless", "Cy"))
PEOPLE = (Seat(HUMAN, "Ann"), Seat(HUMAN, "Bob"))


def setup(*seats: Seat, rounds: int | None = None, text: str = "nim") -> Setup:
    return Setup(seats, EntropySource.from_text(text), rounds)


def play_out(service: Service, game_id: str) -> None:
    while service.status(game_id).outcome is None:
        service.play_round(game_id)


def told(log: EventLog, game_id: str) -> list[tuple[str, str, str | None]]:
    """Return the events, without the IDs, times and salts that differ in every game."""
    return [(record.type, record.payload, record.secret) for record in log.read(game_id)]


def first_pile(service: Service, game_id: str) -> Take:
    """Let the seat to act take the first remaining pile."""
    view: NimView = service.view(game_id, EVERYONE)
    pile, stones = next((pile, stones) for pile, stones in enumerate(view.piles, 1) if stones)
    assert view.to_act is not None
    return Take(view.to_act, pile, stones)


# The service, the log and the readers.


def test_programs_play_it_to_its_end(service: Service, database: Database) -> None:
    game_id, _ = service.start("nim", setup(*PROGRAMS))
    play_out(service, game_id)

    summary = history.summary(database, game_id)
    assert (summary.kind, summary.title, summary.seats, summary.rounds) == ("nim", "Nim with 3 piles", PROGRAMS, 3)
    assert summary.outcome == service.status(game_id).outcome
    assert summary.result is not None
    assert summary.result.startswith("Most points: ")
    assert [entry.number for entry in history.entries(database, game_id)] == [1, 2, 3]


def test_its_log_replays_to_the_state_that_playing_made(service: Service, log: EventLog) -> None:
    game_id, _ = service.start("nim", setup(*PROGRAMS))
    while service.status(game_id).outcome is None:
        service.step(game_id)
        *_, last = Service(log).with_secrets.replay(game_id, force=True)
        assert last.state == service.with_secrets.open_game(game_id).state


def test_it_goes_on_in_another_process_as_it_would_have(service: Service, log: EventLog) -> None:
    whole, _ = service.start("nim", setup(*PROGRAMS))
    play_out(service, whole)
    resumed, _ = service.start("nim", setup(*PROGRAMS))
    while Service(log).status(resumed).outcome is None:
        Service(log).step(resumed)

    assert told(log, resumed) == told(log, whole)


def test_the_read_models_are_made_again_from_its_events(service: Service, database: Database) -> None:
    game_id, _ = service.start("nim", setup(*PROGRAMS))
    play_out(service, game_id)
    before = history.summary(database, game_id), list(history.entries(database, game_id))

    assert history.rebuild(database) == 1
    assert (history.summary(database, game_id), list(history.entries(database, game_id))) == before


def test_it_is_listed_beside_poker(service: Service, database: Database) -> None:
    poker, _ = service.start("draw", setup(Seat("minimum", "Ann"), Seat("minimum", "Bob"), rounds=1))
    nim, _ = service.start("nim", setup(*PROGRAMS))
    play_out(service, poker)

    assert {summary.game_id: summary.kind for summary in history.games(database)} == {poker: "draw", nim: "nim"}


def test_a_person_may_leave_between_its_rounds(service: Service) -> None:
    game_id, _ = service.start("nim", setup(*PEOPLE))
    with pytest.raises(IllegalAction, match="between two rounds"):
        service.act(game_id, Leave(1))
    while not service.status(game_id).pausing:
        service.act(game_id, first_pile(service, game_id))
    recorded = service.act(game_id, Leave(1))

    assert [type(event) for _, event in recorded] == [PlayerLeft, events.GameEnded]


def test_a_program_that_forfeits_is_out_of_the_round(service: Service) -> None:
    game_id, _ = service.start("nim", setup(*PROGRAMS[:2], rounds=1))
    recorded = send(service, game_id, Forfeit(1, "timeout"))

    assert [type(event) for _, event in recorded] == [Forfeited, events.RoundEnded, events.GameEnded]


# Its secrets.


@pytest.mark.parametrize(
    ("viewer", "named"), [(EVERYONE, (None, None)), (1, (1, None)), (2, (None, 3)), (AUDITOR, (1, 3))]
)
def test_a_favourite_is_known_to_its_seat_alone(
    service: Service, viewer: Viewer, named: tuple[int | None, int | None]
) -> None:
    game_id, _ = service.start("nim", setup(*PEOPLE))
    *_, last = service.with_secrets.replay(game_id, viewer, force=True)

    assert service.with_secrets.view(game_id, viewer).favourites == named
    assert last.state.view(viewer) == service.with_secrets.view(game_id, viewer)


@given(favourites=st.tuples(st.integers(1, 3), st.integers(1, 3)))
def test_a_view_does_not_depend_on_what_is_hidden_from_it(favourites: tuple[int, int]) -> None:
    states = []
    for hidden in (1, favourites[1]):
        state = NIM.new(NIM.start(setup(*PEOPLE)))
        for event in (
            events.PilesLaid((1, 2, 3), 1, bytes(32)),
            events.FavouriteNamed(favourites[0], 1),
            events.FavouriteNamed(hidden, 2),
        ):
            state.apply(event)
        states.append(state)

    assert states[0].view(1) == states[1].view(1)
    assert states[0].view(EVERYONE) == states[1].view(EVERYONE)


def test_the_history_hides_favourites_but_from_the_auditor(service: Service, database: Database) -> None:
    game_id, _ = service.start("nim", setup(*PROGRAMS))
    play_out(service, game_id)

    def favourites(viewer: Viewer) -> set[Any]:
        return {
            player["favourite"]
            for entry in history.entries(database, game_id, viewer)
            for player in entry.facts["players"]
        }

    assert favourites(EVERYONE) == {None}
    assert None not in favourites(AUDITOR)


# An event type that has changed.


@pytest.fixture
def old_game(service: Service, log: EventLog) -> str:
    """A game whose second event of play was written by the first version of the program."""
    game_id, _ = service.start("nim", setup(*PEOPLE, rounds=1))
    service.act(game_id, first_pile(service, game_id))
    view: NimView = service.view(game_id, EVERYONE)
    old = NewEvent("StonesTaken", 1, json.dumps({"heap": 1, "seat": 2, "stones": view.piles[1]}, separators=(",", ":")))
    log.append(game_id, [old], expected=service.status(game_id).count, command_id="of the first version")
    return game_id


def test_an_event_of_an_old_version_is_read_as_the_newest(log: EventLog, old_game: str) -> None:
    *_, last = Service(log).replay(old_game)

    assert (last.record.type, last.record.version) == ("StonesTaken", 1)
    assert isinstance(last.event, events.StonesTaken)
    assert last.event.pile == 2
    assert isinstance(last.state, NimState)
    assert last.state.piles[:2] == [0, 0]


def test_an_old_event_is_canonical_in_the_schema_of_its_own_version(log: EventLog, old_game: str) -> None:
    old = list(log.read(old_game))[-1]
    stored = (old.type, old.version, old.payload, old.secret)

    assert NIM.codec.is_canonical(*stored)
    assert isinstance(NIM.codec.decode_stored(*stored), events.StonesTaken1)
    assert not NIM.codec.is_canonical(old.type, old.version, old.payload.replace(":", ": "), None)


def test_a_game_with_old_events_is_played_on_in_the_newest_version(
    log: EventLog, database: Database, old_game: str
) -> None:
    before = list(log.read(old_game))
    service = Service(log)
    while service.status(old_game).outcome is None:
        service.act(old_game, first_pile(service, old_game))
    records = list(log.read(old_game))

    assert records[: len(before)] == before
    assert [record.version for record in records if record.type == "StonesTaken"][:2] == [2, 1]
    assert all(record.version == 2 for record in records[len(before) :] if record.type == "StonesTaken")
    summary = history.summary(database, old_game)
    history.rebuild(database)
    assert history.summary(database, old_game) == summary


# The program.


class Program:
    """The program with Nim in its registry, and with a new database."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        database = str(folder / "nim.sqlite")
        self.environment = {**os.environ, "POKERSVC_DATABASE_URL": database}

    def __call__(self, *arguments: str, typed: str = "", exit_code: int = 0) -> str:
        done = inside(main, arguments, typed=typed, home=self.folder, environment=self.environment)
        assert done.code == exit_code, done.err
        self.complaint = done.err
        return done.out


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Program:
    program = Program(tmp_path_factory.mktemp("nim"))
    program("play", "--game", "nim", "--auto", "--players", "3", "--seed", "nim")
    return program


def test_the_program_lists_it(played: Program) -> None:
    (game,) = json.loads(played("games", "--json"))

    assert (game["kind"], game["title"], game["rounds"], game["finished"]) == ("nim", "Nim with 3 piles", 3, True)
    assert game["result"].startswith("Most points: ")


def test_the_program_tells_it(played: Program) -> None:
    replayed = played("replay", "last")
    assert "Nim with 3 piles" in replayed
    assert "Player1 favours a pile" in replayed
    assert "Player1 has " in replayed
    assert "Player1 favours pile " in played("replay", "last", "--as", "Player1")


def test_the_program_prints_its_history(played: Program) -> None:
    lines = played("history", "last").splitlines()
    assert [line.split(" -- ")[0] for line in lines if " -- " in line] == ["Round 1", "Round 2", "Round 3"]
    assert "Player2 favoured [hidden]" in played("history", "last", "--hands")


def test_the_program_prints_its_events(played: Program) -> None:
    found = json.loads(played("events", "last", "--json"))

    assert [event["seq"] for event in found] == list(range(1, len(found) + 1))
    assert {event["type"] for event in found} >= {"GameStarted", "PilesLaid", "FavouriteNamed", "StonesTaken"}
    assert not any("secret" in event for event in found)
    assert any("secret" in event for event in json.loads(played("events", "last", "--json", "--as", "auditor")))


def test_the_program_makes_its_read_models_again(played: Program) -> None:
    before = played("history", "last", "--json")
    played("db", "rebuild")
    assert played("history", "last", "--json") == before


def test_a_person_plays_it_through_a_pipe_and_resumes_it(tmp_path: Path) -> None:
    program = Program(tmp_path)
    shown = program(
        "play", "--game", "nim", "--rounds", "1", "--seed", "nim", typed="all of it\n1 from 1\n", exit_code=1
    )
    assert "I don't understand 'all of it'." in shown
    assert "Player1 takes 1 from pile 1" in shown
    assert "resume" in program.complaint
    (unfinished,) = json.loads(program("games", "--json"))
    assert not unfinished["finished"]

    # Whatever is left on the table, one of these answers takes a stone.
    some = "".join(f"1 from {pile}\n" for pile in (1, 2, 3))
    program("resume", "last", typed=some * 20)
    (finished,) = json.loads(program("games", "--json"))
    assert finished["finished"]
    assert "is over" in (program("resume", "last", exit_code=1) or program.complaint)


@pytest.mark.slow
def test_a_program_that_registers_it_plays_it(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.nim", "--db", str(tmp_path / "x.sqlite")]
    done = subprocess.run([*command, "play", "--game", "nim", "--auto"], cwd=ROOT, capture_output=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert b"Round 3 -- " in done.stdout


def test_without_it_in_the_registry_the_program_says_which_games_there_are(tmp_path: Path) -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pokersvc.cli.main",
            "--db",
            str(tmp_path / "x.sqlite"),
            "play",
            "--game",
            "nim",
            "--auto",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("pokersvc: There is no game 'nim'; the games are draw")
    assert done.stderr.count("nim") == 1
    assert not list(tmp_path.iterdir())


# Options of its own on the command line.


def test_an_option_of_its_own_is_taken_from_the_command_line(tmp_path: Path) -> None:
    program = Program(tmp_path)
    program("play", "--game", "nim", "--auto", "--piles", "2")
    (game,) = json.loads(program("games", "--json"))
    assert game["title"] == "Nim with 2 piles"


def test_its_help_shows_its_own_options(tmp_path: Path) -> None:
    program = Program(tmp_path)
    assert "--piles N" in program("play", "--game=nim", "--help")
    assert "--piles" not in program("play", "--help")


@pytest.mark.parametrize(
    ("arguments", "said", "code"),
    [
        (["--piles", "2"], "No such option: --piles", 2),  # not of draw poker
        (["--game", "nim", "--piles", "two"], "Invalid value for '--piles': ", 2),
        (["--game", "nim", "--rules", "x"], "Nim has no option 'rules'; its option is 'piles'.", 1),
        (["--game", "chess", "--piles", "2"], "There is no game 'chess'; the games are draw", 1),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_an_option_that_the_game_does_not_have_is_refused(
    tmp_path: Path, arguments: list[str], said: str, code: int
) -> None:
    program = Program(tmp_path)
    program("play", "--auto", *arguments, exit_code=code)
    assert program.complaint.startswith(f"pokersvc: {said}"), program.complaint
    assert not list(tmp_path.iterdir())


def test_an_option_may_be_a_number_a_text_or_a_flag(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    options = (
        Option("piles", "A number."),
        Option("colour", "A text.", str, "TEXT"),
        Option("no_ties", "", bool, None),
    )
    monkeypatch.setattr(type(NIM), "own_options", options)

    def note(_: Any, given: Any) -> dict[str, int]:
        asked.append(dict(given))
        return {"piles": 1}

    monkeypatch.setattr(type(NIM), "options", note)
    program = Program(tmp_path)
    program("play", "--game", "nim", "--auto", "--colour", "red", "--no-ties", "--piles", "4")
    program("play", "--game", "nim", "--auto")
    assert [given for given in asked if given != {"piles": 1}] == [
        {"piles": 4, "colour": "red", "no_ties": True}, {}
    ]  # fmt: skip
