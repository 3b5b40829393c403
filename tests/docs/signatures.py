"""Signatures for the pages of docs/api, built from what griffe reads in the source."""

from collections.abc import Collection, Iterable
from typing import TypeGuard

import griffe


def class_line(name: str, home: griffe.Class) -> str:
    """Return a class's constructor: its name with the parameters that a caller may give."""
    if "NamedTuple" in [str(base) for base in home.bases]:
        parameters = [f"{one.name}: {plain(one.annotation or '')}{default(one.value)}" for one in fields_of(home)]
    elif isinstance(made := home.members.get("__init__"), griffe.Function):
        parameters = said(made)
    else:
        return f"class {name}"
    return wrapped(f"class {name}", parameters)


def bases_of(home: griffe.Class, public: Collection[str]) -> list[str]:
    """Return the base classes of a class, without private ones and those that only help to build it."""
    how = ("ABC", "Generic", "NamedTuple", "Protocol")
    parts = {base.name for base in home.mro()}
    bases = [str(base).partition("[")[0].rpartition(".")[2] for base in home.bases]
    return [base for base in bases if base not in how and (base in public or base not in parts)]


def fields_of(home: griffe.Class) -> list[griffe.Attribute]:
    """Return the fields of a named tuple, in their order."""
    return [one for one in home.members.values() if isinstance(one, griffe.Attribute) and "property" not in one.labels]


def signature(name: str, function: griffe.Function) -> str:
    """Return a function's signature; of a method without ``self``."""
    returns = "" if function.returns is None else f" -> {plain(function.returns)}"
    label = "".join(
        f"@{label}\n"
        for label in ("abstractmethod", "classmethod", "contextmanager", "staticmethod")
        if label in labels(function)
    )
    return label + wrapped(name, said(function), returns)


def labels(function: griffe.Function) -> set[str]:
    """Return the decorators that change how a function is called."""
    return {str(decorator.value).rpartition(".")[2] for decorator in function.decorators}


def said(function: griffe.Function) -> list[str]:
    """Return the parameters of a function as in its source; for a method, without ``self``."""
    found, starred = [], False
    for number, one in enumerate(function.parameters):
        if number == 0 and one.name in ("self", "cls"):
            continue
        if one.kind is griffe.ParameterKind.keyword_only and not starred:
            found.append("*")
            starred = True
        stars = {griffe.ParameterKind.var_positional: "*", griffe.ParameterKind.var_keyword: "**"}.get(one.kind, "")
        starred = starred or stars == "*"
        type_ = "" if one.annotation is None else f": {plain(one.annotation)}"
        found.append(f"{stars}{one.name}{type_}" + ("" if stars else default(one.default)))
        if one.kind is griffe.ParameterKind.positional_only and is_last_positional(function, one.name):
            found.append("/")
    return found


def is_last_positional(function: griffe.Function, name: str) -> bool:
    """Return whether this parameter is the last positional one, so that keyword-only ones follow."""
    only = [one.name for one in function.parameters if one.kind is griffe.ParameterKind.positional_only]
    return only.index(name) == len(only) - 1


def aliases(home: griffe.Class | griffe.Function) -> dict[str, str]:
    """Return the type aliases of pokersvc in a signature, each with its definition."""
    annotations = [one.annotation for one in parameters_of(home)]
    if isinstance(home, griffe.Function):
        annotations.append(home.returns)
    names = [part for one in annotations if isinstance(one, griffe.Expr) for part in one.iterate() if is_name(part)]
    package = home.package
    found = {}
    for name in names:
        path = str(name.canonical_path)
        if path.startswith("pokersvc."):
            try:
                target = package[path.partition(".")[2]]
            except KeyError:  # a name that only this function has
                continue
            target = target.final_target if target.is_alias else target
            if isinstance(target, griffe.TypeAlias | griffe.Attribute) and isinstance(target.value, griffe.Expr):
                found[target.name] = plain(target.value)
    return {name: value for name, value in found.items() if not value.startswith("TypeVar(")}


def parameters_of(home: griffe.Class | griffe.Function) -> Iterable[griffe.Parameter | griffe.Attribute]:
    """Return the parameters of a signature; for a named tuple, its fields."""
    if isinstance(home, griffe.Function):
        return home.parameters
    if isinstance(made := home.members.get("__init__"), griffe.Function):
        return made.parameters
    return fields_of(home)


def is_name(part: object) -> TypeGuard[griffe.ExprName]:
    """Return whether a part of a type is a name."""
    return isinstance(part, griffe.ExprName)


def plain(annotation: str | griffe.Expr) -> str:
    """Return a type without pydantic's annotations and without quotes."""
    if isinstance(annotation, griffe.ExprSubscript) and str(annotation.left) == "Annotated":
        assert isinstance(annotation.slice, griffe.ExprTuple)
        annotation = annotation.slice.elements[0]
    text = str(annotation)
    return text if "Literal" in text else text.replace("'", "").replace('"', "")


def default(value: str | griffe.Expr | None) -> str:
    """Return a parameter's default as it follows the type."""
    return "" if value is None else f" = {value}"


def wrapped(name: str, parameters: list[str], returns: str = "") -> str:
    """Return a signature in one line or, if that is too long, with one parameter per line."""
    line = f"{name}({', '.join(parameters)}){returns}"
    if len(line) <= 100:
        return line
    return "\n".join([f"{name}(", *(f"    {parameter}," for parameter in parameters), f"){returns}"])


def constant(name: str, home: griffe.Attribute | griffe.TypeAlias) -> str:
    """Return a constant with its value if that is informative, else with its type."""
    if isinstance(home, griffe.TypeAlias):
        return f"{name} = {home.value}"
    value, type_ = str(home.value), "" if home.annotation is None else str(home.annotation)
    if len(value) <= 60 and (not home.annotation or type_ in ("Final", "TypeAlias")):
        return f"{name} = {value}"
    return f"{name}: {type_.removeprefix('Final[').removesuffix(']') if type_.startswith('Final[') else type_}"
