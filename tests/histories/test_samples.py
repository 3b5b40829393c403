"""Real sample hands and hand-written ones, compared line by line with what a person read in them."""

from pathlib import Path

import pytest

from pokersvc.histories.hand import HandHistory
from pokersvc.histories.reading import hands_in

from .brief import brief

SAMPLES = Path(__file__).parent / "samples"
READ = sorted(path.stem for path in SAMPLES.glob("*.txt"))


@pytest.mark.parametrize("name", READ)
def test_a_sample_says_what_a_person_read_in_it(name: str) -> None:
    hands = list(hands_in(SAMPLES / f"{name}.txt"))
    assert all(isinstance(hand, HandHistory) for hand in hands), hands
    read = [line for hand in hands if isinstance(hand, HandHistory) for line in (*brief(hand), "")]
    assert read == [*(SAMPLES / f"{name}.told").read_text("utf-8").splitlines(), ""]
