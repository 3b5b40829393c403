"""The blocks of docs/envs.md run as they stand there."""

import re
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pokersvc.envs import raw_env, write_steps
from pokersvc.eventlog.database import Database
from pokersvc.evidence.audit import audit

PAGE = Path(__file__).parents[2] / "docs/envs.md"


def test_the_blocks_of_the_page_run_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert len(blocks) == 7
    [loader] = [block for block in blocks if "def load(" in block]
    assert len([line for line in loader.splitlines() if line]) == 10, "as the page says"
    for block in blocks:
        if "openspiel_game" in block and find_spec("pyspiel") is None:
            continue  # OpenSpiel has no wheel for this platform
        exec(block, names)
    assert (names["value"], names["left"]) == (-2, 0)
    with Database.for_reading("learning.sqlite") as database:
        games = list(audit(database))
        count = write_steps(database, Path("steps.parquet"))
    observation, features, mask, action, gain = names["load"]("steps.parquet", 300)
    assert observation.shape == (count, 300)
    assert features.shape == (count, 9)
    assert mask[range(count), action].all()
    assert set(gain) == {gain[0], -gain[0]}
    assert [game.game_id for game in games] == [capsys.readouterr().out.strip(), None]
    assert [game.findings for game in games] == [[], []]
    kalah = raw_env("kalah")
    kalah.reset()
    turn = kalah.episode.turn
    assert turn is not None
    assert str(names["First"]().choose(turn.view, turn.legal, Random(1))) == "Sow(seat=1, hole=1)"
