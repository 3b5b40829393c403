"""Kuhn poker, a game of somebody's package: played by programs and people, stored, audited and in a tournament."""

from collections.abc import Iterator
from copy import deepcopy
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any, Final

import pytest
from kuhn import DECK, KUHN, Bet, CardDealt, DeckShuffled, Equilibrium, KuhnState, Pass

from pokersvc.core import registry
from pokersvc.core.event import AUDITOR
from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.registry import game_kinds
from pokersvc.core.seats import Seat
from pokersvc.core.setup import Setup
from pokersvc.players import Programs
from pokersvc.tournament import plan
from pokersvc.tournament.play import play
from tests.cli.program import Program

from .installed import install

VALUE: Final = Fraction(-1, 18)
"""The value of a round for the first player if both play the equilibrium (Kuhn, 1950)."""
Often = dict[str, tuple[Any, ...]]


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Program]:
    """The program where the package is installed."""
    monkeypatch.setattr(registry, "_REGISTRY", dict(registry._REGISTRY))
    path = install(tmp_path / "installed")
    for folder in path:
        monkeypatch.syspath_prepend(folder)
    (tmp_path / "home").mkdir()
    with_kuhn = Program(tmp_path / "home", {"PYTHONPATH": ":".join(path)})
    yield with_kuhn
    with_kuhn.close()


def test_it_is_found_by_its_entry_point(program: Program) -> None:
    assert "kuhn" in game_kinds()
    assert registry.game_of("kuhn") is KUHN
    assert "equilibrium" in program.ended("play", "--game", "kuhn", "--auto", "--player", "A=nobody").err


def test_programs_play_it_and_it_is_stored_replayed_audited_and_exported(program: Program) -> None:
    program.run("play", "--game", "kuhn", "--auto", "--rounds", "3", "--seed", "demo")
    (game,) = program.json("games")
    assert (game["kind"], game["title"], game["rounds"], game["finished"]) == ("kuhn", "Kuhn poker", 3, True)
    assert "Player1 is dealt a card." in program.read("replay", "last")
    assert "Player1 is dealt a card." not in program.read("replay", "last", "--as", "Player1")
    assert program.read("history", "last").count("Round ") == 3
    assert [one["findings"] for one in program.json("audit")] == [[]]
    for viewer in ("everyone", "1", "2", "auditor"):
        options = [] if viewer == "everyone" else ["--as", viewer]
        program.run("export", "last", *options, "-o", f"{viewer}.jsonl")
        program.run("verify", f"{viewer}.jsonl")


@pytest.mark.slow
def test_a_person_plays_it_at_a_terminal(program: Program) -> None:
    program.apart = True  # a package is found by where a process looks when it begins
    terminal = program.terminal("play", "--game", "kuhn", "--rounds", "4", "--player", "Ann=human", "--seed", "demo")
    asked: list[str] = []

    def pass_or_bet(question: str) -> str | None:
        asked.append(question)
        return "raise" if len(asked) == 1 else ("pass", "bet")[len(asked) % 2]

    with pytest.raises(Exception, match="End Of File"):
        terminal.answer_all(pass_or_bet)
    assert "'raise' is not a choice. You can: pass or bet." in terminal.seen
    assert len(asked) > 4
    (game,) = program.json("games")
    assert game["finished"]
    assert "Ann is dealt a card." not in program.read("replay", "last", "--as", "Ann")
    program.run("audit")


def test_it_is_played_in_a_tournament(program: Program) -> None:
    printed = program.run("tournament", "--game", "kuhn", "--player", "A=equilibrium", "--player", "B=random",
                          "--deals", "40", "--seed", "1")  # fmt: skip
    assert "chips" in printed


# The oracle.


def after(deal: tuple[Any, ...]) -> KuhnState:
    """Return the state after the deal of these cards, seat 1's first."""
    state = KUHN.new(KUHN.start(Setup((Seat("random", "A"), Seat("random", "B")), EntropySource.from_text("1"), 1)))
    for event in (DeckShuffled(1, bytes(32)), CardDealt(deal[0], 1), CardDealt(deal[1], 2)):
        state.apply(event)
    return state


def worth(state: KuhnState, first: Often, second: Often) -> Fraction:
    """Return the value of a round for seat 1, by enumerating everything that may happen."""
    if state.outcome is not None:
        return Fraction(state.outcome.scores[0])
    if state.to_act is None:
        event = state.dealer_event(EntropySource.from_text("1").entropy())
        assert event is not None
        state.apply(event)
        return worth(state, first, second)
    often = (first, second)[state.to_act - 1]
    card = state.view(AUDITOR).cards[state.to_act - 1]
    assert card is not None
    bets = Fraction(often[state.bets][DECK.index(card)]).limit_denominator(1000)
    total = Fraction(0)
    for action, chance in ((Bet(state.to_act), bets), (Pass(state.to_act), 1 - bets)):
        if chance:
            then = deepcopy(state)
            then.apply(then.decide(action))
            total += chance * worth(then, first, second)
    return total


def value(first: Often, second: Often) -> Fraction:
    """Return the mean over all deals."""
    deals = list(permutations(DECK, 2))
    return sum((worth(after(deal), first, second) for deal in deals), Fraction(0)) / len(deals)


ANYTHING: Final[Often] = dict.fromkeys(("", "p", "b", "pb"), (0.5, 0.5, 0.5))
NEVER: Final[Often] = dict.fromkeys(("", "p", "b", "pb"), (0, 0, 0))
ALWAYS: Final[Often] = dict.fromkeys(("", "p", "b", "pb"), (1, 1, 1))


def test_the_equilibrium_is_worth_what_kuhn_found() -> None:
    assert value(Equilibrium.bets, Equilibrium.bets) == VALUE


@pytest.mark.parametrize("other", [ANYTHING, NEVER, ALWAYS], ids=["anything", "never", "always"])
def test_nobody_gains_against_the_equilibrium(other: Often) -> None:
    assert value(other, Equilibrium.bets) <= VALUE <= value(Equilibrium.bets, other)


@pytest.mark.no_cover
def test_a_tournament_of_the_equilibrium_against_itself_comes_near_its_value() -> None:
    players = Seat("equilibrium", "A"), Seat("equilibrium", "B")
    tournament = plan(KUHN, {}, players, 3000, orders=1, seed="kuhn")
    with Programs() as programs:
        gains = [play(tournament, index, programs)[0].gains[0] for index in range(tournament.games)]
    mean = sum(gains) / len(gains)
    deviation = (sum((gain - mean) ** 2 for gain in gains) / len(gains) / len(gains)) ** 0.5
    assert abs(mean - VALUE) < 4 * deviation < 0.11
