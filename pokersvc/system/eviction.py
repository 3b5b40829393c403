"""The eviction policy of a cache that is limited in bytes."""

from collections import OrderedDict
from collections.abc import Hashable
from typing import Final, Generic, TypeVar

KeyT = TypeVar("KeyT", bound=Hashable)

NEWCOMERS: Final = 16
"""Newcomers (see `Eviction`) are evicted before keys with a place only if there are more newcomers than this."""
SHARE: Final = 32
"""Newcomers (see `Eviction`) are evicted first only if they also take more than ``1 / SHARE`` of the memory."""
IDLE: Final = 4
"""An evicted key used again after ``n`` uses gets a place if a key has kept one unused for over ``IDLE * n`` uses."""
MOST_REMEMBERED: Final = 16_384
"""The number of evicted keys whose last use is remembered."""


class Eviction(Generic[KeyT]):
    """Decides which keys to evict; holds only keys, their sizes in bytes and when each was last used.

    Evicting the least recently used key keeps nothing useful if all keys are used in turn and slightly more of them
    exist than fit: each is evicted just before it is used again. So the keys that fit have a *place*, and later ones
    are *newcomers*: the least recently used newcomer is evicted first, and all places stay in use. An evicted key that
    is used again gets a place if it was away for a much shorter time than some key with a place has been unused (as in
    LIRS, Jiang and Zhang 2002). Not thread-safe.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        """Bytes that all keys may take together; a single key may take more."""
        self._placed: OrderedDict[KeyT, int] = OrderedDict()
        """Key with a place → its bytes, least recently used first; `_newcomers` has the same form for newcomers."""
        self._newcomers: OrderedDict[KeyT, int] = OrderedDict()
        self._last: dict[KeyT, int] = {}
        """Key → the time of its last use, counted in uses of any key."""
        self._forgotten: OrderedDict[KeyT, int] = OrderedDict()
        """Evicted key → the time of its last use, in the order of eviction."""
        self._uses = self._new_bytes = 0
        self.bytes = 0
        """Bytes that all keys take together."""

    def used(self, key: KeyT, size: int) -> list[KeyT]:
        """Note that a key was used and takes ``size`` bytes; return the keys to evict, never this one."""
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
        """Note that a key is no longer kept, for any reason."""
        if self._last.pop(key, None) is not None:
            of = self._newcomers if key in self._newcomers else self._placed
            self._count(of, -of.pop(key))

    def _come(self, key: KeyT, size: int) -> None:
        """Add a key that was not in memory: as a newcomer, evicted early, unless it gets a place (see `Eviction`)."""
        away = self._uses - self._forgotten.pop(key, self._uses)
        fits = self.bytes + size <= self.most
        if not fits and not (away and away * IDLE < self._unused):
            self._newcomers[key] = 0

    @property
    def _unused(self) -> int:
        """The number of uses of other keys since the least recently used key with a place was used; 0 without any."""
        return self._uses - self._last[next(iter(self._placed))] if self._placed else 0

    def _forget_one(self, but: KeyT) -> KeyT:
        """Evict one key, but never ``but``, which is in use; return the evicted key."""
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
