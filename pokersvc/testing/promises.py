"""The promises of a game by the contract, and the error that names the broken promise and the event."""

from enum import StrEnum
from typing import Final

from pokersvc.errors import PokersvcError, printable

MOST_QUOTED: Final = 400
"""The most characters of a failure's description that are quoted."""


class Promise(StrEnum):
    """The promises that `check_game` checks; each value is the promise in words."""

    PLAYS = "the game is played to its end: the dealer acts, one seat or several must choose, or the game is over"
    REPLAY = "replaying the events makes the state that playing made"
    APART = "what happens to one state changes no other"
    CODEC = "an event is read back from its stored text as it was, byte for byte"
    DEALER = "the dealer's event follows from the state and from recorded seeds alone"
    DEALT = "`dealt` names the events by which the dealer says what chance gave"
    MARKED = "a field that views hide is marked as secret"
    WITHHELD = "a log with its secrets withheld replays to the public state"
    VIEW_HIDES = "a view shows nothing that is hidden from its viewer"
    VIEW_SHOWS = "a view shows what its viewer knows"
    ROUNDS = "a round that follows a pause begins one in the record (`record.turn`)"
    ASKING = "asking a state changes nothing; only `apply` changes it"
    DECIDING = "`decide` leaves no trace, whether it accepts or refuses"
    REFUSING = "an action that is not allowed is refused by IllegalAction, which tells nothing that is hidden"
    ACTION_OF = "`action_of` inverts `decide`, and is None for an event of the dealer's"
    LAPSING = "`default_action` names a legal move for every seat that must choose, from what the seat may know"
    TOGETHER = "`deals_to` says to whom each deck is dealt, and who must choose can forgo the round instead"
    BOOKS = "the books balance at every event"
    SESSIONS = "`played_rounds` tells each round once, at an event of `round_ends`, and so after rounds passed over"
    WORDS = "there are words for every event, view and line of history; who is named `You` is spoken to"
    TYPED = "every legal action can be typed as the question says"
    DRAWN = "a drawn table fits its room, what it offers to type is understood, and it tells nothing hidden"
    SCHEMAS = "the stored form of every event is frozen"
    PROCESS = "views and actions survive the way to a player's own process"
    SERVICE = "a stored game replays, passes its audit, and its exports verify"
    TOURNAMENT = "bots play a tournament of the game"


class BrokenPromise(PokersvcError):
    """A game does not keep the contract.

    ``str(error)`` is one sentence that names the promise, the seed and the event; the attributes have them one by one.
    Other broken promises found in the same game are in the error's notes.
    """

    code = "broken_promise"

    def __init__(self, promise: Promise, found: str, *, kind: str, seed: int | None, event: int | None) -> None:
        said = printable(found)
        said = said if len(said) <= MOST_QUOTED else said[: MOST_QUOTED - 1] + "…"
        where = "" if seed is None else f" (seed {seed}" + ("" if event is None else f", event {event}") + ")"
        super().__init__(f"The game {kind!r} breaks the promise that {promise.value}: {said.rstrip('.')}{where}.")
        self.promise = promise
        self.seed = seed
        """The seed of the game; ``check_game(…, seeds=[seed])`` plays it again. None if no game was played."""
        self.event = event
        """The number of the current event, from 1 as in the log; None if no single event is meant."""
        self.found = said
