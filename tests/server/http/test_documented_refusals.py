"""How the OpenAPI document describes refusals: by one schema, which no route compiles for itself."""

from typing import Any

import pytest
from fastapi.utils import create_model_field

from pokersvc.eventlog.database import Database
from pokersvc.server.api.addresses import REFUSALS
from pokersvc.server.app import application, parts_of
from pokersvc.server.models.answers import Refusal
from pokersvc.server.settings import Settings
from tests.server.guests import Guest

ANYWHERE = {str(status) for status in REFUSALS}


def test_a_refusal_is_described_by_the_schema_of_its_model(server: Guest) -> None:
    document = server.get("/openapi.json").json()
    described = {
        answer["content"]["application/json"]["schema"]["$ref"]
        for path, operations in document["paths"].items()
        for operation in operations.values()
        for status, answer in operation["responses"].items()
        if status in ANYWHERE and status not in ("409", "503")  # which some routes describe further
    }
    assert described == {f"#/components/schemas/{Refusal.__name__}"}
    assert document["components"]["schemas"][Refusal.__name__]["properties"].keys() == {*Refusal.model_fields}


def test_a_server_starts_without_compiling_refusals_for_each_route(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[object] = []

    def noted(type_: object, **named: Any) -> object:
        compiled.append(type_)
        return create_model_field(type_=type_, **named)

    monkeypatch.setattr("fastapi.routing.create_model_field", noted)
    with Database.for_writing(":memory:") as database:
        application(parts_of(database, Settings(port=8000)))
    assert 0 < compiled.count(Refusal) < 5, "the answers of two addresses that say how the server is"
