"""A seat's device in a common shuffle: its key, its chain of shares, and the heads that it has signed.

A device opens a share only for a history that it has verified from the start, and signs one head per round. It stores
a signature before sending it, and resends only what it stored (docs/shares.md).
"""

import json
import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from pokersvc.core.randomness.common_shuffle import Dealing
from pokersvc.core.randomness.ed25519 import KEY_BYTES
from pokersvc.core.randomness.share_events import BindSeat, OpenShare
from pokersvc.core.randomness.shares import LINKS, SHARE_BYTES, Links, bound_message, opened_message
from pokersvc.errors import PokersvcError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_EVERY: Final = 100
"""Distance between the links that are kept in memory: computing a share takes at most this many hashes."""


class NotOurBinding(PokersvcError):
    """A seat is bound to a key or a chain that this device did not make, so it stops taking part."""

    code = "not_our_binding"


class Chain:
    """A chain of shares: the hash function H (`Links`) applied 0 to ``length`` times to its root."""

    def __init__(self, links: Links, root: bytes, length: int = LINKS) -> None:
        self.length = length
        self._links = links
        self._kept = [root]
        for _ in range(length // _EVERY):
            self._kept.append(links.after(self._kept[-1], _EVERY))

    @property
    def tip(self) -> bytes:
        """The last link, which is published when the seat is bound; it is not a share."""
        return self._link(self.length)

    def share(self, number: int) -> bytes:
        """Return a share by its number: 1 for the first round after the binding."""
        if not 1 <= number <= self.length:
            raise ValueError(f"A chain of {self.length} links has no share {number}.")
        return self._link(self.length - number)

    def _link(self, times: int) -> bytes:
        return self._links.after(self._kept[times // _EVERY], times % _EVERY)


@dataclass(slots=True)
class Device:
    """One seat of one game on one device. ``root`` is random, or derived from a text that a person typed."""

    start: bytes
    """The hash of the event that started the game."""
    seat: int
    root: bytes = field(repr=False)
    key: bytes = field(repr=False)
    """The private key, 32 bytes."""
    length: int = LINKS
    signed: dict[int, tuple[bytes, bytes, bytes]] = field(default_factory=dict)
    """Round → (head, share, signature) that this device signed."""
    _chain: Chain | None = field(default=None, repr=False)

    @classmethod
    def fresh(cls, start: bytes, seat: int, root: bytes | None = None, length: int = LINKS) -> "Device":
        """Return a device with a new key, and with a new chain unless the root of a chain is given."""
        root = secrets.token_bytes(SHARE_BYTES) if root is None else root
        return cls(start, seat, root, secrets.token_bytes(KEY_BYTES), length)

    @property
    def chain(self) -> Chain:
        """The device's chain of shares, computed when first used."""
        if self._chain is None:
            self._chain = Chain(Links(self.start, self.seat), self.root, self.length)
        return self._chain

    @property
    def public(self) -> bytes:
        """The public key, 32 bytes."""
        return self._private().public_key().public_bytes_raw()

    def _private(self) -> "Ed25519PrivateKey":
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return Ed25519PrivateKey.from_private_bytes(self.key)

    def bind(self, before: "Device | None" = None) -> BindSeat:
        """Return an action that binds the seat to this key and chain; a former device, ``before``, signs it too."""
        message = bound_message(self.start, self.seat, self.public, self.chain.tip, self.length)
        return BindSeat(
            seat=self.seat,
            key=self.public,
            tip=self.chain.tip,
            length=self.length,
            signature=self._private().sign(message),
            renewal=None if before is None else before._private().sign(message),
        )

    def is_bound(self, dealing: Dealing) -> bool:
        """Return whether the seat is bound to this device; raise `NotOurBinding` if it is bound to another one."""
        binding = dealing.bindings.get(self.seat)
        if binding is None:
            return False
        if (binding.key, binding.tip, binding.length) != (self.public, self.chain.tip, self.length):
            raise NotOurBinding(
                f"Seat {self.seat} is bound to the key {binding.key.hex()[:8]}, which this device did not make;"
                " it takes no part in the shuffle any more. Ask the others at the table before you play on."
            )
        return True

    def was_bound(self, dealing: Dealing) -> bool:
        """Return whether the seat was ever bound to this device's chain; a chain cannot be bound twice."""
        return (self.seat, self.chain.tip) in dealing.tips

    def open(self, dealing: Dealing) -> OpenShare | None:
        """Return the action that opens the share awaited from the seat; None if no share is awaited.

        Call it only after the history was verified. For the same head the action is the same again; a different head
        in a round that was signed before raises `NotOurBinding`.
        """
        if not self.is_bound(dealing) or self.seat not in dealing.waiting:
            return None
        awaited, binding = dealing.awaited, dealing.bindings[self.seat]
        assert awaited is not None
        assert awaited.head is not None
        if (before := self.signed.get(awaited.round)) is not None and before[0] != awaited.head:
            raise NotOurBinding(
                f"Round {awaited.round} of the shuffle is opened again with another history than the one that this"
                " device has signed; it takes no part any more. Compare the short forms of the head with the others."
            )
        if before is None:
            share = self.chain.share(awaited.round - binding.first + 1)
            message = opened_message(self.start, awaited.round, self.seat, share, awaited.head)
            before = self.signed[awaited.round] = awaited.head, share, self._private().sign(message)
        return OpenShare(seat=self.seat, share=before[1], signature=before[2])

    # A device is stored in a file that only its owner may read, before anything is sent.

    def to_json(self) -> str:
        """Return the persistent state of the device as JSON."""
        signed = {str(round_): [part.hex() for part in parts] for round_, parts in self.signed.items()}
        kept = {
            "start": self.start.hex(), "seat": self.seat, "root": self.root.hex(), "key": self.key.hex(),
            "length": self.length, "signed": signed,
        }  # fmt: skip
        return json.dumps(kept, indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str) -> "Device":
        """Return the device that `to_json` wrote."""
        kept = json.loads(text)
        signed = {
            int(round_): (bytes.fromhex(head), bytes.fromhex(share), bytes.fromhex(signature))
            for round_, (head, share, signature) in kept["signed"].items()
        }
        return cls(
            bytes.fromhex(kept["start"]), kept["seat"], bytes.fromhex(kept["root"]), bytes.fromhex(kept["key"]),
            kept["length"], signed,
        )  # fmt: skip
