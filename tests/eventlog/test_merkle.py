"""The Merkle tree, against published vectors and against RFC 9162 written down a second time."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokersvc.eventlog.merkle import PathRefused, Tree, root_by

# Certificate Transparency's own: cpp/merkletree/merkle_tree_test.cc of google/certificate-transparency, which
# the tests of Trillian and of other implementations repeat.
LEAVES = [
    bytes.fromhex(leaf)
    for leaf in ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
]
ROOTS = (
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)
PATHS = {
    (0, 1): (),
    (0, 8): (
        "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ),
    (5, 8): (
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ),
    (2, 3): ("fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",),
    (1, 5): (
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
        "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    ),
}

lists = st.integers(1, 70).flatmap(
    lambda size: st.tuples(st.integers(0, size - 1), st.lists(st.binary(max_size=3), min_size=size, max_size=size))
)


def root_by_definition(leaves: list[bytes]) -> bytes:
    """Compute the root by the definition of MTH in RFC 9162, section 2.1.1."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return hashlib.sha256(b"\x00" + leaves[0]).digest()
    k = split(len(leaves))
    return hashlib.sha256(b"\x01" + root_by_definition(leaves[:k]) + root_by_definition(leaves[k:])).digest()


def path_by_definition(m: int, leaves: list[bytes]) -> list[bytes]:
    """PATH of RFC 9162, section 2.1.3.1."""
    if len(leaves) == 1:
        return []
    k = split(len(leaves))
    if m < k:
        return [*path_by_definition(m, leaves[:k]), root_by_definition(leaves[k:])]
    return [*path_by_definition(m - k, leaves[k:]), root_by_definition(leaves[:k])]


def split(n: int) -> int:
    """The largest power of two smaller than n."""
    return max(1 << bit for bit in range(n.bit_length()) if 1 << bit < n)


def tree_of(leaves: list[bytes], index: int | None = None) -> Tree:
    tree = Tree(index)
    for leaf in leaves:
        tree.append(leaf)
    return tree


@pytest.mark.parametrize("size", range(9))
def test_the_published_roots(size: int) -> None:
    assert tree_of(LEAVES[:size]).root().hex() == ROOTS[size]


@pytest.mark.parametrize(("index", "size"), PATHS)
def test_the_published_paths(index: int, size: int) -> None:
    path = tree_of(LEAVES[:size], index).path()
    assert tuple(beside.hex() for beside in path) == PATHS[index, size]
    assert root_by(path, leaf=LEAVES[index], index=index, size=size).hex() == ROOTS[size]


@given(lists)
def test_root_and_path_are_those_of_the_definition(case: tuple[int, list[bytes]]) -> None:
    index, leaves = case
    tree = tree_of(leaves, index)
    assert tree.root() == root_by_definition(leaves)
    assert list(tree.path()) == path_by_definition(index, leaves)
    assert root_by(tree.path(), leaf=leaves[index], index=index, size=len(leaves)) == tree.root()


@given(lists, st.data())
def test_a_path_proves_nothing_else(case: tuple[int, list[bytes]], data: st.DataObject) -> None:
    index, leaves = case
    tree, size = tree_of(leaves, index), len(leaves)
    path, root = tree.path(), tree.root()
    with pytest.raises(PathRefused, match="continues above the root"):
        root_by((*path, b"\x00" * 32), leaf=leaves[index], index=index, size=size)
    assert root_by(path, leaf=leaves[index] + b"x", index=index, size=size) != root
    if path:
        with pytest.raises(PathRefused, match="ends below the root"):
            root_by(path[:-1], leaf=leaves[index], index=index, size=size)
        at = data.draw(st.integers(0, len(path) - 1))
        changed = bytes([path[at][0] ^ 1]) + path[at][1:]
        assert root_by((*path[:at], changed, *path[at + 1 :]), leaf=leaves[index], index=index, size=size) != root
    other = data.draw(st.integers(0, size - 1))
    if leaves[other] != leaves[index]:
        try:
            found = root_by(path, leaf=leaves[index], index=other, size=size)
        except PathRefused:
            return
        assert found != root


@pytest.mark.parametrize(("index", "size"), [(0, 0), (-1, 3), (3, 3)])
def test_a_place_outside_the_tree_has_no_path(index: int, size: int) -> None:
    with pytest.raises(PathRefused, match=f"no leaf {index} in a tree of {size}"):
        root_by((), leaf=b"", index=index, size=size)
    with pytest.raises(IndexError):
        tree_of(LEAVES[:size], index).path()


def test_a_large_tree_is_held_as_a_few_hashes() -> None:
    tree = Tree(1234)
    for number in range(10_000):
        tree.append(number.to_bytes(2, "big"))
    assert len(tree._parts) <= 14
    assert root_by(tree.path(), leaf=(1234).to_bytes(2, "big"), index=1234, size=10_000) == tree.root()
