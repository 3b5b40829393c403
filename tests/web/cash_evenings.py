"""Evenings of cash games with rules of their own: purchases, wishes, bomb pots, absences, stakes, shown cards."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

from pokersvc.betting.cash import BuyChips, SitDown, SitIn, SitOut
from pokersvc.betting.wishes import Wish
from pokersvc.core.actions import BetweenRounds, IllegalAction, Leave
from pokersvc.core.event import EVERYONE
from pokersvc.core.seats import HUMAN
from pokersvc.core.tables.table_events import ComeBack
from pokersvc.errors import InvalidValue
from pokersvc.service import NothingToDo
from pokersvc.streets.showing import Show
from tests.web.at_table import Evening, _CashEvening, _played


class _RuledEvening(_CashEvening):
    """A cash game whose people wish, ask for chips, are away and come back, also under other numbers."""

    def _between_rounds(self) -> None:
        self.closes = 1000
        for _ in range(self.random.randrange(3, 9)):
            with suppress(IllegalAction):
                self.service.act(self.game_id, self._something(self.random.choice(self._people())))
        self._answer()
        self._change_stakes()
        with suppress(IllegalAction):
            if self.random.random() < 0.3:
                self.service.change_stakes(
                    self.game_id, {"bomb_pot": True}, seat=self.random.choice([0, *self._people()])
                )
        if self.random.random() < 0.2:  # as at any table, where people also leave and are removed
            super()._between_rounds()
            return
        with suppress(IllegalAction):
            for seat in self.service.table(self.game_id).sitting_out:
                self.service.table_act(self.game_id, ComeBack(seat))
        with suppress(NothingToDo):  # too few are left, and the game is over
            self.service.go_on(self.game_id)

    def _people(self) -> list[int]:
        return [at for at, seat in enumerate(self.service.status(self.game_id).seats, 1) if seat.kind == HUMAN]

    def _change_stakes(self) -> None:
        """Raise or lower the blinds or what is sold, now and then, where the host may."""
        view, unit = self.service.view(self.game_id, EVERYONE), self.random.choice([1, 2, 3])
        if not view.changeable or self.random.random() < 0.6:
            return
        forced = {"bet": unit} if view.rules.blinds is None else {"blinds": f"{unit}/{2 * unit}"}
        given = self.random.choice([forced, {"stack": self.random.choice([100, 200, 300])}])
        with suppress(IllegalAction, InvalidValue):
            self.service.change_stakes(self.game_id, given, seat=self.random.choice([0, *self._people()]))

    def _something(self, seat: int) -> BetweenRounds:
        chips, random = self.random.randint(1, 160), self.random
        return random.choice(
            [
                BuyChips(seat, chips),
                SitOut(seat),
                SitIn(seat),
                Leave(seat) if random.random() < 0.4 else SitIn(seat),
                *[self._show(seat)] * 2,
                *[SitDown(seat, chips, random.choice([None, "Zoë"]), random.choice([None, None, 1, 2, 9]))] * 4,
                Wish(seat, top_up_to=random.choice([0, 60, 150])),
                *[Wish(seat, out_at_blind=random.random() < 0.8)] * 4,
                *[Wish(seat, in_with_blind=random.random() < 0.9)] * 3,
                *[Wish(seat, straddles=random.random() < 0.8)] * 3,
            ]
        )

    def _show(self, seat: int) -> Show:
        """Show one card, or all, of what the seat holds."""
        cards = [card for card in self.service.view(self.game_id, seat).seat(seat).cards if card]
        return Show(seat, tuple(cards if self.random.random() < 0.3 else cards[:1]))

    def _answer(self) -> None:
        view = self.service.view(self.game_id, EVERYONE)
        for one in view.seats:
            if one.at_cash is not None and one.at_cash.asks_for:
                with suppress(IllegalAction):
                    by = self.random.choice([0, *self._people()])
                    self.service.answer_purchase(self.game_id, one.seat, admits=self.random.random() < 0.7, by=by)


def _with_posts(random: Random, index: int) -> dict[str, object]:
    """Return the options of straddles and of bomb pots in a house with blinds."""
    bombs = {} if index % 3 == 1 else {"bomb_pot": random.choice([1, 5, 30]), "bomb_every": random.choice([None, 2, 3])}
    return {"straddle": 4, "straddle_by_choice": index % 4 > 0 or None, **bombs}


def ruled_evenings(folder: Path, random: Random, number: int) -> Iterator[Evening]:
    """Play cash games with rules of their own; yield the whole of each."""
    for index in range(number):
        name = f"ruled-{index}"
        house = random.choice(["no-limit", "pot-limit", "fixed-limit", "rising-ante"])
        people = random.choice([1, 2, 2, 3, 4])
        seats = random.randint(max(2, people), 10)
        options: dict[str, object] = {
            "rules": house,
            "cash": True,
            "changeable": random.random() < 0.4,
            "stack": ["200", *(f"P{seat}=100" for seat in range(1, people + 1))],
            "approval": index % 3 == 0,
            "buy_least": random.choice([1, 5]),
            "buy_most": random.choice([None, 120]),
            "away_rounds": random.choice([None, 1, 2]),
            "return_rounds": random.choice([None, 3]),
            **({} if house == "rising-ante" else _with_posts(random, index)),
        }
        path = folder / f"{name}.sqlite"
        yield _played(path, name, "draw", random, options, _RuledEvening, people=people, seats_in_all=seats)
