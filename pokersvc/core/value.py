"""Values: frozen dataclasses with slots, fast to create because programs create millions of them."""

from collections.abc import Callable, Iterable
from dataclasses import MISSING, Field
from typing import Any, ClassVar, Final, Self, cast

_MANY_FIELDS: Final = 8
"""A value with so many fields is filled while it is an object of a type with the same slots that is not frozen.

Python itself then writes each attribute, which takes half the time that calls do, and less if there are more fields.
"""


class Value:
    """Base of events, of actions and of their parts, each a dataclass (``frozen=True, slots=True``).

    The ``__init__`` of a frozen dataclass sets each field by its name with ``object.__setattr__``. The ``__init__`` of
    a value has the same signature, but writes into the slots directly, which takes less than half the time. A frozen
    dataclass asks for its fields whenever it is pickled or read. A value knows them, which takes a third of the time,
    and half of it to read.
    """

    __slots__ = ()

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def __init_subclass__(cls) -> None:
        """Give a finished dataclass whose ``__init__`` does nothing but write fields faster methods of the same form.

        Any other class is pickled as every object is, and not as one that it inherits from.
        """
        super().__init_subclass__()
        made = cls.__dict__
        usual = made.get("__reduce__", object.__reduce__) is object.__reduce__
        faster: dict[str, object] = {"__reduce__": object.__reduce__} if usual else {}
        if "__slots__" in made and "__dataclass_fields__" in made and not hasattr(cls, "__post_init__"):
            fields = cls.__dataclass_fields__.values()
            if all(field.init and field.default_factory is MISSING for field in fields):
                faster["__init__"] = _faster_init(cls, made["__init__"])
                if usual and not any(field.kw_only for field in fields):
                    faster["__reduce__"] = _by_fields(cls.__dataclass_fields__)
        for name, method in faster.items():
            setattr(cls, name, method)

    def __deepcopy__(self, memo: object) -> Self:
        """Return the value itself, since nothing in it changes: a state is copied in a fraction of the time."""
        return self


def _by_fields(names: Iterable[str]) -> Callable[[Value], tuple[object, ...]]:
    """Return a ``__reduce__`` by which a value is pickled as its class, called with these fields.

    It is written as code, since 200 events are pickled in 65 µs so, and in 82 by `operator.attrgetter`.
    """
    values = "".join(f"self.{name}, " for name in names)
    scope: dict[str, Callable[[Value], tuple[object, ...]]] = {}
    exec(f"def __reduce__(self):\n    return type(self), ({values})", scope)  # noqa: S102 - of field names only, as below
    return scope["__reduce__"]


def _faster_init(cls: type[Value], init: Callable[..., None]) -> Callable[..., None]:
    """Return a function with the signature of a dataclass's ``__init__`` that writes each field into its slot."""
    names = tuple(cls.__dataclass_fields__)
    setters = {f"_write_{name}": getattr(cls, name).__set__ for name in names}
    made = _written_as_code(init, [f"_write_{name}({{self}}, {name})" for name in names], **setters)
    if len(names) < _MANY_FIELDS:
        return made
    filled = type(f"{cls.__name__}BeingFilled", cls.__bases__, {"__slots__": cls.__dict__["__slots__"]})
    if any("__setattr__" in vars(one) for one in filled.__mro__[:-1]):  # such as a frozen dataclass
        return made
    by_name = ", ".join([f"{name}={name}" for name in names])
    writes = [
        f"if {{self}}.__class__ is not _own: return _of_a_subclass({{self}}, {by_name})",
        "_become({self}, _filled)",
        *[f"{{self}}.{name} = {name}" for name in names],
        "{self}.__class__ = _own",
    ]
    become = object.__dict__["__class__"].__set__
    return _written_as_code(init, writes, _become=become, _filled=filled, _own=cls, _of_a_subclass=made)


def _written_as_code(init: Callable[..., None], lines: list[str], **scope: object) -> Callable[..., None]:
    """Return a function with the signature of ``init`` that does what the lines say, where ``{self}`` is its object."""
    code = init.__code__
    positional = code.co_varnames[: code.co_argcount]
    by_name = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    self, *_ = positional
    parameters = ", ".join((*positional, *(("*", *by_name) if by_name else ())))
    body = "".join(f"\n    {line.format(self=self)}" for line in lines) or "\n    pass"
    exec(f"def __init__({parameters}) -> None:{body}", scope)  # noqa: S102 - of field names only, as in dataclasses
    made = cast("Callable[..., None]", scope["__init__"])
    for attribute in ("__annotations__", "__defaults__", "__kwdefaults__", "__module__", "__qualname__"):
        setattr(made, attribute, getattr(init, attribute))
    return made
