"""A person plays through a pipe: every answer is accepted or refused in one sentence, and nothing is lost."""

import re

import pytest

from tests.cli.program import Program, lines_of, the_sentence, types

PLAY = ("play", "--player", "Ann=human", "--player", "Bob=minimum", "--seed", "demo")
HAND = "[QH, 9S, 4D, 3S, KD]"
"""Ann's hand in round 1, with this seed."""


def after(said: str, question: str) -> list[str]:
    """Return the line after each occurrence of the question."""
    lines = said.splitlines()
    return [lines[number + 1] for number, line in enumerate(lines) if line.startswith(question)]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("abc", "I don't understand 'abc'. You can: bet 50 to 995 or fold."),
        ("", "No answer was given. You can: bet 50 to 995 or fold."),
        ("bet", "A number of chips is missing. You can: bet 50 to 995."),
        ("bet abc", "'abc' is not a number of chips. You can: bet 50 to 995."),
        ("bet 50.5", "'50.5' is not a number of chips. You can: bet 50 to 995."),
        ("bet ٥٠", "'٥٠' is not a number of chips. You can: bet 50 to 995."),
        ("bet 10", "You cannot bet 10: the least is 50."),
        ("bet -50", "You cannot bet -50: the least is 50."),
        ("bet 99999", "You cannot bet 99999: you have no more than 995."),
        ("check", "You cannot check: in this house the opener bets 50 or more or folds."),
        ("call", "You cannot call: there is no bet yet; you can bet 50 to 995 or fold."),
        ("raise 100", "You cannot raise: there is no bet yet; you can bet 50 to 995 or fold."),
        ("leave", "Type `leave` between two rounds; this one is being played."),
    ],
)
def test_a_wrong_bet_is_told_in_a_sentence_and_asked_again(in_the_betting: list[str], answer: str, told: str) -> None:
    assert told in in_the_betting


@pytest.fixture(scope="module")
def in_the_betting(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return the lines after the first betting question, for many wrong answers typed into one game."""
    program = Program(tmp_path_factory.mktemp("betting"))
    wrong = ("abc", "", "bet", "bet abc", "bet 50.5", "bet ٥٠", "bet 10", "bet -50", "bet 99999", "check", "call",
             "raise 100", "leave")  # fmt: skip
    said = program.run(*PLAY, typed=lines_of(*wrong, "quit"))
    told = after(said, "Bet 50 to 995 or fold >")
    assert len(told) == len(wrong) + 1
    assert len(program.facts()) == 7, "a refused answer is no event"
    return told


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("9", "There is no card 9; numbers are 1 to 5, from the left."),
        ("0", "There is no card 0; numbers are 1 to 5, from the left."),
        ("ZZ", "'ZZ'"),
        ("1S", "'1S'"),
        ("AS", "AS, which is not in the hand"),
        ("1 1", "KD is named twice; name each card once."),
        ("QH qh", "QH is named twice; name each card once."),
        ("1 2 3 4 5", "You may discard at most 4 cards in this house."),
        ("call", "This is the draw, so nobody bets or folds: choose cards to discard, or press Enter to keep all."),
    ],
)
def test_a_wrong_discard_is_told_in_a_sentence_and_asked_again(in_the_draw: list[str], answer: str, told: str) -> None:
    said = next(line for line in in_the_draw if told in line)
    assert said.endswith(".")


@pytest.fixture(scope="module")
def in_the_draw(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return the lines after the draw question, for many wrong answers typed into one game."""
    program = Program(tmp_path_factory.mktemp("draw"))
    wrong = ("9", "0", "ZZ", "1S", "AS", "1 1", "QH qh", "1 2 3 4 5", "call")
    said = program.run(*PLAY, typed=lines_of("bet 50", *wrong, "quit"))
    told = after(said, "Discard up to 4")
    assert len(told) == len(wrong) + 1
    assert types(program.facts())[7:] == ["Bet", "Called"]
    return told


@pytest.mark.parametrize(
    ("answer", "thrown"),
    [
        ("", []),
        ("keep", []),
        ("4,5", ["4d", "3s"]),
        ("4 5", ["4d", "3s"]),
        ("4D 3s", ["4d", "3s"]),
        ("4♦, 9S 2 3S", ["4d", "9s", "Qh", "3s"]),
    ],
)
def test_cards_to_discard_are_named_by_number_or_as_people_write_them(
    program: Program, answer: str, thrown: list[str]
) -> None:
    program.run(*PLAY, typed=lines_of("bet 50", answer, "quit"))
    (discarded,) = [
        event for event in program.facts() if event["type"] == "CardsDiscarded" and event["payload"]["seat"] == 1
    ]
    assert discarded["secret"]["cards"] == thrown


def test_a_round_is_told_as_it_is_played(program: Program) -> None:
    ended = program.ended(*PLAY, typed=lines_of("50", "", "check", "call"))
    said = ended.out.splitlines()
    for line in (
        "Round 1 starts: the ante is 5",
        "Ann is dealt KD QH 9S 4D 3S",
        "Bob is dealt 5 cards",
        "  Ann  $995  [KD, QH, 9S, 4D, 3S] king high",
        "  Bob  $995  [hidden]",
        "Ann bets 50, the pot is 60",
        "Ann stands pat",
        "Ann calls 50, the pot is 210",
        "Round 1 -- Ann won 210",
    ):
        assert line in said
    assert "The input ended before the game did" in the_sentence(ended, 1)


def test_the_head_after_each_shuffle_is_the_hash_of_that_event(program: Program) -> None:
    said = program.run(*PLAY, typed=lines_of("fold", "", "fold", "", "quit"))
    shown = re.findall(r"^The deck is shuffled\n  head ([0-9a-f]{64})$", said, re.MULTILINE)
    recorded = [event["hash"] for event in program.json("events", "last") if event["type"] == "DeckShuffled"]
    assert len(shown) == 3
    assert shown == recorded


def test_quitting_keeps_the_game_and_says_how_to_go_on(program: Program) -> None:
    for word in ("quit", "Q", "exit"):
        said = program.run(*PLAY, typed=lines_of(word)).splitlines()
        game = said[0].removeprefix("Game ")
        assert said[-1] == f"The game is saved. Resume any time with: pokersvc resume {game[:8]}"
        assert len(program.facts(game)) == 7


def test_an_end_of_input_says_how_to_go_on(program: Program) -> None:
    ended = program.ended(*PLAY, typed="bet 50\n1,")
    game = ended.out.splitlines()[0].removeprefix("Game ")
    assert the_sentence(ended, 1) == (f"The input ended before the game did; resume with: pokersvc resume {game[:8]}")


def test_a_line_that_no_newline_ended_is_an_answer_all_the_same(program: Program) -> None:
    program.ended(*PLAY, typed="bet 60")
    assert program.facts()[7]["payload"] == {"amount": 60, "seat": 1}


def test_bytes_that_are_no_text_are_a_wrong_answer(program: Program) -> None:
    ended = program.ended(*PLAY, typed="\udcff\udcfe\nquit\n".encode("utf-8", "surrogateescape").decode("latin-1"))
    assert ended.code == 0
    assert ". You can: bet 50 to 995 or fold." in ended.out


def test_a_person_may_leave_for_good_between_rounds(program: Program) -> None:
    said = program.run(*PLAY, typed=lines_of("fold", "go away", "leave Bob", "leave")).splitlines()
    assert "I don't understand 'go away'. You can: press Enter, or type leave or show (all your" in "\n".join(said)
    assert "Nobody in the game is called 'Bob' here; you can type leave." in said
    assert "Ann leaves the game with $995" in said
    assert said[-1].startswith("Bob wins with $1,005; see how: pokersvc replay ")
    assert types(program.facts())[-3:] == ["PlayerLeft", "HandsRevealed", "GameEnded"]


def test_when_every_person_is_out_the_programs_play_on_and_each_round_is_told(program: Program) -> None:
    bots = ("--players", "3", "--opponents", "steady")
    said = program.run("play", *bots, "--seed", "demo", "--rounds", "6", typed=lines_of("fold", "leave"))
    lines = said.splitlines()
    assert [line for line in lines if re.match("Round [2-6] -- ", line)]
    assert sum(line.startswith("Round 6 -- ") for line in lines) == 2, "when it was played, and in the history"
    assert " wins with $" in lines[-1]


def test_a_finished_game_ends_with_its_history_as_the_person_may_know_it(program: Program) -> None:
    house = ("--rules", "no-limit", "--rounds", "1")
    said = program.run(*PLAY, *house, typed=lines_of("fold")).splitlines()
    shown = program.read("history", "last", "--hands", "--as", "Ann").splitlines()
    assert said[-3 - len(shown) : -2] == [*shown, ""]
    assert said[-2] == "Net: Ann -1   Bob +1"
    assert "Ann [3D, 2H, 5D, 7H, JS]" in shown
    assert "Ann [hidden]" in program.read("history", "last", "--hands").splitlines()


def test_a_finished_game_of_a_rising_ante_ends_with_every_hand_of_every_round(program: Program) -> None:
    said = program.run(*PLAY, "--rounds", "2", typed=lines_of("fold", "", "fold"))
    shown = program.read("history", "last", "--hands")
    assert "[hidden]" not in shown
    assert f"Ann {HAND}\n" in shown
    assert shown in said
    assert "the hands that were not shown" not in said, "the history has them"
    assert "the hands that were not shown" in program.read("replay", "last")
    assert shown == program.read("history", "last", "--hands", "--as", "Bob")
    assert shown == program.read("history", "last", "--hands", "--as", "auditor")


def test_play_alone_starts_a_game(program: Program) -> None:
    ended = program.ended("play", typed="quit\n")
    assert (ended.code, ended.err) == (0, "")
    assert "The game is saved" in ended.out


def test_a_short_stack_is_told_before_a_round_that_it_may_be_folded_without_being_asked(program: Program) -> None:
    ended = program.ended("play", "--player", "Ann=human", "--player", "Bob=minimum", typed="fold\n\nfold\n")
    told = "Ann has $995. If the ante and the bets of the next round come to more, the hand is folded without asking."
    before, _, after = ended.out.partition(told)
    assert "Round 1 -- Bob won 10" in before
    may_type = "\n  Ann may type: `show` (all your cards, or name some: show KS)"
    assert after.startswith(f"{may_type}\nPress Enter for the next round, or type `leave` to leave the game")
    assert "without asking" not in before, "before the first round everybody has the same"


def test_a_short_stack_is_told_before_the_first_round_too(program: Program) -> None:
    rules = program.run("rules", "rising-ante").replace("stack = 1000 ", "stack = 54 ")
    (program.home / "poor.toml").write_text(rules)
    ended = program.ended("play", "--rules", "poor.toml", "--player", "Ann=human", "--player", "Bob=minimum")
    told = (
        "Ann has $54, less than the ante and the minimum bet."
        " Unless all others fold, the hand is folded without asking."
    )
    assert f"{told}\nRound 1 starts" in ended.out
