"""`pokersvc sessions` and `pokersvc export --session`, as they are typed."""

import re
from base64 import b64decode
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

import pokersvc
from pokersvc.histories.hand import HandHistory
from pokersvc.histories.reading import hands_in
from pokersvc.histories.statements import Dealt
from tests.cli.program import Program

STARS = Path(__file__).parents[2] / "histories/samples/pokerstars.txt"
WITHOUT_DATE = STARS.with_name("more.phhs")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    program = Program(tmp_path_factory.mktemp("sessions"))
    program.ended("import", STARS)
    return program


def test_sessions_and_tables_are_listed(program: Program) -> None:
    lines = program.run("sessions").splitlines()
    assert lines == sorted(lines, key=lambda line: line.split("  ")[1], reverse=True)
    assert (
        "23b98f3b  2009-11-25 19:12    0:06    6 hands  PokerStars  table Table B II  $0.10/$0.20 limit  Hero  -$0.60"
    ) in lines
    assert any(
        "  6 hands  PokerStars  table Table B II  " in line for line in program.run("sessions", "--tables").splitlines()
    )
    apart = program.json("sessions", "--gap", 1, "--site", "PokerStars")
    assert len(apart) > len(program.json("sessions", "--site", "PokerStars"))
    [one] = [one for one in program.json("sessions") if one["started_at"].startswith("2009-11-25")]
    assert one["net"] == [{"currency": "USD", "exponent": 2, "amount": -60}]
    assert "No finished hand of draw poker of 'Zoe' is in this database." in program.run("sessions", "--player", "Zoe")
    assert "leave --gap or --tables out" in program.refused("sessions", "--tables", "--gap", 5)


def test_only_the_newest_sessions_are_listed(program: Program) -> None:
    everything = program.run("sessions", "--gap", 1).splitlines()
    assert len(everything) > 2
    assert program.run("sessions", "--gap", 1, "--last", 1).splitlines() == everything[:1]
    assert program.run("sessions", "--gap", 1, "--last", 99).splitlines() == everything
    assert program.json("sessions", "--gap", 1, "--last", 2) == program.json("sessions", "--gap", 1)[:2]
    assert "--last" in program.refused("sessions", "--last", 0, code=2)
    terminal = program.terminal("sessions", "--gap", 1, run="tests.cli.odd_runs:two_newest", size=(24, 200))
    assert terminal.end() == 0
    assert terminal.seen.splitlines() == [*everything[:2], "", "These are the newest 2; --last N lists more."]


def test_a_hand_without_a_date_is_noted(tmp_path: Path) -> None:
    program = Program(tmp_path)
    program.ended("import", WITHOUT_DATE)
    note = "Note: left out: 1 hand of files that do not say when they were played.\n"
    assert [program.ended("sessions", *options).err for options in ((), ("--json",), ("--site", "Mars"))] == [
        note,
        note,
        "",
    ]


def test_a_session_is_exported_to_one_file_as_the_viewer_knows_it(program: Program) -> None:
    last = program.json("sessions", "--gap", 30)[-1]
    assert last["hands"] == 6
    options = ("export", "--session", last["session"][:8], "--format", "pokerstars")
    said = program.run(*options, "--as", "Hero", "-o", "mine.txt")
    assert said == "mine.txt: 6 hands of a session in the format pokerstars.\n"
    hands = [hand for hand in hands_in(program.home / "mine.txt") if isinstance(hand, HandHistory)]
    assert [hand.hero for hand in hands] == ["Hero"] * 6
    assert all(any(isinstance(told, Dealt) for told in hand.told) for hand in hands)
    assert (program.home / "mine.txt").stat().st_mode & 0o077 == 0
    for other in ((), ("--as", "everyone")):
        assert "Dealt to" not in program.run(*options, *other)
    one = program.run("export", last["session"], "--format", "pokerstars", "--as", "Hero")
    assert (program.home / "mine.txt").read_text("utf-8").startswith(one), "the first hand by itself is the same"


def test_a_page_of_a_session_has_its_result_its_curve_and_logs_that_pass(program: Program, tmp_path: Path) -> None:
    session = program.json("sessions")[-1]
    said = program.run("report", "--session", session["session"], "--html", "session.html", "--as", "Hero")
    assert said == "session.html: a session of 6 hands, checked.\n"
    page = (program.home / "session.html").read_text("utf-8")
    assert "<h1>Session of Hero at PokerStars</h1>" in page
    assert '<p class="result">-$0.60 in 6 hands</p>' in page
    [curve] = re.findall(r'<polyline points="([^"]*)"', page)
    assert len(curve.split()) == 1 + 6
    biggest = [int(cents.replace(".", "")) for cents in re.findall(r"<b>won \$([\d.]+)</b>", page)]
    assert len(re.findall("<article>", page)) == 3
    for article in re.findall("<article>.*?</article>", page, re.DOTALL):
        nets = [int(re.sub(r"[+$.]", "", net)) for net in re.findall(r'class="net">net (.*?)<', article)]
        assert len(nets) == article.count("<li>") > 1
        assert sum(nets) <= 0, "together, less than nothing by the rake"
    assert biggest == sorted(biggest, reverse=True)
    assert not re.search(r"https?://|<script|<link|<img|@import|url\(", page)
    [data] = re.findall(r'href="data:application/zip;base64,([^"]*)"', page)
    with ZipFile(BytesIO(b64decode(data, validate=True))) as logs:
        assert len(logs.namelist()) == 6
        for name in logs.namelist():
            head = re.search(rf"<li>{re.escape(name)} (\w{{64}})</li>", page)
            assert head is not None
            (tmp_path / name).write_bytes(logs.read(name))
            assert pokersvc.verify_export(tmp_path / name).export.head.hex() == head[1]
    assert (program.home / "session.html").stat().st_mode & 0o077 == 0
    program.run("report", "--session", session["session"], "--html", "open.html")
    assert len(re.findall('class="card ', (program.home / "open.html").read_text())) < len(
        re.findall('class="card ', page)
    )
    assert "name a game, or add --session" in program.refused("report", "--html", "none.html")
    assert "add --session" in program.refused("report", "last", "--gap", 3, "--html", "none.html")


def test_what_names_no_session_is_said(program: Program) -> None:
    assert "add --session" in program.refused("export", "last", "--gap", 5)
    assert "leave last out" in program.refused("export", "last", "--session", "last", "--format", "phh")
    assert "add --format phh" in program.refused("export", "--session", "last")
    assert "is not a session" in program.refused("export", "--session", "23b98f3b:x", "--format", "phh")
    none = program.refused("export", "--session", "23b98f3b", "--player", "Zoe", "--format", "phh")
    assert "belongs to no session" in none
