"""Values: frozen dataclasses with slots, fast to create because programs create millions of them."""

from collections.abc import Callable
from dataclasses import MISSING, Field
from typing import Any, ClassVar, Self


class Value:
    """Base of events, of actions and of their parts, each a dataclass (``frozen=True, slots=True``).

    The ``__init__`` of a frozen dataclass sets each field by its name with ``object.__setattr__``. The ``__init__`` of
    a value has the same signature, but writes into the slots directly, which takes less than half the time.
    """

    __slots__ = ()

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def __init_subclass__(cls) -> None:
        """Replace the ``__init__`` that the dataclass has just been given, if it does nothing but write fields."""
        super().__init_subclass__()
        made = cls.__dict__
        if "__slots__" in made and "__dataclass_fields__" in made and not hasattr(cls, "__post_init__"):
            fields = cls.__dataclass_fields__.values()
            if all(field.init and field.default_factory is MISSING for field in fields):
                cls.__init__ = _into_slots(cls, made["__init__"])  # type: ignore[method-assign]  # a faster one of the same form

    def __deepcopy__(self, memo: object) -> Self:
        """Return the value itself, since nothing in it changes: a state is copied in a fraction of the time."""
        return self


def _into_slots(cls: type[Value], init: Callable[..., None]) -> Callable[..., None]:
    """Return a function with the signature of a dataclass's ``__init__`` that writes each field into its slot."""
    code = init.__code__
    positional = code.co_varnames[: code.co_argcount]
    by_name = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    self, *_ = positional
    fields = (*positional[1:], *by_name)
    parameters = ", ".join((*positional, *(("*", *by_name) if by_name else ())))
    writes = "".join(f"\n    _write_{field}({self}, {field})" for field in fields) or "\n    pass"
    scope: dict[str, Callable[..., None]] = {f"_write_{field}": getattr(cls, field).__set__ for field in fields}
    exec(f"def __init__({parameters}) -> None:{writes}", scope)  # noqa: S102 - of field names only, as in dataclasses
    made = scope["__init__"]
    for attribute in ("__annotations__", "__defaults__", "__kwdefaults__", "__module__", "__qualname__"):
        setattr(made, attribute, getattr(init, attribute))
    return made
