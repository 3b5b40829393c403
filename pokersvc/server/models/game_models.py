"""Games as JSON: models of their actions, views and choices, made from the games' own types.

So a new game needs no code here. A view is sent without its record of past events (`Seen`), which the stream contains.
"""

import json
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache, partial
from typing import Annotated, Any, Final, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, create_model
from pydantic.errors import PydanticSchemaGenerationError
from typing_extensions import get_original_bases

from pokersvc.core.actions import Action, Leave
from pokersvc.core.game import Game
from pokersvc.core.record import Seen
from pokersvc.core.registry import game_of
from pokersvc.core.tables.table_events import ComeBack
from pokersvc.errors import InvalidValue, printable


class InvalidAction(InvalidValue):
    """An action that the game does not have, or with fields that it does not have."""

    code = "invalid_action"


@dataclass(frozen=True, slots=True)
class GoOn(Action):
    """Begin the next round, if the game is between two rounds."""


@dataclass(frozen=True, slots=True)
class Close(Action):
    """End the game, if all other people who play sit out."""


Chosen: TypeAlias = Action | ComeBack
"""The type of the actions that a seat may send."""
COMMON: Final[tuple[type[Chosen], ...]] = (Leave, GoOn, ComeBack, Close)
"""The actions that a person may send in every game."""


class _Types:
    """The types of a game's views and choices, taken from the base `Game[Start, State, View, Legal]` of its class."""

    def __init__(self, game: Game) -> None:
        found = next(
            (
                get_args(base)
                for type_ in type(game).__mro__
                for base in get_original_bases(type_)
                if get_origin(base) is Game
            ),
            (),
        )
        self.view: Any = found[2] if len(found) == 4 else Any
        self.legal: Any = found[3] if len(found) == 4 else Any


class Shape:
    """The JSON form of one game: it reads actions, and has the schemas of actions, views and choices."""

    def __init__(self, game: Game) -> None:
        self.kind = game.kind
        chosen = (*COMMON, *game.actions, *game.between_rounds)
        self.actions: dict[str, type[Chosen]] = {type_.__name__: type_ for type_ in chosen}
        self._types = _Types(game)
        self.choice: Any = _either([_model_of(type_) for type_ in self.actions.values()])
        self._choice: TypeAdapter[Any] = TypeAdapter(self.choice)

    def action(self, given: Mapping[str, Any], seat: int) -> Chosen:
        """Return a seat's action from the JSON object that was sent; raise `InvalidAction` if it is not valid."""
        try:
            chosen = self._choice.validate_json(json.dumps(given))
        except ValidationError as error:
            raise InvalidAction(self._refusal(error)) from None  # the original error would quote what was sent
        if chosen.seat not in (None, seat):
            raise InvalidAction(f"That is an action of seat {chosen.seat}, and this is the link of seat {seat}.")
        own = {name: getattr(chosen, name) for name in type(chosen).model_fields if name not in ("type", "seat")}
        action: Chosen = self.actions[chosen.type](seat=seat, **own)
        return action

    def schemas(self) -> dict[str, Any]:
        """Return the JSON schemas of the game's actions, views and choices: ``action``, ``view`` and ``legal``."""
        return {
            "action": self._choice.json_schema(),
            "view": _schema_of(self._types.view),
            "legal": _schema_of(self._types.legal),
        }

    def _refusal(self, error: ValidationError) -> str:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        if first["type"].startswith("union_tag"):
            return (
                f"That is not an action of {self.kind!r}; its 'type' must be one of {', '.join(sorted(self.actions))}."
            )
        where = ".".join(str(part) for part in first["loc"])
        return printable(f"The action is wrong at {where}: {first['msg'][:200]}.")


@cache
def shape_of(kind: str) -> Shape:
    """Return the JSON form of a kind of game."""
    return Shape(game_of(kind))


def json_of(value: object) -> object:
    """Return a view or the legal choices of a seat as plain JSON values; each action in them has its type.

    A client can therefore send back, unchanged, an action that its seat may choose.
    """
    type_: Any = type(value)
    if (writers := _writers(type_)) is None:
        if isinstance(value, list | tuple | set | frozenset | range):
            return [json_of(one) for one in value]
        if isinstance(value, Mapping):
            return {json_of(key): json_of(one) for key, one in value.items()}
        return _adapter(type_).dump_python(value, mode="json")
    typed = {"type": type_.__name__} if isinstance(value, Action) else {}
    return typed | {name: write(getattr(value, name)) for name, write in writers.items()}


@cache
def _writers(type_: Hashable) -> dict[str, Callable[[object], object]] | None:
    shown = _shown(type_)
    return None if shown is None else {name: _writer(hint) for name, hint in shown.items()}


def _writer(hint: Hashable) -> Callable[[object], object]:
    """Return a function that writes a field of this type as JSON; actions in the field are written with their types."""
    if hint is range or _holds_actions(hint, frozenset()):
        return json_of
    return partial(_adapter(hint).dump_python, mode="json")


@cache
def _adapter(type_: Any) -> TypeAdapter[object]:
    return TypeAdapter(type_)


def _holds_actions(hint: Hashable, within: frozenset[Hashable]) -> bool:
    if hint in within:
        return False
    if hint in (Any, object) or (isinstance(hint, type) and issubclass(hint, Action)):
        return True
    inner = [*get_args(hint), *(_shown(hint) or {}).values()]
    return any(_holds_actions(one, within | {hint}) for one in inner if isinstance(one, Hashable))


def _shown(type_: Any) -> dict[str, Any] | None:
    """Return the fields of a type that are written as JSON, with their types; None if the type has no fields."""
    if is_dataclass(type_):
        names = [field.name for field in fields(type_)]
    elif isinstance(type_, type) and issubclass(type_, tuple) and hasattr(type_, "_fields"):
        names = list(type_._fields)
    else:
        return None
    hints = get_type_hints(type_, include_extras=True)
    return {name: hints[name] for name in names if not _is_past(hints[name])}


def _is_past(hint: Any) -> bool:
    return get_origin(hint) in (Seen, Iterable) or hint is Seen


def _schema_of(type_: Any) -> dict[str, Any]:
    if (shown := _shown(type_)) is None:
        return {}
    made: type[BaseModel] = create_model(  # type: ignore[call-overload]  # its fields are known at run time
        type_.__name__, **{name: (hint, ...) for name, hint in shown.items()}
    )
    try:
        return made.model_json_schema(mode="serialization", ref_template="#/$defs/{model}")
    except PydanticSchemaGenerationError:
        return {}


def _model_of(type_: type[Chosen]) -> type[BaseModel]:
    """Return the model of an action as it is sent; the seat is optional, since the address names it."""
    hints = get_type_hints(type_, include_extras=True)
    own = {
        field.name: (hints[field.name], ... if field.default is MISSING else field.default)
        for field in fields(type_)
        if field.name != "seat"
    }
    model: type[BaseModel] = create_model(  # type: ignore[call-overload]  # as above
        type_.__name__,
        __config__=ConfigDict(strict=True, extra="forbid"),
        __doc__=type_.__doc__,
        type=(Literal[type_.__name__], ...),
        seat=(int | None, None),
        **own,
    )
    return model


def _either(models: list[type[BaseModel]]) -> Any:
    return Annotated[Union[tuple(models)], Field(discriminator="type")]  # noqa: UP007  # made at run time
