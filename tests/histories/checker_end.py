"""How a told hand ends, for the independent checker: its pots, who wins them, and what its summary says."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NoReturn

from pokersvc.cards import Card, strength
from pokersvc.histories.hand import ToldHand, ToldPlayer
from pokersvc.histories.told import Cards, Posted, PotTold, Summed, Told, Totals, Won


class Contradiction(Exception):
    """A line that cannot stand after those before it."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")
        self.line = line


def misnamed(called: str, cards: Cards) -> bool:
    """Tell whether a hand of pairs or more of a kind is called by the name of another."""
    faces = [card.notation[0] for card in cards]
    counts = sorted((faces.count(face) for face in set(faces)), reverse=True)
    names = {
        (2, 1, 1, 1): "pair",
        (2, 2, 1): "two pair",
        (3, 1, 1): "three of",
        (3, 2): "full house",
        (4, 1): "four of",
    }
    due, said = names.get(tuple(counts)), called.lower().replace("_", " ")
    others = [name for name in names.values() if name in said]
    if due is None or max(others, key=len, default=None) != due:
        return due is not None or bool(others)
    ranks = {RANKS[word] for word in re.findall("[a-z]+|10", said.replace(due, "")) if word in RANKS}
    return not {face for face in set(faces) if faces.count(face) > 1} <= ranks


RANKS = {
    one: face
    for face, word in zip(
        "23456789TJQKA",
        ["deuce", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"],
        strict=True,
    )
    for one in (word, f"{word}s", f"{word}es")
} | {"two": "2", "twos": "2"}


@dataclass
class Player:
    """What a player has and has done."""

    seat: ToldPlayer
    stack: int
    street: int = 0
    """Live money in this betting round."""
    paid: int = 0
    """All money but what came back."""
    dead: int = 0
    """What of it is dead money, which lies in the main pot whatever others have put in."""
    beside_ante: int = 0
    """What of it is not the ante."""
    folded: int | None = None
    """In which betting round."""
    acted_at: int | None = None
    """The price when the player last acted in this betting round."""
    hand: set[str] | None = None
    gone: set[str] = field(default_factory=set)
    discards: int | None = None
    drew: bool = False
    showed: bool = False
    mucked: bool = False
    won: int = 0
    end_line: int = 0
    """Where the player showed or mucked."""
    summed: bool = False
    """Whether the summary has told the hand."""

    @property
    def final_hand(self) -> set[str] | None:
        """The hand after the draw, where it is known."""
        told = self.showed or self.summed or self.drew or self.discards == 0
        return self.hand if told and self.hand and len(self.hand) == 5 else None

    @property
    def name(self) -> str:
        return self.seat.name


def may_be_held(player: Player, cards: Cards, players: Iterable[Player], *, reshuffled: bool) -> str | None:
    """Return why a player cannot hold cards, or None: one that another holds, or that has gone."""
    named = {card.notation for card in cards}
    if len(named) < len(cards):
        return "a card twice"
    if named & player.gone:
        return "a card that the player threw away"
    for other in players:
        if other is not player and named & (other.hand or set()):
            return "a card of another's hand"
        if other is not player and not reshuffled and named & other.gone:
            return "a card that another threw away"
    return None


@dataclass
class Pot:
    """A pot before rake, and who may win it."""

    amount: int
    eligible: list[Player]


@dataclass
class End:
    """What is told of the end of a hand."""

    hand: ToldHand
    players: list[Player]
    won: list[Won] = field(default_factory=list)
    summary: list[Told] = field(default_factory=list)
    posts: list[Posted] = field(default_factory=list)
    reshuffled: bool = False
    contested: bool = False
    named: set[str] = field(default_factory=set)
    """Whom the summary has named."""

    def _refuse(self, line: int, why: str) -> NoReturn:
        raise Contradiction(line, why)

    def check(self, *, contested: bool) -> None:
        """Check payments and the summary, in the order of their lines."""
        self.contested = contested
        pots = self._pots()
        if not self.won:
            self._refuse(self.hand.last_line, "nobody is paid")
        for one in self.won:
            if one.pot is None or one.pot >= len(pots):
                self._refuse(one.line, "there is no such pot")
        rakes = [one.rake for one in self.summary if isinstance(one, Totals) and one.rake is not None]
        whole = sum(pot.amount for pot in pots)
        paid = sum(one.amount for one in self.won)
        rake = rakes[0] if rakes else whole - paid
        last = self.won[-1].line
        if rake < 0 or paid + rake != whole:
            self._refuse(last, f"{paid} paid and {rake} raked of {whole}")
        for number, pot in enumerate(pots):
            self._check_pot(number, pot, rake)
        self._check_hands_told(pots, last)
        for said in self.summary:
            if isinstance(said, Summed):
                self._check_sum(said)
                self._check_hands_told(pots, said.line)
            elif isinstance(said, PotTold):
                if said.pot >= len(pots) or pots[said.pot].amount != said.amount:
                    self._refuse(said.line, "another pot")
            elif isinstance(said, Totals):
                self._check_totals(said, pots, whole, rake)
        if len(rakes) > 1:
            self._refuse(self.hand.last_line, "the rake is said twice")

    def _pots(self) -> list[Pot]:
        live = {player.name: player.paid - player.dead for player in self.players}
        still_in = [player for player in self.players if player.folded is None]
        levels = sorted({live[player.name] for player in still_in})
        pots = []
        below = 0
        for level in levels:
            amount = sum(min(max(put - below, 0), level - below) for put in live.values())
            eligible = [player for player in still_in if live[player.name] >= level]
            pots.append(Pot(amount, eligible))
            below = level
        pots[-1].amount += sum(max(put - below, 0) for put in live.values())
        pots[0].amount += sum(player.dead for player in self.players)
        return pots

    def _check_pot(self, number: int, pot: Pot, rake: int) -> None:
        shares = [one for one in self.won if one.pot == number]
        paid = sum(one.amount for one in shares)
        line = shares[-1].line if shares else self.hand.last_line
        if self.hand.dialect == "ongame":
            fits = 0 < paid <= pot.amount
        else:
            fits = paid == pot.amount - (rake if number == 0 else 0)
        if not fits:
            self._refuse(line, f"pot {number} holds {pot.amount}")
        names = [one.name for one in shares]
        amounts = [one.amount for one in shares]
        if len(set(names)) < len(names) or max(amounts) - min(amounts) > 1:
            self._refuse(line, "shares are not equal")
        late = max((player.end_line for player in pot.eligible), default=0)
        if self.contested and shares and late > shares[0].line:
            self._refuse(late, f"pot {number} is paid already")
        if not set(names) <= {player.name for player in pot.eligible}:
            self._refuse(line, f"pot {number} is others'")

    def _check_hands_told(self, pots: list[Pot], line: int) -> None:
        """Compare the winners with the best of the hands that are known by this line."""
        for number, pot in enumerate(pots):
            winners = {one.name for one in self.won if one.pot == number}
            known = {
                player.name: strength([Card(name) for name in player.final_hand])
                for player in pot.eligible
                if player.final_hand
            }
            best = max(known.values(), default=0)
            if self.contested and any(
                (strong == best) != (name in winners) and (name in winners or winners & known.keys() == winners)
                for name, strong in known.items()
            ):
                self._refuse(line, f"pot {number} is not the best hand's")
        if self.contested and self.hand.dialect != "ongame":
            for player in self.players:
                if player.folded is None and not player.showed and not player.mucked:
                    self._refuse(line, f"{player.name} neither showed nor mucked")

    def _check_totals(self, said: Totals, pots: list[Pot], whole: int, rake: int) -> None:
        if said.pot not in (None, whole) or said.rake not in (None, rake):
            self._refuse(said.line, f"the pots are {whole}")
        gross = tuple(pot.amount for pot in pots)
        if said.pots and said.pots not in (gross, (gross[0] - rake, *gross[1:])):
            self._refuse(said.line, f"the pots are {gross}")
        if said.pot is not None and len(pots) > 1 and not said.pots and self.contested:
            self._refuse(said.line, f"the pots are {gross}")

    def _check_sum(self, said: Summed) -> None:
        if said.name in self.named:
            self._refuse(said.line, "said already")
        self.named.add(said.name)
        self.check_place(said)
        player = next((one for one in self.players if one.name == said.name), None)
        if (said.outcome == "sat_out") != (player is None):
            self._refuse(said.line, "dealt in or not")
        if player is None:
            return
        if said.stack not in (None, player.stack + player.won):
            self._refuse(said.line, f"the stack is {player.stack + player.won}")
        if said.net not in (None, player.won - player.paid):
            self._refuse(said.line, f"the net is {player.won - player.paid}")
        if said.won not in (None, player.won):
            self._refuse(said.line, f"{player.won} was won")
        if said.outcome is not None:
            self._check_outcome(said, player)
        if said.cards is not None:
            self._check_cards(said, player, said.cards)

    def _check_outcome(self, said: Summed, player: Player) -> None:
        came = {
            "folded_before_draw": player.folded == 1,
            "folded_after_draw": player.folded == 2,
            "collected": player.folded is None and not self.contested and said.won is not None,
            "showed": player.showed and player.won > 0,
            "lost": player.showed and not player.won,
            "mucked": player.mucked and not player.won,
        }
        if said.outcome is None or not came[said.outcome]:
            self._refuse(said.line, f"it did not end so: {said.outcome}")
        if said.outcome == "folded_before_draw" and said.did_not_bet != (player.beside_ante == 0):
            self._refuse(said.line, "bet or not")

    def check_place(self, said: Summed) -> None:
        """Check the number of a seat, and who has the button and the blinds."""
        player = next(one for one in self.hand.players if one.name == said.name)
        first_big = next((post.name for post in self.posts if post.kind == "big"), None)
        if said.number not in (None, player.number):
            self._refuse(said.line, "another's seat")
        if said.outcome in (None, "sat_out"):
            return
        places = {"button"} if player.number == self.hand.button else set()
        places |= {"small"} if any(post.kind == "small" and post.name == player.name for post in self.posts) else set()
        places |= {"big"} if first_big == player.name else set()
        if set(said.position) != places:
            self._refuse(said.line, f"the place is {places}")

    def _check_cards(self, said: Summed, player: Player, cards: Cards) -> None:
        if player.folded is not None and self.hand.dialect != "ongame":
            self._refuse(said.line, "who folded")
        named = {card.notation for card in cards}
        if player.final_hand is not None:
            if named != player.final_hand:
                self._refuse(said.line, "another hand")
        elif len(cards) != 5 or may_be_held(player, cards, self.players, reshuffled=self.reshuffled):
            self._refuse(said.line, "cards that cannot be")
        if said.called and misnamed(said.called, cards):
            self._refuse(said.line, "the hand has another name")
        player.hand = named
        player.summed = True
