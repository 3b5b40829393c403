"""What takes longer: servers that are killed, and the OpenAPI document compared with the server."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Any
from uuid import uuid4

import httpx
import pytest

from .guests import Guest, Made, simple_action

pytestmark = pytest.mark.slow


@contextmanager
def process(path: Path, port: int, *options: str) -> Iterator[subprocess.Popen[str]]:
    """Serve in a process of its own; it is killed at the end, if it still runs."""
    command = [sys.executable, "-m", "pokersvc", "--db", str(path), "serve", "--port", str(port), *options]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ})
    try:
        assert running.stdout is not None
        assert re.match("Serving on", running.stdout.readline())
        yield running
    finally:
        running.kill()
        running.wait()
        assert running.stdout is not None
        running.stdout.close()


def free_port() -> int:
    from pokersvc.server.run import listen

    with listen("127.0.0.1", 0) as listening:
        return int(listening.getsockname()[1])


def send(made: Made, command: dict[str, Any]) -> None:
    with Guest(str(made.guest.base_url)) as guest, suppress(httpx.HTTPError):
        Made(guest, made.table, made.host, made.tokens).seat(1).send(**command)


@pytest.mark.parametrize("wait", [0.0, 0.02, 0.05])
def test_a_server_is_killed_in_mid_command_and_the_command_is_recorded_once(tmp_path: Path, wait: float) -> None:
    path, port = tmp_path / "games.sqlite", free_port()
    with process(path, port) as running, Guest(f"http://127.0.0.1:{port}") as guest:
        made = guest.made({"name": "Ann"}, {"name": "Bob"}, kind="kalah").started()
        before = made.seat(1).snapshot()
        command = {"id": str(uuid4()), "head": before["head"], "action": simple_action(before)}
        sending = Thread(target=send, args=(made, command))
        sending.start()
        sending.join(wait)  # so that it is killed here at one moment and there at another
        running.kill()
        sending.join()
    with process(path, port), Guest(f"http://127.0.0.1:{port}") as guest:
        again = Made(guest, made.table, made.host, made.tokens)
        first, second = again.seat(1).send(**command), again.seat(1).send(**command)
        assert first.status_code == second.status_code == 200
        assert first.json() == second.json()
        told = again.watch.events(again.watch.snapshot()["count"])
        assert len([one for one in told if one["command_id"] == command["id"] and one["n"] == 1]) == 1


def test_another_server_takes_over_the_bots_of_one_that_is_killed(tmp_path: Path) -> None:
    path, ports = tmp_path / "games.sqlite", (free_port(), free_port())
    with (
        process(path, ports[0], "--pace", "0.5") as first,
        process(path, ports[1], "--pace", "0.5"),
        Guest(f"http://127.0.0.1:{ports[0]}") as guest,
        Guest(f"http://127.0.0.1:{ports[1]}") as others,
    ):
        made = guest.made({"program": "random"}, {"program": "random"}, kind="kalah").started()
        other = Made(others, made.table, made.host, made.tokens)
        with other.watch.stream() as told:
            for seen, one in enumerate(told):
                if seen == 6:
                    first.kill()
                if one.data.get("type") == "GameEnded":
                    break
        assert other.guest.get(f"{other.path}/audit").json()["findings"] == []


@pytest.mark.filterwarnings("ignore")
def test_the_openapi_document_is_true(server: Guest) -> None:
    import schemathesis
    from hypothesis import HealthCheck, given, settings

    made = server.made({"name": "Ann"}, {"name": "Bob"}).started()
    schema = schemathesis.openapi.from_url(f"{server.base_url}/openapi.json".replace("//openapi", "/openapi"))
    checks: list[Any] = [
        schemathesis.checks.CHECKS.get_one(name)
        for name in ("not_a_server_error", "status_code_conformance", "content_type_conformance",
                     "response_schema_conformance")
    ]  # fmt: skip
    tried = 0
    for result in schema.get_all_operations():
        operation: Any = result.ok()  # type: ignore[union-attr]  # the schema is valid
        if operation.path.endswith("/stream"):
            continue

        @settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
        @given(case=operation.as_strategy())
        def check(case: Any) -> None:
            if "table" in case.path_parameters:
                case.path_parameters["table"] = made.table
            token = made.host if "/host/" in case.path else made.tokens[1]
            case.call_and_validate(headers={"Authorization": f"Bearer {token}"}, checks=checks)

        check()
        tried += 1
    assert tried > 20
