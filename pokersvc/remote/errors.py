"""What can go wrong between a client and a server's table."""

from pokersvc.errors import PokersvcError, printable


class NotConnected(PokersvcError):
    """The server cannot be reached, or not any more."""

    code = "not_connected"


class InvalidReply(PokersvcError):
    """The server answered something else than a server of pokersvc does."""

    code = "invalid_server_answer"


class RefusedByServer(PokersvcError):
    """The server refused a request; ``code`` and the sentence are the server's."""

    def __init__(
        self, status: int, code: str, message: str, wait: float = 0.0, present: tuple[object, object] = (None, None)
    ) -> None:
        super().__init__(printable(message))
        self.status = status
        self.code = code  # type: ignore[misc]  # each refusal has its own
        self.wait = wait
        """Seconds after which the server wants to be asked again; 0 where it says nothing of that."""
        self.present = present
        """The count and the head of the game, as the server says, where it names them."""


class Gone(PokersvcError):
    """There is nothing more to follow: the link was replaced, or the table was closed before its game began."""

    code = "gone"


class UntrueStory(PokersvcError):
    """What the server tells is not what was recorded: its first contradiction, in a sentence."""

    code = "untrue_story"
