"""`pokersvc replay` at a terminal: the replayer shows nothing beyond the current event."""

import re
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

import pokersvc
from pokersvc.cli.replay.replayer import Replayer
from pokersvc.cli.replay.viewpoint import viewer_of
from pokersvc.core.drawing import Room, plain, width
from pokersvc.core.event import AUDITOR, EVERYONE
from pokersvc.core.registry import game_kinds
from pokersvc.eventlog.record import Record
from pokersvc.service import cursor as cursors
from pokersvc.service.cursor import Cursor
from tests.cli.emulated import END, HOME, LEFT, RIGHT, Seen
from tests.cli.play.test_typed_shares import PLAY as TOGETHER
from tests.cli.play.test_typed_shares import TEXT, round_, typed
from tests.cli.program import Program, lines_of

HANDS = Path(__file__).parents[2] / "histories/samples/pokerstars.txt"
ROOMS = (Room(60, 20), Room(80, 24), Room(120, 40))
BOTS = ("--player", "Ann=steady", "--player", "Bob=steady", "--seed", "replayer")
RANDOM = ("--player", "Ann=random", "--player", "Bob=random", "--seed", "replayer")


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """A home with a game of each kind, a cash game, a recorded hand, and one that a person shuffled with the dealer."""
    program = Program(tmp_path_factory.mktemp("games"))
    program.ended("import", HANDS)
    program.run("play", "--auto", *BOTS, "--rounds", "9")
    for kind in game_kinds():
        if kind != "draw":
            rounds = ("--rounds", "2") if pokersvc.game_of(kind).counts_rounds else ()
            program.run("play", "--auto", "--game", kind, *RANDOM, *rounds)
    cash = ("--cash", "--stack", "Ann=50", "--player", "Ann=human", "--player", "Bob=minimum", "--seed", "cash")
    program.run("play", "--rules", "no-limit", *cash, typed=lines_of("fold", "buy 60", "sit out", "quit"))
    terminal = program.terminal(*TOGETHER, "--rounds", "2")
    typed(terminal, "Ann", TEXT)
    round_(terminal)
    terminal.type("quit")
    assert terminal.end() == 0
    yield program
    program.close()


class Kept:
    """One game of a home, as the replayer reads it."""

    def __init__(self, program: Program, game_id: str) -> None:
        self.file = str(program.database)
        with pokersvc.Database.for_reading(self.file) as database:
            self.summary = pokersvc.game_summary(database, game_id)
            with pokersvc.EventLog(database).snapshot() as snapshot:
                self.records: list[Record] = list(snapshot.read(game_id))
        self.game = pokersvc.game_of(self.summary.kind)
        self.over = self.summary.outcome is not None

    def cursor(self, viewer: Any = EVERYONE, upto: int | None = None) -> Cursor:
        return Cursor(self.game, self.records[:upto], viewer)

    def replayer(self, viewer: Any = EVERYONE, upto: int | None = None) -> Replayer:
        cursor = self.cursor(viewer, upto)
        return Replayer(lambda: self.summary, cursor, self.allowed)

    def allowed(self, text: str) -> Any:
        with pokersvc.Database.for_reading(self.file) as database:
            return viewer_of(database, self.summary, text, force=False)


@pytest.fixture(scope="module")
def kept(games: Program) -> list[Kept]:
    listed = games.json("games")
    return [Kept(games, one["game"]) for one in listed[:7]]  # of the recorded hands, some


def draw(kept: list[Kept]) -> Kept:
    return next(one for one in kept if one.summary.rounds == 9)


def test_a_cursor_tells_what_replay_prints_of_every_game_and_viewer(
    games: Program, kept: list[Kept], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cursors, "BLOCK", 7)
    monkeypatch.setattr(cursors, "KEPT", 2)
    assert {one.summary.kind for one in kept} >= set(game_kinds())
    for one in kept:
        for viewer in (EVERYONE, 1, AUDITOR) if one.over else (EVERYONE,):
            cursor = one.cursor(viewer)
            told = games.json("replay", one.summary.game_id, "--as", viewer)
            moments = [cursor.at(seq) for seq in range(1, cursor.count + 1)]
            assert [(m.seq, m.round, m.text) for m in moments] == [(t["seq"], t["round"], t["text"]) for t in told]
            places = [*range(1, cursor.count + 1)]
            Random(1).shuffle(places)
            assert all(cursor.at(seq) == moments[seq - 1] for seq in places[:20]), "the same when one comes back"


def test_a_cursor_goes_round_by_round(kept: list[Kept]) -> None:
    cursor = draw(kept).cursor()
    starts = [1]
    while cursor.next_round():
        starts.append(cursor.seq)
    assert [cursor.at(seq).round for seq in starts] == [*range(1, 10)]
    assert all(cursor.at(seq - 1).round == number for number, seq in enumerate(starts[1:], 1))
    assert cursor.go(cursor.count)
    assert cursor.now.outcome is not None
    assert not cursor.forward()
    back = []
    while cursor.previous_round():
        back.append(cursor.seq)
    assert back == starts[::-1]
    assert not cursor.back()
    assert (cursor.go_to_round(4), cursor.seq) == (True, starts[3])
    assert not cursor.go_to_round(10)
    assert not cursor.go_to_round(0)
    assert not cursor.go(cursor.count + 1)
    assert cursor.seq == starts[3], "where there is nothing, it stays"
    with pytest.raises(IndexError):
        cursor.at(0)


def test_what_comes_between_two_rounds_belongs_to_the_one_before(program: Program) -> None:
    names = [f"--player=P{number}=steady" for number in range(6)]
    program.run("play", "--auto", "--rules", "no-limit", "--rounds", "40", *names, "--seed", "x9")
    one = Kept(program, program.json("games")[0]["game"])
    cursor = one.cursor()
    happened = [cursor.at(seq) for seq in range(1, cursor.count + 1)]
    kinds = [type(moment.event).__name__ for moment in happened]
    assert kinds[kinds.index("PlayerLeft") - 1] == "RoundEnded", "somebody is out between two rounds"
    begun = [moment.seq for before, moment in pairwise(happened) if moment.round > before.round]
    assert len(begun) > 3
    assert begun == [seq for seq, kind in enumerate(kinds, 1) if kind == "RoundStarted"][1:]


def test_a_screen_shows_nothing_that_comes_later_and_fits_its_room(kept: list[Kept]) -> None:
    for one in kept:
        whole = one.replayer()
        count = whole.cursor.count
        for seq in sorted({*range(1, count, max(1, count // 12)), count - 1, count}):
            whole.cursor.go(seq)
            short = one.replayer(upto=seq)
            short.cursor.go(seq)
            for room in ROOMS:
                screen = whole.screen(room)
                assert plain(screen) == plain(short.screen(room)), (one.summary.kind, seq)
                assert len(screen) <= room.rows
                assert max(map(width, screen)) <= room.columns
        if one.summary.result is not None:
            assert "".join(one.summary.result.split()) in "".join("".join(plain(whole.screen(ROOMS[2]))).split())


def said(replayer: Replayer) -> str:
    return "\n".join(plain(replayer.screen(Room(80, 24))))


def pressed(replayer: Replayer, *keys: str) -> str:
    for key in keys:
        replayer.press(key)
    return said(replayer)


def test_every_key_does_what_the_help_says(kept: list[Kept]) -> None:
    replayer = draw(kept).replayer()
    cursor = replayer.cursor
    for keys, seq in ((("right", "l", "enter"), 4), (("left", "h"), 2), (("end",), cursor.count), (("home",), 1)):
        pressed(replayer, *keys)
        assert replayer.cursor.seq == seq
    assert "This is the first event." in pressed(replayer, "left")
    assert "This is the first event." in pressed(replayer, "p")
    for down, up in (("n", "p"), ("down", "up"), ("pagedown", "pageup")):
        pressed(replayer, down)
        assert cursor.now.round == 2
        pressed(replayer, "right", up)
        assert cursor.now.round == 2
        pressed(replayer, up)
        assert cursor.seq == 1
    assert "There is no key 'x' here; ? shows the keys." in pressed(replayer, "x")
    assert "There is no key '\\x1b' here" in pressed(replayer, "\x1b")
    assert "Keys of the replayer" in pressed(replayer, "?")
    assert "Keys of the replayer" not in pressed(replayer, "n"), "any key closes the help, and does nothing else"
    assert cursor.seq == 1
    assert "Keys of the replayer" not in pressed(replayer, "?", "q")
    assert not replayer.closed, "q is any key there"
    assert "Go to event (12) or round (r3): 1" in pressed(replayer, "g", "1", "2", "backspace")
    assert cursor.seq == 1
    pressed(replayer, "2", "enter")
    assert cursor.seq == 12
    pressed(replayer, "g", *"round 3", "enter")
    assert (cursor.now.round, cursor.at(cursor.seq - 1).round) == (3, 2)
    here = cursor.seq
    wrong = {"9999": "There is no event 9999.", "r99": "There is no round 99.", "r0": "There is no round 0."}
    wrong |= {"two": "'two' is not a place in a game", "-1": "'-1' is not a place in a game", "": "q quit"}
    for typed_, answer in wrong.items():
        assert answer in pressed(replayer, "g", *typed_, "enter")
        assert cursor.seq == here
    pressed(replayer, "g", "5", "escape", "right")
    assert cursor.seq == here + 1
    assert not replayer.closed
    pressed(replayer, "q")
    assert replayer.closed


def test_it_plays_at_a_speed_and_stops_at_the_end(kept: list[Kept]) -> None:
    replayer = draw(kept).replayer()
    assert "Playing, 1 event a second" in pressed(replayer, " ")
    replayer.play_on()
    assert replayer.cursor.seq == 2
    assert "Speed: 2 events a second." in pressed(replayer, "+")
    assert replayer.seconds == 0.5
    assert "Playing, 2 events a second" in pressed(replayer, " ", " ")
    assert "Speed: an event in 4 seconds." in pressed(replayer, *"-----")
    pressed(replayer, "right")
    assert not replayer.playing, "who moves has stopped it"
    pressed(replayer, "end", "left", " ")
    replayer.play_on()
    assert replayer.playing
    replayer.play_on()
    assert not replayer.playing
    assert "This is the end of the game." in pressed(replayer, " ")
    assert "This is the end of the game." in pressed(replayer, "right")


def test_it_is_seen_as_a_seat_that_one_may_see(kept: list[Kept]) -> None:
    replayer = draw(kept).replayer()
    pressed(replayer, "g", "6", "enter")
    assert "See as (everyone, auditor, 1 Ann, 2 Bob): 1" in pressed(replayer, "v", "1")
    assert "event 6, seen as Ann" in pressed(replayer, "enter")
    assert "event 6, seen as auditor" in pressed(replayer, "v", *"auditor", "enter")
    assert "event 6, seen as everyone" in pressed(replayer, "v", *"everyone", "enter")
    assert "'Zoe' is not a point of view" in pressed(replayer, "v", *"Zoe", "enter")
    on = next(one for one in kept if not one.over).replayer()
    for who in ("1", "Ann", "auditor"):
        text = " ".join(pressed(on, "v", *who, "enter").split())
        assert "is not over" in text
        assert "seen as everyone" in text
        assert on.cursor.viewer == EVERYONE
    assert "Nothing more has happened yet." in pressed(on, "end", "right")
    assert "Playing, 1 event a second and waits for what comes next" in pressed(on, " ")


def test_a_seat_has_the_number_that_the_table_of_another_site_gives_it(program: Program) -> None:
    program.ended("import", HANDS.parent / "ongame-more.txt")  # two hands; the later is of seats 1 and 2
    later, earlier = (one["game"] for one in program.json("games"))
    replayer = Kept(program, earlier).replayer()
    assert "(everyone, auditor, 2 Hero, 4 Ann, 9 Bob (B, C)): 4" in pressed(replayer, "v", "4")
    assert "seen as Ann" in pressed(replayer, "enter")
    assert re.search(r"\b4 Ann", said(replayer)), "as the table itself says"
    for number, name in (("2", "Hero"), ("4", "Ann"), ("9", "Bob (B, C)")):
        assert program.run("replay", earlier, "--as", number) == program.run("replay", earlier, "--as", name)
    sentence = program.refused("replay", earlier, "--as", "1")
    assert "it must be everyone, auditor, or a seat: 2 (Hero), 4 (Ann), 9 (Bob (B, C))." in sentence
    assert program.run("replay", later, "--as", "1") == program.run("replay", later, "--as", "Hero")


def test_going_back_in_a_game_of_5000_events_is_quick(kept: list[Kept]) -> None:
    """For every block of events, no more events are applied again than the game has; mostly none."""
    one = draw(kept)
    cursor = one.cursor()
    folded = 0
    fold = cursor._fold

    def counted(seq: int) -> Any:
        nonlocal folded
        folded += 1
        return fold(seq)

    cursor._fold = counted  # type: ignore[method-assign]
    for seq in range(cursor.count, 0, -1):
        cursor.at(seq)
    assert folded <= cursor.count * (1 + cursor.count / cursors.BLOCK)


def seen_of(program: Program, *arguments: object, rows: int = 24, columns: int = 80) -> Seen:
    return Seen(program.terminal(*arguments, term="xterm-256color"), rows=rows, columns=columns)


def test_at_a_terminal_keys_move_without_enter_and_the_size_is_followed(games: Program, kept: list[Kept]) -> None:
    seen = seen_of(games, "replay", draw(kept).summary.game_id)
    seen.until("round 1, event 1, seen as everyone")
    seen.press(RIGHT, RIGHT)
    seen.until("event 3,")
    seen.press(LEFT)
    seen.until("event 2,")
    seen.press("n")
    seen.until("round 2,")
    seen.press("\x1b[1;5Z", "\x7f", "%")
    seen.until("There is no key '%'")
    seen.resize(20, 60)
    seen.until(lambda now: len(now.lines) == 20 and now.lines[-1].endswith("q quit"))
    seen.resize(40, 120)
    seen.until(lambda now: now.lines[0].endswith("seen as everyone") and len(now.lines[0]) > 100)
    seen.resize(5, 20)
    seen.resize(24, 80)
    seen.press(END)
    seen.until("wins with $")
    seen.press(HOME, "+", "+", "+", "+")
    seen.until("event 1,")
    seen.press(" ")
    seen.until(lambda now: "event 1," not in now.text and "Playing, 10 events a second" in now.text)
    seen.press(" ", "q")
    assert seen.terminal.end() == 0
    assert seen.raw.count(b"\x1b[?1049h") == 1, "on a screen of its own"


def test_ctrl_c_ends_it_with_code_130_and_gives_the_terminal_back(games: Program) -> None:
    seen = seen_of(games, "replay", "last")
    seen.until("event 1,")
    seen.press("\x03")
    assert seen.terminal.end() == 130
    assert "\x1b[?1049l" in seen.terminal.seen
    assert "Traceback" not in seen.terminal.seen


@pytest.mark.slow
def test_a_game_that_goes_on_is_followed(program: Program) -> None:
    play = ("play", "--player", "Ann=human", "--player", "Bob=minimum", "--seed", "demo", "--rounds", "1")
    program.ended(*play, typed="bet 50\n")
    seen = seen_of(program, "replay", "last")
    seen.press(END)
    before = seen.until("Bob calls 50")
    seen.press("v", "A", "n", "n", "\r")
    seen.until("add --force")
    seen.press("+", "+", "+", " ")
    seen.until("waits for what comes next")
    program.ended("resume", "last", typed=lines_of("", "check", "call", "quit"))
    seen.until("The game is over")
    assert "The game is over" not in before
    seen.press("v", "1", "\r")
    seen.until("seen as Ann")
    seen.press("q")
    assert seen.terminal.end() == 0


@pytest.mark.parametrize("how", [("--plain",), ("--json",)], ids=" ".join)
def test_plain_json_and_pipes_print_as_they_did(games: Program, kept: list[Kept], how: tuple[str, ...]) -> None:
    game = draw(kept).summary.game_id
    terminal = games.terminal("replay", game, *how)
    assert terminal.end() == 0
    assert "\x1b" not in terminal.seen
    piped = games.run("replay", game, *[one for one in how if one != "--plain"])
    assert piped.split() == terminal.seen.split()


def test_a_dumb_terminal_gets_lines(games: Program, kept: list[Kept], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(games.variables, "TERM", "dumb")
    terminal = games.terminal("replay", draw(kept).summary.game_id)
    assert terminal.end() == 0
    assert "\x1b" not in terminal.seen


@pytest.mark.parametrize(
    ("wrong", "what"),
    [(("--to", "99999"), "has no event 99999"), (("--round", "99"), "has no round 99"), (("--as", "Zoe"), "'Zoe'")],
)
def test_where_there_is_nothing_it_does_not_begin(
    games: Program, kept: list[Kept], wrong: tuple[str, ...], what: str
) -> None:
    terminal = games.terminal("replay", draw(kept).summary.game_id, *wrong)
    assert terminal.end() == 1
    assert what in " ".join(terminal.seen.split())
    assert "\x1b" not in terminal.seen


def test_it_begins_where_one_says(games: Program, kept: list[Kept]) -> None:
    seen = seen_of(games, "replay", draw(kept).summary.game_id, "--round", "3", "--as", "Bob")
    seen.until("seen as Bob")
    assert "round 3, " in seen.text
    started = time.monotonic()
    seen.press("q")
    assert seen.terminal.end() == 0
    assert time.monotonic() - started < 10
