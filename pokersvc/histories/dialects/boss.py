"""Boss: one ``<HISTORY>`` per hand; calls and raises are totals of the round, cards are numbers, rake is stated."""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Final

from pokersvc.cards import Card
from pokersvc.cards.card import FACES
from pokersvc.errors import printable
from pokersvc.histories.contributions import Contributions
from pokersvc.histories.dialect import Block
from pokersvc.histories.dialects.inferred_draws import changed
from pokersvc.histories.dialects.line_values import amount_at
from pokersvc.histories.dialects.markup import Element, element, split
from pokersvc.histories.dialects.seat_list import check_named, check_players
from pokersvc.histories.dialects.stakes import ante_of, stakes
from pokersvc.histories.hand import (
    Currency,
    HandHistory,
    HistoryPlayer,
    HistoryTournament,
    Limit,
    UnreadableHand,
    WhenPlayed,
)
from pokersvc.histories.statements import (
    Bet,
    Called,
    Cards,
    Checked,
    Dealt,
    Folded,
    Mucked,
    Posted,
    PostKind,
    PotSoFar,
    Raised,
    Showed,
    Statement,
    Summed,
    Totals,
    Won,
)
from pokersvc.text import counted

_FRAME: Final = re.compile(r"<\?xml[^<>]*\?>|</?ROOT>")
_LIMITS: Final[dict[str, Limit]] = {"NL": "no-limit", "PL": "pot-limit", "FL": "fixed-limit"}
_POSTS: Final[dict[str, PostKind]] = {"HAND_SB": "small", "HAND_BB": "big", "HAND_DSB": "dead", "HAND_AB": "both"}
_WITHOUT_CHIPS: Final = ("ACTION_FOLD", "ACTION_CHECK", "HAND_DEAL", "CHANGECARD", "HAND_BOARD")
_HAND: Final = 5
_CODE: Final = re.compile(r"[A-Z]{3}")
_POT_NAMES: Final = "MAINPOT", "LEFTPOT", "RIGHTPOT"
_FACES: Final = FACES[-1] + FACES[:-1]  # the ace comes first
_SUITS: Final = "dchs"
_CARDS: Final = {str(number): Card(_FACES[number % 13] + _SUITS[number // 13]) for number in range(52)}


class Boss:
    """The dialect of Boss: XML, with one ``<HISTORY>`` per hand."""

    name = "boss"

    def recognises(self, head: str) -> bool:
        """Return whether a text begins with Boss's root element, or contains a hand."""
        return bool(re.search(r"<HISTORY\s", head)) or bool(re.match(r"\s*(<\?xml[^<>]*\?>)?\s*<ROOT>", head))

    def blocks(self, lines: Iterable[str]) -> Iterator[Block]:
        """Yield each ``<HISTORY>`` as a block."""
        return split(lines, "HISTORY", _FRAME)

    def read(self, block: Block) -> HandHistory:
        """Return the hand of a block."""
        return _Hand(block).read()


class _Hand:
    """Reads one hand from its XML element."""

    def __init__(self, block: Block) -> None:
        self._block = block
        self._history = element(block, "HISTORY")
        self._tournament = _tournament(self._history)
        self._currency = Currency("", 0) if self._tournament else _currency(self._history)
        self._players: list[HistoryPlayer] = []
        self._button: int | None = None
        self._told: list[Statement] = []
        self._held: dict[str, Cards] = {}
        self._ended: set[str] = set()
        """The players who have a result."""
        self._staked = Contributions(())

    def read(self) -> HandHistory:
        history = self._history
        if (game := history["GAME"]) != "GAME_FCD":
            raise UnreadableHand(history.line, f"{game[:40]!r} is not five-card draw, which Boss calls GAME_FCD.")
        if self._currency.code and not self._tournament:
            _check_currency(history, history.get("TABLECURRENCY"))
        if (limit := _LIMITS.get(history["LIMIT"])) is None:
            history.unknown(history["LIMIT"])
        low, high = self._stakes()
        seats = [child for child in history.children if child.name == "PLAYER"]
        self._seats(seats)
        check_players(history.line, self._players)
        self._staked = Contributions(self._players, low if limit == "fixed-limit" else high)
        for child in history.children:
            self._child(child)
        self._hero_won()
        return HandHistory(
            dialect=Boss.name,
            site="Boss",
            number=str(history.number("ID")),
            text=self._block.text,
            first_line=self._block.first_line,
            last_line=self._block.first_line + self._block.text.rstrip("\n").count("\n"),
            **stakes(limit, low, high, self._told),
            currency=self._currency,
            ante=ante_of(self._told),
            table=history["TABLE"],
            size=len(seats),
            button=self._button,
            played=_played(history),
            tournament=self._tournament,
            hero=self._hero,
            players=tuple(self._players),
            told=tuple(self._told),
            warnings=_warnings(history),
        )

    @property
    def _hero(self) -> str | None:
        """The first player whose dealt cards are given; None if there is none. A second such player is a finding."""
        return next((told.name for told in self._told if isinstance(told, Dealt) and told.cards is not None), None)

    def _stakes(self) -> tuple[int, int]:
        small, slash, big = self._history["STAKES"].partition("/")
        if not slash:
            self._history.unknown(small)
        line = self._history.line
        return amount_at(line, small, self._currency), amount_at(line, big, self._currency)

    def _seats(self, seats: list[Element]) -> None:
        numbers = set[int]()
        dealt = {child.get("PLAYER") for child in self._history.children if child.get("TYPE") == "HAND_DEAL"}
        for seat in seats:
            seat.without_children()
            if (number := seat.number("SEAT")) in numbers:
                raise UnreadableHand(seat.line, f"Two places have seat {number}.")
            numbers.add(number)
            if seat.either("DEALER", "Y", "N") == "Y":
                if self._button is not None:
                    raise UnreadableHand(seat.line, "Two seats are said to have the button.")
                self._button = number
            if (state := seat["STATE"]) in ("STATE_EMPTY", "STATE_RESERVED"):
                seat.without("AMOUNT")
                continue
            if state not in {"STATE_PLAYING", "STATE_SITOUT"}:
                seat.unknown(state)
            self._players.append(
                HistoryPlayer(
                    line=seat.line,
                    name=seat["NAME"],
                    number=number,
                    stack=seat.amount("AMOUNT", self._currency),
                    sitting_out=state == "STATE_SITOUT" and seat["NAME"] not in dealt,
                )
            )

    def _child(self, child: Element) -> None:
        match child.name:
            case "PLAYER":
                if self._told:
                    raise UnreadableHand(child.line, "A seat is listed after the hand has begun.")
            case "ACTION":
                self._act(child)
            case "SHOWDOWN":
                self._showdown(child)
            case other:
                self._history.unknown(other)

    def _say(self, told: Statement) -> None:
        check_named(told, self._staked.left)
        self._staked.take(told)
        self._told.append(told)

    def _act(self, action: Element) -> None:
        kind, line = action["TYPE"], action.line
        if kind not in ("HAND_DEAL", "CHANGECARD"):
            action.without_children()
        if kind in _WITHOUT_CHIPS:
            action.without("VALUE")
        if kind == "HAND_BOARD":
            action.without("PLAYER")
            self._staked.draw()
            self._say(PotSoFar(line=line, amount=action.amount("POT", self._currency), pots=self._pots(action)))
            return
        name = action["PLAYER"]
        match kind:
            case "HAND_BLINDS" | "HAND_ANTE":
                self._post(action, name)
            case "HAND_DEAL":
                cards = _cards(action)
                if cards is not None:
                    self._held[name] = cards
                self._say(Dealt(line=line, name=name, cards=cards, count=len(action.children)))
            case "ACTION_FOLD":
                self._say(Folded(line=line, name=name))
            case "ACTION_CHECK":
                self._say(Checked(line=line, name=name))
            case "ACTION_CALL" | "ACTION_BET" | "ACTION_RAISE" | "ACTION_ALLIN":
                self._bet(action, name, kind)
            case "CHANGECARD":
                new = _cards(action)
                if len(action.children) not in (0, _HAND):
                    said = counted(len(action.children), "card")
                    raise UnreadableHand(line, f"The new hand of {printable(name[:40])} has {said}, not five.")
                discarded, drew = changed(line, name, action.number("COUNT"), self._held.get(name), new)
                self._say(discarded)
                if drew is not None:
                    self._say(drew)
                if new is not None:
                    self._held[name] = new
            case _:
                action.unknown(kind)

    def _post(self, action: Element, name: str) -> None:
        said = action.get("KIND")
        kind = _POSTS.get(said)
        if action["TYPE"] == "HAND_ANTE" and kind is None:
            kind = "ante"
        elif kind is None or action["TYPE"] == "HAND_ANTE":
            action.unknown(said)
        if kind == "small" and any(
            isinstance(one, Posted) and one.kind == kind and one.name != name for one in self._told
        ):
            kind = "dead"  # a newcomer's small blind is dead
        amount = action.amount("VALUE", self._currency)
        all_in = amount == self._staked.left.get(name)
        self._say(Posted(line=action.line, name=name, amount=amount, kind=kind, all_in=all_in))

    def _bet(self, action: Element, name: str, kind: str) -> None:
        """Read a bet; its amount is the player's total in this betting round."""
        staked, line = self._staked, action.line
        total, before = action.amount("VALUE", self._currency), staked.in_round.get(name, 0)
        # In this variant, a call's amount is the chips added.
        if kind == "ACTION_CALL" and "BET" in self._history.attributes:
            total += before
        if all_in := kind == "ACTION_ALLIN":
            kind = "ACTION_CALL" if total <= staked.price else "ACTION_RAISE" if staked.price else "ACTION_BET"
        if total < before:
            raise UnreadableHand(line, f"The total of {action['VALUE']} is less than the player has put in already.")
        if kind == "ACTION_RAISE":
            self._say(Raised(line=line, name=name, to=total, all_in=all_in))
        elif kind == "ACTION_BET":
            self._say(Bet(line=line, name=name, amount=total, all_in=all_in))
        else:
            self._say(Called(line=line, name=name, amount=total - before, all_in=all_in))

    def _showdown(self, showdown: Element) -> None:
        pot, rake = (showdown.amount(name, self._currency) for name in ("POT", "RAKE"))
        self._say(Totals(line=showdown.line, pot=pot + rake, rake=rake, pots=self._pots(showdown)))
        for result in showdown.children:
            if result.name != "RESULT":
                showdown.unknown(result.name)
            self._result(result)

    def _pots(self, told: Element) -> tuple[int, ...]:
        names = [name for name in _POT_NAMES if told.get(name)]
        if names != list(_POT_NAMES[: len(names)]):
            missing = next(name for name in _POT_NAMES if name not in names)
            raise UnreadableHand(told.line, f"<{told.name}> has a {names[-1]}, but no {missing} before it.")
        return tuple([told.amount(name, self._currency) for name in names])

    def _result(self, result: Element) -> None:
        name, line, called = result["PLAYER"], result.line, result["HAND"]
        cards = _cards(result)
        if name in self._ended:
            raise UnreadableHand(line, f"{printable(name[:40])} has a second <RESULT>.")
        self._ended.add(name)
        named = called if cards is None and "STR_G_" in called else None
        if "STR_G_MUCK" in called:
            self._say(Mucked(line=line, name=name, cards=cards))
        elif cards is not None:
            self._say(Showed(line=line, name=name, cards=cards, called=called))
        elif named and name in self._staked.folded:
            raise UnreadableHand(line, f"{printable(name[:40])} folded, but has a hand here.")
        winning = result.get("WINCARDS").split()
        if len(set(winning)) < len(winning) or not set(winning) <= {card["LINK"] for card in result.children}:
            raise UnreadableHand(line, f"WINCARDS {result['WINCARDS'][:40]!r} are not among the cards that are shown.")
        if amount := result.amount("WIN", self._currency):
            self._say(Won(line=line, name=name, amount=amount, called=named))

    def _hero_won(self) -> None:
        """Add the hero's win or loss, which the hand's first line states."""
        won, lost = (self._history.amount(name, self._currency) for name in ("WIN", "LOSS"))
        if won and lost:
            raise UnreadableHand(self._history.line, "WIN and LOSS are both above 0.")
        net = won - lost
        if self._hero is not None:
            self._told.append(Summed(line=self._history.line, name=self._hero, net=net))


def _cards(parent: Element) -> Cards | None:
    links = []
    for card in parent.children:
        if card.name != "CARD":
            parent.unknown(card.name)
        card.without_children()
        links.append(card["LINK"])
    if all(link == "b" for link in links):
        return None
    try:
        return tuple([_CARDS[link] for link in links])
    except KeyError as error:
        raise UnreadableHand(
            parent.line, f"{error.args[0][:20]!r} is not the number of a card (0 to 51) as the others are."
        ) from None


def _currency(history: Element) -> Currency:
    if history["GAMETYPE"] != "GAMETYPE_REAL":
        return Currency(history["GAMETYPE"], 2)
    if not _CODE.fullmatch(code := history["TABLECURRENCY"]):
        history.unknown(code)
    return Currency(code, 2)


def _check_currency(element: Element, code: str) -> None:
    """Raise `UnreadableHand` if an element, or an element inside it, names another currency than the table's."""
    for name, value in element.attributes.items():
        if name.endswith("CURRENCY") and value != code:
            said = f"{name[:40]} of <{element.name[:40]}> is {value[:20]!r}, and the table's currency is {code[:20]!r}."
            raise UnreadableHand(element.line, said)
    for child in element.children:
        _check_currency(child, code)


def _tournament(history: Element) -> HistoryTournament | None:
    """Return the tournament, known only by its table's tournament ID, or else by the session; None in a cash game."""
    if (kind := history["GAMEKIND"]) == "GAMEKIND_CASH":
        history.without("TABLETOURNEYID")
        return None
    if kind != "GAMEKIND_TOURNAMENT":
        history.unknown(kind)
    session = history["SESSION"].removeprefix("session").removesuffix(".xml")
    return HistoryTournament(number=history.get("TABLETOURNEYID") or session)


def _warnings(history: Element) -> tuple[tuple[int, str], ...]:
    """Return a warning if the hand is said to end before it begins."""
    if not history.get("ENDTIME") or history.number("ENDTIME") >= history.number("DATE"):
        return ()
    return ((history.line, "ENDTIME is earlier than DATE, when the hand began."),)


def _played(history: Element) -> WhenPlayed:
    seconds = history.number("DATE")
    try:
        utc = datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        raise UnreadableHand(history.line, f"DATE is {seconds}, which is not a time in seconds since 1970.") from None
    return WhenPlayed(utc=utc, zone="", text=history["DATE"])
