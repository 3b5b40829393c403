"""Packages that import their modules and names on first use, so that ``--help`` does not import them."""

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
    """Return a package's ``__getattr__`` that imports these names, and the package's modules, on first use.

    ``names`` maps each name to its module and to its name there. The function raises AttributeError if the package has
    nothing of that name. Define it under ``if not TYPE_CHECKING``: a type checker knows the modules by itself.
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
            raise  # the module exists, but imports one that does not
        raise AttributeError(f"module {package!r} has no attribute {name!r}") from None


class MovedModules:
    """An import finder, used after all others, for the former names of moved modules (`pokersvc.system.moved`).

    Importing a module by its current name thus costs nothing; the list is read only if no other finder knows a name.
    """

    def find_spec(self, name: str, path: object = None, target: object = None) -> "ModuleSpec | None":
        """Return the spec of a module by its former name; None for any other name."""
        if not name.startswith("pokersvc."):
            return None
        from importlib.machinery import ModuleSpec

        from pokersvc.system.moved import MOVED

        return ModuleSpec(name, cast("Loader", _Moved(MOVED[name]))) if name in MOVED else None


class _Moved:
    """Loads a moved module from its current place."""

    def __init__(self, place: str) -> None:
        self.place = place

    def create_module(self, spec: object) -> None:
        """Let Python make an empty module, which `exec_module` replaces."""

    def exec_module(self, module: ModuleType) -> None:
        """Put the real module into `sys.modules` under the former name, so that both names give the same module."""
        sys.modules[module.__name__] = import_module(self.place)
