"""The errors between a client and a server's table."""

from pokersvc.errors import PokersvcError, printable


class NotConnected(PokersvcError):
    """The server cannot be reached, or the connection to it was lost."""

    code = "not_connected"


class InvalidReply(PokersvcError):
    """The answer is not one that a pokersvc server gives."""

    code = "invalid_server_answer"


class RefusedByServer(PokersvcError):
    """The server refused a request; ``code`` and the sentence are the server's."""

    def __init__(
        self, status: int, code: str, message: str, wait: float = 0.0, present: tuple[object, object] = (None, None)
    ) -> None:
        super().__init__(printable(message))
        self.status = status
        self.code = code  # type: ignore[misc]  # each refusal has its own code
        self.wait = wait
        """The seconds after which the request may be sent again; 0 if the server does not name them."""
        self.present = present
        """The event count and the head of the game, if the server names them."""


class Gone(PokersvcError):
    """Nothing is left to follow: the link was replaced, or the table was closed before its game began."""

    code = "gone"


class MovedAway(Gone):
    """The person at this device moved to another one."""

    code = "moved"

    def __init__(self) -> None:
        super().__init__("You went on at another device.")


class UntrueStory(PokersvcError):
    """The server's events are not what was recorded; the message is the first contradiction."""

    code = "untrue_story"
