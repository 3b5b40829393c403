"""`play --levels --entry --prizes --reentries --addon`: a tournament at a terminal, replayed, audited and exported."""

from tests.cli.program import Program, lines_of

PLAY = (
    "play", "--rules", "no-limit", "--player", "Ann=human", "--player", "Bob=minimum", "--player", "Cy=minimum",
    "--seed", "a", "--stack", "40", "--stack", "Ann=20", "--levels", "turbo", "--entry", "10", "--prizes", "70,30",
    "--reentries", "1", "--addon", "60/4", "--entry-until", "2",
)  # fmt: skip


def test_a_tournament_is_played_replayed_and_audited(program: Program) -> None:
    program.variables["POKERSVC_ADVICE"] = "no"  # which takes a second for each of three draws
    typed = ("all in", "3,4,5", "re-enter", "add-on", "", "all in", "5", "", "all in", "3,4,5", "")
    said = program.run(*PLAY, typed=lines_of(*typed))
    assert "Ann may type: `re-enter` (40 chips for 10 units)" in said
    assert "Ann may type: `add-on` (60 chips for 4 units)" in said
    assert "Ann takes an add-on of 60 chips, for 4 units" in said
    assert "Type `re-enter`, or press Enter to watch the next round" in said
    assert "Ann enters again with 40 chips, for 10 units" in said
    assert "Cy       $0    place 3" in said
    assert "The prizes of 44 units: Bob wins 31 and Ann wins 13" in said
    assert "Places: 1 Bob, 2 Ann, 3 Cy" in said
    assert "Bob is first, with +21 units" in said
    assert "The prizes of 44 units" in program.run("replay", "last")
    assert "passed" in program.run("audit", "last")
    program.run("export", "last", "-o", "game.jsonl")
    assert "66 events" in program.run("verify", "game.jsonl")
    assert "Bob is first, with +21 units" in program.run("games")
    program.run("report", "last", "--html", "report.html")
    assert "Ann  -11" in (program.home / "report.html").read_text("utf-8")


def test_programs_alone_buy_nothing(program: Program) -> None:
    program.run(*[part.replace("human", "random") for part in PLAY])
    said = program.run("replay", "last")
    assert "enters again" not in said
    assert "add-on" not in said
    assert "The prizes of 30 units" in said
