"""A server of the local network: it listens on each of its addresses, and answers to no other name."""

import socket
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path
from threading import Thread

import pytest

from pokersvc.server.connections.guard import Hosts
from pokersvc.server.run import Server, listen
from pokersvc.server.settings import Settings
from pokersvc.service.opening import open_database
from pokersvc.system.network import RUNNING, Interface, interfaces, local
from tests.ports import free_port
from tests.server.guests import Guest

UP = RUNNING
TUNNEL = RUNNING | 0x10
DOWN = 0x1


def has(name: str, address: str, flags: int = UP) -> Interface:
    return Interface(name, flags, ip_address(address))


FOUND = [
    has("lo", "127.0.0.1"),
    has("lo", "::1"),
    has("eth0", "10.0.0.7"),
    has("eth0", "fd12::7"),
    has("eth0", "fe80::7"),
    has("eth0", "2a02::7"),
    has("wlan0", "192.168.1.7"),
    has("wlan0", "169.254.7.7"),
    has("ppp0", "8.8.8.8"),
    has("tun0", "10.8.0.7", TUNNEL),
    has("docker0", "172.17.0.1", DOWN),
]


def test_the_addresses_are_those_that_others_in_the_network_reach() -> None:
    assert [(one.name, str(one.address)) for one in local(FOUND)] == [
        ("eth0", "10.0.0.7"),
        ("wlan0", "192.168.1.7"),
        ("eth0", "fd12::7"),
    ]


def test_the_address_by_which_the_machine_reaches_others_is_the_first() -> None:
    by = [IPv4Address("192.168.1.7"), None]
    assert [str(one.address) for one in local(FOUND, by)] == ["192.168.1.7", "10.0.0.7", "fd12::7"]


def test_a_tunnel_is_not_the_first_though_the_machine_reaches_others_by_it() -> None:
    assert str(local(FOUND, [IPv4Address("10.8.0.7")])[0].address) == "10.0.0.7"


def test_an_address_of_two_interfaces_is_named_once() -> None:
    assert len(local([has("eth0", "10.0.0.7"), has("br0", "10.0.0.7")])) == 1


def test_the_system_tells_its_addresses() -> None:
    addresses = [one.address for one in interfaces()]
    assert IPv4Address("127.0.0.1") in addresses
    for address in addresses:  # each is one to listen on, but IPv6 with a zone
        if not (isinstance(address, IPv6Address) and address.is_link_local):
            with listen(str(address), 0):
                pass


@pytest.mark.parametrize(
    ("host", "allowed"),
    [
        ("192.168.1.7:8000", True),
        ("[fd12::7]:8000", True),
        ("192.168.1.7", False),
        ("192.168.1.7:80", False),
        ("192.168.1.8:8000", False),
        ("127.0.0.1:8000", False),
        ("localhost:8000", False),
        ("table.example:8000", False),
        (f"{socket.gethostname()}:8000", False),
    ],
)
def test_requests_name_one_of_these_addresses(host: str, allowed: bool) -> None:
    assert Hosts(Settings(lan=("192.168.1.7", "fd12::7"))).allowed(host) == allowed


def test_it_listens_on_each_address_and_refuses_every_other_host(tmp_path: Path) -> None:
    port = free_port()
    settings = Settings(lan=("127.0.0.2", "127.0.0.3"), port=port)
    listening = [listen(address, port) for address in settings.addresses]
    with open_database(tmp_path / "games.sqlite") as database:
        server = Server(database, settings, listening)
        thread = Thread(target=server.serve_here)
        thread.start()
        try:
            for address in settings.lan:
                with Guest(f"http://{address}:{port}") as guest:
                    assert guest.get("/healthz").status_code == 200
                    other = guest.get("/healthz", headers={"Host": f"localhost:{port}"})
                    assert (other.status_code, other.json()["code"]) == (421, "wrong_host")
            with pytest.raises(ConnectionRefusedError):
                socket.create_connection(("127.0.0.1", port), timeout=5)
        finally:
            server.should_exit = True
            thread.join()
