"""The primitive under the shuffle, streams of bytes and numbers, and derived keys."""

import hashlib
import hmac
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokersvc.core.randomness.stream import Stream, derive
from pokersvc.errors import InvalidValue

KEY = bytes(range(32))


def plain_hmac(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA256 as RFC 2104 defines it, from the hash alone."""
    if len(key) > 64:
        key = hashlib.sha256(key).digest()
    key = key.ljust(64, b"\0")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in key) + message).digest()
    return hashlib.sha256(bytes(byte ^ 0x5C for byte in key) + inner).digest()


@pytest.mark.parametrize(
    ("key", "message", "result"),
    [
        (b"\x0b" * 20, b"Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
        (
            b"Jefe",
            b"what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
        ),
        (b"\xaa" * 20, b"\xdd" * 50, "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
        (
            bytes(range(1, 26)),
            b"\xcd" * 50,
            "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b",
        ),
        (
            b"\xaa" * 131,
            b"Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
        ),
        (
            b"\xaa" * 131,
            b"This is a test using a larger than block-size key and a larger than block-size data. "
            b"The key needs to be hashed before being used by the HMAC algorithm.",
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2",
        ),
    ],
    ids=["1", "2", "3", "4", "6", "7"],
)
def test_the_primitive_gives_the_vectors_of_rfc_4231(key: bytes, message: bytes, result: str) -> None:
    assert hmac.digest(key, message, "sha256").hex() == result
    assert plain_hmac(key, message).hex() == result


@given(st.binary(max_size=80), st.text(max_size=20))
def test_a_stream_is_the_hmac_of_its_label_and_a_counter(key: bytes, label: str) -> None:
    prefix = b"pokersvc/stream/1\0" + label.encode() + b"\0"
    blocks = b"".join(plain_hmac(key, prefix + i.to_bytes(8, "big")) for i in range(4))
    assert Stream(key, label).take(128) == blocks


@given(st.lists(st.integers(0, 100)))
def test_bytes_are_taken_in_order_and_none_is_skipped(sizes: list[int]) -> None:
    stream = Stream(KEY, "deck")
    assert b"".join(stream.take(size) for size in sizes) == Stream(KEY, "deck").take(sum(sizes))


def test_fewer_than_no_bytes_cannot_be_taken() -> None:
    stream = Stream(KEY, "deck")
    with pytest.raises(InvalidValue, match=r"^-1 bytes cannot be taken"):
        stream.take(-1)
    assert stream.take(8) == Stream(KEY, "deck").take(8)


class Given(Stream):
    """A stream of the bytes that a test gives."""

    __slots__ = ("rest",)

    def __init__(self, given_bytes: bytes) -> None:
        super().__init__(b"", "")
        self.rest = given_bytes

    def take(self, n: int) -> bytes:
        if len(self.rest) < n:
            raise EOFError
        taken, self.rest = self.rest[:n], self.rest[n:]
        return taken


def drawn_from(given_bytes: bytes, n: int) -> Counter[int]:
    stream = Given(given_bytes)
    drawn: Counter[int] = Counter()
    try:
        while True:
            drawn[stream.below(n)] += 1
    except EOFError:
        return drawn


def test_one_byte_gives_every_number_equally_often() -> None:
    every_byte = bytes(range(256))
    for n in range(2, 257):
        assert drawn_from(every_byte, n) == dict.fromkeys(range(n), 256 // n)


@pytest.mark.parametrize("n", [257, 32769, 65535, 65536])
def test_two_bytes_give_every_number_equally_often(n: int) -> None:
    every_pair = b"".join(value.to_bytes(2, "big") for value in range(65536))
    assert drawn_from(every_pair, n) == dict.fromkeys(range(n), 65536 // n)


@pytest.mark.parametrize(
    ("n", "size"), [(2, 1), (256, 1), (257, 2), (65536, 2), (65537, 3), (2**64, 8), (2**64 + 1, 9)]
)
def test_a_number_takes_the_fewest_bytes_that_can_hold_it(n: int, size: int) -> None:
    stream = Given(bytes(size))
    assert stream.below(n) == 0
    assert stream.rest == b""


def test_a_number_is_read_again_at_the_largest_multiple() -> None:
    assert Given(bytes([207])).below(52) == 207 % 52
    assert Given(bytes([208, 255, 0])).below(52) == 0


def test_the_only_number_below_one_takes_no_bytes() -> None:
    assert Given(b"").below(1) == 0


@pytest.mark.parametrize("n", [0, -1])
def test_there_is_no_number_below_zero(n: int) -> None:
    with pytest.raises(InvalidValue, match=f"^There is no number below {n}"):
        Stream(KEY, "deck").below(n)


@given(st.binary(max_size=80), st.lists(st.text(max_size=10) | st.integers(-(2**70), 2**70), max_size=4))
def test_a_derived_key_is_the_hmac_of_its_labels_behind_their_lengths(key: bytes, labels: list[str | int]) -> None:
    message = b"pokersvc/derive/1\0"
    for label in labels:
        text = str(label).encode()
        message += len(text).to_bytes(8, "big") + text
    assert derive(key, *labels) == plain_hmac(key, message)


def test_labels_do_not_run_together() -> None:
    labels: list[tuple[str | int, ...]] = [(), ("",), ("ab", "c"), ("a", "bc"), ("abc",), ("a", "b", "c"), ("", "abc")]
    assert len({derive(KEY, *each) for each in labels}) == len(labels)


@pytest.mark.parametrize("before", [0, 1, 32, 45])
@pytest.mark.parametrize("count", [0, 1, 3])
def test_skipped_blocks_are_as_if_they_had_been_taken(before: int, count: int) -> None:
    skipped, taken = Stream(b"k", "deck"), Stream(b"k", "deck")
    assert skipped.take(before) == taken.take(before)
    skipped.skip_blocks(count)
    taken.take(32 * count)
    assert [skipped.take(40), skipped.take(7)] == [taken.take(40), taken.take(7)]


def test_no_fewer_blocks_than_none_are_skipped() -> None:
    with pytest.raises(InvalidValue, match=r"^-1 blocks cannot be skipped: the number must be 0 or more\.$"):
        Stream(b"k", "deck").skip_blocks(-1)
