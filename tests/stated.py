"""The numbers in modules: limits, defaults, and how their values are computed.

``python -m tests.stated`` writes it into `stated.json`, for a change that is meant.
"""

import inspect
import json
import sys
from collections.abc import Iterator, Mapping, Set
from dataclasses import MISSING, Field, fields, is_dataclass
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Final

from pydantic import BaseModel

from .checkout import ROOT

STORED: Final = Path(__file__).with_suffix(".json")
ROOMS: Final = ("core", "eventlog", "evidence", "games", "histories", "service")
COMPILED: Final = ("engine.py", "kernels.py", "search.py", "solver.py")
"""Files with functions that numba compiles at their first call, once for each copy of the module."""
APART: Final = tuple(f"service/read_models/{name}.py" for name in ("played_rounds", "projections", "tallies"))
"""Modules that define SQLAlchemy tables, which must not be imported a second time."""
_PLAIN: Final = (bool, int, float, timedelta)


def modules() -> list[str]:
    """Return the modules whose numbers are listed."""
    found = [path for room in ROOMS for path in sorted((ROOT / "pokersvc" / room).rglob("*.py"))]
    wanted = [path for path in found if path.name not in ("__init__.py", *COMPILED) and not str(path).endswith(APART)]
    return [str(path.relative_to(ROOT)) for path in wanted]


def stated(file: str) -> dict[str, str]:
    """Return the constants of a module by name; the module is executed again under another name."""
    path = ROOT / file
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    import_module(name)  # with all that it imports, and that may import it
    module = ModuleType(f"{name}_stated")
    module.__file__, module.__package__ = str(path), name.rpartition(".")[0]
    sys.modules[module.__name__] = module  # where dataclasses and pydantic look
    try:
        exec(compile(path.read_bytes(), str(path), "exec", dont_inherit=True), module.__dict__)
        return dict(sorted(_of_module(module)))
    finally:
        del sys.modules[module.__name__]


def _of_module(module: ModuleType) -> Iterator[tuple[str, str]]:
    for name, value in vars(module).items():
        if name.startswith("__"):
            continue
        if hasattr(value, "cache_parameters"):
            yield f"@{name}", str(value.cache_parameters())
        elif getattr(value, "__module__", None) != module.__name__:
            if _has_number(value):
                yield name, _said(value)
        elif isinstance(value, FunctionType):
            yield from _defaults(name, value)
        elif isinstance(value, type):
            yield from _of_class(name, value)


def _of_class(name: str, class_: type) -> Iterator[tuple[str, str]]:
    """Yield how a class makes its values, and the defaults of its fields, members and methods."""
    if is_dataclass(class_) and "__dataclass_params__" in vars(class_):
        asked = vars(class_)["__dataclass_params__"]
        made = {one: getattr(asked, one) for one in ("init", "repr", "eq", "order", "unsafe_hash", "frozen")}
        made |= {"slots": "__slots__" in vars(class_), "kw_only": all(field.kw_only for field in fields(class_))}
        yield f"@{name}", " ".join(one for one, yes in made.items() if yes)
        yield from _of_fields(name, fields(class_))
    elif issubclass(class_, BaseModel):
        yield f"@{name}", str(dict(class_.model_config))
        limited = {field: info.metadata for field, info in class_.model_fields.items() if info.metadata}
        yield from ((f"{name}.{field}", str(metadata)) for field, metadata in limited.items())
        yield from (
            (f"{name}.{field} by default", _said(info.default))
            for field, info in class_.model_fields.items()
            if _has_number(info.default)
        )
    for key, value in vars(class_).items():
        function = value.__func__ if isinstance(value, classmethod | staticmethod) else value
        if isinstance(function, FunctionType):
            yield from _defaults(f"{name}.{key}", function)
        elif not key.startswith(("__", "_is_", "_abc_", "_field_defaults", "model_")) and _has_number(value):
            yield f"{name}.{key}", _said(value)
    defaults: Mapping[str, object] = vars(class_).get("_field_defaults", {})
    yield from ((f"{name}.{key} by default", _said(value)) for key, value in defaults.items() if _has_number(value))


def _of_fields(name: str, of: "tuple[Field[object], ...]") -> Iterator[tuple[str, str]]:
    for field in of:
        kind = "".join(f" {said}" for said in ("init", "repr", "compare") if getattr(field, said) is True)
        default = "" if field.default is MISSING or not _has_number(field.default) else f" = {_said(field.default)}"
        if default or kind != " init repr compare":
            yield f"{name}.{field.name}", f"{kind}{default}".strip()


def _defaults(name: str, function: FunctionType) -> Iterator[tuple[str, str]]:
    """Yield the defaults of a function, unless it was made for a class."""
    if Path(function.__code__.co_filename).is_file():
        for parameter in inspect.signature(function).parameters.values():
            if parameter.default is not parameter.empty and _has_number(parameter.default):
                yield f"{name}({parameter.name})", _said(parameter.default)


def _has_number(value: object) -> bool:
    """Return whether a value is a number, or a plain value that contains one."""
    if isinstance(value, Mapping):
        return any(map(_has_number, [*value.keys(), *value.values()]))
    if isinstance(value, tuple | list | Set):
        return any(map(_has_number, value))
    if is_dataclass(value) and not isinstance(value, type):
        return any(_has_number(getattr(value, field.name)) for field in fields(value))
    return isinstance(value, _PLAIN)


def _said(value: object) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_said(key)}: {_said(inner)}" for key, inner in value.items()) + "}"
    if is_dataclass(value) and not isinstance(value, type):
        return _said({field.name: getattr(value, field.name) for field in fields(value)})
    if isinstance(value, Set):
        return "{" + ", ".join(sorted(map(_said, value))) + "}"
    if isinstance(value, tuple | list):
        return "(" + ", ".join(map(_said, value)) + ")"
    if isinstance(value, (str, bytes, *_PLAIN)):
        return repr(value) if len(repr(value)) <= 80 else repr(value)[:80]
    return type(value).__name__


if __name__ == "__main__":
    found = {file: stated(file) for file in modules()}
    STORED.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", "utf-8")
