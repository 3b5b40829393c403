"""Keys: made once, kept to oneself, and refused where they are of another kind."""

from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pokersvc import keys
from pokersvc.jsonl import FileExists, InvalidFile
from pokersvc.keys import InvalidKey, Signer, is_signed, public_key


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
        with pytest.raises(InvalidKey, match=f"{name} is not a private key of Ed25519 without a password"):
            Signer.read(tmp_path / name)
    for name in ("rsa.pub", "noise", "empty", "key"):
        with pytest.raises(InvalidKey, match=f"{name} is not a public key of Ed25519"):
            public_key(tmp_path / name)
    with pytest.raises(InvalidFile):
        Signer.read(tmp_path)
