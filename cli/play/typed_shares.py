"""Common shuffles at the dealer's own machine: each person's shares are made from a text that the person types."""

import sys
import time
from datetime import UTC, datetime
from getpass import getpass
from typing import TYPE_CHECKING, Final

import pokersvc
from pokersvc import core, remote
from pokersvc.cli.output import wrapped
from pokersvc.errors import PokersvcError

if TYPE_CHECKING:
    from pokersvc.core.actions import Action
    from pokersvc.core.event import Viewer
    from pokersvc.core.tables.table_event import TableAction

WORTH: Final = (
    "What this proves: this machine can compute every deck from what you typed, but it could not choose the decks any"
    " more once the last of you had typed. It is proof only for that person, and only if they noted the head."
)


class NoTerminal(PokersvcError):
    """A common shuffle needs a terminal, and the input is not one."""

    code = "no_terminal"


def check_terminal() -> None:
    """Raise `NoTerminal` unless the input is a terminal: people must type their shares, unseen by others."""
    if not sys.stdin.isatty():
        raise NoTerminal("A table that shuffles together needs a terminal, at which each person types unseen.")


class TypedTable:
    """The service of a game with a common shuffle; it opens people's shares, and keeps their keys only in memory."""

    def __init__(self, service: "pokersvc.Service", game_id: str) -> None:
        self._service, self._game_id = service, game_id
        self._devices: dict[int, remote.device.Device] = {}
        self._typed_by: dict[int, str] = {}
        """Seat → the name of the person who typed the text for its shares; another person may sit there now."""
        game = pokersvc.game_of(service.status(game_id).kind)
        self._replay = core.replay.Replay(game, pokersvc.EVERYONE, keeps_record=False)
        self._count, self._head = 0, bytes(32)
        self.status, self.turn, self.since = service.status, service.turn, service.since
        self.step, self.play_round = service.step, service.play_round

    def begin(self) -> None:
        """Print the log's hash, have everybody type their text, and begin the first round."""
        self._follow()
        _say(f"The dealer is bound: note this head before anybody types, {self._head.hex()}")
        self._bind()
        _say(WORTH)
        self.go_on(self._game_id, viewer=pokersvc.EVERYONE, expected=None, command_id=None)

    def take_up(self) -> None:
        """Resume a game after its program ended: its unopened shares are lost; wait until they count as missed."""
        shares = self._service.table(self._game_id).shares
        if shares is None or not shares.waiting:
            return
        _say("The shares of this round were lost with the program that ended; in a moment they count as missed.")
        if shares.deadline is not None:
            time.sleep(max(0.0, (shares.deadline - datetime.now(UTC)).total_seconds()))
        self._service.miss_shares(self._game_id)
        for seat in self._service.table(self._game_id).sitting_out:
            self._service.table_act(self._game_id, core.tables.table_events.ComeBack(seat))

    def act(
        self, game_id: str, action: "Action", *, viewer: "Viewer", expected: int | None, command_id: str | None
    ) -> "list[pokersvc.Recorded]":
        """Record a choice."""
        return self._service.act(game_id, action, viewer=viewer, expected=expected, command_id=command_id)

    def table_act(
        self, game_id: str, action: "TableAction", *, viewer: "Viewer", expected: int | None, command_id: str | None
    ) -> "list[pokersvc.Recorded]":
        """Record an action at the table."""
        return self._service.table_act(game_id, action, viewer=viewer, expected=expected, command_id=command_id)

    def go_on(
        self, game_id: str, *, viewer: "Viewer", expected: int | None, command_id: str | None
    ) -> "list[pokersvc.Recorded]":
        """Have people without shares type a text for them; then begin the next round and open everyone's shares."""
        if self._bind():
            expected = None
        service = self._service
        recorded = service.go_on(game_id, viewer=viewer, expected=expected, command_id=command_id)
        dealing = self._follow()
        for seat in dealing.waiting:
            opening = self._devices[seat].open(dealing)
            assert opening is not None
            recorded += service.open_share(game_id, opening, viewer=viewer)
        return recorded

    def _bind(self) -> bool:
        """Have people type texts for shares that this program lacks; return whether anybody typed."""
        dealing, state = self._follow(), self._replay.state
        typed = False
        for seat in sorted(self._replay.table.people):
            name = self._replay.table.names[seat]
            if self._typed_by.get(seat) != name:
                self._devices.pop(seat, None)
            before, binding = self._devices.get(seat), dealing.bindings.get(seat)
            used_up = before is not None and binding is not None and binding.last <= dealing.round
            if not state.playing(seat) or (before is not None and not used_up):
                continue
            if before is None and binding is not None:
                _say(
                    f"The key of {name} was in the memory of the program that ended. What they type now is"
                    " recorded as its replacement."
                )
            assert dealing.start is not None
            while (device := _typed_by(name, dealing.start, seat)).was_bound(dealing):
                _say("That was typed before in this game, so its shares are known; type something else.")
            self._devices[seat], self._typed_by[seat] = device, name
            self._service.table_act(self._game_id, device.bind(before))
            typed = True
        return typed

    def _follow(self) -> "core.randomness.common_shuffle.Dealing":
        """Read the new events, and return the state of the common shuffle."""
        while found := self._service.since(self._game_id, self._count, self._head):
            for record, event in found:
                self._replay.take(event, record.recorded_at, record.hash)
                self._count, self._head = record.seq, record.hash
        assert self._replay.dealing is not None
        return self._replay.dealing


def _typed_by(name: str, start: bytes, seat: int) -> "remote.device.Device":
    """Have a person type a text, and return a device: the seat's key and chain of shares, made from that text."""
    while True:
        if text := getpass(f"  {name}, type something that nobody guesses; it is not shown: "):
            return remote.device.Device.fresh(start, seat, core.randomness.shares.typed_root(start, seat, text))


def _say(sentence: str) -> None:
    print(wrapped(sentence, "  "), flush=True)
