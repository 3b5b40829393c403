"""Packages whose modules and names are imported when they are first used, so that help need not import them."""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any, Final

NO_NAMES: Final[Mapping[str, tuple[str, str]]] = MappingProxyType({})


def imported_when_used(package: str, names: Mapping[str, tuple[str, str]] = NO_NAMES) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a package: it imports these names of it, and its modules.

    ``names`` says of each name in which module it is, and what it is called there. AttributeError if the package has
    nothing of that name. Hide it behind ``if not TYPE_CHECKING``: a type checker knows the modules by itself.
    """

    def __getattr__(name: str) -> Any:  # noqa: N807  # as PEP 562 calls it
        if name in names:
            module, own = names[name]
            value = getattr(import_module(module), own)
        else:
            value = _module(package, name)
        setattr(sys.modules[package], name, value)
        return value

    return __getattr__


def _module(package: str, name: str) -> Any:
    try:
        return import_module(f"{package}.{name}")
    except ModuleNotFoundError as error:
        if error.name != f"{package}.{name}":
            raise  # the module is there, and imports one that is not
        raise AttributeError(f"module {package!r} has no attribute {name!r}") from None
