"""Verifiers and audits say of doctored files what they did, to the letter."""

from typing import Final

import pytest

from tests.digested import digests, stored

from .verdicts import STORED, families

KNOWN: Final = stored(STORED)


@pytest.mark.parametrize("name", KNOWN)
def test_a_doctored_file_has_the_verdict_that_it_had(name: str) -> None:
    assert digests(families()[name]) == KNOWN[name]


def test_there_are_verdicts_on_files_of_every_game() -> None:
    assert list(KNOWN) == list(families())
