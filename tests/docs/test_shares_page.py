"""The test vectors of docs/shares.md, computed once more by the program and, without it, by the words of the page."""

import hmac
import json
import re
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pokersvc.core.randomness.ed25519 import is_signed
from pokersvc.core.randomness.shares import Links, bound_message, dealers_part, opened_message, round_seed, typed_root
from pokersvc.core.randomness.stream import derive
from pokersvc.remote.device import Device

PAGE = (Path(__file__).parents[2] / "docs" / "shares.md").read_text("utf-8")
(BLOCK,) = re.findall(r"^```json\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
VECTORS: dict[str, Any] = json.loads(BLOCK)
START, SECRET, HEAD = (bytes.fromhex(VECTORS[name]) for name in ("start", "secret", "head"))


def u64(number: int) -> bytes:
    return number.to_bytes(8, "big")


def field(part: bytes) -> bytes:
    return u64(len(part)) + part


@pytest.mark.parametrize("of", VECTORS["seats"], ids=lambda of: f"seat {of['seat']}")
def test_chain_binding_and_share(of: dict[str, Any]) -> None:
    seat, links = of["seat"], [bytes.fromhex(link) for link in of["links"]]
    device = Device(START, seat, links[0], bytes.fromhex(of["private_key"]), of["length"])
    assert len(links) == of["length"] + 1
    for before, after in pairwise(links):
        assert Links(START, seat).after(before) == after
        assert sha256(field(b"pokersvc/share/1") + field(START) + u64(seat) + field(before)).digest() == after
    key, tip = bytes.fromhex(of["key"]), links[-1]
    message = field(b"pokersvc/bound/1") + field(START) + u64(seat) + field(key) + field(tip) + u64(of["length"])
    assert bound_message(START, seat, key, tip, of["length"]) == message == bytes.fromhex(of["bound"]["message"])
    bind = device.bind()
    assert (bind.key, bind.tip, bind.signature.hex()) == (key, tip, of["bound"]["signature"])
    share = links[of["length"] - 2]
    assert share.hex() == device.chain.share(2).hex() == of["opened"]["share"]
    assert Links(START, seat).after(share, 2) == tip
    message = field(b"pokersvc/opened/1") + field(START) + u64(2) + u64(seat) + field(share) + field(HEAD)
    assert opened_message(START, 2, seat, share, HEAD) == message == bytes.fromhex(of["opened"]["message"])
    assert is_signed(message, bytes.fromhex(of["opened"]["signature"]), key)


def test_a_renewal_is_signed_by_both_keys() -> None:
    of, first = VECTORS["renewal"], VECTORS["seats"][0]
    root, key = bytes.fromhex(of["root"]), bytes.fromhex(of["private_key"])
    before = Device(START, 1, bytes.fromhex(first["links"][0]), bytes.fromhex(first["private_key"]), first["length"])
    bind = Device(START, 1, root, key, of["length"]).bind(before)
    assert bind.renewal is not None
    assert (bind.key.hex(), bind.tip.hex()) == (of["key"], of["tip"])
    assert (bind.signature.hex(), bind.renewal.hex()) == (of["signature"], of["renewal"])
    message = bound_message(START, 1, bind.key, bind.tip, of["length"])
    old = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(first["private_key"]))
    assert old.sign(message) == bind.renewal


def test_what_a_person_typed() -> None:
    of = VECTORS["typed"]
    text = of["text"].encode()
    root = sha256(field(b"pokersvc/typed/1") + field(START) + u64(of["seat"]) + field(text)).hexdigest()
    assert root == typed_root(START, of["seat"], of["text"]).hex() == of["root"]
    (seat,) = (seat for seat in VECTORS["seats"] if seat["seat"] == of["seat"])
    assert seat["links"][0] == root


@pytest.mark.parametrize("of", VECTORS["rounds"], ids=lambda of: f"round {of['round']} of {len(of['shares'])}")
def test_the_seed_of_a_round(of: dict[str, Any]) -> None:
    round_, part = of["round"], bytes.fromhex(of["part"])
    assert dealers_part(SECRET, round_) == derive(SECRET, "deck", round_) == part
    shares = [(int(seat), bytes.fromhex(share)) for seat, share in of["shares"].items()]
    message = field(b"pokersvc/together/1") + field(START) + u64(round_)
    message += b"".join(u64(seat) + field(share) for seat, share in shares)
    assert hmac.digest(part, message, "sha256").hex() == round_seed(part, START, round_, shares).hex() == of["seed"]


def test_the_vectors_have_a_share_that_was_missed_and_differ() -> None:
    rounds = VECTORS["rounds"]
    assert any("" in of["shares"].values() for of in rounds)
    assert len({of["seed"] for of in rounds}) == len(rounds)
