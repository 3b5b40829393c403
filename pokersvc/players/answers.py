"""Actions as bytes; a custom player's process may send any bytes as its answer."""

from collections.abc import Iterable

from pydantic import TypeAdapter

from pokersvc.core.actions import Action


class Answers:
    """Writes and reads the actions of one game: a type's name and its fields as strict JSON, and nothing else.

    Nothing that is read is executed: every answer is one of these actions or is rejected.
    """

    def __init__(self, actions: Iterable[type[Action]]) -> None:
        self._forms = {action.__name__: TypeAdapter(action) for action in actions}
        self._names = {action: action.__name__ for action in actions}

    def write(self, action: object) -> bytes | None:
        """Return an action as bytes, or None if it is not an action of the game."""
        name = self._names.get(type(action))  # type: ignore[arg-type]  # the argument may have any type
        if name is None:
            return None
        try:
            return name.encode() + b" " + self._forms[name].dump_json(action, warnings="none")  # type: ignore[arg-type]
        except Exception:  # a field may hold anything
            return None

    def read(self, answer: bytes) -> Action | None:
        """Return the action that these bytes encode, or None if they encode none."""
        name, _, fields = answer.partition(b" ")
        form = self._forms.get(name.decode("ascii", "replace"))
        if form is None:
            return None
        try:
            return form.validate_json(fields, strict=True)
        except ValueError:
            return None
