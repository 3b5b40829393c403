"""`pokersvc tournament`: what it prints, what it refuses, and that it goes on where it was stopped."""

import csv
import io
import json
import os
import re
import signal
import subprocess
import time
from hashlib import sha256
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from rich.cells import cell_len

from pokersvc.core.chance import EntropySource
from pokersvc.tournament.results import InvalidResults
from pokersvc.tournament.seed import deal_text, digest_of
from tests.cli.program import COMMAND, TIMEOUT, Program, the_sentence
from tests.cli.test_full_disk import limited
from tests.players import test_own_players as own
from tests.tournament.support import luck

THREE = (
    "tournament",
    "--player",
    "Ann=steady",
    "--player",
    "Bob=minimum",
    "--player",
    "Cat=random",
    "--processes",
    "1",
    "--seed",
    "1",
)
FEW = (*THREE, "--deals", "3")
HIDDEN = (*THREE[:-2], "--deals", "3")
"""Without a seed, so that a random one is hidden until the end."""


def told(program: Program, *arguments: object) -> Any:
    return json.loads(data(program, *arguments, "--json"))


def data(program: Program, *arguments: object) -> str:
    """Return what was printed as data; beside it stands the digest of a hidden seed, and nothing else."""
    ended = program.ended(*arguments)
    assert ended.code == 0, ended
    assert re.fullmatch("" if "--seed" in arguments else r"Seed digest: [0-9a-f]{64}\n", ended.err)
    return ended.out


def test_the_table_has_means_intervals_and_meetings(program: Program) -> None:
    lines = program.run(*FEW).splitlines()
    assert lines[0] == "3 deals, 6 seat orders: 18 games of Five-card draw, rising-ante, seed 1"
    assert " ".join(lines[2].split()) == "player chips a hand ± 95 % forfeits"
    assert [line.split()[0] for line in lines[3:6]] == ["1", "2", "3"]
    assert sum(float(line.split()[2]) for line in lines[3:6]) == pytest.approx(0, abs=0.2)
    assert lines[7].split() == ["ahead", "of,", "in", "%", "1", "2", "3"]
    assert max(map(len, lines)) <= 80


def test_games_of_several_hands_are_told_by_game_and_by_hand(program: Program) -> None:
    lines = program.run(*FEW, "--rounds", "4", "--rules", "no-limit").splitlines()
    assert " ".join(lines[2].split()) == "player chips ± 95 % a hand ± 95 % forfeits"
    chips, _, a_hand = (float(text) for text in lines[3].split()[2:5])
    assert 0 < chips / 4.5 < a_hand


def test_an_interval_that_may_be_too_narrow_is_said_to_be_so(program: Program) -> None:
    two = ("tournament", "--player", "A=table", "--player", "B=random", *THREE[-4:])
    few = program.run(*two, "--deals", "9")
    assert "\n\nToo few deals; ± may be too narrow: B, A\n" in few
    assert "may be too narrow" not in program.run(*two, "--deals", "20")
    assert [player["ci95_thin"] for player in told(program, *two, "--deals", "9")["players"]] == [True, True]


def test_two_players_are_compared_in_a_sentence(program: Program) -> None:
    said = program.run("tournament", "--player", "A=table", "--player", "B=random", "--deals", "4", "--processes", "1")
    assert " % of their games, by " in said
    assert "ahead of, in %" not in said


def test_the_json_has_everything(program: Program) -> None:
    said = told(program, *FEW)
    assert (said["game"], said["deals"], said["games"], said["seed"], said["unit"]) == ("draw", 3, 18, "1", "chips")
    assert [player["name"] for player in said["players"]] == ["Ann", "Bob", "Cat"]
    assert len(said["orders"]) == len(said["meetings"]) == 6


def test_the_csv_parses(program: Program) -> None:
    rows = list(csv.DictReader(io.StringIO(program.run(*FEW, "--csv"))))
    said = told(program, *FEW)
    assert [(row["player"], float(row["mean"]), float(row["ci95"])) for row in rows] == [
        (player["name"], player["mean"], player["ci95"]) for player in said["players"]
    ]


def test_the_same_seed_gives_the_same_table_and_another_another(another: Any) -> None:
    tables = [another().run(*FEW, "--seed", seed) for seed in ("a", "a", "b")]
    assert tables[0] == tables[1]
    assert tables[0].splitlines()[3:] != tables[2].splitlines()[3:]


def test_line_ups_orders_and_openings_can_be_chosen(program: Program) -> None:
    said = told(program, *FEW, "--seats", "2", "--orders", "rotations", "--opening", "1", "--rounds", "2")
    assert (said["line_ups"], said["seats"], said["games"], said["opening"], said["rounds"]) == (3, 2, 18, 1, 2)
    assert told(program, *FEW, "--orders", "4")["games"] == 12


def test_a_game_has_its_own_options_here_too(program: Program) -> None:
    market = ("tournament", "--game", "market", "--player", "A=greedy", "--player", "B=random", "--processes", "1")
    one, two = (told(program, *market, "--deals", "2", "--markets", markets) for markets in (1, 2))
    assert (one["unit"], two["unit"]) == ("points", "points")
    assert [sum(player["mean"] for player in said["players"]) for said in (one, two)] == [3, 6]
    assert "--markets M" in program.run("tournament", "--game", "market", "--help")
    assert "No such option: --markets" in program.refused(
        "tournament", "--player", "A=steady", "--markets", "2", code=2
    )


def test_a_game_that_deals_nothing_begins_with_random_moves_unless_one_says_otherwise(program: Program) -> None:
    kalah = ("tournament", "--game", "kalah", "--player", "A=smart/2", "--player", "B=bad", *THREE[-4:])
    varied = program.run(*kalah, "--deals", "4")
    assert varied.startswith("4 deals, 2 seat orders: 8 games of Kalah(6, 4) after 4 random moves, seed 1\n")
    assert "rating" in varied.splitlines()[2]
    assert "± -" not in varied
    one = program.run(*kalah, "--deals", "4", "--opening", "0")
    assert one.startswith("4 deals, 2 seat orders: 8 games of Kalah(6, 4), seed 1\n")
    assert "± -" in one, "one game played again and again says nothing of others"
    said = told(program, *kalah, "--deals", "2")
    assert said["opening"] == 4
    assert said["players"][0]["per_round"] is None


def test_columns_are_as_wide_as_a_terminal_shows_them(program: Program) -> None:
    named = ("tournament", "--player", "玩家一=steady", "--player", "Bob=random", "--deals", "2", *THREE[-4:])
    lines = program.run(*named).splitlines()[2:5]
    assert len(set(map(cell_len, lines))) == 1


def test_a_players_path_may_hold_an_equals_sign(program: Program) -> None:
    (program.home / "x=y").mkdir()
    (program.home / "x=y" / "bots.py").write_text(own.BOTS.read_text())
    named = ("tournament", "--player", "Me=x=y/bots.py:Good", "--player", "a=b=minimum", "--processes", "1")
    said = told(program, *named, "--deals", "1")
    assert [(player["name"], player["kind"]) for player in said["players"]] == [
        ("Me", "x=y/bots.py:Good"),
        ("a=b", "minimum"),
    ]


def test_a_foreign_file_is_left_alone_also_with_again(program: Program) -> None:
    (program.home / "thesis.txt").write_text("It was a dark night.\n")
    for few in (FEW, HIDDEN):
        for again in ([], ["--again"]):
            assert "thesis.txt is not a file of results" in program.refused(*few, "--results", "thesis.txt", *again)
        assert "it is not a file" in program.refused(*few, "--results", "/dev/null", "--again")
        assert "it is not a file" in program.refused(*few, "--results", "")
    assert (program.home / "thesis.txt").read_text() == "It was a dark night.\n"
    assert not (program.home / "thesis.txt.seed").exists()


@pytest.mark.slow
def test_a_disk_that_is_full_is_a_sentence_that_names_the_file(program: Program) -> None:
    ended = program.ended(*THREE, "--deals", "40", "--results", "r", preexec_fn=limited(4000))
    assert the_sentence(ended, 1).startswith("The results cannot be kept in r: File too large")
    kept = (program.home / "r").read_bytes()
    assert kept.count(b"\n") > 4
    program.run(*THREE, "--deals", "40", "--results", "r")
    assert (program.home / "r").read_bytes().startswith(kept[: kept.rfind(b"\n") + 1])


def test_results_are_kept_in_the_data_folder_or_where_one_says(program: Program) -> None:
    program.run(*FEW)
    assert len(list((program.home / ".local/share/pokersvc/tournaments").glob("*.jsonl"))) == 1
    program.run(*FEW, "--results", "mine.jsonl")
    assert len((program.home / "mine.jsonl").read_text().splitlines()) == 19
    assert not program.database.exists()


def test_results_of_another_tournament_are_refused(program: Program) -> None:
    program.run(*FEW, "--results", "mine.jsonl")
    assert "of another tournament" in program.refused(*FEW, "--results", "mine.jsonl", "--seed", "2")
    program.run(*FEW, "--results", "mine.jsonl", "--seed", "2", "--again")


def test_stored_games_are_in_the_log_and_the_table_is_the_same(program: Program) -> None:
    assert program.run(*FEW, "--store") == program.run(*FEW)
    games = program.json("games")
    assert len(games) == 18
    assert {seat["name"] for seat in games[0]["seats"]} == {"Ann", "Bob", "Cat"}
    fingerprint = told(program, *FEW)["tournament"]
    assert program.run("history", f"7-{fingerprint[:4]}").startswith("Round 1 -- ")
    program.run(*FEW, "--store", "--again")
    assert len(program.json("games")) == 18
    assert program.run("audit").count(" passed\n") == 18


def test_results_belong_to_the_database_wherever_one_names_it_from(program: Program) -> None:
    program.run("--db", "games.sqlite", *FEW, "--store", "--results", "r")
    assert json.loads((program.home / "r").read_text().splitlines()[0])["label"] == str(program.home / "games.sqlite")


def test_a_picture_is_drawn(program: Program) -> None:
    program.run(*FEW, "--plot", "x.png")
    assert (program.home / "x.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")


def test_a_picture_that_cannot_be_drawn_loses_no_table(program: Program) -> None:
    (program.home / "x.png").mkdir()
    assert "it is not a file" in program.refused(*FEW, "--plot", "x.png")
    assert not (program.home / ".local").exists()
    (program.home / "x.png").rmdir()
    with patch("matplotlib.figure.Figure.savefig", side_effect=OSError(28, "No space left on device")):
        ended = program.ended(*FEW, "--plot", "x.png")
    assert ended.out.startswith("3 deals, 6 seat orders: 18 games")
    assert ended.err == "pokersvc: A plot cannot be written to x.png: No space left on device.\n"


def test_a_player_of_ones_own_plays_and_its_forfeits_are_told(program: Program) -> None:
    (program.home / "mine.py").write_text(own.BOTS.read_text())
    said = program.run(
        "tournament", "--player", "Me=mine.py:Speaks", "--player", "B=minimum", "--deals", "2", "--processes", "1"
    )
    assert "Me forfeited choices: 4 by illegal answers" in said
    (program.home / "mine.py").unlink()
    assert "mine.py:Speaks cannot be used" in program.refused(
        "tournament", "--player", "Me=mine.py:Speaks", "--player", "B=minimum"
    )


def test_a_file_that_changed_is_another_tournament(program: Program) -> None:
    arguments = (
        "tournament",
        "--player",
        "Me=mine.py:Good",
        "--player",
        "B=random",
        "--deals",
        "2",
        "--processes",
        "1",
    )
    fingerprints = set()
    for text in ("", "\n"):
        (program.home / "mine.py").write_text(own.BOTS.read_text() + text)
        fingerprints.add(told(program, *arguments)["tournament"])
    assert len(fingerprints) == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--player", "Ann=steady"], "needs two players or more"),
        (["--player", "steady"], "--player 'steady' is not NAME=KIND"),
        (["--player", "Ann="], "--player 'Ann=' is not NAME=KIND"),
        ([*THREE[1:], "--game", "chess"], "There is no game 'chess'"),
        ([*THREE[1:], "--rules", "no-such-house"], "no-such-house"),
        ([*THREE[1:], "--orders", "some"], "--orders 'some' is wrong; it must be all, rotations or a number."),
        ([*THREE[1:], "--orders", "7"], "3 seats have 6 orders; 7 of them cannot be played."),
        ([*THREE[1:], "--seats", "4"], "3 players cannot fill tables of 4 seats"),
        ([*THREE[1:], "--json", "--csv"], "as JSON or as CSV, not both"),
        ([*THREE[1:], "--executor", "dask"], "--executor dask and --scheduler ADDRESS need each other"),
        ([*THREE[1:], "--scheduler", "tcp://127.0.0.1:1"], "need each other"),
        ([*THREE[1:], "--scheduler", "tcp://127.0.0.1:1", "--executor", "dask"], "--processes is for this machine"),
        ([*THREE[1:], "--limit", "0"], "A limit of 0 seconds"),
        ([*THREE[1:], "--plot", "x.txt"], "its name ends in .png"),
        ([*THREE[1:], "--player", "Dan=human"], "Dan is a person"),
    ],
    ids=lambda value: " ".join(value)[-40:] if isinstance(value, list) else "",
)
def test_what_cannot_be_played_is_refused_and_leaves_nothing(program: Program, arguments: list[str], said: str) -> None:
    assert said in program.refused("tournament", *arguments)
    assert list(program.home.iterdir()) == []


def test_without_players_it_is_wrong_usage(program: Program) -> None:
    assert "Missing option '--player'" in program.refused("tournament", code=2)


def test_a_bar_is_shown_at_a_terminal_and_gone_afterwards(program: Program) -> None:
    terminal = program.terminal(*FEW)
    assert terminal.end() == 0
    assert "18/18" in terminal.seen or "/18" in terminal.seen
    assert "Traceback" not in terminal.seen


# A seed that is hidden.


def digest_and_seed(said: str) -> tuple[str, str]:
    lines = said.splitlines()
    assert lines[0].startswith("Seed digest: ")
    assert lines[-1].startswith("Seed: ")
    return lines[0].removeprefix("Seed digest: "), lines[-1].removeprefix("Seed: ")


def seeds(program: Program) -> list[Path]:
    return [file for file in program.home.rglob("*.seed") if file.is_file()]


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
    with patch("pokersvc.cli.tournament._played", side_effect=InvalidResults("No game was played.")):
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
    document = told(program, *HIDDEN)
    assert document["seed_digest"] == digest_of(document["seed"])
    rows = list(csv.DictReader(io.StringIO(data(program, *HIDDEN, "--csv"))))
    assert len(rows) == 3
    [(digest, seed)] = {(row["seed_digest"], row["seed"]) for row in rows}
    assert digest == digest_of(seed) != document["seed_digest"]


def test_results_that_one_names_keep_the_digest_from_the_start_and_the_seed_at_the_end(program: Program) -> None:
    said = program.run(*HIDDEN, "--results", "r")
    digest, seed = digest_and_seed(said)
    lines = [json.loads(line) for line in (program.home / "r").read_text().splitlines()]
    assert lines[0]["seed_digest"] == digest
    assert lines[-1] == {"seed": seed}
    assert program.run(*HIDDEN, "--results", "r") == said
    assert "its seed was shown" in program.refused(*HIDDEN, "--results", "r", "--deals", "4")
    _, other = digest_and_seed(program.run(*HIDDEN, "--results", "r", "--again"))
    assert other != seed


def test_results_without_their_seed_are_not_gone_on_with(program: Program) -> None:
    program.run(*FEW, "--results", "r")
    assert "The seed of the tournament in r is not beside it" in program.refused(*HIDDEN, "--results", "r")


def test_a_picture_that_cannot_be_drawn_leaves_the_tournament_to_be_taken_up(program: Program) -> None:
    with patch("matplotlib.figure.Figure.savefig", side_effect=OSError(28, "No space left on device")):
        ended = program.ended(*HIDDEN, "--plot", "x.png")
    assert ended.code == 1
    assert program.run(*HIDDEN, "--plot", "x.png") == ended.out
    assert seeds(program) == []


@pytest.mark.parametrize("stopped_at", ["_print", "HiddenSeed.forget", "Results.move"])
def test_an_end_that_was_cut_short_is_told_again_and_then_the_next_tournament_has_another_seed(
    program: Program, stopped_at: str
) -> None:
    where = "pokersvc.cli.tournament" if stopped_at == "_print" else "pokersvc.tournament"
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
        "tournament", "--player", "Me=spy.py:Spy", "--player", "B=random", "--deals", "2", "--processes", processes
    )
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


# It goes on.


def begun(program: Program, *arguments: object) -> "subprocess.Popen[bytes]":
    """Start a tournament, and wait until some of its games are played."""
    process = subprocess.Popen(
        [*COMMAND, *map(str, arguments)],
        cwd=program.home,
        env=program.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    results = program.home / "r"
    start = time.monotonic()
    while not results.exists() or results.read_bytes().count(b"\n") < 5:
        assert process.poll() is None
        assert time.monotonic() - start < TIMEOUT
        time.sleep(0.01)
    return process


LONG = (*THREE[:-4], "--seed", "1", "--deals", "40", "--results", "r")


@pytest.mark.slow
@pytest.mark.parametrize("processes", [1, 2])
def test_a_tournament_killed_at_any_moment_goes_on(program: Program, processes: int) -> None:
    arguments = (*LONG, "--processes", processes, "--store")
    with begun(program, *arguments) as process:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        process.send_signal(signal.SIGKILL)
    kept = (program.home / "r").read_bytes()
    assert kept.count(b"\n") < 241
    whole = program.run(*LONG, "--processes", 1, "--store")
    assert (program.home / "r").read_bytes().startswith(kept[: kept.rfind(b"\n") + 1])
    assert whole == program.run(*THREE, "--deals", "40", "--results", "r2")
    assert len(program.json("games")) == 240
    assert all(own.gone(int(child)) for child in children)


@pytest.mark.slow
@pytest.mark.parametrize("processes", [1, 2])
def test_stored_games_of_a_player_that_no_seed_repeats_go_on_too(program: Program, processes: int) -> None:
    luck(program.home)
    me = ("tournament", "--player", "Me=mine.py:Mine", "--player", "Bob=minimum", "--deals", "30", "--rounds", "3")
    arguments = (*me, "--seed", "1", "--results", "r", "--store", "--processes", str(processes))
    with begun(program, *arguments) as process:
        process.send_signal(signal.SIGKILL)
    whole = program.run(*arguments)
    assert program.run(*arguments, "--again") == whole
    assert len(program.json("games")) == 60
    assert program.run("audit").count(" passed\n") == 60


@pytest.mark.parametrize("processes", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_ctrl_c_says_how_much_is_kept(program: Program, processes: int) -> None:
    with begun(program, *LONG, "--processes", processes, "--rounds", "60") as process:
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=TIMEOUT)
        assert process.returncode == 130
    said = err.decode()
    assert "Traceback" not in said
    assert said.startswith("pokersvc: Interrupted; ")
    assert said.endswith(" of 240 games are saved, and the same command continues.\n")
    assert os.path.getsize(program.home / "r") > 100  # noqa: PTH202


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
