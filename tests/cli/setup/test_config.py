"""A person's settings: the file, written by hand or by `pokersvc config`, and its effect on `play` and `games`."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokersvc.cli.setup import settings
from tests.cli.program import Program

PLAYED = ("play", "--player", "Bob=minimum", "--seed", "demo")


def file_of(program: Program) -> Path:
    return program.home / ".config/pokersvc/config.toml"


def written(program: Program, text: str) -> Program:
    """Return the program in a home with a file of settings."""
    file_of(program).parent.mkdir(parents=True)
    file_of(program).write_text(text, "utf-8")
    return program


def names(program: Program) -> list[str]:
    return [seat["name"] for seat in program.json("games")[0]["seats"]]


def test_the_file_is_in_the_configuration_folder_and_made_when_it_is_needed(program: Program) -> None:
    assert program.run("config", "path") == f"{file_of(program)}\n"
    assert list(program.home.iterdir()) == []
    assert program.run("config", "set", "name", "Zoë") == ""
    assert file_of(program).read_text("utf-8") == 'name = "Zoë"\n'
    program.variables["XDG_CONFIG_HOME"] = str(program.home / "elsewhere")
    assert program.run("config", "path") == f"{program.home}/elsewhere/pokersvc/config.toml\n"


def test_settings_are_got_set_and_unset(program: Program) -> None:
    assert program.ended("config", "get", "house") == (1, "", "")
    program.run("config", "set", "house", "no-limit")
    program.run("config", "set", "advice", "off")
    assert program.run("config", "get", "house") == "no-limit\n"
    assert program.run("config", "get", "advice") == "false\n"
    assert program.run("config", "list").splitlines() == [
        "name       Player1  (not set: your name at the table)",
        f"house      no-limit  (from {file_of(program)})",
        "opponents  the house's  (not set: the level of bots in new games)",
        "colours    auto  (not set: colours: auto, always, never, or auto for a dark or light background)",
        f"advice     false  (from {file_of(program)})",
        "memory     half of the machine's  (not set: what games of `pokersvc serve` may take in memory, such as 2GB)",
        "limits     the usual  (not set: limits of `pokersvc serve`, such as open-tables=10000 commands=20/80)",
    ]
    program.run("config", "unset", "house")
    program.run("config", "unset", "name")
    assert tomllib.loads(file_of(program).read_text("utf-8")) == {"advice": False}


def test_the_list_as_json_says_who_set_what(program: Program) -> None:
    program.variables["POKERSVC_NAME"] = "Ann"
    said = program.json("config", "list")
    assert list(said) == list(settings.SETTINGS)
    assert said["name"] == {"value": "Ann", "set_by": "POKERSVC_NAME"}
    assert said["advice"] == {"value": None, "set_by": None}


def test_what_a_person_wrote_in_the_file_stays(program: Program) -> None:
    mine = '# mine\nname = "Ann"  # with a note\n\n"advice" = true'
    written(program, mine)
    program.run("config", "set", "colours", "never")
    assert file_of(program).read_text("utf-8") == f'{mine}\ncolours = "never"\n'
    program.run("config", "set", "advice", "false")
    assert (
        file_of(program).read_text("utf-8")
        == '# mine\nname = "Ann"  # with a note\n\nadvice = false\ncolours = "never"\n'
    )
    program.run("config", "set", "advice", "false")
    assert [file.name for file in file_of(program).parent.iterdir()] == ["config.toml"]


def test_a_value_of_several_lines_is_left_to_its_author(program: Program) -> None:
    text = 'name = """\\\n  Ann"""\n'
    written(program, text)
    assert program.run("config", "get", "name") == "Ann\n"
    assert "the value of name takes several lines; change it in the file" in program.refused(
        "config", "set", "name", "B"
    )
    assert file_of(program).read_text("utf-8") == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "nme = 'Ann'",
            "There is no setting 'nme'; the settings are name, house, opponents, colours, advice, memory, limits.",
        ),
        ("name = 3", "name cannot be 3: it must be a text in quotes."),
        ("name = 'Ann\u2800'", "name cannot be 'Ann\u2800': 'Ann\u2800' cannot be a name: its U+2800"),
        ("name = ''", "name cannot be '': '' cannot be a name: a name is 1 to 20 printable characters"),
        ("advice = 'true'", "advice cannot be 'true': it must be true or false."),
        ("advice = 1", "advice cannot be 1: it must be true or false."),
        ("colours = 'pink'", "colours cannot be 'pink': it must be auto, always, never, dark or light."),
        ("house = ' '", "house cannot be ' ': it must be the name of a house"),
        ("name = Ann", "is not TOML: Invalid value (at line 1, column 8)."),
        ("[name]", "name cannot be {}: it must be a text in quotes."),
    ],
)
@pytest.mark.parametrize("command", [("config", "list"), ("config", "set", "colours", "auto"), PLAYED, ("games",)])
def test_a_file_that_says_what_none_can_is_refused(
    program: Program, text: str, said: str, command: tuple[str, ...]
) -> None:
    written(program, text)
    sentence = program.refused(*command)
    assert sentence.startswith(str(file_of(program)))
    assert said in sentence
    assert not program.database.exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("get", "nme"),
            "There is no setting 'nme'; the settings are name, house, opponents, colours, advice, memory, limits.",
        ),
        (
            ("unset", "nme"),
            "There is no setting 'nme'; the settings are name, house, opponents, colours, advice, memory, limits.",
        ),
        (("set", "name", " "), "name cannot be ' ': ' ' cannot be a name"),
        (("set", "name", "Pаul"), "cannot be a name: it mixes Cyrillic and Latin letters"),
        (("set", "advice", "maybe"), "advice cannot be 'maybe': it must be true or false."),
        (("set", "house", "casino"), "house cannot be 'casino': the houses are "),
        (("set", "colours", "AUTO"), "colours cannot be 'AUTO': it must be auto, always, never, dark or light."),
    ],
    ids=str,
)
def test_what_cannot_be_set_is_refused(program: Program, arguments: tuple[str, ...], said: str) -> None:
    assert said in program.refused("config", *arguments)
    assert list(program.home.iterdir()) == []


def test_a_file_that_is_not_text_or_cannot_be_written_is_said(program: Program) -> None:
    written(program, "").run("config", "list")
    file_of(program).write_bytes(b"\xff")
    assert program.refused("config", "list") == f"{file_of(program)} is not TOML: it is not in UTF-8."
    file_of(program).unlink()
    file_of(program).mkdir()
    assert program.refused("config", "list") == f"{file_of(program)} cannot be read: Is a directory."
    file_of(program).rmdir()
    file_of(program).parent.rmdir()
    file_of(program).parent.write_text("")
    assert program.refused("config", "list") == f"{file_of(program)} cannot be read: Not a directory."


def test_the_environment_wins_over_the_file(program: Program) -> None:
    written(program, 'name = "Ann"\n')
    program.variables["POKERSVC_NAME"] = "Eve"
    assert program.run("config", "get", "name") == "Eve\n"
    ended = program.ended("config", "set", "name", "Amy")
    assert ended == (0, "", "Warning: POKERSVC_NAME is set, and overrides the file.\n")
    program.variables["POKERSVC_ADVICE"] = "perhaps"
    assert program.refused("config", "list") == "POKERSVC_ADVICE cannot be 'perhaps': it must be true or false."


def test_a_game_is_played_with_the_name_and_the_house_that_are_set(program: Program) -> None:
    written(program, 'name = "Ann"\nhouse = "no-limit"\n')
    program.run(*PLAYED, "--players", "2", typed="quit\n")
    assert names(program) == ["Bob", "Ann"]
    assert "no-limit" in program.json("games")[0]["title"]
    program.run(*PLAYED, "--player", "Eve=human", "--rules", "pot-limit", typed="quit\n")
    assert names(program) == ["Bob", "Eve"], "an option wins"
    assert "pot-limit" in program.json("games")[0]["title"]
    program.run("play", "--auto", "--rounds", "1")
    assert "Ann" not in names(program)
    program.run("play", "--player", "ANN=minimum", "--players", "2", typed="quit\n")
    assert names(program) == ["ANN", "Player2"], "two players never share a name"


def test_a_house_is_for_the_games_that_have_it(program: Program) -> None:
    written(program, 'house = "no-limit"\n')
    program.run("play", "--game", "kalah", "--holes", "2", "--beans", "1", "--auto", "--player", "K=random")
    file_of(program).write_text('house = "casino"\n')
    said = f"{file_of(program)}: house cannot be 'casino'; `pokersvc rules` lists the houses."
    assert program.refused(*PLAYED) == said


@pytest.mark.parametrize("again", [False, True], ids=["play", "resume"])
def test_without_advice_a_person_is_asked_plainly_and_may_still_ask_for_it(program: Program, again: bool) -> None:
    typed = "call\n"
    if again:
        program.ended(*PLAYED, "--player", "Ann=human", typed=typed)
        typed = ""
    play = ("resume",) if again else (*PLAYED, "--player", "Ann=human")
    program.variables["POKERSVC_ADVICE"] = "no"
    said = program.run(*play, typed=typed + "table\nquit\n")
    assert "Advice" not in said
    assert "\ndiscard " in said, "the table was asked for"
    program.variables["POKERSVC_ADVICE"] = "yes"
    assert "Advice" in program.run("resume", typed="quit\n")


def test_one_s_own_turn_is_that_of_the_name_that_is_set(program: Program) -> None:
    program.ended("play", "--player", "Ann=human", "--player", "Bob=minimum", typed="quit\n")
    program.variables["POKERSVC_NAME"] = "ann"
    assert program.json("games", "--my-turn")[0]["my_turn"]
    program.variables["POKERSVC_NAME"] = "Eve"
    assert program.json("games", "--my-turn") == []
    assert program.run("games", "--open").endswith("waits for Ann\n")


def test_colours_are_for_who_wants_them(program: Program) -> None:
    program.ended("play", "--player", "Ann=human", "--player", "Bob=minimum", typed="quit\n")
    assert "\x1b" not in program.run("games", "--open"), "a pipe"
    program.variables["POKERSVC_COLOURS"] = "always"
    assert program.run("games", "--open").endswith("\x1b[1;32myour turn\x1b[0m\n")
    program.variables["NO_COLOR"] = "1"
    assert "\x1b" in program.run("games", "--open"), "what is meant for this program alone wins"
    del program.variables["POKERSVC_COLOURS"]
    written(program, 'colours = "always"\n')
    assert "\x1b" not in program.run("games", "--open"), "NO_COLOR wins over the file"


def test_a_terminal_that_knows_colours_gets_them(program: Program) -> None:
    program.ended("play", "--player", "Ann=human", "--player", "Bob=minimum", typed="quit\n")
    for terminal_type, coloured in (("xterm", True), ("dumb", False)):
        program.variables["TERM"] = terminal_type
        terminal = program.terminal("games", "--open")
        assert terminal.end() == 0
        assert ("\x1b[1;32m" in terminal.seen) == coloured


NAMES = st.sampled_from(["Ann", 'A "b" \\', "é♠"])
VALUES = st.fixed_dictionaries({}, optional={"name": NAMES, "advice": st.booleans(), "colours": st.just("never")})
LINES = st.lists(st.sampled_from(["# name = 'x'", "", "   ", "# advice"]), max_size=3)


@given(VALUES, VALUES, LINES)
def test_a_change_changes_one_key(
    tmp_path_factory: pytest.TempPathFactory,
    before: dict[str, settings.Value],
    changes: dict[str, settings.Value],
    comments: list[str],
) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
        settings.path().parent.mkdir()
        settings.path().write_text("".join(f"{line}\n" for line in comments), "utf-8")
        for key, value in {**before, **changes}.items():
            assert settings.change(key, value)
            assert not settings.change(key, value), "there is nothing to do"
        text = settings.path().read_text("utf-8")
        assert settings.in_file(text) == {**before, **changes}
        assert text.splitlines()[: len(comments)] == comments
        for key in changes:
            assert settings.change(key, None)
        left = {key: value for key, value in before.items() if key not in changes}
        assert settings.in_file(settings.path().read_text("utf-8")) == left
