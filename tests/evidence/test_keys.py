"""Signing keys: created once, readable by the owner only, and refused if of another kind."""

import base64
from functools import cache
from itertools import count
from pathlib import Path

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from pokersvc.core.randomness.ed25519 import is_signed, is_weak
from pokersvc.evidence import keys
from pokersvc.evidence.jsonl import FileExists, InvalidFile
from pokersvc.evidence.keys import InvalidKey, Signer, public_key

from .curve import NEUTRAL, P, Point, encodings, times, with_y


def test_a_pair_of_keys_signs_and_checks(tmp_path: Path) -> None:
    public = keys.make(tmp_path / "key")
    signer = Signer.read(tmp_path / "key")
    signature = signer.sign(b"message")
    assert public == signer.public == public_key(tmp_path / "key.pub")
    assert (len(public), len(signature)) == (32, 64)
    assert is_signed(b"message", signature, public)
    assert not is_signed(b"another", signature, public)
    assert not is_signed(b"message", signature, keys.make(tmp_path / "other"))
    assert not is_signed(b"message", signature[:63], public)


def test_the_signature_is_that_of_rfc_8032(tmp_path: Path) -> None:
    # Section 7.1, test 2.
    secret = bytes.fromhex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb")
    signature = (
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
    )
    signer = Signer(Ed25519PrivateKey.from_private_bytes(secret))
    assert signer.public.hex() == "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"
    assert signer.sign(b"\x72").hex() == signature


def test_a_private_key_is_its_owners_alone_and_is_never_overwritten(tmp_path: Path) -> None:
    keys.make(tmp_path / "key")
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600
    before = (tmp_path / "key").read_bytes()
    with pytest.raises(FileExists):
        keys.make(tmp_path / "key")
    assert (tmp_path / "key").read_bytes() == before
    (tmp_path / "half.pub").touch()
    with pytest.raises(FileExists):
        keys.make(tmp_path / "half")
    assert not (tmp_path / "half").exists()


def test_other_keys_are_refused(tmp_path: Path) -> None:
    keys.make(tmp_path / "key")
    pem = serialization.Encoding.PEM
    other = rsa.generate_private_key(65537, 2048)
    locked = serialization.BestAvailableEncryption(b"password")
    form = serialization.PrivateFormat.PKCS8
    (tmp_path / "rsa").write_bytes(other.private_bytes(pem, form, serialization.NoEncryption()))
    (tmp_path / "rsa.pub").write_bytes(
        other.public_key().public_bytes(pem, serialization.PublicFormat.SubjectPublicKeyInfo)
    )
    (tmp_path / "locked").write_bytes(Ed25519PrivateKey.generate().private_bytes(pem, form, locked))
    (tmp_path / "noise").write_bytes(b"\xff\0" * 100_000)
    (tmp_path / "empty").touch()
    for name in ("rsa", "locked", "noise", "empty", "key.pub"):
        with pytest.raises(InvalidKey, match=f"{name} is not an Ed25519 private key without a password"):
            Signer.read(tmp_path / name)
    for name in ("rsa.pub", "noise", "empty", "key"):
        with pytest.raises(InvalidKey, match=f"{name} is not an Ed25519 public key"):
            public_key(tmp_path / name)
    with pytest.raises(InvalidFile):
        Signer.read(tmp_path)


ORDER = 2**252 + 27742317777372353535851937790883648493
"""The order of the curve is 8 times this prime."""


@cache
def torsion() -> list[Point]:
    """Return the points whose order divides 8: the multiples of a point of order 8."""
    left = (times(ORDER, point) for y in count(2) for point in with_y(y))
    eighth = next(point for point in left if times(4, point) != NEUTRAL)
    return sorted({times(number, eighth) for number in range(8)})


WEAK = [encoding for point in torsion() for encoding in encodings(point)]
NOT_CANONICAL = [(y + P | sign << 255).to_bytes(32, "little") for y in range(19) for sign in (0, 1)]


def test_there_are_eight_points_of_small_order() -> None:
    assert len(torsion()) == 8
    assert all(times(8, point) == NEUTRAL for point in torsion())
    assert {times(ORDER, point) for y in range(2, 12) for point in with_y(y)} <= set(torsion()), (
        "the prime leaves others"
    )
    assert len(set(WEAK)) == 14


@pytest.mark.parametrize("public", sorted({*WEAK, *NOT_CANONICAL}), ids=bytes.hex)
def test_a_key_of_small_order_or_in_another_writing_is_refused(tmp_path: Path, public: bytes) -> None:
    assert is_weak(public)
    content = Ed25519PublicKey.from_public_bytes(public).public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    (tmp_path / "weak.pub").write_bytes(content)
    with pytest.raises(InvalidKey, match=f"holds the key {public.hex()}, which belongs to no private key"):
        public_key(tmp_path / "weak.pub")


def forged(public: bytes) -> tuple[bytes, bytes] | None:
    """Return a message and its signature that OpenSSL takes, made without a private key; None where it takes none."""
    for number in range(40):
        message = b"%d" % number
        for beginning in WEAK:
            signature = beginning + bytes(32)
            try:
                Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
            except InvalidSignature:
                continue
            return message, signature
    return None


def test_a_signature_that_needs_no_private_key_is_none() -> None:
    """The point in the signature is also of small order, and its scalar is 0."""
    tried = [(public, forged(public)) for public in WEAK]
    taken = [(public, made) for public, made in tried if made is not None]
    assert len(taken) >= 8, "OpenSSL takes them"
    for public, (message, signature) in taken:
        assert not is_signed(message, signature, public)


def test_keys_that_are_made_are_not_weak(tmp_path: Path) -> None:
    assert not any(is_weak(keys.make(tmp_path / f"{number}")) for number in range(20))


@pytest.mark.parametrize("algorithm", [*range(105, 112), 113, 114])
@pytest.mark.parametrize("size", [0, 31, 32, 33, 57])
def test_a_key_that_says_it_is_of_another_algorithm_is_refused(tmp_path: Path, algorithm: int, size: int) -> None:
    """The last byte of the algorithm's identifier is 112 for Ed25519; 113 stands for Ed448, with keys of 57 bytes."""
    named = bytes.fromhex("300506032b65") + bytes([algorithm])
    key = b"\x04" + bytes([size]) + bytes(size)
    inner = bytes.fromhex("020100") + named + b"\x04" + bytes([len(key)]) + key
    public = named + b"\x03" + bytes([size + 1]) + bytes(size + 1)
    for kind, content in (("PRIVATE", inner), ("PUBLIC", public)):
        body = base64.b64encode(b"\x30" + bytes([len(content)]) + content).decode()
        path = tmp_path / kind
        path.write_text(f"-----BEGIN {kind} KEY-----\n{body}\n-----END {kind} KEY-----\n")
        with pytest.raises(InvalidKey):
            Signer.read(path) if kind == "PRIVATE" else public_key(path)
