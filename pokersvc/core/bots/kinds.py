"""Kinds of bots, some of which have a limit on their work: ``rollout``, ``rollout/5000``."""

from collections.abc import Callable, Iterator, Mapping
from typing import Generic

from pokersvc.core.bots.player import Player
from pokersvc.core.typevars import LegalT, ViewT

MOST_WORK = 1_000_000_000


class Kinds(Mapping[str, Callable[[], Player[ViewT, LegalT]]], Generic[ViewT, LegalT]):
    """Kind → a function that makes its bot.

    The kind of a bot that searches may be followed by a limit on its work for a choice: a whole number of at least 1,
    in the bot's own unit. The limit is part of the seat's kind, so a resumed game has the same limit.

    >>> class Thinker:
    ...     def __init__(self, work=1000): self.work = work
    >>> kinds = Kinds({}, {"thinker": Thinker})
    >>> kinds["thinker"]().work, kinds["thinker/50"]().work, "thinker/0" in kinds, list(kinds)
    (1000, 50, False, ['thinker'])
    """

    def __init__(
        self,
        plain: Mapping[str, Callable[[], Player[ViewT, LegalT]]],
        thinking: Mapping[str, Callable[..., Player[ViewT, LegalT]]],
    ) -> None:
        self._plain: dict[str, Callable[[], Player[ViewT, LegalT]]] = {**plain, **thinking}
        self._thinking = thinking

    def __getitem__(self, kind: str) -> Callable[[], Player[ViewT, LegalT]]:
        name, slash, work = kind.partition("/")
        if not slash:
            return self._plain[kind]
        if not (work.isascii() and work.isdecimal() and len(work) <= 10 and not work.startswith("0")):
            raise KeyError(kind)
        player, amount = self._thinking[name], int(work)
        if amount > MOST_WORK:
            raise KeyError(kind)
        return lambda: player(amount)

    def __iter__(self) -> Iterator[str]:
        return iter(self._plain)

    def __len__(self) -> int:
        return len(self._plain)
