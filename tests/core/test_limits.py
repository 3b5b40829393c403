"""The last value that is allowed and the first that is not, each with its sentence."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from pokersvc.core.actions import IllegalAction
from pokersvc.core.bots.kinds import MOST_WORK, Kinds
from pokersvc.core.randomness.chance import EntropySource, FreshEntropy, TextEntropy, derived_text, wrong_source
from pokersvc.core.randomness.share_events import BindSeat, OpenShare, SeatBound, ShareOpened, bound_event, opened_event
from pokersvc.core.randomness.stream import Stream, derive
from pokersvc.core.tables.clock import SECOND, microseconds, moment_of
from pokersvc.core.tables.table_events import TableSettings, agreed, settings_events
from pokersvc.core.tables.table_words import RoundsChecked
from pokersvc.errors import InvalidValue

DAYS_30 = 30 * 24 * 3600


@pytest.mark.parametrize("name", ["bank", "seconds"])
@pytest.mark.parametrize("value", [-1, DAYS_30 + 1, 1.0, True, "5", None])
def test_seconds_are_whole_and_no_more_than_30_days(name: str, value: Any) -> None:
    with pytest.raises(InvalidValue) as refused:
        TableSettings(**{"seconds": 1, name: value})
    assert str(refused.value) == f"{name} = {value!r} is not valid; it must be 0 to 2,592,000 whole seconds."
    TableSettings(seconds=DAYS_30, bank=DAYS_30)


def test_a_bank_needs_seconds() -> None:
    TableSettings(seconds=1, bank=1)
    with pytest.raises(InvalidValue) as refused:
        TableSettings(bank=1)
    assert str(refused.value) == "A bank of 1 seconds needs a time for a choice; seconds must be 1 or more."


@pytest.mark.parametrize("value", [0, 3601, -1, 1.5, True])
def test_shares_are_waited_for_a_second_to_an_hour(value: Any) -> None:
    with pytest.raises(InvalidValue) as refused:
        TableSettings(share_seconds=value)
    assert str(refused.value) == f"share_seconds = {value!r} is not valid; it must be 1 to 3,600 seconds."
    assert [TableSettings(share_seconds=seconds).share_seconds for seconds in (1, 3600)] == [1, 3600]


def test_who_shuffles_is_one_of_two() -> None:
    with pytest.raises(InvalidValue) as refused:
        TableSettings(dealing="nobody")  # type: ignore[arg-type]  # what a caller may name
    assert str(refused.value) == "dealing = 'nobody' is not valid; it must be 'dealer' or 'together'."


def test_a_table_has_advice_and_no_clock_unless_it_is_said_otherwise() -> None:
    plain = TableSettings()
    assert (plain.advice, plain.bank, plain.dealing, plain.opens_seeds) == (True, 0, "dealer", False)
    assert (plain.seconds, plain.share_seconds) == (0, 20)
    for settings in (plain, TableSettings(seconds=9, bank=2, dealing="together", share_seconds=7, opens_seeds=True)):
        assert agreed(settings_events(settings)) == settings
    assert agreed([]) is None
    assert agreed(settings_events(TableSettings(dealing="together"))[1:]) is None
    assert agreed([*settings_events(plain), OTHER]) == plain


OTHER = SeatBound(bytes(32), 1, None, 1, bytes(64), bytes(32))


def bind(**changed: Any) -> BindSeat:
    return BindSeat(**{"seat": 2, "key": bytes(32), "tip": b"t" * 32, "signature": b"s" * 64, **changed})


@pytest.mark.parametrize("length", [1, 10_000, 1_000_000])
def test_a_chain_has_1_to_1_000_000_links(length: int) -> None:
    assert bound_event(bind(length=length)) == SeatBound(bytes(32), length, None, 2, b"s" * 64, b"t" * 32)


@pytest.mark.parametrize(
    ("changed", "code", "said"),
    [
        ({"length": 0}, "wrong_length", "A chain has 1 to 1,000,000 links, not 0."),
        ({"length": 1_000_001}, "wrong_length", "A chain has 1 to 1,000,000 links, not 1000001."),
        ({"length": True}, "wrong_length", "A chain has 1 to 1,000,000 links, not True."),
        ({"key": bytes(31)}, "wrong_size", "A key has 32 bytes, not 31 bytes."),
        ({"key": bytes(33)}, "wrong_size", "A key has 32 bytes, not 33 bytes."),
        ({"key": "x" * 32}, "wrong_size", f"A key has 32 bytes, not {'x' * 32!r}."),
        ({"key": bytearray(32)}, "wrong_size", f"A key has 32 bytes, not {bytearray(32)!r}."),
        ({"tip": bytes(1)}, "wrong_size", "The tip of a chain has 32 bytes, not 1 byte."),
        ({"signature": bytes(32)}, "wrong_size", "A signature has 64 bytes, not 32 bytes."),
        ({"renewal": bytes(63)}, "wrong_size", "The signature of a renewal has 64 bytes, not 63 bytes."),
    ],
)
def test_a_binding_has_fields_of_one_size_each(changed: dict[str, Any], code: str, said: str) -> None:
    with pytest.raises(IllegalAction) as refused:
        bound_event(bind(**changed))
    assert (refused.value.code, str(refused.value)) == (code, said)
    assert bind().length == 10_000
    assert bound_event(bind(renewal=b"r" * 64)).renewal == b"r" * 64


def test_a_share_has_fields_of_one_size_each() -> None:
    assert opened_event(OpenShare(seat=3, share=bytes(32), signature=bytes(64))) == ShareOpened(3, bytes(32), bytes(64))
    for share, signature, said in (
        (bytes(31), bytes(64), "A share has 32 bytes, not 31 bytes."),
        (bytes(32), bytes(65), "A signature has 64 bytes, not 65 bytes."),
    ):
        with pytest.raises(IllegalAction) as refused:
            opened_event(OpenShare(seat=3, share=share, signature=signature))
        assert str(refused.value) == said


class Thinker:
    """A bot that performs a given amount of work."""

    def __init__(self, work: int = 7) -> None:
        self.work = work

    def choose(self, *_: object) -> Any:
        raise AssertionError


def test_a_kind_says_how_much_work_its_bot_does() -> None:
    kinds: Kinds[Any, Any] = Kinds({"plain": Thinker}, {"deep": Thinker})
    assert (list(kinds), len(kinds), MOST_WORK) == (["plain", "deep"], 2, 10**9)
    made: list[Any] = [kinds[kind]() for kind in ("plain", "deep", "deep/1", "deep/1000000000")]
    assert [player.work for player in made] == [7, 7, 1, 10**9]
    refused = ("deep/0", "deep/01", "deep/1000000001", "deep/10000000000", "deep/-1", "deep/²", "deep/1.5", "deep/")
    for kind in (*refused, "plain/1", "none", "none/1", "deep/1/1"):
        with pytest.raises(KeyError, match=re.escape(kind.split("/")[0])):
            kinds[kind]
        assert kind not in kinds


def test_a_seed_is_printable_text() -> None:
    for text in ("", "a\n", "\x00"):
        with pytest.raises(InvalidValue) as refused:
            EntropySource.from_text(text)
        assert str(refused.value) == f"{text!r} cannot be a seed: a seed is printable text and not empty."
        with pytest.raises(InvalidValue):
            EntropySource(bytes(32), text)


def test_where_seeds_come_from() -> None:
    source = EntropySource.from_text("x")
    assert source == EntropySource(derive(b"x", "game"), "x")
    assert source.entropy() == TextEntropy("x")
    assert source.entropy().seed(3) == derive(b"x", "deck", 3)
    assert isinstance(EntropySource(bytes(32), None).entropy(), FreshEntropy)
    assert len(FreshEntropy().seed(1)) == 32
    assert derived_text("x", "deal", 5) == derive(b"x", "deal", 5).hex()


@pytest.mark.parametrize(
    ("reproducible", "text", "found"),
    [
        (True, "x", []),
        (False, None, []),
        (True, None, [("a reproducible game", "what the secret says, which has no text")]),
        (False, "x", [("a game that is not reproducible", "what the secret says, which has a text")]),
    ],
)
def test_a_game_is_reproducible_if_its_seeds_follow_from_a_text(
    reproducible: bool, text: str | None, found: list[tuple[str, str]]
) -> None:
    assert [*wrong_source(reproducible, EntropySource(bytes(32), text))] == found
    assert [*wrong_source(reproducible, None)] == []


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: Stream(b"", "").take(-1), "-1 bytes cannot be taken: the number must be 0 or more."),
        (lambda: Stream(b"", "").below(0), "There is no number below 0: it must be 1 or more."),
    ],
)
def test_a_stream_gives_no_less_than_nothing(wrong: Callable[[], object], said: str) -> None:
    with pytest.raises(InvalidValue) as refused:
        wrong()
    assert str(refused.value) == said


@pytest.mark.parametrize("count", [0, 1, 31, 32, 33, 64, 65, 100])
def test_a_stream_is_the_same_in_whatever_parts_it_is_read(count: int) -> None:
    stream, whole = Stream(b"key", "deck"), Stream(b"key", "deck").take(200)
    assert stream.take(count) + stream.take(7) + stream.take(0) + stream.take(60) == whole[: count + 67]
    long, hashed = Stream(b"k" * 65, "deck").take(40), Stream(b"k" * 64, "deck").take(40)
    assert long != hashed


def test_a_number_below_another_is_even_and_reads_again_above_the_last_multiple() -> None:
    for most in (2, 3, 255, 256, 257, 65_536):
        stream, bytes_ = Stream(b"key", "x"), Stream(b"key", "x")
        size = 1 if most <= 256 else 2
        for _ in range(40):
            value = int.from_bytes(bytes_.take(size), "big")
            while value >= 256**size // most * most:
                value = int.from_bytes(bytes_.take(size), "big")
            assert stream.below(most) == value % most
    stream = Stream(b"key", "x")
    assert stream.below(1) == 0
    assert stream.take(3) == Stream(b"key", "x").take(3)


def test_rounds_that_were_checked_are_counted() -> None:
    def said(were: str, shown: str, none: str) -> str:
        return f"{were} checked by seed and commitment, {shown} only by what was shown, and {none} not at all."

    assert str(RoundsChecked()) == said("0 rounds were", "0", "0")
    assert str(RoundsChecked(1, 2, 3)) == said("1 round was", "2", "3")
    assert str(RoundsChecked(1000, 2000, 3000)) == said("1,000 rounds were", "2,000", "3,000")


def test_moments_are_microseconds_since_1970() -> None:
    assert SECOND == 1_000_000
    for at in (-1, 0, 1_000_005, 1_800_000_000_000_001):
        assert microseconds(moment_of(at)) == at
    assert moment_of(1_800_000_000_000_001).isoformat() == "2027-01-15T08:00:00.000001+00:00"
