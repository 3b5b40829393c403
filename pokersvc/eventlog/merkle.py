"""The Merkle tree of RFC 9162, section 2.1: one hash for a list of leaves, and proofs that a leaf is in it.

Leaves come one at a time, and no more hashes are held than the tree is high.
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
"""An inclusion proof: the hashes beside the way from a leaf up to the root, lowest first."""


class PathRefused(PokersvcError):
    """An inclusion proof that is not one for a leaf at that place in a tree of that size."""

    code = "path_refused"


class _Subtree(NamedTuple):
    """A complete part of a tree; with the path of the leaf that is asked for, where that is in it."""

    size: int
    root: bytes
    path: Path | None


class Tree:
    """A tree that grows leaf by leaf; it keeps the inclusion proof of the leaf ``index`` (from 0), if one is named."""

    def __init__(self, index: int | None = None) -> None:
        self.size = 0
        self._index = index
        self._parts: list[_Subtree] = []
        """From the left, each larger than the next."""

    def append(self, leaf: bytes) -> None:
        """Add a leaf, given by the bytes that it stands for."""
        part = _Subtree(1, sha256(_LEAF + leaf).digest(), () if self.size == self._index else None)
        self.size += 1
        while self._parts and self._parts[-1].size == part.size:
            part = _joined(part, self._parts.pop())
        self._parts.append(part)

    def root(self) -> bytes:
        """Return the hash of the whole tree; without leaves it is SHA-256 of nothing."""
        return self._whole_tree().root

    def path(self) -> Path:
        """Return the inclusion proof of the leaf that was asked for; IndexError where there is none."""
        path = self._whole_tree().path
        if path is None:
            raise IndexError(f"There is no leaf {self._index} in a tree of {self.size}.")
        return path

    def _whole_tree(self) -> _Subtree:
        if not self._parts:
            return _Subtree(0, sha256().digest(), None)
        return reduce(_joined, reversed(self._parts))


def root_by(path: Sequence[bytes], *, leaf: bytes, index: int, size: int) -> bytes:
    """Return the root of the tree of ``size`` leaves in which ``path`` is the inclusion proof of ``leaf`` at ``index``.

    It is a proof only if the result is compared with a trusted root. RFC 9162, section 2.1.3.2; `PathRefused`
    for a path that is too long or too short, or an index outside the tree.
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
            while not at & 1:  # alone on its level, it goes up as it is
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
    """Join two neighbours; the right one comes first, as trees are joined from the right."""
    path: Path | None = None
    if left.path is not None:
        path = (*left.path, right.root)
    elif right.path is not None:
        path = (*right.path, left.root)
    return _Subtree(left.size + right.size, _node(left.root, right.root), path)


def _node(left: bytes, right: bytes) -> bytes:
    return sha256(_NODE + left + right).digest()
