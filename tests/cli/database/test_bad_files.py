"""Odd files in place of rules or a database: a one-sentence error, without delay."""

import errno
import os
import shutil
import string
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pokersvc.errors import PokersvcError
from pokersvc.eventlog.record import Record
from pokersvc.games.draw_poker.house.houses import MOST_BYTES, load_rules, preset_names, preset_text
from tests.cli.program import TWO_MINIMUM, Program, the_sentence

SOON = 10.0  # seconds, on a machine that does other things as well

COMMANDS: tuple[tuple[str, ...], ...] = (
    ("games", "--json"), ("history", "last", "--hands"), ("replay", "last"), ("events", "last", "--json"),
    ("history", "last", "--as", "1"), ("resume", "last"), ("db", "current"), ("db", "check"), ("db", "backup", "copy"),
    ("db", "rebuild"), ("db", "upgrade"), (*TWO_MINIMUM, "--rounds", "1"),
)  # fmt: skip


# Rules


def refused_or_played(folder: Path, content: bytes) -> str:
    """Read rules; return the sentence that refuses them, or an empty one."""
    path = folder / "my.toml"
    path.write_bytes(content)
    try:
        load_rules(str(path))
    except PokersvcError as error:
        sentence = str(error)
        assert "\n" not in sentence, sentence
        assert len(sentence) < 500 + len(str(path)), sentence
        assert sentence.endswith((".", '"', "'")), sentence
        return sentence
    return ""


TOML_VALUES = st.recursive(
    st.sampled_from(
        ["true", '"x"', "1e400", "nan", "-inf", "-1", "0", "50", "99999999999999999999", "9" * 4000, "1979-05-27",
         "07:32:00", "0xffff", "1.5", '"\\u0000"', '"""\na"""', "[]", "{}", '"always"']
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda found: f"[{', '.join(found)}]"),
        st.lists(inner, max_size=3).map(
            lambda found: "{" + ", ".join(f"{key} = {value}" for key, value in zip("abc", found, strict=False)) + "}"
        ),
    ),
    max_leaves=5,
)  # fmt: skip


@given(house=st.sampled_from(preset_names()), line=st.integers(0, 60), value=TOML_VALUES, dotted=st.integers(0, 3))
@settings(max_examples=100)
def test_a_wrong_value_in_a_house_is_a_sentence(
    tmp_path_factory: pytest.TempPathFactory, house: str, line: int, value: str, dotted: int
) -> None:
    lines = preset_text(house).splitlines()
    fields = [number for number, text in enumerate(lines) if " = " in text]
    chosen = fields[line % len(fields)]
    name = lines[chosen].split(" = ")[0]
    lines[chosen] = f"{name}{'.a' * dotted} = {value}"
    refused_or_played(tmp_path_factory.getbasetemp(), "\n".join(lines).encode())


@given(house=st.sampled_from(preset_names()), place=st.integers(0, 2000), noise=st.binary(max_size=8))
@example("no-limit", 100, b"\xff\xfe")
@example("no-limit", 0, "\ufeff".encode())
@example("no-limit", 0, b"\0")
@settings(max_examples=100)
def test_a_house_with_noise_in_it_or_cut_off_is_a_sentence(
    tmp_path_factory: pytest.TempPathFactory, house: str, place: int, noise: bytes
) -> None:
    text = preset_text(house).encode()
    place %= len(text)
    folder = tmp_path_factory.getbasetemp()
    refused_or_played(folder, text[:place] + noise + text[place + len(noise) :])
    refused_or_played(folder, text[:place] + noise)


DEEP: dict[str, str | bytes] = {
    "arrays": "stack = " + "[" * 4_000,
    "arrays that end": "stack = " + "[" * 4_000 + "]" * 4_000,
    "tables": "stack = " + "{a=" * 2_500,
    "a table of tables": f"[{'.'.join('a' * 4_000)}]\n",
    "dotted keys": f"stack{'.a' * 4_000} = 1\n",
    "a deep table where a number should be": "[stack" + ".a" * 4_000 + "]\nb = 1\n",
    "many tables": "".join(f"[t{number}]\n" for number in range(800)),
    "a long name": f'name = "{"x" * 8_000}"\n',
    "a long field": f"{'x' * 8_000} = 1\n",
    "a long number": f"stack = {'9' * 8_000}\n",
    "a number of 4,000 digits": f"stack = {'9' * 4_000}\n",
    "a long decimal": f"stack = 0.{'0' * 8_000}1\n",
    "a huge exponent": "stack = 1e999999999\n",
    "underlines": f"stack = {'1_' * 4_000}1\n",
    "one long comment": f"# {'x' * 8_000}",
    "UTF-16": preset_text("no-limit").encode("utf-16"),
    "Latin-1": 'name = "caf\xe9"'.encode("latin-1"),
    "zeros": b"\0" * MOST_BYTES,
    "nothing": b"",
    "too much": b"#" * (MOST_BYTES + 1),
}

IN_A_HOUSE = ("arrays that end", "a deep table where a number should be", "a long name", "one long comment")


@pytest.mark.parametrize(
    ("what", "house"), [*((what, "") for what in DEEP), *((what, "no-limit") for what in IN_A_HOUSE)]
)
def test_rules_that_are_large_deep_or_odd_are_a_sentence(tmp_path: Path, what: str, house: str) -> None:
    content = DEEP[what]
    if isinstance(content, str):
        rest = "".join(line for line in preset_text(house).splitlines(True) if "stack =" not in line) if house else ""
        content = (rest + "\n" + content if content.startswith("[") else content + "\n" + rest).encode()
    started = time.process_time()  # machines are shared
    assert refused_or_played(tmp_path, content) or what == "one long comment"
    assert time.process_time() - started < SOON


def fifo(path: Path) -> None:
    os.mkfifo(path)


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def nothing(path: Path) -> None:
    path.symlink_to("/dev/null")


def loop(path: Path) -> None:
    path.symlink_to(path)


def broken_link(path: Path) -> None:
    path.symlink_to(path.with_name("nowhere"))


def folder(path: Path) -> None:
    path.mkdir()


def huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 40)  # a terabyte that takes no disk


NO_FILES = [fifo, endless, nothing, loop, broken_link, folder, huge]


@pytest.mark.parametrize("make", NO_FILES)
def test_rules_that_are_no_file_are_a_sentence(program: Program, make: Callable[[Path], None]) -> None:
    make(program.home / "my.toml")
    started = time.process_time()
    sentence = program.refused("play", "--rules", "my.toml", "--auto")
    assert time.process_time() - started < SOON
    assert sentence.startswith("The rules") or make is nothing
    assert sentence.count("my.toml") == 1
    assert not sentence.endswith("..")
    if make in (fifo, endless, folder):
        assert sentence == "The rules file my.toml cannot be read: that is no file."
    assert not program.database.exists()


# Players of one's own


@pytest.mark.parametrize(
    ("make", "command"), [*((make, ("play", "--auto")) for make in NO_FILES), (fifo, ("tournament",))]
)
def test_a_player_that_is_no_file_is_a_sentence(
    program: Program, make: Callable[[Path], None], command: tuple[str, ...]
) -> None:
    make(program.home / "mine.py")
    started = time.process_time()
    sentence = program.refused(*command, "--player", "A=minimum", "--player", "B=mine.py:Mine")
    assert time.process_time() - started < SOON
    assert sentence.startswith("The player mine.py:Mine cannot be used: ")


# Databases


@pytest.mark.parametrize("make", NO_FILES)
def test_a_database_that_is_no_file_is_a_sentence(program: Program, make: Callable[[Path], None]) -> None:
    path = program.home / "games.sqlite"
    make(path)
    for command in COMMANDS:
        started = time.process_time()
        assert str(path) in program.refused("--db", path, *command), command
        assert time.process_time() - started < SOON
    assert [found.name for found in program.home.iterdir()] == ["games.sqlite"]


def test_a_file_that_the_system_does_not_let_be_made_is_named_and_not_its_draft(
    program: Program, played: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in /proc, where no file can be made, not even by root."""
    really = os.open

    def refuses(path: Any, flags: int, *rest: Any, **options: Any) -> int:
        if flags & os.O_CREAT and "barren" in str(path):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
        return really(path, flags, *rest, **options)

    folder = program.home / "barren"
    folder.mkdir()
    path = folder / "games.sqlite"
    monkeypatch.setattr(os, "open", refuses)
    said = f"{path} cannot be a database (No such file or directory): name another file."
    assert program.refused("--db", path, *TWO_MINIMUM) == said
    assert program.refused("--db", played.database, "db", "backup", path) == said


@pytest.mark.parametrize(
    "beside", ["-wal", *(pytest.param(s, marks=pytest.mark.slow) for s in ("-journal", "-shm", ".lock"))]
)
@pytest.mark.parametrize("make", [fifo, *(pytest.param(m, marks=pytest.mark.slow) for m in (endless, folder, loop))])
def test_what_is_no_file_beside_a_database_does_not_stop_the_program(
    program: Program, played: Program, make: Callable[[Path], None], beside: str
) -> None:
    """The program runs in another process, so that it can be killed if it hangs."""
    program.apart = True
    path = program.home / "games.sqlite"
    shutil.copy(played.database, path)
    make(path.with_name(f"{path.name}{beside}"))
    for command in (("games",), (*TWO_MINIMUM, "--rounds", "1")):
        ended = program.ended("--db", path, *command)
        if ended.code:
            the_sentence(ended, 1)


@pytest.mark.parametrize("size", [1, 15, 16, 100, 511, 4095, 4096, 4097, 1 << 40])
def test_a_database_of_another_length_is_a_sentence_or_read(program: Program, played: Program, size: int) -> None:
    path = program.home / "games.sqlite"
    shutil.copy(played.database, path)
    os.truncate(path, size)
    told(program, path)


def told(program: Program, path: Path) -> list[int]:
    """Run every command on a database, and check that it ends well or with a sentence; return the exit codes."""
    codes = []
    content = path.read_bytes() if path.stat().st_size < 1 << 30 else None
    for command in COMMANDS:
        started = time.process_time()
        ended = program.ended("--db", path, *command)
        assert time.process_time() - started < SOON, command
        if ended.code not in (0, 3):
            the_sentence(ended, 1)
        codes.append(ended.code)
        if content is not None:
            path.write_bytes(content)
        for name in ("copy", f"{path.name}-mark", f"{path.name}-wal", f"{path.name}-shm", f"{path.name}-journal"):
            (program.home / name).unlink(missing_ok=True)
    return codes


def damaged(content: bytes, random: Random) -> bytes:
    """Return a file with something in it changed: bits, words, whole stretches, its end."""
    spoilt = bytearray(content)
    for _ in range(random.choice((1, 1, 3, 30))):
        place = random.randrange(len(spoilt))
        match random.randrange(5):
            case 0:
                spoilt[place] ^= 1 << random.randrange(8)
            case 1:
                spoilt[place : place + 4] = random.randbytes(4)
            case 2:
                spoilt[place % 100] = random.randrange(256)  # the header
            case 3:
                spoilt[place : place + 600] = bytes(random.choice(string.printable.encode()) for _ in range(600))
            case _:
                source = random.randrange(len(spoilt))
                spoilt[place : place + 64] = spoilt[source : source + 64]
    return bytes(spoilt[: len(content)] if random.random() < 0.8 else spoilt[: random.randrange(len(spoilt))])


@pytest.mark.parametrize("times", [2, pytest.param(25, marks=pytest.mark.slow)])
def test_a_damaged_database_is_read_or_a_sentence(program: Program, another: Callable[[], Program], times: int) -> None:
    """Values are changed with SQL too, so that bad data passes SQLite's own checks."""
    source = another()
    source.run("play", "--auto", "--rounds", "3", "--seed", "demo")
    source.ended("play", "--player", "Ann=human", "--player", "Bob=minimum", "--seed", "demo", typed="bet 50\n")
    content = source.database.read_bytes()
    path = program.home / "games.sqlite"
    for number in range(times):
        path.write_bytes(damaged(content, Random(f"{number}")))
        told(program, path)


COLUMNS = {
    "games": ("game_id", "kind", "count", "head"),
    "events": Record._fields,
    "game_summaries": ("game_id", "kind", "facts", "started_at", "seats", "rounds", "outcome"),
    "history_entries": ("game_id", "number", "seq", "facts"),
    "alembic_version": ("version_num",),
}  # fmt: skip
VALUES = ("NULL", "''", "'x'", "'{}'", "'[]'", "'[1]'", "0", "-1", "9223372036854775807", "1.5", "x'ff00'", "x''",
          "CAST(x'ff' AS TEXT)", "'[{\"kind\": 1, \"name\": null}]'", "'null'", "char(0)")  # fmt: skip


@pytest.mark.parametrize("table", COLUMNS)
@pytest.mark.parametrize("times", [2, pytest.param(5, marks=pytest.mark.slow)])
def test_a_value_of_any_type_in_any_column_is_read_or_a_sentence(
    program: Program, played: Program, table: str, times: int
) -> None:
    values_are_read_or_a_sentence(program, played, table, Random(table).sample(cases(table), times))


@pytest.mark.slow
@pytest.mark.exhaustive
@pytest.mark.parametrize("table", COLUMNS)
def test_every_value_in_every_column_is_read_or_a_sentence(program: Program, played: Program, table: str) -> None:
    values_are_read_or_a_sentence(program, played, table, cases(table))


def cases(table: str) -> list[tuple[str, str]]:
    return [(column, value) for column in COLUMNS[table] for value in VALUES]


def values_are_read_or_a_sentence(program: Program, played: Program, table: str, chosen: list[tuple[str, str]]) -> None:
    path = program.home / "games.sqlite"
    for column, value in chosen:
        shutil.copy(played.database, path)
        program.sql(
            "PRAGMA foreign_keys = OFF",
            "PRAGMA ignore_check_constraints = ON",
            "DROP TRIGGER events_refuse_update",
            "PRAGMA writable_schema = ON",
            "UPDATE sqlite_master SET sql = replace(sql, ' NOT NULL', '')",
            path=path,
        )
        program.sql(
            "PRAGMA ignore_check_constraints = ON",
            f"UPDATE OR IGNORE {table} SET {column} = {value} WHERE rowid = (SELECT max(rowid) FROM {table})",
            path=path,
        )
        told(program, path)
