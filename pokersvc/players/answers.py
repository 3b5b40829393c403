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

    def write_policy(self, policy: object) -> bytes | None:
        """Return a policy as bytes, without actions of probability 0, or None if it is not of the game's actions."""
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
        """Return the policy that these bytes encode, or None if they encode none; whether it adds up is not checked."""
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
