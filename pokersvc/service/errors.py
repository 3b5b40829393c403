"""The errors of a service."""

from pokersvc.errors import InvalidValue, PokersvcError


class CommandReused(PokersvcError):
    """The command ID was already used for another command."""

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
    """The game's log has reached its maximum size: the game can only be played on to the end of the round."""

    code = "log_full"


class NotYourSeat(PokersvcError):
    """A client answers for a seat that is not one of its own."""

    code = "not_your_seat"


class NothingShown(PokersvcError):
    """A client asks for the state of a game before it was shown any of its events."""

    code = "nothing_shown"
