"""Packages whose modules and names are imported when they are first used, so that help need not import them."""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from importlib.abc import Loader
    from importlib.machinery import ModuleSpec

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


class MovedModules:
    """Finds modules where they were before (`pokersvc.system.moved`): a finder that Python asks after all others.

    So a module that is where it is named costs nothing, and the list is read only once one is not.
    """

    def find_spec(self, name: str, path: object = None, target: object = None) -> "ModuleSpec | None":
        """Return how to import a module by the name that it had; None for any other."""
        if not name.startswith("pokersvc."):
            return None
        from importlib.machinery import ModuleSpec

        from pokersvc.system.moved import MOVED

        return ModuleSpec(name, cast("Loader", _Moved(MOVED[name]))) if name in MOVED else None


class _Moved:
    """Loads a module from where it is."""

    def __init__(self, place: str) -> None:
        self.place = place

    def create_module(self, spec: object) -> None:
        """Let Python make an empty module, which is not kept."""

    def exec_module(self, module: ModuleType) -> None:
        """Put the module itself in the place of the empty one, as Python allows: it is then imported by both names."""
        sys.modules[module.__name__] = import_module(self.place)
