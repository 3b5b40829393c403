"""Values: frozen dataclasses with slots, fast to create because programs create millions of them."""

from collections.abc import Callable, Iterable
from dataclasses import MISSING, Field
from typing import Any, ClassVar, Self


class Value:
    """Base of events, of actions and of their parts, each a dataclass (``frozen=True, slots=True``).

    The ``__init__`` of a frozen dataclass sets each field by its name with ``object.__setattr__``. The ``__init__`` of
    a value has the same signature, but writes into the slots directly, which takes less than half the time. A frozen
    dataclass looks up its fields whenever it is pickled or unpickled. A value knows them, so pickling takes a third of
    the time, and unpickling half.
    """

    __slots__ = ()

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def __init_subclass__(cls) -> None:
        """Give a finished dataclass faster methods of the same form, if its ``__init__`` only writes fields.

        Any other class is pickled like any object, and not like a class that it inherits from.
        """
        super().__init_subclass__()
        made = cls.__dict__
        usual = made.get("__reduce__", object.__reduce__) is object.__reduce__
        faster: dict[str, object] = {"__reduce__": object.__reduce__} if usual else {}
        if "__slots__" in made and "__dataclass_fields__" in made and not hasattr(cls, "__post_init__"):
            fields = cls.__dataclass_fields__.values()
            if all(field.init and field.default_factory is MISSING for field in fields):
                faster["__init__"] = _into_slots(cls, made["__init__"])
                if usual and not any(field.kw_only for field in fields):
                    faster["__reduce__"] = _by_fields(cls.__dataclass_fields__)
        for name, method in faster.items():
            setattr(cls, name, method)

    def __deepcopy__(self, memo: object) -> Self:
        """Return the value itself, which never changes; copying a state then takes a fraction of the time."""
        return self


def _by_fields(names: Iterable[str]) -> Callable[[Value], tuple[object, ...]]:
    """Return a ``__reduce__`` by which a value is pickled as its class, called with these fields.

    It is generated as code, which pickles 200 events in 65 µs; `operator.attrgetter` would take 82 µs.
    """
    values = "".join(f"self.{name}, " for name in names)
    scope: dict[str, Callable[[Value], tuple[object, ...]]] = {}
    exec(f"def __reduce__(self):\n    return type(self), ({values})", scope)  # noqa: S102 - of field names only, as below
    return scope["__reduce__"]


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
