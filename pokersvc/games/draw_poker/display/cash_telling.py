"""The sentences for a cash game's events: purchases, players' standing wishes and absence."""

from collections.abc import Callable

from pokersvc.games.draw_poker import cash_events
from pokersvc.games.draw_poker.display.bomb_pot_words import bomb_pot_announced
from pokersvc.games.draw_poker.situation import Situation
from pokersvc.text import does, listed, whose


def cash_telling(say: Callable[[int, Situation], str]) -> dict[type, Callable[..., str]]:
    """Return the sentence of each event of a cash game's purchases, wishes and absence; ``say`` formats an amount."""

    def asked(event: cash_events.PurchaseAsked, state: Situation) -> str:
        if event.person is None:
            return f"{does(state.names[event.seat], 'asks')} the host for {say(event.amount, state)}"
        name = event.name or state.names[event.seat]
        return f"{does(name, 'asks')} the host to sit down with {say(event.amount, state)}"

    def wished(event: cash_events.WishesSet, state: Situation) -> str:
        wishes = [f"chips up to {say(event.top_up_to, state)} before each round"] if event.top_up_to else []
        wishes += ["to sit out at the next big blind"] if event.out_at_blind else []
        wishes += ["to come back with the blind"] if event.in_with_blind else []
        wishes += ["to straddle in turn"] if event.straddles else []
        name = state.names[event.seat]
        return f"{does(name, 'wishes')} {listed(wishes)}" if wishes else f"{does(name, 'has')} no wishes any more"

    return {
        cash_events.PurchaseAsked: asked,
        cash_events.PurchaseAdmitted: lambda e, s: f"{_host(e, s)} admits {_whose(e, s)}",
        cash_events.PurchaseRefused: lambda e, s: f"{_host(e, s)} refuses {_whose(e, s)}",
        cash_events.WishesSet: wished,
        cash_events.ToppedUp: lambda e, s: f"{does(s.names[e.seat], 'tops')} up by {say(e.amount, s)}",
        cash_events.SatOutAtBlind: lambda e, s: f"{does(s.names[e.seat], 'sits')} out at the big blind",
        cash_events.SatInWithBlind: lambda e, s: f"{does(s.names[e.seat], 'plays')} again, and posts nothing extra",
        cash_events.BombPotAnnounced: bomb_pot_announced,
        cash_events.SeatFreed: lambda e, s: (
            f"{does(s.names[e.seat], 'has')} sat out for too long and gets up with {say(e.amount, s)}"
        ),
    }


def _whose(event: cash_events.PurchaseAdmitted | cash_events.PurchaseRefused, state: Situation) -> str:
    return whose(state.names[event.seat], "purchase")


def _host(event: cash_events.PurchaseAdmitted | cash_events.PurchaseRefused, state: Situation) -> str:
    return "The host" if event.by is None else state.names[event.by]
