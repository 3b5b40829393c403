"""The parts of this machine that a box shows: Python, the libraries that pokersvc runs with, and the game's package."""

import importlib.util
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

_SYSTEM: Final = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/share/zoneinfo",
                  "/etc/ld.so.cache", "/etc/localtime")  # fmt: skip
_FOR_THE_NETWORK: Final = ("/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/ssl",
                           "/usr/share/ca-certificates", "/etc/pki")  # fmt: skip
_SITES: Final = ("site-packages", "dist-packages")
"""Names of folders with installed packages, which a box shows; others on Python's path may hold anything."""


class Libraries(NamedTuple):
    """The parts of the machine that a box shows, and the places where its Python finds modules."""

    shown: tuple[tuple[str, str], ...]
    links: tuple[tuple[str, str], ...]
    path: tuple[str, ...]


def libraries(modules: Iterable[str], *, network: bool) -> Libraries:
    """Return the parts of this machine that a box shows to a player that needs these modules and installed ones."""
    links, system = [], []
    for place in (*_SYSTEM, *(_FOR_THE_NETWORK if network else ())):
        if network and Path(place).is_symlink() and not Path(place).is_dir():
            system.append((os.path.realpath(place), place))
        elif Path(place).is_symlink() and Path(place).is_dir():
            links.append((place, str(Path(place).readlink())))
        elif Path(place).exists():
            system.append((os.path.realpath(place), place))
    sites = [place for place in sys.path if Path(place).name in _SITES and Path(place).is_dir()]
    packages = [found for module in ("pokersvc", *modules) if (found := _package(module)) is not None]
    python = [str(Path(prefix) / "lib") for prefix in {sys.base_prefix, sys.base_exec_prefix}]
    own = [(place, place) for place in (*python, *sites, *packages)]
    shown = tuple(_outermost([*system, *own], [link for link, _ in links]))
    inside = [place for place in sys.path if _within(place, [target for _, target in shown])]
    beside = [str(Path(package).parent) for package in packages]
    return Libraries(shown, tuple(links), tuple(dict.fromkeys([*inside, *beside])))


def _package(module: str) -> str | None:
    """Return the folder of a module's package, or the file of a module that is in no package."""
    spec = importlib.util.find_spec(module.partition(".")[0])
    if spec is None:
        return None
    places = list(spec.submodule_search_locations or ())
    return places[0] if places else spec.origin


def _outermost(shown: Iterable[tuple[str, str]], links: list[str]) -> Iterator[tuple[str, str]]:
    """Yield each shown file and folder that does not lie within another shown one."""
    kept: list[str] = list(links)
    for source, target in sorted(set(shown), key=lambda one: len(Path(one[1]).parts)):
        if not _within(target, kept):
            kept.append(target)
            yield source, target


def _within(place: str, others: Iterable[str]) -> bool:
    return any(Path(place).is_relative_to(other) for other in others)
