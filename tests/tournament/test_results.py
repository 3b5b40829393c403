"""The results file: what was played is found again, and a file that is something else is left alone."""

import errno
import json
import os
import stat
from pathlib import Path

import pytest

from pokersvc.tournament import Results, Tournament
from pokersvc.tournament.lines_file import InvalidResults
from pokersvc.tournament.play import Played

from .support import planned


@pytest.fixture
def tournament() -> Tournament:
    return planned("random", "steady", deals=3)


GAMES = [
    Played(0, (5, -5), (1, 2), 1, ({}, {})),
    Played(3, (-2, 2), (2, 1), 4, ({"raised": 2}, {"timeout": 1, "illegal": 3})),
]


def file_of(path: Path, tournament: Tournament) -> bytes:
    with Results(path, tournament) as results:
        results.add(GAMES)
    return path.read_bytes()


def test_what_was_added_is_there_when_it_is_opened_again(tmp_path: Path, tournament: Tournament) -> None:
    file_of(tmp_path / "new" / "r", tournament)
    with Results(tmp_path / "new" / "r", tournament) as results:
        assert results.played == {0: GAMES[0], 3: GAMES[1]}
        assert results.missing == [1, 2, 4, 5]


def test_a_line_torn_at_any_byte_is_forgotten_and_nothing_else(
    tmp_path: Path, tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: None)  # hundreds of times
    path = tmp_path / "r"
    whole = file_of(path, tournament)
    ends = [index + 1 for index, byte in enumerate(whole) if byte == ord("\n")]
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        with Results(path, tournament) as results:
            assert len(results.played) == max(0, sum(end <= size for end in ends) - 1)
            results.add(game for game in GAMES if game.number not in results.played)
        assert path.read_bytes() == whole


def test_the_results_of_another_tournament_are_refused_and_left_alone(tmp_path: Path, tournament: Tournament) -> None:
    whole = file_of(tmp_path / "r", tournament)
    with pytest.raises(InvalidResults, match=r"of another tournament: .* or start it again with --again\.$"):
        Results(tmp_path / "r", planned("random", "steady", seed="2"))
    with pytest.raises(InvalidResults, match="of another tournament"):
        Results(tmp_path / "r", tournament, label="another database")
    assert (tmp_path / "r").read_bytes() == whole
    with Results(tmp_path / "r", planned("random", "steady", seed="2"), again=True) as results:
        assert results.played == {}


@pytest.mark.parametrize("again", [False, True])
@pytest.mark.parametrize(
    "content",
    [
        b"A letter to my mother\n",
        b"no line",
        b"[1]\n",
        b'{"a": 1}\n',
        b"\x00\xff" * 99,
        b"\n",
        b'{"tournament": 1, "label": ""}\n',
        b'{"tournament": "0123456789abcdef"}\n',
        b"[" * 100_000 + b"\n",
    ],
    ids=lambda content: str(content[:30]) if isinstance(content, bytes) else "",
)
def test_a_file_that_is_something_else_is_left_alone(
    tmp_path: Path, tournament: Tournament, content: bytes, again: bool
) -> None:
    (tmp_path / "r").write_bytes(content)
    with pytest.raises(InvalidResults, match="is not a file of results; name another one"):
        Results(tmp_path / "r", tournament, again=again)
    assert (tmp_path / "r").read_bytes() == content


@pytest.mark.parametrize(
    "line",
    [
        b"x",
        b"[]",
        b"{}",
        b'{"game":-1,"gains":[1,2],"ranks":[1,2],"rounds":1}',
        b'{"game":1,"gains":[1],"ranks":[1],"rounds":1}',
        b'{"game":1,"gains":5,"ranks":[1,2],"rounds":1}',
        b'{"game":1,"gains":[1,2],"ranks":[1,2],"rounds":1,"forfeits":[1]}',
        b'{"game":true,"gains":[1,2],"ranks":[1,2],"rounds":1}',
        b'{"game":1,"gains":"ab","ranks":[1,2],"rounds":1}',
        b'{"game":1,"gains":[null,1],"ranks":[1,2],"rounds":1}',
        b'{"game":1,"gains":[1e999,1],"ranks":[1,2],"rounds":1}',
        b'{"game":1,"gains":[1.5,1],"ranks":[1,2],"rounds":1}',
        b'{"game":1,"gains":[1%s,1],"ranks":[1,2],"rounds":1}' % (b"0" * 400),
        b'{"game":1,"gains":[1,2],"ranks":["x",2],"rounds":1}',
        b'{"game":1,"gains":[1,2],"ranks":[0,2],"rounds":1}',
        b'{"game":1,"gains":[1,2],"ranks":[1,3],"rounds":1}',
        b'{"game":1,"gains":[1,2],"ranks":[1,2],"rounds":-1}',
        b'{"game":1,"gains":[1,2],"ranks":[1,2],"rounds":1,"forfeits":{"1":{"bored":1}}}',
        b'{"game":1,"gains":[1,2],"ranks":[1,2],"rounds":1,"forfeits":{"3":{"raised":1}}}',
        b'{"game":1,"gains":[1,2],"ranks":[1,2],"rounds":1,"forfeits":{"1":{"raised":"x"}}}',
        b'{"game":1,"gains":[1,2],"ranks":[1,2],"rounds":1,"more":1}',
        b'{"game":1,"gains":' + b"[" * 100_000,
    ],
    ids=lambda line: str(line[:90]),
)
def test_a_line_that_is_no_result_is_named(tmp_path: Path, tournament: Tournament, line: bytes) -> None:
    whole = file_of(tmp_path / "r", tournament)
    (tmp_path / "r").write_bytes(whole + line + b"\n")
    with pytest.raises(InvalidResults, match=r"Line 4 of .* is not a result of a game"):
        Results(tmp_path / "r", tournament)


def test_two_do_not_write_the_same_results(tmp_path: Path, tournament: Tournament) -> None:
    with (
        Results(tmp_path / "r", tournament),
        pytest.raises(InvalidResults, match="are being written by another process"),
    ):
        Results(tmp_path / "r", tournament, again=True)


def test_where_nothing_can_be_written_it_is_a_sentence(tmp_path: Path, tournament: Tournament) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path, tmp_path / "file" / "r"):
        with pytest.raises(InvalidResults, match=r"The results cannot be kept in .*: (it is not a file|Not|File)"):
            Results(path, tournament)


@pytest.mark.parametrize("kind", ["device", "pipe"])
def test_what_is_no_regular_file_is_refused(tmp_path: Path, tournament: Tournament, kind: str) -> None:
    path = Path("/dev/null") if kind == "device" else tmp_path / "pipe"
    if kind == "pipe":
        os.mkfifo(path)
    with pytest.raises(
        InvalidResults, match=f"The results cannot be kept in {path}: it is not a file; name another one"
    ):
        Results(path, tournament, again=True)


def test_a_full_disk_is_a_sentence_that_names_the_file_and_what_fitted_is_kept(
    tmp_path: Path, tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "r"
    whole = file_of(path, tournament)

    def write(descriptor: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    with Results(path, tournament) as results:
        monkeypatch.setattr("pokersvc.tournament.lines_file.os.write", write)
        with pytest.raises(InvalidResults, match=f"cannot be kept in {path}: No space left on device"):
            results.add([Played(1, (1, -1), (1, 2), 1, ({}, {}))])
        assert set(results.played) == {0, 3}
    assert path.read_bytes() == whole


def test_what_is_added_is_on_the_disk_before_the_next_game_is_played(
    tmp_path: Path, tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "r"
    synced: list[bytes] = []

    def fsync(descriptor: int) -> None:
        synced.append(path.read_bytes() if stat.S_ISREG(os.fstat(descriptor).st_mode) else b"folder")

    monkeypatch.setattr(os, "fsync", fsync)
    with Results(path, tournament) as results:
        begun = path.read_bytes()
        assert synced == [begun, b"folder"]
        for game in GAMES:
            results.add([game])
            assert synced[-1] == path.read_bytes()
            assert synced[-1].count(b"\n") == len(synced) - 1


def test_the_file_is_lines_of_json(tmp_path: Path, tournament: Tournament) -> None:
    lines = [json.loads(line) for line in file_of(tmp_path / "r", tournament).splitlines()]
    assert lines == [
        {"tournament": tournament.fingerprint, "label": ""},
        {"game": 0, "gains": [5, -5], "ranks": [1, 2], "rounds": 1},
        {
            "game": 3,
            "gains": [-2, 2],
            "ranks": [2, 1],
            "rounds": 4,
            "forfeits": {"1": {"raised": 2}, "2": {"timeout": 1, "illegal": 3}},
        },
    ]
