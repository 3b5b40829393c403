"""What a service refuses."""

from pokersvc.errors import InvalidValue, PokersvcError


class CommandReused(PokersvcError):
    """A command's id that stands for another command already."""

    code = "command_reused"


class NotForAuditors(InvalidValue):
    """An auditor asks where players are answered."""

    code = "not_for_auditors"

    def __init__(self) -> None:
        super().__init__(
            "An auditor sees every hand and every seed, and this answers players: ask `Service.with_secrets`, which"
            " is for those who hold the database."
        )


class NotOver(PokersvcError):
    """What is asked for would open secrets of a game that is still being played."""

    code = "not_over"


class NothingToDo(PokersvcError):
    """The game is over, or waits for somebody else."""

    code = "nothing_to_do"
