"""Events about seats that only the service may record."""

from pokersvc.core.actions import ServiceAction
from pokersvc.core.event import EVERYONE
from pokersvc.service import Recorded, Service
from pokersvc.service.command import Command


def send(service: Service, game_id: str, action: ServiceAction) -> list[Recorded]:
    """Record the action with the dealer's events after it."""

    def make(command: Command) -> None:
        command.take(command.open_game.state.decide(action))
        command.deal()

    return [one.to(EVERYONE) for one in service._carried_out(game_id, make, EVERYONE, None)]
