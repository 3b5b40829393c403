"""The seed of a tournament: what follows from it tells nothing of it, and what is told of it can be checked."""

import hashlib
import hmac
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokersvc.core.randomness.stream import derive
from pokersvc.core.seats import Seat
from pokersvc.errors import InvalidValue
from pokersvc.games.draw_poker import DRAW_POKER
from pokersvc.games.draw_poker.events import GameStarted
from pokersvc.players import Programs
from pokersvc.tournament import HiddenSeed, Results, Tournament, announce, plan
from pokersvc.tournament.lines_file import InvalidResults
from pokersvc.tournament.play import play
from pokersvc.tournament.seed import deal_text, digest_of

from .support import all_played, planned

PLAYERS = (Seat("random", "Ann"), Seat("minimum", "Bob"))
TEXTS = st.text(st.characters(categories=("L", "N", "P", "S")), min_size=1)


# One way.


@given(TEXTS, st.integers(1, 10**6))
def test_the_text_of_a_deal_is_a_key_derived_from_the_seed(seed: str, deal: int) -> None:
    message = b"pokersvc/derive/1\0" + b"".join(
        len(label).to_bytes(8, "big") + label for label in (b"deal", str(deal).encode())
    )
    assert deal_text(seed, deal) == hmac.digest(seed.encode(), message, "sha256").hex()


def test_a_game_that_is_over_opens_its_own_deal_and_tells_neither_the_seed_nor_another_deal() -> None:
    tournament = plan(DRAW_POKER, {}, PLAYERS, 3, orders=1)
    with Programs() as programs:
        games = [play(tournament, index, programs)[1] for index in range(3)]
    starts = [events[0] for events in games if isinstance(events[0], GameStarted)]
    texts = [start.entropy.text for start in starts if start.entropy is not None]
    assert texts == [deal_text(tournament.seed, deal) for deal in (1, 2, 3)]
    assert len(set(texts)) == 3
    for events, text in zip(games, texts, strict=True):
        told = b"".join(part or b"" for event in events for part in map(_bytes, DRAW_POKER.codec.encode(event)))
        assert text is not None
        assert text.encode() in told
        assert tournament.seed.encode() not in told
        assert not any(other.encode() in told for other in texts if other is not None and other != text)


def _bytes(part: object) -> bytes:
    return part if isinstance(part, bytes) else str(part).encode()


def test_the_text_of_a_game_deals_it_again() -> None:
    tournament = planned("random", "minimum", deals=2, orders=1)
    alone = DRAW_POKER.new(DRAW_POKER.start(tournament.setup(tournament.sitting(1))))
    source = tournament.setup(tournament.sitting(1)).source
    assert source.secret == derive(deal_text("1", 2).encode(), "game")
    assert alone.dealer_event(source.entropy()) is not None


# Random where nobody says.


def test_where_nobody_says_a_seed_it_is_random() -> None:
    one, two = (plan(DRAW_POKER, {}, PLAYERS, 1) for _ in range(2))
    assert one.seed != two.seed
    assert one.fingerprint != two.fingerprint
    assert all(len(bytes.fromhex(tournament.seed)) == 32 for tournament in (one, two))


def test_the_digest_can_be_checked_with_common_programs() -> None:
    one = plan(DRAW_POKER, {}, PLAYERS, 1)
    said = subprocess.run(
        ["/bin/sh", "-c", f"printf 'pokersvc/tournament/1\\0%s' {one.seed} | sha256sum"],
        capture_output=True,
        check=True,
    )
    assert said.stdout.split()[0].decode() == one.seed_digest == digest_of(one.seed)
    assert one.seed_digest == hashlib.sha256(b"pokersvc/tournament/1\0" + one.seed.encode()).hexdigest()


# Hidden until it is over.


def begun(results: Path, *, deals: int = 2, again: bool = False) -> tuple[HiddenSeed, Tournament, Results]:
    hidden = HiddenSeed(results, again=again)
    tournament = plan(DRAW_POKER, {}, PLAYERS, deals, orders=1, seed=hidden.text)
    return hidden, tournament, Results(results, tournament, again=again, hide=hidden.keep)


def finished(results: Path) -> Tournament:
    hidden, tournament, kept = begun(results)
    with kept:
        kept.add(all_played(tournament).values())
        kept.show()
    hidden.forget()
    return tournament


def test_a_hidden_seed_is_in_a_file_for_the_owner_alone_and_its_digest_with_the_results(tmp_path: Path) -> None:
    path = tmp_path / "r"
    before = os.umask(0)
    try:
        hidden, tournament, kept = begun(path)
    finally:
        os.umask(before)
    kept.close()
    assert hidden.path == tmp_path / "r.seed"
    assert hidden.path.stat().st_mode & 0o7777 == 0o600
    assert hidden.path.read_text() == f"{tournament.seed}\n"
    assert tournament.seed_digest in path.read_text()
    assert tournament.seed not in path.read_text()


def test_nothing_is_written_of_a_seed_before_a_tournament_is_begun(tmp_path: Path) -> None:
    HiddenSeed(tmp_path / "r")
    assert list(tmp_path.iterdir()) == []


def test_an_unfinished_tournament_is_taken_up_with_its_seed(tmp_path: Path) -> None:
    _, first, kept = begun(tmp_path / "r")
    with kept:
        kept.add([all_played(first)[0]])
    hidden, second, kept = begun(tmp_path / "r", deals=3)
    with kept:
        hidden.check(kept)
        assert second.seed == first.seed
        assert set(kept.played) == {0}
        assert kept.missing == [1, 2]


@pytest.mark.slow
@pytest.mark.no_cover
def test_a_tournament_whose_first_line_was_torn_is_taken_up_or_begun_and_its_digest_is_right(tmp_path: Path) -> None:
    path = tmp_path / "r"
    _, first, kept = begun(path)
    kept.close()
    whole = path.read_bytes()
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        hidden, tournament, kept = begun(path)
        kept.close()
        assert (tournament.seed == first.seed) == (size > 0), "of an empty file nobody was told a digest"
        assert hidden.path.read_text() == f"{tournament.seed}\n"
        assert tournament.seed_digest.encode() in path.read_bytes()
        hidden.path.write_text(f"{first.seed}\n")


def test_again_draws_another_seed(tmp_path: Path) -> None:
    _, first, kept = begun(tmp_path / "r")
    kept.close()
    hidden, second, kept = begun(tmp_path / "r", again=True)
    kept.close()
    assert second.seed != first.seed
    assert hidden.path.read_text() == f"{second.seed}\n"
    assert [file.name for file in sorted(tmp_path.iterdir())] == ["r", "r.seed"]


def test_a_seed_that_was_shown_stands_with_the_results_and_no_longer_beside_them(tmp_path: Path) -> None:
    path = tmp_path / "r"
    tournament = finished(path)
    assert [file.name for file in tmp_path.iterdir()] == ["r"]
    assert tournament.seed in path.read_text()
    whole = path.read_bytes()
    hidden, again, kept = begun(path)
    with kept:
        assert again.seed == tournament.seed
        assert kept.shown
        hidden.check(kept)
        kept.show()
    assert path.read_bytes() == whole


def test_a_tournament_that_is_over_gets_no_deals_that_players_may_know(tmp_path: Path) -> None:
    finished(tmp_path / "r")
    hidden, _, kept = begun(tmp_path / "r", deals=3)
    with kept, pytest.raises(InvalidResults, match=r"r is over and its seed was shown; play more .* with --seed"):
        hidden.check(kept)


def test_who_gives_a_seed_that_was_shown_plays_more_deals(tmp_path: Path) -> None:
    tournament = finished(tmp_path / "r")
    more = plan(DRAW_POKER, {}, PLAYERS, 3, orders=1, seed=tournament.seed)
    with Results(tmp_path / "r", more) as kept:
        assert kept.missing == [2]
        kept.add([all_played(more)[2]])
    with Results(tmp_path / "r", more) as kept:
        assert kept.missing == []


def test_results_without_their_seed_are_refused(tmp_path: Path) -> None:
    hidden, _, kept = begun(tmp_path / "r")
    kept.close()
    hidden.path.unlink()
    with pytest.raises(InvalidResults, match=r"of the tournament in .*r is missing; give it with --seed"):
        HiddenSeed(tmp_path / "r")
    with Results(tmp_path / "told", planned("random", "minimum")):
        pass
    with pytest.raises(InvalidResults, match="is missing"):
        HiddenSeed(tmp_path / "told")


def test_a_seed_that_a_forger_wrote_into_the_results_is_not_taken(tmp_path: Path) -> None:
    hidden, _, kept = begun(tmp_path / "r")
    kept.close()
    hidden.path.unlink()
    with (tmp_path / "r").open("a") as file:
        file.write('{"seed": "known"}\n')
    with pytest.raises(InvalidResults, match="is missing"):
        HiddenSeed(tmp_path / "r")


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644, 0o660])
def test_a_seed_that_others_may_have_read_is_refused(tmp_path: Path, mode: int) -> None:
    hidden, _, kept = begun(tmp_path / "r")
    kept.close()
    hidden.path.chmod(mode)
    with pytest.raises(InvalidResults, match=r"r\.seed may be read by others, who can compute every card"):
        HiddenSeed(tmp_path / "r")
    HiddenSeed(tmp_path / "r", again=True).keep()
    assert hidden.path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("content", ["", "a letter\n", "0" * 63 + "\n", "0" * 64, "G" * 64 + "\n"])
def test_a_file_that_is_no_seed_is_refused_and_left_alone(tmp_path: Path, content: str) -> None:
    (tmp_path / "r.seed").write_text(content)
    with pytest.raises(InvalidResults, match=r"r\.seed is not a seed file; remove it, or name another file of results"):
        begun(tmp_path / "r", again=True)
    assert (tmp_path / "r.seed").read_text() == content


def test_two_who_begin_the_same_tournament_do_not_mix_their_seeds(tmp_path: Path) -> None:
    first, second = HiddenSeed(tmp_path / "r"), HiddenSeed(tmp_path / "r")
    one, two = (plan(DRAW_POKER, {}, PLAYERS, 2, orders=1, seed=hidden.text) for hidden in (first, second))
    with Results(tmp_path / "r", one, hide=first.keep):
        with pytest.raises(InvalidResults, match="are being written by another process"):
            Results(tmp_path / "r", two, hide=second.keep)
        assert first.path.read_text() == f"{one.seed}\n"
    with pytest.raises(InvalidResults, match="of another tournament"):
        Results(tmp_path / "r", two, hide=second.keep)
    assert first.path.read_text() == f"{one.seed}\n"


# The plan comes before the seed.


def test_the_plan_is_in_the_results_when_the_seed_is_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "r"
    there: list[bytes] = []

    def drawn() -> str:
        there.append(path.read_bytes())
        return "0" * 64

    monkeypatch.setattr("pokersvc.tournament.hidden.drawn_seed", drawn)
    some = plan(DRAW_POKER, {}, (*PLAYERS, Seat("steady", "Cat")), 7, candidates=2, seed="any", least=50)
    announce(path, some)
    hidden = HiddenSeed(path)
    with Results(path, replace(some, seed=hidden.text), hide=hidden.keep) as kept:
        assert [one.plan for one in kept.plans] == [json.loads(there[0])["plan"]]
    [told] = map(json.loads, there)
    assert told["plan"]["line_ups"] == [["Ann", "Bob"], ["Ann", "Cat"]]
    assert (told["plan"]["deals"], told["plan"]["least"], told["plan"]["least_unit"]) == (7, 50, "chips a game")
    assert path.read_bytes().startswith(there[0])
    assert len(path.read_bytes().splitlines()) == 2


def test_killed_between_the_plan_and_the_seed_it_goes_on_with_its_plan(tmp_path: Path) -> None:
    path = tmp_path / "r"
    killed = (
        "import os, signal\n"
        "from pathlib import Path\n"
        "from unittest.mock import patch\n"
        "from pokersvc.tournament import HiddenSeed, announce\n"
        "from tests.tournament.support import planned\n"
        "def die(): os.kill(os.getpid(), signal.SIGKILL)\n"
        f"path = Path({str(path)!r})\n"
        "announce(path, planned('random', 'minimum'))\n"
        "with patch('pokersvc.tournament.hidden.drawn_seed', die): HiddenSeed(path)\n"
    )
    ended = subprocess.run([sys.executable, "-c", killed], cwd=Path(__file__).parents[2], check=False)
    assert ended.returncode == -9
    there = path.read_bytes()
    assert json.loads(there)["plan"]["deals"] == 2
    tournament = planned("random", "minimum")
    for seed_is_given in (True, False):
        again = tmp_path / f"again-{seed_is_given}"
        again.write_bytes(there)
        announce(again, tournament)
        assert again.read_bytes() == there
        hidden = None if seed_is_given else HiddenSeed(again)
        seed = "1" if hidden is None else hidden.text
        with Results(again, replace(tournament, seed=seed), hide=None if hidden is None else hidden.keep) as kept:
            assert kept.missing == [0, 1, 2, 3]
        assert again.read_bytes().startswith(there)


def test_deals_that_are_added_after_the_seed_are_told_as_another_plan(tmp_path: Path) -> None:
    path = tmp_path / "r"
    announce(path, planned("random", "minimum"))
    for deals in (2, 3, 3):
        announce(path, planned("random", "minimum", deals=deals))
        with Results(path, planned("random", "minimum", deals=deals)) as kept:
            plans = [one.plan["deals"] for one in kept.plans]
    assert plans == [2, 3]
    assert [min(json.loads(line)) for line in path.read_text().splitlines()] == ["plan", "label", "plan"]


def test_a_plan_torn_at_any_byte_is_written_again(tmp_path: Path) -> None:
    path, tournament = tmp_path / "r", planned("random", "minimum")
    announce(path, tournament)
    whole = path.read_bytes()
    for size in range(0, len(whole), 7):
        path.write_bytes(whole[:size])
        announce(path, tournament)
        assert path.read_bytes() == whole
    announce(path, planned("random", "minimum", deals=5))  # another one, as there is no seed yet
    assert json.loads(path.read_text())["plan"]["deals"] == 5


@pytest.mark.parametrize("content", ["A letter\n", "{}\n"])
def test_what_is_no_results_file_gets_no_plan(tmp_path: Path, content: str) -> None:
    (tmp_path / "r").write_text(content)
    with pytest.raises(InvalidResults, match="is not a file of results"):
        announce(tmp_path / "r", planned("random", "minimum"), again=True)
    announce(tmp_path / "r", planned("random", "minimum"))
    assert (tmp_path / "r").read_text() == content


@pytest.mark.parametrize("least", [0, -1, float("nan"), float("inf")])
def test_a_least_difference_is_above_zero(least: float) -> None:
    with pytest.raises(InvalidValue, match=r"A least difference of .* cannot be planned for; it is above 0\."):
        planned("random", "minimum", least=least)
