"""OHH 1.4.7, PokerTracker's Open Hand History: JSON objects with a blank line between them.

The specification has no draw: discards and draws stand in our own key ``x_pokersvc`` of a ``Dealt Cards`` action
(docs/histories.md), and without it a hand of ``Draw`` names no game. An action's amount is the chips that it puts in.
"""

import json
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from decimal import Decimal
from typing import Final, NoReturn

from pydantic import ValidationError

from pokersvc.errors import printable
from pokersvc.histories.amounts import paid_in
from pokersvc.histories.dialect import Block
from pokersvc.histories.dialects.blocks import MOST, Layout, blocks_of
from pokersvc.histories.dialects.line_values import amount_at
from pokersvc.histories.dialects.ohh_actions import STREETS, OhhActions
from pokersvc.histories.dialects.ohh_shapes import EXTENSION, Extension, OhhHand, OhhTournament
from pokersvc.histories.dialects.seat_list import check_button, check_named, check_players
from pokersvc.histories.hand import (
    CHIPS,
    DRAW_ORDERS,
    Currency,
    HandHistory,
    HistoryPlayer,
    HistoryTournament,
    Limit,
    UnreadableHand,
    WhenPlayed,
)
from pokersvc.histories.statements import Posted, StatedPot, Statement, Totals, Won

LIMITS: Final[dict[str, Limit]] = {"NL": "no-limit", "PL": "pot-limit", "FL": "fixed-limit"}
PLAY_MONEY: Final = ("XPM", "PPC")
"""The specification's currency codes for play money, new and old; read as chips unless an amount has decimals."""
_LAYOUT: Final = Layout(begins=re.compile(r"(?!)"), ends=re.compile(""))
"""The layout of a file of objects: a blank line ends an object, and nothing else does."""
_KEY_OF: Final = {"players": "starting_stack", "pots": "player_wins"}
"""List of objects → a member that its objects have and no others have; it helps to find the objects' lines."""


class Ohh:
    """The dialect of OHH: one JSON object per hand."""

    name = "ohh"

    def recognises(self, head: str) -> bool:
        """Return whether a text begins with an OHH object."""
        return bool(re.match(r'\s*\{\s*"ohh"\s*:', head))

    def blocks(self, lines: Iterable[str]) -> Iterator[Block]:
        """Yield each object as a block; a blank line ends it."""
        return blocks_of(lines, _LAYOUT)

    def read(self, block: Block) -> HandHistory:
        """Return the hand of a block."""
        return _Hand(block).read()


class _Hand:
    """Reads one hand from its JSON object."""

    def __init__(self, block: Block) -> None:
        self._block = block
        if len(block.text) > MOST:
            raise UnreadableHand(block.first_line, f"The hand has more than {MOST:,} characters.")
        self._parts = False
        self._ohh = self._shaped()
        chips = self._ohh.tournament or (self._ohh.currency in PLAY_MONEY and not self._parts)
        self._currency = CHIPS if chips else Currency(self._ohh.currency, 2)

    def read(self) -> HandHistory:
        ohh, line = self._ohh, self._block.first_line
        extension = self._game()
        names = {player.id: player.name for player in ohh.players}
        if len(names) < len(ohh.players):
            raise UnreadableHand(line, "Two players have the same id.")
        players = tuple(
            [
                HistoryPlayer(
                    line=at,
                    name=player.name,
                    number=player.seat,
                    stack=self._amount(at, player.starting_stack),
                    sitting_out=player.is_sitting_out,
                )
                for at, player in zip(self._lines_of("starting_stack", len(ohh.players)), ohh.players, strict=True)
            ]
        )
        check_players(line, players)
        check_button(line, ohh.dealer_seat, ohh.table_size, players)
        if ohh.hero_player_id not in (None, *names) and "Observed" not in (ohh.flags or ()):
            raise UnreadableHand(line, f"hero_player_id is {ohh.hero_player_id}, but no player has that id.")
        self._check_rounds()
        big, straddle = self._amount(line, ohh.big_blind_amount), self._amount(line, extension.straddle)
        cap = self._amount(line, (ohh.bet_limit.bet_type != "FL" and ohh.bet_limit.bet_cap) or 0)
        read = OhhActions(players, names, self._currency, big, straddle, cap)
        actions = [(one.street, place, action) for one in ohh.rounds for place, action in enumerate(one.actions)]
        for at, (street, place, action) in zip(self._lines_of("action_number", len(actions)), actions, strict=True):
            read.number(at, action, None if place else actions[0][2].action_number)
            read.take(at, street, action)
        self._check_posts(read.told)
        told = [*read.told, *self._pots(names)]
        for statement in told:
            check_named(statement, names.values())
        limited = ohh.bet_limit.bet_type == "FL"
        return HandHistory(
            dialect=Ohh.name,
            site=ohh.site_name,
            number=ohh.game_number,
            text=self._block.text,
            first_line=line,
            last_line=line + self._block.text.rstrip().count("\n"),
            limit=LIMITS[ohh.bet_limit.bet_type],
            currency=self._currency,
            ante=self._amount(line, ohh.ante_amount),
            small_blind=self._amount(line, ohh.small_blind_amount),
            big_blind=big,
            straddle=straddle,
            min_bet=None if extension.min_bet is None else self._amount(line, extension.min_bet),
            small_bet=(self._amount(line, extension.small_bet) or big) if limited else None,
            big_bet=(self._amount(line, extension.big_bet) or 2 * big) if limited else None,
            table=ohh.table_name,
            size=ohh.table_size,
            button=ohh.dealer_seat,
            draw=None if extension.order is None else DRAW_ORDERS[extension.order],
            played=self._played(),
            tournament=self._tournament(extension.level),
            hero=names.get(ohh.hero_player_id) if ohh.hero_player_id is not None else None,
            players=players,
            told=tuple(told),
        )

    def _check_rounds(self) -> None:
        """Refuse board cards, which draw poker does not have, and rounds that are not in order."""
        last, at = -1, -1
        for one in self._ohh.rounds:
            where = STREETS.index(one.street) if one.street in STREETS else at
            if one.cards:
                raise UnreadableHand(self._block.first_line, f"The round {one.street[:20]} has cards on a board.")
            if where < at or (one.id is not None and one.id <= last):
                said = f"The round {printable(one.street[:20])} with the id {one.id} comes after a later round."
                raise UnreadableHand(self._block.first_line, said)
            last, at = last if one.id is None else one.id, where

    def _check_posts(self, told: list[Statement]) -> None:
        """Refuse stakes that contradict the posts in ways that the rules cannot detect."""
        ohh, line = self._ohh, self._block.first_line
        posts = [one for one in told if isinstance(one, Posted)]
        small = next((one for one in posts if one.kind == "small" and not one.all_in), None)
        if small is not None and "small_blind_amount" in ohh.model_fields_set and not ohh.small_blind_amount:
            raise UnreadableHand(small.line, "A small blind is posted, but small_blind_amount is 0.")
        assert ohh.extension is not None
        if ohh.extension.straddle and not any(one.kind == "straddle" for one in posts):
            raise UnreadableHand(line, "x_pokersvc names a straddle, but nobody posts one.")
        if ohh.bet_limit.bet_type != "FL" and (ohh.extension.small_bet or ohh.extension.big_bet):
            raise UnreadableHand(
                line, f"x_pokersvc has the bets of a fixed limit, but bet_type is {ohh.bet_limit.bet_type}."
            )

    def _lines_of(self, key: str, count: int) -> list[int]:
        """Return the lines of the ``count`` objects with ``key``; if the number differs, the hand's first line for all.

        A text cannot be taken for a key, because quotes in a text are escaped.
        """
        text, first = self._block.text, self._block.first_line
        found = [first + text.count("\n", 0, one.start()) for one in re.finditer(rf'(?<!\\)"{key}"\s*:', text)]
        return found if len(found) == count else [first] * count

    def _shaped(self) -> OhhHand:
        text = self._block.text
        try:
            found = json.loads(
                text, parse_float=self._decimal, parse_constant=self._refuse, object_pairs_hook=self._object
            )
        except json.JSONDecodeError as error:
            raise UnreadableHand(self._block.first_line + error.lineno - 1, f"This is not JSON: {error.msg}.") from None
        except (ValueError, RecursionError, ArithmeticError):
            raise UnreadableHand(self._block.first_line, "This is not JSON that a hand can have.") from None
        if not isinstance(found, dict) or set(found) != {"ohh"}:
            raise UnreadableHand(self._block.first_line, 'This is not an object with the single member "ohh".')
        try:
            return OhhHand.model_validate(found["ohh"])
        except ValidationError as error:
            raise self._misshaped(error, "", found["ohh"]) from None

    def _misshaped(self, error: ValidationError, where: str, found: object = None) -> UnreadableHand:
        """Return the first validation error as an `UnreadableHand`, with its line if it can be found."""
        first = error.errors()[0]
        where += ".".join(map(str, first["loc"]))
        return UnreadableHand(self._line_of(first["loc"], found), f"{printable(where[:60])}: {first['msg']}.")

    def _decimal(self, text: str) -> Decimal:
        self._parts = True
        return Decimal(text)

    def _refuse(self, constant: str) -> NoReturn:
        raise UnreadableHand(self._block.first_line, f"{constant} is not an amount of money.")

    def _object(self, pairs: list[tuple[str, object]]) -> dict[str, object]:
        made = dict(pairs)
        if len(made) < len(pairs):
            raise UnreadableHand(self._block.first_line, "An object has a member twice.")
        return made

    def _line_of(self, path: tuple[int | str, ...], found: object) -> int:
        """Return the line of the player or pot that a path leads to; else the first line of the hand."""
        key = _KEY_OF.get(str(path[0])) if path else None
        members = found.get(path[0]) if path and isinstance(found, dict) else None
        if key is None or len(path) < 2 or not isinstance(path[1], int) or not isinstance(members, list):
            return self._block.first_line
        return self._lines_of(key, len(members))[path[1]]

    def _amount(self, line: int, amount: Decimal | int) -> int:
        return amount_at(line, str(amount), self._currency)

    def _game(self) -> Extension:
        ohh, line = self._ohh, self._block.first_line
        if ohh.game_type != "Draw":
            raise UnreadableHand(line, f"{printable(ohh.game_type[:40])!r} is not five-card draw, which is Draw here.")
        if ohh.extension is None or ohh.extension.draw != EXTENSION:
            said = f'"Draw" names no game unless x_pokersvc says {{"draw": "{EXTENSION}"}}.'
            raise UnreadableHand(line, said)
        return ohh.extension

    def _pots(self, names: dict[int, str]) -> Iterator[Statement]:
        """Yield the size and the payments of each pot; a pot's amount includes its rake."""
        ohh = self._ohh
        lines = self._lines_of("player_wins", len(ohh.pots))
        wins = iter(self._lines_of("win_amount", sum(len(pot.player_wins) for pot in ohh.pots)))
        for line, pot in zip(lines, ohh.pots, strict=True):
            several = pot.extension is not None and pot.extension.several
            if several and len(ohh.pots) > 1:
                raise UnreadableHand(line, "A pot that stands for several must be the only one.")
            if not several:
                yield StatedPot(line=line, pot=pot.number, amount=self._amount(line, pot.amount))
            number = None if several else pot.number
            for win, at in zip(pot.player_wins, wins, strict=False):
                if win.player_id not in names:
                    raise UnreadableHand(at, f"No player has the id {win.player_id}.")
                if not win.win_amount:
                    continue
                yield Won(line=at, name=names[win.player_id], amount=self._amount(at, win.win_amount), pot=number)
        if ohh.pots:
            told = [pot.rake is not None for pot in ohh.pots]
            rake = sum(self._amount(lines[0], amount or 0) for pot in ohh.pots for amount in (pot.rake, pot.jackpot))
            total = sum(self._amount(lines[0], pot.amount) for pot in ohh.pots)
            rakes = [rake for pot in ohh.pots if pot.extension for rake in pot.extension.rakes]
            if not rakes and all(told) and not any(pot.extension or pot.jackpot for pot in ohh.pots):
                rakes = [pot.rake or 0 for pot in sorted(ohh.pots, key=lambda pot: pot.number)]
            yield Totals(
                line=lines[0],
                pot=total,
                rake=rake if all(told) else None,
                rakes=tuple([self._amount(lines[0], rake) for rake in rakes]),
            )

    def _played(self) -> WhenPlayed:
        text = self._ohh.start_date_utc
        try:
            moment = datetime.fromisoformat(text)
            utc = moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
        except (ValueError, OverflowError):
            said = f"start_date_utc is {printable(text[:40])!r}, not a moment like 2026-01-31T20:00:00Z."
            raise UnreadableHand(self._block.first_line, said) from None
        return WhenPlayed(utc=utc, zone="", text=text)

    def _tournament(self, level: str | None) -> HistoryTournament | None:
        """Return the tournament; refuse a number or a level of a tournament in a cash game."""
        info = self._ohh.tournament_info
        if not self._ohh.tournament:
            if level is not None or (info or {}).get("tournament_number"):
                raise UnreadableHand(self._block.first_line, "tournament is false, but a tournament is given.")
            return None
        if info is None:
            raise UnreadableHand(self._block.first_line, "tournament is true, but there is no tournament_info.")
        try:
            told = OhhTournament.model_validate(info)
        except ValidationError as error:
            raise self._misshaped(error, "tournament_info.") from None
        currency = CHIPS if told.currency is None else paid_in(told.currency)

        def paid(amount: Decimal | int | None) -> int | None:
            return None if amount is None else amount_at(self._block.first_line, str(amount), currency)

        return HistoryTournament(
            number=told.tournament_number,
            level=level,
            buy_in=paid(told.buyin_amount),
            fee=paid(told.fee_amount),
            bounty=paid(told.bounty_fee_amount),
            currency=currency,
        )
