"""Compile functions written in plain Python with numba (extra ``fast``), if it is installed."""

from collections.abc import Iterable
from importlib.util import find_spec
from types import FunctionType, ModuleType, SimpleNamespace


def compile_kernels(
    module: ModuleType, names: Iterable[str], called: SimpleNamespace | None = None, *, nogil: bool = False
) -> SimpleNamespace | None:
    """Return the named functions of a module, compiled by numba; None if numba is not installed.

    The compiled functions call each other's compiled twins and, for functions of another module, those in ``called``.
    The module stays unchanged. The compiled code is kept on disk for the next process, if there is a folder for it.
    With ``nogil``, other threads can run while a compiled function runs.
    """
    if find_spec("numba") is None:
        return None
    import numba

    scope: dict[str, object] = {**vars(module), **vars(called or SimpleNamespace())}
    twins = SimpleNamespace()
    for name in names:
        written: FunctionType = getattr(module, name)
        twin = FunctionType(written.__code__, scope, name, written.__defaults__)
        twin.__module__, twin.__qualname__ = written.__module__, written.__qualname__
        try:
            scope[name] = numba.njit(cache=True, nogil=nogil)(twin)
        except RuntimeError:  # no cache folder is writable
            scope[name] = numba.njit(nogil=nogil)(twin)
        setattr(twins, name, scope[name])
    return twins
