"""Which of the things that a process keeps give way when they take more memory than they may: a policy by bytes."""

from collections import OrderedDict
from collections.abc import Hashable
from typing import Final, Generic, TypeVar

KeyT = TypeVar("KeyT", bound=Hashable)

NEWCOMERS: Final = 16
"""So many that came last stay for a while in any case: as many as are in use at once."""
SHARE: Final = 32
"""Newcomers beyond these take at most one part in so many of the memory."""
IDLE: Final = 4
"""One that was unused for so many times as long as another was away gives its place to it."""
MOST_REMEMBERED: Final = 16_384
"""Of so many that were forgotten it is known when they were last used."""


class Eviction(Generic[KeyT]):
    """Says what is to be forgotten, and holds nothing but keys, their bytes and when each was last used.

    Who forgets what was unused for longest keeps nothing, once everything is used in turn and a little more of it is
    there than fits: each is forgotten just before it is used again. So what fits has a *place*, and what comes later is
    a *newcomer*: the newcomer unused for longest is forgotten first, and all places stay in use. A newcomer takes the
    place of one that is no longer used: when it comes back after a time much shorter than the other was unused (as in
    LIRS, Jiang and Zhang 2002). Not for several threads at once.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        """Bytes that all may take; one alone may take more."""
        self._placed: OrderedDict[KeyT, int] = OrderedDict()
        """Their bytes, the one unused for longest first; likewise of newcomers."""
        self._newcomers: OrderedDict[KeyT, int] = OrderedDict()
        self._last: dict[KeyT, int] = {}
        """When each of these was last used, as a number of uses."""
        self._forgotten: OrderedDict[KeyT, int] = OrderedDict()
        """When those that were forgotten were last used, the first forgotten first."""
        self._uses = self._new_bytes = 0
        self.bytes = 0
        """Which all that stay take together."""

    def used(self, key: KeyT, size: int) -> list[KeyT]:
        """Note that something was used and takes so many bytes; return what is to be forgotten, never itself."""
        self._uses += 1
        if key not in self._last:
            self._come(key, size)
        of = self._newcomers if key in self._newcomers else self._placed
        self._count(of, size - of.get(key, 0))
        of[key] = size
        of.move_to_end(key)
        self._last[key] = self._uses
        forgotten = []
        while self.bytes > self.most and len(self._last) > 1:
            forgotten.append(self._forget_one(key))
        return forgotten

    def gone(self, key: KeyT) -> None:
        """Note that something is kept no more, whatever the reason."""
        if self._last.pop(key, None) is not None:
            of = self._newcomers if key in self._newcomers else self._placed
            self._count(of, -of.pop(key))

    def _come(self, key: KeyT, size: int) -> None:
        """Give what was not there its place, or let it be a newcomer."""
        away = self._uses - self._forgotten.pop(key, self._uses)
        fits = self.bytes + size <= self.most
        if not fits and not (away and away * IDLE < self._unused):
            self._newcomers[key] = 0

    @property
    def _unused(self) -> int:
        """For how many uses the one unused for longest of those with a place was not used."""
        return self._uses - self._last[next(iter(self._placed))] if self._placed else 0

    def _forget_one(self, but: KeyT) -> KeyT:
        """Forget one, not the one that is just used."""
        many = len(self._newcomers) > NEWCOMERS and self._new_bytes > self.most // SHARE
        placed = None if many else next((key for key in self._placed if key != but), None)
        key = next(key for key in self._newcomers if key != but) if placed is None else placed
        self._forgotten[key] = self._last[key]
        if len(self._forgotten) > MOST_REMEMBERED:
            self._forgotten.popitem(last=False)
        self.gone(key)
        return key

    def _count(self, of: OrderedDict[KeyT, int], more: int) -> None:
        self.bytes += more
        if of is self._newcomers:
            self._new_bytes += more
