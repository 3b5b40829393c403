"""The proxy and systemd configurations in docs/operating.md are valid, where these programs are installed."""

import os
import re
import shutil
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from textwrap import dedent
from time import monotonic, sleep
from typing import Final

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from tests.ports import free_port
from tests.server.conftest import running

PAGE: Final = Path(__file__).parents[2] / "docs" / "operating.md"
HOST: Final = "table.example"
SBIN: Final = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin"])
"""The folders of administrators' programs, which an ordinary user's path may lack."""


def block(heading: str) -> str:
    """Return the first block of code under a heading."""
    section = PAGE.read_text("utf-8").split(f"## {heading}\n", 1)[1]
    found = re.search(r"(?:^    .*\n|^\n)+", section.lstrip("\n"), re.MULTILINE)
    assert found is not None
    return dedent(found[0]).strip() + "\n"


def installed(program: str) -> str:
    """Return the path of a program; skip the test if it is not installed."""
    path = shutil.which(program, path=SBIN)
    if path is None:
        pytest.skip(f"{program} is not installed on this machine")
    return path


def certificate(folder: Path) -> tuple[Path, Path]:
    """Make a certificate for `HOST` and its key."""
    key, name = generate_private_key(SECP256R1()), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOST)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .sign(key, SHA256())
    )
    at, key_at = folder / "table.example.pem", folder / "table.example.key"
    at.write_bytes(made.public_bytes(Encoding.PEM))
    key_at.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return at, key_at


def nginx_of(folder: Path, port: int, server: int) -> Path:
    """Write the page's configuration of nginx, with other ports and folders, and return its file."""
    at, key = certificate(folder)
    site = block("Behind nginx")
    for said, meant in (
        ("/etc/ssl/table.example.pem", str(at)),
        ("/etc/ssl/private/table.example.key", str(key)),
        ("listen 443", f"listen 127.0.0.1:{port}"),
        ("127.0.0.1:8000", f"127.0.0.1:{server}"),
    ):
        assert said in site
        site = site.replace(said, meant)
    parts = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "".join(f"{part}_temp_path {folder}/{part};\n" for part in parts)
    file = folder / "nginx.conf"
    file.write_text(
        f"pid {folder}/nginx.pid;\nerror_log stderr;\ndaemon off;\nmaster_process off;\nevents {{}}\n"
        f"http {{\naccess_log off;\n{temporary}{site}}}\n"
    )
    return file


@contextmanager
def behind_nginx(folder: Path, server: int) -> Iterator[httpx.Client]:
    port = free_port()
    command = [installed("nginx"), "-p", str(folder), "-c", str(nginx_of(folder, port, server))]
    trusted = ssl.create_default_context(cafile=str(folder / "table.example.pem"))
    trusted.check_hostname = False  # it is reached by its address
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as nginx:
        try:
            base = f"https://127.0.0.1:{port}"
            with httpx.Client(base_url=base, verify=trusted, headers={"Host": HOST}, timeout=10) as client:
                end = monotonic() + 10
                while True:
                    try:
                        client.get("/healthz")
                        break
                    except httpx.ConnectError:
                        assert monotonic() < end
                        sleep(0.05)
                yield client
        finally:
            nginx.terminate()


@pytest.mark.slow
def test_behind_nginx_events_come_at_once_and_nobody_reads_the_metrics(tmp_path: Path) -> None:
    installed("nginx")
    with running(tmp_path / "games.sqlite", url=f"https://{HOST}") as guest:
        guest.headers["Host"] = HOST
        made = guest.made({"name": "Ann"}, {"name": "Bob"}, kind="kalah")
        with behind_nginx(tmp_path, guest.base_url.port or 0) as client:
            assert client.get("/metrics").status_code == 403
            assert client.get(f"/api/tables/{made.table}").json()["status"] == "waiting"
            with client.stream("GET", f"/api/tables/{made.table}/watch/stream") as stream:
                lines = (line for line in stream.iter_lines() if line.startswith("event: "))
                assert next(lines) == "event: lobby"
                assert made.ask_host("start").status_code == 204
                assert next(line for line in lines if "lobby" not in line) == "event: record"


@pytest.mark.slow
def test_caddy_takes_its_configuration(tmp_path: Path) -> None:
    file = tmp_path / "Caddyfile"
    file.write_text(block("Behind Caddy"))
    homes = {name: str(tmp_path) for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")}
    done = subprocess.run(
        [installed("caddy"), "validate", "--config", file, "--adapter", "caddyfile"],
        capture_output=True, text=True, check=False, env={**os.environ, **homes},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_systemd_takes_its_unit(tmp_path: Path) -> None:
    unit = block("Under systemd")
    program = "/opt/pokersvc/bin/pokersvc"
    assert f"ExecStart={program} --db /var/lib/pokersvc/" in unit
    assert "StateDirectory=pokersvc\n" in unit, "where the database is"
    file = tmp_path / "pokersvc.service"
    file.write_text(unit.replace(program, sys.executable))
    done = subprocess.run([installed("systemd-analyze"), "verify", file], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
