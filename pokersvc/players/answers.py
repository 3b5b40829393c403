"""Actions and policies as bytes; a custom player's process may send any bytes as its answer."""

from collections.abc import Iterable, Mapping
from numbers import Real

from pydantic import TypeAdapter

from pokersvc.core.actions import Action
from pokersvc.core.bots.policy import Policy


class Answers:
    """Writes and reads the actions of one game: a type's name and its fields as strict JSON, and nothing else.

    A policy has a line for each action, which begins with its probability. Nothing that is read is executed: every
    answer is one of these actions, or a policy of them, or is rejected.
    """

    def __init__(self, actions: Iterable[type[Action]]) -> None:
        forms = {action: TypeAdapter(action) for action in actions}
        self._readers = {action.__name__: form.validator.validate_json for action, form in forms.items()}
        self._writers = {
            action: (action.__name__.encode() + b" ", form.serializer.to_json) for action, form in forms.items()
        }

    def write(self, action: object) -> bytes | None:
        """Return an action as bytes, or None if it is not an action of the game."""
        if (writer := self._writers.get(type(action))) is None:  # type: ignore[arg-type]  # it may have any type
            return None
        name, write = writer
        try:
            return name + write(action, warnings="none")
        except Exception:  # a field may hold anything
            return None

    def read(self, answer: bytes) -> Action | None:
        """Return the action that these bytes encode, or None if they encode none."""
        name, _, fields = answer.partition(b" ")
        if (read := self._readers.get(name.decode("ascii", "replace"))) is None:
            return None
        try:
            action: Action = read(fields, strict=True)
        except ValueError:
            return None
        return action

    def write_policy(self, policy: object) -> bytes | None:
        """Return a policy as bytes, without actions of probability 0; None if an action is not one of the game."""
        if not isinstance(policy, Mapping):
            return None
        lines = []
        for action, probability in policy.items():
            if probability == 0:
                continue
            answer = self.write(action)
            if answer is None or isinstance(probability, bool) or not isinstance(probability, Real):
                return None
            lines.append(f"{float(probability)!r} ".encode() + answer)
        return b"\n".join(lines)

    def read_policy(self, answer: bytes) -> Policy | None:
        """Return the policy that these bytes encode, or None if they encode none; its sum is not checked."""
        found: dict[Action, float] = {}
        for line in answer.split(b"\n"):
            said, _, rest = line.partition(b" ")
            action = self.read(rest)
            if action is None or action in found:
                return None
            try:
                found[action] = float(said)
            except ValueError:
                return None
        return found
