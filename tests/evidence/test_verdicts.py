"""The verdicts of verifiers and audits on doctored files equal the stored ones."""

import pytest

from tests.digested import sampled

from .verdicts import VERDICTS

STORED = VERDICTS.stored()


@pytest.mark.parametrize("name", sampled(STORED))
def test_a_doctored_file_has_the_verdict_that_it_had(name: str) -> None:
    assert VERDICTS.digest(name) == STORED[name], f'see: python -m tests.evidence.verdicts "{name}"'


def test_there_are_verdicts_on_files_of_every_game() -> None:
    assert list(STORED) == list(VERDICTS.texts())
