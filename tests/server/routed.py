"""What FastAPI finds out about parameters and answers of routes, kept for the next server of this process.

A server of a test has the same 74 routes as the one before, and FastAPI needs a quarter of a second to read their
signatures and to build validators, which is more than most tests of a server take.
"""

from collections.abc import Callable
from inspect import Parameter
from typing import Any, Final

import pytest
from fastapi import routing
from fastapi.dependencies import utils
from fastapi.utils import create_model_field

KEPT: Final[dict[tuple[object, ...], tuple[Any, Any]]] = {}
"""By name, kind and identity of a type: the type, so that no other has its identity, and what was found out of it."""

PLAIN: Final = (int, str, bool, type(None))
"""Types of defaults that are compared by their values."""

ANALYZED: Final[Callable[..., Any]] = utils.analyze_param
MADE: Final[Callable[..., Any]] = create_model_field


def _kept(key: tuple[object, ...], type_: Any, find: Callable[[], Any]) -> Any:
    found = KEPT.get(key)
    if found is None or found[0] is not type_:
        found = KEPT[key] = type_, find()
    return found[1]


def analyzed(*, param_name: str, annotation: Any, value: Any, path_param_names: set[str]) -> Any:
    """Analyze a parameter as FastAPI does, unless the same one was analyzed before."""

    def find() -> Any:
        return ANALYZED(param_name=param_name, annotation=annotation, value=value, path_param_names=path_param_names)

    if value is not Parameter.empty and type(value) not in PLAIN:
        return find()
    key = ("parameter", param_name, id(annotation), type(value), value, param_name in path_param_names)
    return _kept(key, annotation, find)


def made(name: str, type_: Any, *args: Any, **options: Any) -> Any:
    """Make the field of an answer as FastAPI does, unless the same one was made before."""
    if args or set(options) - {"mode"}:
        return MADE(name, type_, *args, **options)
    key = ("answer", name, id(type_), options.get("mode"))
    return _kept(key, type_, lambda: MADE(name, type_, **options))


def keep_routes(patch: pytest.MonkeyPatch) -> None:
    """Use what was found out for earlier servers, and keep what is found out for the next."""
    patch.setattr(utils, "analyze_param", analyzed)
    patch.setattr(routing, "create_model_field", made)
