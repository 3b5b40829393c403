"""A seat's part in a common shuffle: binds the seat once, and opens one share per round, stored before it is sent."""

import fcntl
import json
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, NamedTuple
from uuid import uuid4

from pokersvc.core.randomness.common_shuffle import Dealing
from pokersvc.core.randomness.share_events import BindSeat, OpenShare
from pokersvc.core.randomness.shares import LINKS
from pokersvc.remote.copy import CheckedCopy
from pokersvc.remote.device import Device, NotOurBinding
from pokersvc.remote.errors import NotConnected, RefusedByServer
from pokersvc.remote.stream import PASSING
from pokersvc.system.files import draft_of, make, make_folders, sync

TRIES: Final = 6
"""The number of tries of a request in a row; after them, the next news from the server causes another attempt."""
AGAIN: Final = 0.5
"""Seconds between two tries."""
_LATE: Final = frozenset({"not_awaited", "shares_awaited", "round_on", "game_over", "paused", "known_chain"})
"""Codes of refusals that only mean that the request came too late, because the game has continued."""

Post = Callable[[str, Mapping[str, object]], object]
"""A function that sends a JSON object to one of the seat's endpoints, given by its name."""


class Kept(NamedTuple):
    """The stored state of a seat's part in a shuffle: its device, and perhaps the next device."""

    device: Device
    coming: Device | None
    """The device that will replace ``device`` once the seat is bound to it; None if there is none."""


class DeviceFile:
    """The private file that stores a seat's device; one process can lock it, and a write is durable when it returns."""

    def __init__(self, folder: Path, game_id: str, seat: int) -> None:
        self.path = folder / f"{game_id}.{seat}"
        self._lock: int | None = None

    def hold(self) -> bool:
        """Lock the file, and return whether that succeeded; it fails if another process has the lock."""
        make_folders(self.path.parent)
        lock = os.open(self.path.with_suffix(f"{self.path.suffix}.lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            return False
        self._lock = lock
        return True

    def release(self) -> None:
        """Release the lock, so that another process can take it."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def read(self) -> Kept | None:
        """Return the stored state; None if there is none. Raise OSError or ValueError if it cannot be read."""
        try:
            kept = json.loads(self.path.read_text("ascii"))
        except FileNotFoundError:
            return None
        try:
            device, coming = (None if one is None else Device.from_json(json.dumps(one)) for one in kept["devices"])
            if device is None:
                raise ValueError("no device")
            return Kept(device, coming)
        except (KeyError, TypeError) as error:
            raise ValueError("not what a device keeps") from error

    def write(self, kept: Kept) -> None:
        """Store the state durably and atomically: a concurrent reader gets the old state or the new one."""
        devices = [None if one is None else json.loads(one.to_json()) for one in (kept.device, kept.coming)]
        draft = draft_of(self.path)
        with os.fdopen(make(draft), "w", encoding="ascii") as file:
            json.dump({"devices": devices}, file)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(self.path)
        sync(self.path.parent)


class ShuffleParticipant:
    """Takes part in the shuffle for a seat as the copy of the game grows; ``notice`` gets messages for the person.

    Only one device of a seat takes part, and only one of the processes that share its file; the others watch.
    """

    def __init__(
        self, file: DeviceFile, seat: int, post: Post, notice: Callable[[str], None], *, length: int = LINKS
    ) -> None:
        self._file, self._seat, self._post, self._notice, self._length = file, seat, post, notice, length
        self._kept: Kept | None = None
        self._stopped = self._begun = self._told = False
        self._sent: tuple[str, int] | None = None
        """The name and round of the last request that reached the server."""

    def again(self) -> None:
        """Allow the last request to be sent once more after the connection was lost."""
        self._sent = None

    def close(self) -> None:
        """Release the file, so that another process can take part."""
        self._file.release()

    def follow(self, copy: CheckedCopy) -> None:
        """Bind the seat or open its share, if the shuffle now requires it; ``copy`` must be verified from its start."""
        dealing = copy.replay.dealing
        if self._stopped or dealing is None or dealing.start is None or copy.replay.state.outcome is not None:
            return
        if not copy.replay.state.playing(self._seat):  # an empty seat is bound when a person sits down
            return
        try:
            if not self._begun:
                self._begin(copy, dealing.start)
            if not self._stopped:
                self._do(copy, dealing)
        except NotOurBinding as error:
            self._stop(str(error))
        except OSError as error:
            why = error.strerror or type(error).__name__
            self._stop(f"You take no part in the shuffle: {self._file.path} cannot be kept ({why}).")
        except ValueError:
            self._stop(f"You take no part in the shuffle: {self._file.path} is damaged.")

    def _begin(self, copy: CheckedCopy, start: bytes) -> None:
        self._begun = True
        if not self._file.hold():
            self._stop("Another program on this device takes part in the shuffle for your seat; you can play in both.")
            return
        self._kept = self._file.read()
        if self._kept is not None and (self._kept.device.start, self._kept.device.seat) != (start, self._seat):
            raise NotOurBinding(
                f"This device keeps shares for a game {copy.game_id} with another beginning than this one, so it takes"
                " no part in the shuffle. Ask the others at the table before you play on."
            )

    def _do(self, copy: CheckedCopy, dealing: Dealing) -> None:
        binding = dealing.bindings.get(self._seat)
        kept = self._kept
        if kept is None and binding is not None:
            self._stop(
                "Your seat takes part in the shuffle from another device, so this one watches the shuffles. If that"
                " device is lost, ask the host for a new link."
            )
            return
        if kept is None or (binding is None and kept.device.was_bound(dealing)):
            assert dealing.start is not None
            kept = self._keep(Kept(Device.fresh(dealing.start, self._seat, length=self._length), None))
        if kept.coming is not None and binding is not None and binding.key == kept.coming.public:
            kept = self._keep(Kept(kept.coming, None))
        bound = kept.device.is_bound(dealing)
        if bound and not self._told:
            self._told = True
            self._notice("You take part in the shuffle: this device keeps your shares, and opens one for each round.")
        if bound and self._seat in dealing.waiting:
            self._open(kept, dealing)
        elif binding is None or not bound or binding.last <= dealing.round:
            self._bind(copy, kept, dealing, bound=bound)

    def _bind(self, copy: CheckedCopy, kept: Kept, dealing: Dealing, *, bound: bool) -> None:
        state = copy.replay.state
        between = state.pausing or state.deals_to() is not None
        if dealing.awaited is not None or not between or not state.playing(self._seat):
            return
        if self._sent == ("binding", dealing.round):
            return
        assert dealing.start is not None
        if bound and kept.coming is None:
            kept = self._keep(kept._replace(coming=Device.fresh(dealing.start, self._seat, length=self._length)))
        bind = kept.device.bind() if kept.coming is None else kept.coming.bind(kept.device)
        self._send("binding", dealing.round, _binding(bind))

    def _open(self, kept: Kept, dealing: Dealing) -> None:
        if self._sent == ("share", dealing.round):
            return
        opening = kept.device.open(dealing)
        if opening is not None:
            self._keep(kept)  # store the signature before it is sent
            self._send("share", dealing.round, _share(opening))

    def _keep(self, kept: Kept) -> Kept:
        self._file.write(kept)
        self._kept = kept
        return kept

    def _send(self, what: str, round_: int, body: Mapping[str, object]) -> None:
        """Send a request up to `TRIES` times; every try has the same ID, so the server records it once."""
        named = {"id": str(uuid4()), **body}
        for tried in range(TRIES):
            if tried:
                time.sleep(AGAIN)
            try:
                self._post(what, named)
            except (NotConnected, RefusedByServer) as error:
                if isinstance(error, NotConnected):
                    if tried:  # the stream will say when the connection is back
                        return
                    continue
                if error.status in PASSING or error.code == "concurrent_update":
                    continue
                if error.code in _LATE:
                    return
                self._notice(f"The server refuses your part in the shuffle: {error}")
            self._sent = what, round_
            return

    def _stop(self, why: str) -> None:
        self._stopped = True
        self._file.release()
        self._notice(why)


def _binding(bind: BindSeat) -> dict[str, object]:
    return {
        "key": bind.key.hex(),
        "tip": bind.tip.hex(),
        "length": bind.length,
        "signature": bind.signature.hex(),
        "renewal": None if bind.renewal is None else bind.renewal.hex(),
    }


def _share(opening: OpenShare) -> dict[str, object]:
    return {"share": opening.share.hex(), "signature": opening.signature.hex()}
