"""Writes hands as OHH; the draw goes into a key of our own, ``x_pokersvc`` (docs/histories.md)."""

import json
from collections.abc import Iterable, Iterator
from typing import Final

from pokersvc.histories.contributions import Contributions
from pokersvc.histories.dialects.ohh import LIMITS, PLAY_MONEY
from pokersvc.histories.dialects.ohh_actions import POSTS
from pokersvc.histories.dialects.ohh_shapes import EXTENSION
from pokersvc.histories.draw_order import draw_said
from pokersvc.histories.hand import Currency, HandHistory
from pokersvc.histories.statements import (
    Bet,
    Called,
    Cancelled,
    Cards,
    Checked,
    Dealt,
    Discarded,
    Drew,
    Folded,
    Mucked,
    NotShown,
    PlayerStatement,
    Posted,
    Raised,
    Reshuffled,
    Showed,
    Statement,
)
from pokersvc.histories.writers.cannot_be_written import CannotBeWritten, money
from pokersvc.histories.writers.outcome import outcome_of
from pokersvc.histories.writers.pots import paid_pots, rakes_of
from pokersvc.histories.writers.showdown import showdown_of
from pokersvc.histories.writers.statement_order import in_order

_LIMITS: Final = {limit: code for code, limit in LIMITS.items()}
_POSTS: Final = {kind: name for name, kind in POSTS.items()}


def ohh(hand: HandHistory) -> str:
    """Return a hand as an object of an ``.ohh`` file; raise `CannotBeWritten` if the format cannot express it."""
    if any(isinstance(told, Cancelled) for told in hand.told):
        raise CannotBeWritten("OHH", "it was cancelled")
    if hand.button is None:
        raise CannotBeWritten("OHH", "it does not say who has the button")
    if hand.played is None:
        raise CannotBeWritten("OHH", "it does not say when it was played")
    lines = [f"    {json.dumps(key)}: {_value(value)}" for key, value in _Object(hand.as_dealt()).members.items()]
    return '{\n  "ohh": {\n' + ",\n".join(lines) + "\n  }\n}\n"


def ohhs(hands: Iterable[HandHistory]) -> Iterator[str]:
    """Yield hands as text of an ``.ohh`` file, separated by blank lines."""
    for number, hand in enumerate(hands):
        yield ("\n" if number else "") + ohh(hand)


def _value(value: object, indent: int = 4) -> str:
    """Return a value as JSON; a list of objects has one object per line, so that a line number names an action."""
    if not isinstance(value, list) or not value or not isinstance(value[0], dict):
        return json.dumps(value, ensure_ascii=False)
    inside = " " * (indent + 2)
    texts = [
        "{" + ", ".join(f"{json.dumps(key)}: {_value(one, indent + 2)}" for key, one in member.items()) + "}"
        for member in value
    ]
    return "[\n" + ",\n".join(inside + text for text in texts) + "\n" + " " * indent + "]"


def _number(amount: int, currency: Currency) -> int | float:
    """Return an amount as a JSON number; a float is safe, because its shortest form is the exact amount."""
    text = money(amount, currency)
    return float(text) if "." in text else int(text)


class _Object:
    """Builds the members of the object of one hand."""

    def __init__(self, hand: HandHistory) -> None:
        self._hand = hand
        self._ids = {player.name: number for number, player in enumerate(hand.players, 1)}
        self._staked = Contributions(hand.players, hand.big_blind, hand.straddle)
        self._end = outcome_of(hand)
        self._count = 0
        self.members = self._made()

    def _amount(self, amount: int) -> int | float:
        return _number(amount, self._hand.currency)

    def _made(self) -> dict[str, object]:
        hand = self._hand
        assert hand.played is not None
        tournament = hand.tournament
        code = hand.currency.code or (tournament.currency.code if tournament else "")
        return {
            "spec_version": "1.4.7",
            "internal_version": "1",
            "network_name": hand.site,
            "site_name": hand.site,
            "game_type": "Draw",
            "x_pokersvc": self._extension(),
            "tournament": tournament is not None,
            **({"tournament_info": self._tournament()} if tournament else {}),
            "game_number": hand.number,
            "start_date_utc": hand.played.utc.isoformat().replace("+00:00", "Z"),
            "table_name": hand.table or "",
            "table_size": hand.seat_count,
            "bet_limit": {"bet_type": _LIMITS[hand.limit], "bet_cap": 0},
            "currency": code or PLAY_MONEY[0],
            "dealer_seat": hand.button,
            "small_blind_amount": self._amount(hand.small_blind),
            "big_blind_amount": self._amount(hand.big_blind),
            "ante_amount": self._amount(hand.ante),
            **({"hero_player_id": self._ids[hand.only_hero]} if hand.only_hero in self._ids else {}),
            "players": [self._player(player.name) for player in hand.players],
            "rounds": self._rounds(),
            "pots": self._pots(),
        }

    def _extension(self) -> dict[str, object]:
        hand = self._hand
        bets = {"min_bet": hand.min_bet, "small_bet": hand.small_bet, "big_bet": hand.big_bet}
        bets["straddle"] = hand.straddle or None
        made: dict[str, object] = {"draw": EXTENSION, "order": draw_said(hand)}
        made |= {key: self._amount(bet) for key, bet in bets.items() if bet is not None}
        if hand.tournament and hand.tournament.level is not None:
            made["level"] = hand.tournament.level
        return made

    def _tournament(self) -> dict[str, object]:
        told = self._hand.tournament
        assert told is not None
        made: dict[str, object] = {"tournament_number": told.number}
        if told.currency.code:
            made["currency"] = told.currency.code
        paid = {"buyin_amount": told.buy_in, "fee_amount": told.fee, "bounty_fee_amount": told.bounty}
        return made | {key: _number(amount, told.currency) for key, amount in paid.items() if amount is not None}

    def _player(self, name: str) -> dict[str, object]:
        player = next(one for one in self._hand.players if one.name == name)
        away = {"is_sitting_out": True} if player.sitting_out else {}
        stack = self._amount(player.stack)
        return {"id": self._ids[name], "seat": player.number, "name": name, "starting_stack": stack} | away

    def _rounds(self) -> list[dict[str, object]]:
        streets: dict[str, list[dict[str, object]]] = {"Preflop": [], "Flop": [], "Showdown": []}
        street, showdown = "Preflop", showdown_of(self._hand, self._end)
        for told in in_order(self._hand):
            if isinstance(told, Discarded | Drew | Reshuffled) and street == "Preflop":
                street = "Flop"
            if isinstance(told, Showed | Mucked | NotShown):
                street = "Showdown"
            if not (showdown and isinstance(told, Showed | Mucked)):
                streets[street] += self._actions(told)
                self._staked.take(told)
        for told in showdown:
            streets["Showdown"] += self._actions(told)
        return [
            {"id": number, "street": name, "actions": actions}
            for number, (name, actions) in enumerate(streets.items())
            if actions
        ]

    def _actions(self, told: Statement) -> list[dict[str, object]]:
        """Return a statement as actions: none, one, or two if both blinds are posted at once."""
        match told:
            case Posted(kind="both"):
                big = min(told.amount, self._hand.big_blind)
                posts = [self._put(told, _POSTS["extra"], big)]
                return posts + ([self._put(told, _POSTS["dead"], told.amount - big)] if told.amount > big else [])
            case Posted():
                return [self._put(told, _POSTS[told.kind], told.amount)]
            case Dealt() if told.cards is not None:
                return [self._act(told, "Dealt Cards", told.cards)]
            case Discarded():
                return [self._act(told, "Dealt Cards", told.cards, discards=told.count)]
            case Drew() if told.cards or told.count:
                count = told.count if told.count is not None else len(told.cards or ())
                return [self._act(told, "Dealt Cards", told.cards, draws=count)]
            case Reshuffled():
                self._count += 1
                return [{"action_number": self._count, "action": "Dealt Cards", "x_pokersvc": {"reshuffled": True}}]
            case Folded():
                return [self._act(told, "Fold")]
            case Checked():
                return [self._act(told, "Check")]
            case Called():
                return [self._put(told, "Call", told.amount)]
            case Bet():  # the specification has no bet before the flop, only a raise
                return [self._put(told, "Bet" if self._staked.drawn else "Raise", told.amount)]
            case Raised():
                return [self._put(told, "Raise", told.to - self._staked.in_round.get(told.name, 0))]
            case Showed():
                return [self._act(told, "Shows Cards", told.cards)]
            case Mucked():
                return [self._act(told, "Mucks Cards", told.cards)]
            case NotShown():
                return [self._act(told, "Mucks Cards")]
            case _:
                return []

    def _act(self, told: PlayerStatement, action: str, cards: Cards | None = None, **draw: int) -> dict[str, object]:
        if told.name not in self._ids:
            raise CannotBeWritten("OHH", f"{told.name} takes part in it but is not listed at the table")
        self._count += 1
        made: dict[str, object] = {"action_number": self._count, "player_id": self._ids[told.name], "action": action}
        if cards is not None:
            made["cards"] = [card.notation for card in cards]
        return made | ({"x_pokersvc": draw} if draw else {})

    def _put(self, told: PlayerStatement, action: str, amount: int) -> dict[str, object]:
        made = self._act(told, action) | {"amount": self._amount(amount)}
        all_in = amount > 0 and amount >= self._staked.left.get(told.name, 0)
        return made | ({"is_allin": True} if all_in else {})

    def _pots(self) -> list[dict[str, object]]:
        end = self._end
        if end is None or not end.won:
            raise CannotBeWritten("OHH", "it does not say who won what")
        pots = paid_pots(self._hand, end)
        rakes = [self._amount(rake) for rake in rakes_of(self._hand, pots)]
        return [
            {
                "number": number,
                "amount": self._amount(pot.amount),
                "rake": self._amount(pot.rake),
                "player_wins": [
                    {"player_id": self._ids[name], "win_amount": self._amount(amount)}
                    for name, amount in pot.won.items()
                ],
                **({"x_pokersvc": {"several": True} | ({"rakes": rakes} if rakes else {})} if pot.several else {}),
            }
            for number, pot in enumerate(pots)
        ]
