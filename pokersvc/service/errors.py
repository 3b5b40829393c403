"""The errors of a service."""

from pokersvc.errors import InvalidValue, PokersvcError


class CommandReused(PokersvcError):
    """A command ID that was already used for another command."""

    code = "command_reused"


class NotForAuditors(InvalidValue):
    """An auditor asked a service that answers only players."""

    code = "not_for_auditors"

    def __init__(self) -> None:
        super().__init__(
            "An auditor sees every hand and every seed, but this answers players: use `Service.with_secrets`, which"
            " is for those who hold the database."
        )


class NotOver(PokersvcError):
    """The request would show secrets of a game in progress."""

    code = "not_over"


class NothingToDo(PokersvcError):
    """The game is over, or another player must act."""

    code = "nothing_to_do"


class LogFull(PokersvcError):
    """The log of the game has as many bytes as it may have: it is only played to where it ends."""

    code = "log_full"


class NotYourSeat(PokersvcError):
    """A client answers for a seat that is not one of its own."""

    code = "not_your_seat"


class NothingShown(PokersvcError):
    """A client asks where a game stands of which it was shown no event yet."""

    code = "nothing_shown"
