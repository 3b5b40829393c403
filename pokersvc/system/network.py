"""The addresses of this machine, according to its network interfaces."""

import ctypes
import socket
import sys
from collections.abc import Iterable, Iterator
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final, NamedTuple, TypeAlias

IpAddress: TypeAlias = IPv4Address | IPv6Address

ELSEWHERE: Final = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses that nobody has (RFC 5737, RFC 3849): a UDP socket connected to one has an address of this machine."""
RUNNING: Final = 0x1 | 0x40
"""Flags of an interface that is up (`IFF_UP`) and has a network (`IFF_RUNNING`); the same in Linux, macOS and BSD."""
POINT_TO_POINT: Final = 0x10
"""The flag of a link with one other end, such as a tunnel (`IFF_POINTOPOINT`)."""


class Interface(NamedTuple):
    """An address of this machine, and the network interface that has it."""

    name: str
    flags: int
    address: IpAddress


class _Entry(ctypes.Structure):
    """The part of `struct ifaddrs` that is the same in Linux, macOS and BSD."""


_Entry._fields_ = [
    ("next", ctypes.POINTER(_Entry)),
    ("name", ctypes.c_char_p),
    ("flags", ctypes.c_uint),
    ("address", ctypes.c_void_p),
]


def interfaces() -> Iterator[Interface]:
    """Yield the IPv4 and IPv6 addresses of all interfaces; raise `OSError` if the system does not tell them."""
    library = ctypes.CDLL(None, use_errno=True)
    library.freeifaddrs.argtypes = [ctypes.POINTER(_Entry)]
    first = ctypes.POINTER(_Entry)()
    if library.getifaddrs(ctypes.byref(first)):
        raise OSError(ctypes.get_errno(), "the system does not tell its addresses")
    try:
        at = first
        while bool(at):
            entry = at.contents
            if entry.address and (address := _address(entry.address)) is not None:
                yield Interface(entry.name.decode(errors="replace"), entry.flags, address)
            at = entry.next
    finally:
        library.freeifaddrs(first)


def _address(at: int) -> IpAddress | None:
    """Return the address in a `struct sockaddr`; None for another kind of address, such as a network card's own."""
    head = ctypes.string_at(at, 2)
    family = int.from_bytes(head, sys.byteorder) if sys.platform == "linux" else head[1]  # BSD has a length byte first
    if family == socket.AF_INET:
        return IPv4Address(ctypes.string_at(at + 4, 4))
    if family == socket.AF_INET6:
        return IPv6Address(ctypes.string_at(at + 8, 16))
    return None


def outward(family: socket.AddressFamily) -> IpAddress | None:
    """Return the address by which this machine reaches others; None if it reaches none. Nothing is sent."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as asked:
            asked.connect((ELSEWHERE[family], 9))
            return ip_address(asked.getsockname()[0])
    except OSError:
        return None


def local(found: Iterable[Interface], first: Iterable[IpAddress | None] = ()) -> list[Interface]:
    """Return the addresses reachable in a local network, those in ``first`` before others, IPv4 before IPv6.

    Left out are addresses that only this machine reaches, addresses that the Internet reaches, addresses of one link
    only (a browser takes no IPv6 address with a zone), and the ends of tunnels.
    """
    preferred = list(first)
    reached = {
        one.address: one
        for one in found
        if one.flags & RUNNING == RUNNING
        and not one.flags & POINT_TO_POINT
        and not one.address.is_global
        and not (one.address.is_loopback or one.address.is_link_local or one.address.is_unspecified)
    }
    return sorted(reached.values(), key=lambda one: (one.address not in preferred, one.address.version))


def in_local_networks() -> list[Interface]:
    """Return this machine's addresses in its local networks, the likeliest first."""
    return local(interfaces(), map(outward, ELSEWHERE))


def as_host(address: str) -> str:
    """Return an address in the form that a URL needs.

    >>> as_host("fd00::1"), as_host("127.0.0.1")
    ('[fd00::1]', '127.0.0.1')
    """
    return f"[{address}]" if ":" in address else address


def only_here(host: str) -> bool:
    """Return whether a URL's host is reachable only from this machine.

    >>> only_here("127.0.0.1"), only_here("::1"), only_here("localhost"), only_here("192.168.1.7")
    (True, True, True, False)
    """
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
