"""The Merkle tree of RFC 9162, section 2.1: one hash for a list of leaves, and proofs that a leaf is in it.

Leaves are added one at a time, and a tree holds at most one complete subtree of each height.
"""

from collections.abc import Sequence
from functools import reduce
from hashlib import sha256
from typing import NamedTuple

from pokersvc.errors import PokersvcError

HASH_BYTES = 32

_LEAF = b"\x00"
_NODE = b"\x01"

Path = tuple[bytes, ...]
"""An inclusion proof: the hashes of the siblings on the way from a leaf up to the root, lowest first."""


class PathRefused(PokersvcError):
    """The inclusion proof cannot be one for a leaf at that index in a tree of that size."""

    code = "path_refused"


class _Subtree(NamedTuple):
    """A complete subtree, with the inclusion proof of the requested leaf if it contains that leaf."""

    size: int
    root: bytes
    path: Path | None


class Tree:
    """A tree that grows leaf by leaf and keeps the inclusion proof of the leaf at ``index`` (from 0), if given."""

    def __init__(self, index: int | None = None) -> None:
        self.size = 0
        self._index = index
        self._parts: list[_Subtree] = []
        """The subtrees from left to right, each larger than the next."""

    def append(self, leaf: bytes) -> None:
        """Add a leaf, given as the bytes that are hashed."""
        part = _Subtree(1, sha256(_LEAF + leaf).digest(), () if self.size == self._index else None)
        self.size += 1
        while self._parts and self._parts[-1].size == part.size:
            part = _joined(part, self._parts.pop())
        self._parts.append(part)

    def root(self) -> bytes:
        """Return the hash of the whole tree; without leaves it is SHA-256 of no bytes."""
        return self._whole_tree().root

    def path(self) -> Path:
        """Return the inclusion proof of the requested leaf; raise IndexError if there is no such leaf."""
        path = self._whole_tree().path
        if path is None:
            raise IndexError(f"There is no leaf {self._index} in a tree of {self.size}.")
        return path

    def _whole_tree(self) -> _Subtree:
        if not self._parts:
            return _Subtree(0, sha256().digest(), None)
        return reduce(_joined, reversed(self._parts))


def root_by(path: Sequence[bytes], *, leaf: bytes, index: int, size: int) -> bytes:
    """Compute the root of a tree of ``size`` leaves from the leaf at ``index`` and its inclusion proof ``path``.

    The leaf is in the tree only if the result equals a trusted root. See RFC 9162, section 2.1.3.2. Raises
    `PathRefused` for a path that is too long or too short, or an index outside the tree.
    """
    if not 0 <= index < size:
        raise PathRefused(f"There is no leaf {index} in a tree of {size}.")
    root = sha256(_LEAF + leaf).digest()
    last = size - 1
    at = index
    for beside in path:
        if last == 0:
            raise PathRefused(f"The path of leaf {index} in a tree of {size} continues above the root.")
        if at & 1 or at == last:
            root = _node(beside, root)
            while not at & 1:  # a node alone on its level moves up unchanged
                at >>= 1
                last >>= 1
        else:
            root = _node(root, beside)
        at >>= 1
        last >>= 1
    if last:
        raise PathRefused(f"The path of leaf {index} in a tree of {size} ends below the root.")
    return root


def _joined(right: _Subtree, left: _Subtree) -> _Subtree:
    """Join two neighbouring subtrees, the right one first: `reduce` joins all subtrees of a tree from the right."""
    path: Path | None = None
    if left.path is not None:
        path = (*left.path, right.root)
    elif right.path is not None:
        path = (*right.path, left.root)
    return _Subtree(left.size + right.size, _node(left.root, right.root), path)


def _node(left: bytes, right: bytes) -> bytes:
    return sha256(_NODE + left + right).digest()
