"""Audits of a house with a straddle: wrong amount, wrong seat, missing, and one too many."""

from collections.abc import Iterator

import pytest

from pokersvc.core.randomness.chance import EntropySource
from pokersvc.core.setup import Setup
from pokersvc.service import Service

from .forged import canonical, forged, only, public
from .played import Tampered, in_one_file, play, seats, tampering

GAME = "straddled"


def write(service: Service) -> None:
    """Two rounds of four programs: seat 4 straddles in the first, and seat 1 in the second."""
    options = {"rules": "no-limit", "straddle": 4}
    setup = Setup(seats(*["minimum"] * 4), EntropySource.from_text(GAME), 2, options)
    play(service, service.start("draw", setup, game_id=GAME)[0])


@pytest.fixture(scope="module")
def _written() -> bytes:
    return in_one_file(write)


@pytest.fixture
def straddled(_written: bytes) -> Iterator[Tampered]:
    with tampering(_written) as found:
        yield found


STRADDLE = 'Posted {"amount":4,"kind":"straddle","seat":4}'


def test_it_passes_as_it_was_played(straddled: Tampered) -> None:
    assert straddled.audit(GAME) == []
    posted = [record.payload for record in straddled.records(GAME) if record.type == "Posted"]
    assert posted == [f'{{"amount":4,"kind":"straddle","seat":{seat}}}' for seat in (4, 1)]


@pytest.mark.parametrize("change", [{"amount": 6}, {"amount": 3}, {"seat": 1}, {"kind": "extra"}])
def test_a_straddle_of_another_amount_seat_or_kind_is_found(straddled: Tampered, change: dict[str, object]) -> None:
    seq = forged(straddled, GAME, "Posted", public(**change))
    first, *_ = only(straddled.audit(GAME), "rules")
    assert (first.seq, first.expected) == (seq, STRADDLE)


def test_a_straddle_that_is_missing_is_found(straddled: Tampered) -> None:
    records = straddled.records(GAME)
    at = next(at for at, record in enumerate(records) if record.type == "Posted")
    straddled.rewrite(GAME, records[:at] + records[at + 1 :])
    assert [(one.seq, one.expected) for one in only(straddled.audit(GAME), "rules")] == [(at + 1, STRADDLE)]


def test_a_straddle_in_a_house_without_one_is_found(straddled: Tampered) -> None:
    records = straddled.records(GAME)
    started = records[0]._replace(payload=records[0].payload.replace('"straddle":4', '"straddle":0'))
    straddled.rewrite(GAME, [started, *records[1:]])
    at = next(at for at, record in enumerate(records) if record.type == "Posted")
    first, *_ = only(straddled.audit(GAME), "rules")
    assert first.seq == at + 1
    assert first.found == STRADDLE


def test_a_start_in_the_form_of_before_cannot_have_a_straddle(straddled: Tampered) -> None:
    seq = forged(straddled, GAME, "GameStarted", lambda record: record._replace(version=3))
    assert [one.seq for one in only(straddled.audit(GAME), "schema")][:1] == [seq]
    assert canonical({"straddle": 4})[1:-1] in straddled.records(GAME)[0].payload
