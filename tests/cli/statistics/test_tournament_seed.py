"""`pokersvc tournament` without `--seed`: the seed is hidden until the end."""

import csv
import io
import json
import re
import signal
from hashlib import sha256
from unittest.mock import patch

import pytest

from pokersvc.core.randomness.chance import EntropySource
from pokersvc.evidence.jsonl import InvalidFile
from pokersvc.tournament.lines_file import InvalidResults
from pokersvc.tournament.seed import deal_text, digest_of
from tests.cli.program import Program
from tests.forks import TIMEOUT

from .tournaments import FEW, HIDDEN, as_json, begun, data, digest_and_seed, seeds


def test_without_a_seed_it_is_random_its_digest_is_told_first_and_it_itself_last(program: Program) -> None:
    first, second = program.run(*HIDDEN), program.run(*HIDDEN)
    (digest, seed), (other_digest, other) = digest_and_seed(first), digest_and_seed(second)
    assert digest == sha256(b"pokersvc/tournament/1\0" + seed.encode()).hexdigest()
    assert (other != seed) == (other_digest != digest) is True
    assert len(bytes.fromhex(seed)) == 32
    assert "seed" not in first.splitlines()[1]
    assert max(map(len, first.splitlines())) <= 80
    assert seeds(program) == []


@pytest.mark.parametrize("form", ["--json", "--csv"])
def test_beside_data_the_digest_is_told_at_the_start_too(program: Program, form: str) -> None:
    with patch("pokersvc.cli.statistics.tournament._played", side_effect=InvalidResults("No game was played.")):
        ended = program.ended(*HIDDEN, form)
    [seed] = seeds(program)
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == f"Seed digest: {digest_of(seed.read_text().strip())}\npokersvc: No game was played.\n"


def test_the_seed_that_was_shown_prints_the_same_table_and_plays_more_deals(program: Program) -> None:
    said = program.run(*HIDDEN)
    _, seed = digest_and_seed(said)
    [results] = (program.home / ".local/share/pokersvc/tournaments").iterdir()
    again = program.run(*HIDDEN, "--seed", seed)
    assert again.splitlines()[1:] == said.splitlines()[2:-2]
    assert again.splitlines()[0].endswith(f", seed {seed}")
    program.run(*HIDDEN, "--seed", seed, "--deals", "4")
    assert results.read_bytes().count(b'"game"') == 24


def test_data_has_the_seed_and_its_digest(program: Program) -> None:
    document = as_json(program, *HIDDEN)
    assert document["seed_digest"] == digest_of(document["seed"])
    rows = list(csv.DictReader(io.StringIO(data(program, *HIDDEN, "--csv"))))
    assert len(rows) == 3
    [(digest, seed)] = {(row["seed_digest"], row["seed"]) for row in rows}
    assert digest == digest_of(seed) != document["seed_digest"]


@pytest.mark.slow
def test_results_that_one_names_keep_the_digest_from_the_start_and_the_seed_at_the_end(program: Program) -> None:
    said = program.run(*HIDDEN, "--results", "r")
    digest, seed = digest_and_seed(said)
    lines = [json.loads(line) for line in (program.home / "r").read_text().splitlines()]
    assert lines[1]["seed_digest"] == digest
    assert lines[-1] == {"seed": seed}
    assert program.run(*HIDDEN, "--results", "r") == said
    assert "its seed was shown" in program.refused(*HIDDEN, "--results", "r", "--deals", "4")
    _, other = digest_and_seed(program.run(*HIDDEN, "--results", "r", "--again"))
    assert other != seed


def test_results_without_their_seed_are_not_gone_on_with(program: Program) -> None:
    program.run(*FEW, "--results", "r")
    assert "The file with the seed of the tournament in r is missing" in program.refused(*HIDDEN, "--results", "r")


def test_a_picture_that_cannot_be_drawn_leaves_the_tournament_to_be_taken_up(program: Program) -> None:
    with patch(
        "pokersvc.cli.statistics.plot_option.output",
        side_effect=InvalidFile("x.png cannot be written: no space is left."),
    ):
        ended = program.ended(*HIDDEN, "--plot", "x.png")
    assert ended.code == 1
    assert program.run(*HIDDEN, "--plot", "x.png") == f"{ended.out}x.png: 1 chart.\n"
    assert seeds(program) == []


@pytest.mark.slow
@pytest.mark.parametrize("stopped_at", ["_print", "HiddenSeed.forget", "Results.move"])
def test_an_end_that_was_cut_short_is_told_again_and_then_the_next_tournament_has_another_seed(
    program: Program, stopped_at: str
) -> None:
    where = "pokersvc.cli.statistics.tournament" if stopped_at == "_print" else "pokersvc.tournament"
    with patch(f"{where}.{stopped_at}", side_effect=InvalidResults("It was cut short.")):
        ended = program.ended(*HIDDEN)
    assert (ended.code, ended.err) == (1, "pokersvc: It was cut short.\n")
    again = program.run(*HIDDEN)
    assert again.startswith(ended.out)
    assert seeds(program) == []
    assert digest_and_seed(program.run(*HIDDEN)) != digest_and_seed(again)


def test_what_cannot_be_removed_or_named_at_the_end_is_a_sentence(program: Program) -> None:
    with patch("pathlib.Path.replace", side_effect=OSError(5, "Input/output error")):
        ended = program.ended(*HIDDEN)
    assert ended.code == 1
    assert re.fullmatch(r"pokersvc: The results cannot be kept in .*hidden-.*: Input/output error\.\n", ended.err)
    assert digest_and_seed(program.run(*HIDDEN)) == digest_and_seed(ended.out)


SPY = """import os
from pathlib import Path
from pokersvc.games.draw_poker.actions import Check, Fold
class Spy:
    def choose(self, view, legal, random):
        told = [repr(view), repr(legal), repr(vars(random)), repr(os.environ)]
        pid = os.getpid()
        while pid > 1:
            told.append(Path(f"/proc/{pid}/cmdline").read_text())
            pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
        told += [file.name for file in Path.home().rglob("*")]
        with Path(__file__).with_name("told").open("a") as file:
            file.write("\\n".join(told))
        return Check(view.to_act) if legal.check else Fold(view.to_act)
"""


@pytest.mark.parametrize("processes", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_nothing_that_a_player_is_given_holds_the_seed_or_a_deal(program: Program, processes: int) -> None:
    (program.home / "spy.py").write_text(SPY)
    program.apart = True
    said = program.run(
        "tournament", "--player", "Me=spy.py:Spy", "--player", "B=random", "--deals", "2", "--processes", processes,
        "--trust",
    )  # fmt: skip
    _, seed = digest_and_seed(said)
    told = (program.home / "told").read_text()
    assert "DrawPokerView" in told
    assert seed not in told
    assert seed.upper() not in told
    for deal in (1, 2):
        text = deal_text(seed, deal)
        assert text not in told
        assert EntropySource.from_text(text).secret.hex() not in told
        assert repr(EntropySource.from_text(text).secret) not in told


@pytest.mark.slow
def test_a_hidden_seed_outlives_a_kill_for_its_owner_alone_and_is_shown_at_the_end(program: Program) -> None:
    hidden = (*HIDDEN[:-2], "--deals", "12", "--results", "r")
    with begun(program, *hidden, "--rounds", "4") as process:
        process.send_signal(signal.SIGKILL)
        out, _ = process.communicate(timeout=TIMEOUT)
    [kept] = seeds(program)
    seed = kept.read_text().strip()
    assert kept.stat().st_mode & 0o777 == 0o600
    assert seed not in out.decode()
    assert seed not in (program.home / "r").read_text()
    said = program.run(*hidden, "--rounds", "4")
    assert said.startswith(out.decode())
    assert digest_and_seed(said)[1] == seed
    assert seeds(program) == []
    alone = program.run(*hidden, "--rounds", "4", "--seed", seed, "--results", "r2")
    assert alone.splitlines()[1:] == said.splitlines()[2:-2]
