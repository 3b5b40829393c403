"""Merge: a ``<description/>``, then one ``<game>`` per hand; seats count from 0, rake is the pots minus payments.

Features that the sample hands do not show (tournaments, returning players, all-ins, raises before September 2010) are
read as FPDB's converter reads them (``MergeToFpdb.py``).
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final

from pokersvc.errors import printable
from pokersvc.histories import statements
from pokersvc.histories.amounts import PLAY_MONEY
from pokersvc.histories.contributions import Contributions
from pokersvc.histories.dialect import Block
from pokersvc.histories.dialects.inferred_draws import changed
from pokersvc.histories.dialects.line_values import amount_at, cards_at
from pokersvc.histories.dialects.markup import Element, element, split
from pokersvc.histories.dialects.seat_list import check_players
from pokersvc.histories.dialects.stakes import LIMITS, Stakes, ante_of, stakes
from pokersvc.histories.hand import (
    CHIPS,
    Currency,
    HandHistory,
    HistoryPlayer,
    HistoryTournament,
    Limit,
    UnreadableHand,
    WhenPlayed,
)
from pokersvc.histories.statements import Cards, PostKind, Statement

_DESCRIPTION: Final = re.compile(r"<description\s[^<>]*/>")
_FRAME: Final = re.compile(r"<\?xml[^<>]*\?>")
_STAKES: Final = re.compile(
    r"(No Limit|Pot Limit|Limit) ?(?: Level (\d+) Blinds)?(?: ?\(?(\$?[.,0-9]+)/(\$?[.,0-9]+)\)?)?"
)
_POSTS: Final[dict[str, PostKind]] = {
    "ANTE": "ante",
    "SMALL_BLIND": "small",
    "BIG_BLIND": "big",
    "INITIAL_BLIND": "extra",
}
_RAISES_ARE_TOTALS: Final = datetime(2010, 9, 8, 4, tzinfo=UTC)
"""The moment from which a raise states the player's total; before, it stated the chips that the player put in."""
_FURTHEST_ZONE: Final = timedelta(hours=15)  # the furthest time zone, and some minutes for a wrong clock
_NOISE: Final = ("DISCONNECTED", "RECONNECTED", "SHOW")  # shown cards have a separate element
_BETTING: Final = ("PRE_FIRST_DRAW", "POST_FIRST_DRAW")
_BETS: Final = ("CALL", "BET", "RAISE", "ALL_IN")
_ENDINGS: Final = ("SHOWDOWN", "END_OF_FOLDED_GAME", "END_OF_GAME")
_ROUNDS: Final = ("BLINDS", "PRE_FIRST_DRAW", "FIRST_DRAW", "POST_FIRST_DRAW", *_ENDINGS)
"""The rounds in order; a hand has either ``SHOWDOWN`` or ``END_OF_FOLDED_GAME``."""
_BELONGS: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys((*_POSTS, "RETURN_BLIND"), ("BLINDS",)),
    **dict.fromkeys(("FOLD", "CHECK", *_BETS), _BETTING),
    "ALL_IN": ("BLINDS", *_BETTING),
    "DRAW": ("FIRST_DRAW",),
    "MUCK": _ENDINGS,
    "HOLE": ("BLINDS", "PRE_FIRST_DRAW"),
    "DRAW_DRAWN_CARDS": ("FIRST_DRAW",),
    "SHOW": ("POST_FIRST_DRAW", *_ENDINGS),
    "SHOWN": ("POST_FIRST_DRAW", *_ENDINGS),
    "MUCKED": _ENDINGS,
}
"""Type of an event or of cards → the rounds in which it may stand."""
_STARTED: Final = re.compile(r"[0-9]{14}|[0-9]{4}/[0-9]{2}/[0-9]{2}[- ]+[0-9]+:[0-9]{2}:[0-9]{2}")


class Merge:
    """The dialect of Merge: XML, with one ``<game>`` per hand."""

    name = "merge"

    def recognises(self, head: str) -> bool:
        """Return whether a text begins with a description or a game of Merge."""
        return bool(re.search(r"<game\s[^<>]*numholecards=", head)) or bool(_DESCRIPTION.match(head.lstrip()))

    def blocks(self, lines: Iterable[str]) -> Iterator[Block]:
        """Yield each ``<game>`` as a block, with the description before it."""
        return split(lines, "game", _FRAME, _DESCRIPTION)

    def read(self, block: Block) -> HandHistory:
        """Return the hand of a block."""
        return _Hand(block).read()


class _Hand:
    """Reads one hand from its XML element."""

    def __init__(self, block: Block) -> None:
        self._block = block
        self._game = element(block, "game")
        if not block.context:
            raise UnreadableHand(block.first_line, "No <description> comes before this game, so its limit is unknown.")
        self._description = element(Block(block.first_line, block.context), "description")
        self._tournament = self._description["type"].endswith(" Tournament")
        self._currency = self._money()
        self._names: dict[int, str] = {}
        self._players: list[HistoryPlayer] = []
        self._told: list[Statement] = []
        self._held: dict[str, Cards] = {}
        self._new_hands: set[int] = set()
        """The lines of new hands that were already read together with their draws."""
        self._staked = Contributions(())
        self._sequence = self._big_blind = self._last_round = 0
        self._rounds: list[str] = []
        self._moments: list[int] = []
        self._warnings: list[tuple[int, str]] = []
        self._hero: str | None = None

    def read(self) -> HandHistory:
        game, line = self._game, self._block.first_line
        if self._description["type"].removesuffix(" Tournament") != "5-Draw":
            raise UnreadableHand(
                line, f"{self._description['type'][:40]!r} is not five-card draw, which is 5-Draw here."
            )
        if (named := _STAKES.fullmatch(self._description["stakes"].strip())) is None:
            self._description.unknown(self._description["stakes"])
        if (number := self._data(3)) not in (None, game["id"]):
            said = f"data says that the hand's number is {printable((number or '')[:40])!r}, but id says that it is"
            raise UnreadableHand(game.line, f"{said} {printable(game['id'][:40])!r}.")
        self._check_game()
        if named[2] is not None and not self._tournament:
            raise UnreadableHand(line, "The description names a level, but no tournament.")
        limit = LIMITS[named[1]]
        low, high = (None if named[number] is None else self._amount(named[number]) for number in (3, 4))
        self._big_blind = (low if limit == "fixed-limit" and not self._tournament else high) or 0
        button = None
        for child in game.children:
            match child.name:
                case "players" if not self._players:
                    button = child.number("dealer")
                    self._seats(child)
                    check_players(child.line, self._players)
                    self._staked = Contributions(self._players, self._big_blind)
                case "round" if self._players:
                    self._round(child)
                case other:
                    game.unknown(other)
        if button is None:
            raise UnreadableHand(line, "No <players> are listed.")
        return HandHistory(
            dialect=Merge.name,
            site="Merge",
            number=game["id"],
            text=self._block.context + self._block.text,  # needed to read the hand again
            first_line=line,
            last_line=line + self._block.text.rstrip("\n").count("\n"),
            **self._stakes(limit, low, high),
            currency=self._currency,
            ante=ante_of(self._told),
            table=self._data(1),
            size=game.number("seats") if game.get("seats") else None,
            button=button,
            played=self._played(),
            tournament=self._its_tournament(named[2]),
            hero=self._hero,
            players=tuple(self._before_posts(player) for player in self._players),
            told=tuple(self._told),
            warnings=tuple(self._warnings),
        )

    def _check_game(self) -> None:
        """Refuse a game whose attributes contradict its number or its description."""
        game = self._game
        table, _, _ = game["id"].partition("-")
        tournament = "true" if self._tournament else "false"
        for what, found, due in (
            ("numholecards", game.get("numholecards") or None, "5"),
            ("The last part of data", self._data(4), tournament),
            ("The table's number in data", None if self._tournament else self._data(2), table),
        ):
            if found not in (None, due):
                said = f"{what} is {printable(repr((found or '')[:40]))}, but the rest of this game says {due!r}."
                raise UnreadableHand(game.line, said)
        if not _STARTED.match(start := game["starttime"]):
            said = f"starttime is {printable(repr(start[:40]))}, not a time like 20110909235102."
            raise UnreadableHand(game.line, said)

    def _money(self) -> Currency:
        real = self._game.either("realmoney", "true", "false") == "true"
        if self._tournament:
            return CHIPS
        return Currency("USD", 2) if real else PLAY_MONEY

    def _amount(self, text: str) -> int:
        """Return an amount of the description, which has a dollar sign even for play money and chips."""
        return amount_at(self._block.first_line, self._bare(text), self._currency)

    def _bare(self, amount: str) -> str:
        return amount if self._currency.code == "USD" else amount.removeprefix("$")

    def _stakes(self, limit: Limit, low: int | None, high: int | None) -> Stakes:
        """Return the stakes; a tournament names its blinds even in a fixed limit, or leaves them out."""
        if low is None or high is None:
            posted = [post for post in self._told if isinstance(post, statements.Posted)]
            low, high = (
                max((one.amount for one in posted if one.kind == kind), default=0) for kind in ("small", "big")
            )
            limited = limit == "fixed-limit"
        else:
            limited = limit == "fixed-limit" and self._tournament
        return stakes(limit, *((high, 2 * high) if limited else (low, high)), self._told)

    def _data(self, place: int) -> str | None:
        """Return a part of ``data``: 0 day, 1 table, 2 table's number, 3 hand, 4 tournament or not; None if missing."""
        parts = re.split(r"[|:]", self._game.get("data"))
        return parts[place].strip() or None if place < len(parts) else None

    def _its_tournament(self, level: str | None) -> HistoryTournament | None:
        if not self._tournament:
            return None
        number, _, _ = (self._data(2) or self._game["id"]).partition("-")
        return HistoryTournament(number=number, level=level)

    def _played(self) -> WhenPlayed | None:
        """Return when the first event happened: the start time has no zone, and its clock is minutes off."""
        if not self._moments:
            self._warnings.append((self._block.first_line, "No event tells its time, and starttime has no time zone."))
            return None
        utc = datetime.fromtimestamp(self._moments[0] / 1000, UTC)
        self._compare(utc)
        return WhenPlayed(utc=utc, zone="", text=self._game["starttime"])

    def _compare(self, utc: datetime) -> None:
        """Warn if the start time and the first event are further apart than any zone is from UTC."""
        with suppress(ValueError):
            started = datetime.strptime(self._game["starttime"], "%Y%m%d%H%M%S").replace(tzinfo=UTC)
            if abs(started - utc) > _FURTHEST_ZONE:
                hours = round(abs(started - utc).total_seconds() / 3600)
                said = f"starttime and the first event are {hours} hours apart, but no time zone is that far from UTC."
                self._warnings.append((self._game.line, said))

    def _seats(self, players: Element) -> None:
        for seat in players.children:
            if seat.name != "player":
                players.unknown(seat.name)
            seat.without_children()
            number = seat.number("seat")
            self._names[number] = seat["nickname"]
            self._players.append(
                HistoryPlayer(
                    line=seat.line,
                    name=seat["nickname"],
                    number=number,
                    stack=amount_at(seat.line, self._bare(seat["balance"]), self._currency),
                    sitting_out=seat.either("dealtin", "true", "false") == "false",
                )
            )

    def _before_posts(self, player: HistoryPlayer) -> HistoryPlayer:
        """Return a player with the stack before the posts; older tournament files state the stack after the posts."""
        if not self._tournament or self._description.get("version"):
            return player
        posts = [post.amount for post in self._told if isinstance(post, statements.Posted) and post.name == player.name]
        return replace(player, stack=player.stack + sum(posts))

    def _name(self, event: Element) -> str:
        number = event.number("player")
        if number not in self._names:
            raise UnreadableHand(event.line, f"Nobody has seat {number}, which is named here.")
        return self._names[number]

    def _say(self, statement: Statement) -> None:
        self._staked.take(statement)
        self._told.append(statement)

    def _round(self, round_: Element) -> None:
        kind = round_["id"]
        if kind not in _ROUNDS:
            round_.unknown(kind)
        if any(_ROUNDS.index(before) >= _ROUNDS.index(kind) for before in self._rounds) or (
            kind == "END_OF_FOLDED_GAME" and "SHOWDOWN" in self._rounds
        ):
            raise UnreadableHand(round_.line, f"The round {kind} comes after the round {self._rounds[-1]}.")
        if kind == "POST_FIRST_DRAW" and "FIRST_DRAW" not in self._rounds:
            raise UnreadableHand(round_.line, f"The round {kind} comes before the draw.")
        self._rounds.append(kind)
        if round_.get("sequence"):
            if (number := round_.number("sequence")) <= self._last_round:
                raise UnreadableHand(round_.line, f"Round {number} comes after round {self._last_round}.")
            self._last_round = number
        if kind == "FIRST_DRAW":
            self._staked.draw()
        for cards in round_.children:
            if cards.name == "cards" and cards["type"] == "HOLE":  # in the file, dealt cards come after the betting
                self._deal(cards)
        for child in round_.children:
            child.without_children()
            if kind not in (rounds := _BELONGS.get(child.get("type"), _ENDINGS if child.name == "winner" else _ROUNDS)):
                said = child.get("type") or child.name
                raise UnreadableHand(child.line, f"{said} is in the round {kind}, not in {' or '.join(rounds)}.")
            match child.name:
                case "event":
                    self._event(child, kind, round_)
                case "cards":
                    self._cards(child)
                case "winner":
                    self._won(child)
                case other:
                    round_.unknown(other)

    def _deal(self, cards: Element) -> None:
        name = self._name(cards)
        self._hero, self._held[name] = name, _read_cards(cards)
        held, called = self._held[name], cards.get("hand") or None
        self._say(statements.Dealt(line=cards.line, name=name, cards=held, count=len(held), called=called))

    def _event(self, event: Element, where: str, round_: Element) -> None:
        kind, line = event["type"], event.line
        # A chat line repeats the number of the event before it, and has a nickname in place of a seat.
        if kind == "CHAT":
            return
        self._follows(event)
        if kind not in (*_POSTS, "RETURN_BLIND", *_BETS):
            event.without("amount")
        if kind == "GAME_CANCELLED":
            self._say(statements.Cancelled(line=line))
            return
        name = self._name(event)
        match kind:
            case "ANTE" | "SMALL_BLIND" | "BIG_BLIND" | "INITIAL_BLIND" | "RETURN_BLIND":
                self._post(event, name, kind)
            case "FOLD":
                self._say(statements.Folded(line=line, name=name))
            case "CHECK":
                self._say(statements.Checked(line=line, name=name))
            case "ALL_IN" if where == "BLINDS":
                self._post_the_rest(event, name)
            case "CALL" | "BET" | "RAISE" | "ALL_IN":
                self._bet(event, name, kind)
            case "DRAW":
                self._draw(event, name, round_)
            case "MUCK" if where == "END_OF_FOLDED_GAME":
                self._say(statements.NotShown(line=line, name=name))
            case "MUCK" if any(one.get("type") == "MUCKED" and self._name(one) == name for one in round_.children):
                pass  # the MUCKED element has the cards
            case "MUCK":
                self._say(statements.Mucked(line=line, name=name))
            case "SIT_OUT" | "LEAVE" | "PLAYER_OUT":
                if where in _BETTING and kind == "SIT_OUT" and name not in self._staked.folded:
                    self._say(statements.Folded(line=line, name=name))
                self._say(statements.Away(line=line, name=name, what="sits_out" if kind == "SIT_OUT" else "left"))
            case other if other not in _NOISE:
                event.unknown(other)

    def _follows(self, event: Element) -> None:
        """Check that an event's number is higher than the one before, and store its timestamp."""
        number = event.number("sequence")
        if number <= self._sequence:
            raise UnreadableHand(event.line, f"Event {number} comes after event {self._sequence}.")
        if number != self._sequence + 1:
            self._warnings.append((event.line, f"Event {number} follows event {self._sequence}: some are missing."))
        self._sequence = number
        if event.get("timestamp"):
            moment = event.number("timestamp")
            if moment > 253_402_300_799_999:
                raise UnreadableHand(event.line, f"{moment} is not a time in milliseconds since 1970.")
            if self._moments and moment < self._moments[-1]:
                self._warnings.append((event.line, "This event has an earlier time than the one before it."))
            self._moments.append(moment)

    def _post(self, event: Element, name: str, kind: str) -> None:
        amount, big = event.amount("amount", self._currency), self._big_blind
        posted = _POSTS.get(kind) or ("both" if amount > big else "extra" if amount == big else "dead")
        all_in = amount == self._staked.left.get(name)
        self._say(statements.Posted(line=event.line, name=name, amount=amount, kind=posted, all_in=all_in))

    def _post_the_rest(self, event: Element, name: str) -> None:
        """Read the blind of a player who has fewer chips than the blind; there is no post if the ante took all."""
        if amount := event.amount("amount", self._currency):
            before = any(isinstance(one, statements.Posted) and one.kind in ("small", "big") for one in self._told)
            kind: PostKind = "big" if before else "small"
            self._say(statements.Posted(line=event.line, name=name, amount=amount, kind=kind, all_in=True))

    def _bet(self, event: Element, name: str, kind: str) -> None:
        """Read a bet: the amount of a raise is the player's total, the amount of any other bet is the chips put in."""
        staked, line = self._staked, event.line
        amount, before = event.amount("amount", self._currency), staked.in_round.get(name, 0)
        all_in = kind == "ALL_IN"
        totals = not self._moments or self._moments[0] >= _RAISES_ARE_TOTALS.timestamp() * 1000
        to = amount if kind == "RAISE" and totals else before + amount
        if all_in:
            kind = "CALL" if to <= staked.price else "RAISE" if staked.price else "BET"
        if kind == "RAISE":
            self._say(statements.Raised(line=line, name=name, to=to, all_in=all_in))
        elif kind == "BET":
            self._say(statements.Bet(line=line, name=name, amount=amount, all_in=all_in))
        else:
            self._say(statements.Called(line=line, name=name, amount=amount, all_in=all_in))

    def _draw(self, event: Element, name: str, round_: Element) -> None:
        """Read a discard; another element in the same round has the hero's new hand."""
        count = event.number("text")
        for cards in round_.children:
            if cards.name == "cards" and cards["type"] == "DRAW_DRAWN_CARDS" and self._name(cards) == name:
                new = _read_cards(cards)
                discarded, drew = changed(event.line, name, count, self._held.get(name), new)
                self._held[name] = new
                self._new_hands.add(cards.line)
                self._say(discarded)
                if drew is not None:
                    self._say(replace(drew, line=cards.line, called=cards.get("hand") or None))
                return
        self._say(statements.Discarded(line=event.line, name=name, cards=None, count=count))

    def _cards(self, cards: Element) -> None:
        """Read cards shown or mucked at the end; dealt and drawn cards are read with the deal and the draw."""
        match cards["type"]:
            case "DRAW_DRAWN_CARDS" if cards.line not in self._new_hands:
                raise UnreadableHand(cards.line, f"No draw of {self._name(cards)} that the file tells gives this hand.")
            case "SHOWN" if "null" in cards["cards"].split(","):
                self._say(statements.NotShown(line=cards.line, name=self._name(cards), part=_read_cards(cards)))
            case "SHOWN":
                called = cards.get("hand") or None
                self._say(
                    statements.Showed(line=cards.line, name=self._name(cards), cards=_read_cards(cards), called=called)
                )
            case "MUCKED":
                called = cards.get("hand") or None
                self._say(
                    statements.Mucked(line=cards.line, name=self._name(cards), cards=_read_cards(cards), called=called)
                )
            case other if other not in ("HOLE", "DRAW_DRAWN_CARDS"):
                cards.unknown(other)

    def _won(self, winner: Element) -> None:
        amount, pot = winner.amount("amount", self._currency), winner.number("potnumber")
        name = self._name(winner)
        if (apart := self._told_apart(name)) is not winner:
            too = apart is None
            self._say(statements.Won(line=winner.line, name=name, amount=amount, pot=max(pot - 1, 0), uncalled_too=too))

    def _told_apart(self, name: str) -> Element | None:
        """Return the element that only returns a player's uncalled chips; None if the pots' payments include them."""
        uncalled = self._staked.uncalled
        due = self._staked.returned[name] + (uncalled[1] if uncalled and uncalled[0] == name else 0)
        paid = [one for round_ in self._game.children for one in round_.children if one.name == "winner"]
        mine = [one for one in paid if self._name(one) == name]
        if due and len(mine) > 1:
            for one in mine:
                if one.get("uncalled") == "true" and one.amount("amount", self._currency) == due:
                    return one
        return None


def _read_cards(cards: Element) -> Cards:
    return cards_at(cards.line, [card for card in cards["cards"].split(",") if card != "null"])
