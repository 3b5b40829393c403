"""The end of a hand for the independent checker: its pots, their winners, and the summary."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import combinations, product
from typing import NoReturn

from pokersvc.cards import Card, strength
from pokersvc.histories.hand import HandHistory, HistoryPlayer
from pokersvc.histories.statements import Cards, Posted, StatedPot, Statement, Summed, Totals, Won

from .checker_customs import CUSTOMS


class Contradiction(Exception):
    """A line that contradicts earlier lines."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")
        self.line = line


def misnamed(called: str, cards: Cards) -> bool:
    """Return whether a hand is described wrongly: by another kind, or by a rank that it lacks."""
    said = called.lower().replace("_", " ").replace("royal", "straight")
    faces = sorted(("23456789TJQKA".index(card.notation[0]) for card in cards), reverse=True)
    if faces == [12, 3, 2, 1, 0]:
        faces = [3, 2, 1, 0, -1]  # the lowest straight has the ace below
    groups = sorted(set(faces), key=lambda face: (-faces.count(face), -face))
    run = len(groups) == 5 and faces[0] - faces[-1] == 4
    suited = len({card.notation[1] for card in cards}) == 1
    kinds = {(2, 1, 1, 1): 2, (2, 2, 1): 3, (3, 1, 1): 4, (3, 2): 7, (4, 1): 8}
    due = kinds.get(tuple(faces.count(face) for face in groups), (9 if run else 6) if suited else 5 if run else 1)
    kind = max((number for number, word in enumerate(KINDS, 1) if word in said.replace(" ", "")), default=0)
    if kind != due:
        return kind > 0
    rest = re.sub("(two|three|four) (pair|of)", "", said)
    ranks = [RANKS[word] for word in re.findall("[a-z]+", rest) if word in RANKS]
    if due in (5, 9):  # named by its highest, or by both ends
        lowest = 12 if faces[-1] == -1 else faces[-1]
        return bool(ranks) and ranks not in ([faces[0]], [faces[0], lowest], [lowest, faces[0]])
    return ranks != groups[: len(ranks)]


KINDS = ("high", "pair", "twopair", "threeof", "straight", "flush", "fullhouse", "fourof", "straightflush")
"""Kinds of hands from the lowest; a name with the words of two kinds is the higher one."""
RANKS = {
    one: face
    for face, word in enumerate(
        ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"]
    )
    for one in (word, f"{word}s", f"{word}es")
} | {"deuce": 0, "deuces": 0}


@dataclass
class Player:
    """The state of a player in the hand."""

    seat: HistoryPlayer
    stack: int
    street: int = 0
    """Live money in this betting round."""
    paid: int = 0
    """The money put in, less the uncalled bets returned."""
    dead: int = 0
    """The dead money among it, which belongs to the main pot whatever others have put in."""
    beside_ante: int = 0
    """The part of it that is not the ante."""
    folded: int | None = None
    """The betting round in which the player folded."""
    acted_at: int | None = None
    """The price when the player last acted in this betting round."""
    hand: set[str] | None = None
    gone: dict[str, int] = field(default_factory=dict)
    """The cards that the player gave up, and how often the deck had been reshuffled by then."""
    served: int = 0
    """How often the deck had been reshuffled when the player was last dealt cards."""
    part: set[str] = field(default_factory=set)
    """The known cards of a partly known hand, except those discarded since."""
    unseen: int = 0
    """The number of unknown cards that the player discarded."""
    discards: int | None = None
    dealt: bool = False
    """Whether the deal has a line."""
    drawn: set[str] = field(default_factory=set)
    """The cards that are known to be drawn."""
    partly: int = 0
    """How many of the discards have been replaced."""
    drew: bool = False
    showed: bool = False
    mucked: bool = False
    won: int = 0
    end_line: int = 0
    """Where the player showed or mucked."""
    summed: bool = False
    """Whether the summary has shown the hand."""

    @property
    def final_hand(self) -> set[str] | None:
        """The hand after the draw, where it is known."""
        told = self.showed or self.summed or self.drew or self.discards == 0
        return self.hand if told and self.hand and len(self.hand) == 5 else None

    def give_up(self, cards: Iterable[str], decks: int) -> None:
        """Record cards that left the hand, and the number of the deck at that time."""
        self.gone |= dict.fromkeys(cards, decks)

    @property
    def name(self) -> str:
        return self.seat.name


def may_be_held(player: Player, cards: Cards, players: Iterable[Player]) -> str | None:
    """Return why a player cannot hold cards (another player holds one, or it is gone), or None.

    What another gave up before a reshuffle may be dealt again after it.
    """
    named = {card.notation for card in cards}
    if len(named) < len(cards):
        return "a card twice"
    if named & player.gone.keys():
        return "a card that the player threw away"
    for other in players:
        if other is not player and other.folded is None and named & (other.hand or set()):
            return "a card of another's hand"
        if other is not player and any(other.gone.get(card, -1) >= player.served for card in named):
            return "a card that another gave up"
    return None


@dataclass
class Pot:
    """A pot before rake, and who may win it."""

    amount: int
    eligible: list[Player]


@dataclass
class End:
    """The statements about the end of a hand."""

    hand: HandHistory
    players: list[Player]
    won: list[Won] = field(default_factory=list)
    summary: list[Statement] = field(default_factory=list)
    posts: list[Posted] = field(default_factory=list)
    big_blind: str | None = None
    """The player in the big blind; others may have posted one too."""
    contested: bool = False
    named: set[str] = field(default_factory=set)
    """The players named in the summary of a cancelled hand."""
    pots_told: set[int] = field(default_factory=set)
    told_of: set[tuple[str, bool, bool]] = field(default_factory=set)
    """Player → the facts in the summary."""

    def _refuse(self, line: int, why: str) -> NoReturn:
        raise Contradiction(line, why)

    def check(self, *, contested: bool) -> None:
        """Check payments and the summary, in the order of their lines."""
        self.contested = contested
        pots = self.pots()
        customs = CUSTOMS[self.hand.dialect]
        if not customs.pays:
            self._pay(pots)
        if len(pots) == 1 or all(one.pot is None for one in self.won):
            self._divide(pots)
        if not self.won:
            self._refuse(self.hand.last_line, "nobody is paid")
        winners = {one.name for one in self.won} if customs.winners and self.contested and len(pots) > 1 else set()
        for player in self.players:
            if player.name in winners and player.final_hand is None:
                self._refuse(self.won[-1].line, f"the hand of {player.name} is not told")
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
        if rake and self.hand.tournament is not None:
            self._refuse(last, "rake in a tournament")
        for number, pot in enumerate(pots):
            self._check_pot(number, pot, rake)
            for player in pot.eligible:
                known = any(one.showed or one.final_hand for one in pot.eligible if one is not player)
                if self.contested and player.mucked and player.final_hand and not known:
                    self._refuse(player.end_line, f"nobody shows a hand for pot {number}")
        self._check_hands_told(pots, last)
        for said in self.summary:
            if isinstance(said, Summed):
                self._check_sum(said)
                self._check_hands_told(pots, said.line)
            elif isinstance(said, StatedPot):
                if said.pot in self.pots_told:
                    self._refuse(said.line, "said already")
                self.pots_told.add(said.pot)
                if said.pot >= len(pots) or pots[said.pot].amount != said.amount:
                    self._refuse(said.line, "another pot")
            elif isinstance(said, Totals):
                self._check_totals(said, pots, whole, rake)
        if len(rakes) > 1:
            self._refuse(self.hand.last_line, "the rake is said twice")

    def pots(self) -> list[Pot]:
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

    def _divide(self, pots: list[Pot]) -> None:
        """Assign payments that name no pot to these pots, if that is possible."""
        if len(pots) == 1:
            self.won = [replace(one, pot=0) for one in self.won if one.pot in (None, 0)] or self.won
            return
        said = next((one for one in self.summary if isinstance(one, Totals)), None)
        paid = Counter[str]()
        for one in self.won:
            paid[one.name] += one.amount
        rake = sum(pot.amount for pot in pots) - sum(paid.values())
        nets = [pots[0].amount - rake, *(pot.amount for pot in pots[1:])]
        if (
            said is not None
            and len(said.pots) == len(pots)
            and all(net <= pot.amount for net, pot in zip(said.pots, pots, strict=True))
        ):
            nets = list(said.pots)
        names = [[player.name for player in pot.eligible if paid[player.name]] for pot in pots]
        choices = [
            [chosen for count in range(1, len(some) + 1) for chosen in combinations(some, count)] for some in names
        ]
        for winners in product(*choices):
            least, most = Counter[str](), Counter[str]()
            for net, some in zip(nets, winners, strict=True):
                for name in some:
                    least[name] += net // len(some)
                    most[name] += -(-net // len(some))
            if sum(nets) == sum(paid.values()) and all(least[name] <= paid[name] <= most[name] for name in paid):
                line = self.won[-1].line
                self.won = [
                    Won(line=line, name=name, amount=net // len(some) + (place < net % len(some)), pot=number)
                    for number, (net, some) in enumerate(zip(nets, winners, strict=True))
                    for place, name in enumerate(some)
                ]
                return
        if self.won:
            self._refuse(self.won[-1].line, "these pots cannot have paid so")

    def _pay(self, pots: list[Pot]) -> None:
        """Pay the pots to the best hands, if the format states only each player's winnings or final stack."""
        whole = sum(pot.amount for pot in pots)
        rakes = [one.rake for one in self.summary if isinstance(one, Totals) and one.rake is not None]
        stacks = {one.name: one.stack for one in self.summary if isinstance(one, Summed) and one.stack is not None}
        rake = rakes[0] if rakes else 0
        if not rakes and stacks.keys() >= {player.name for player in self.players}:
            rake = max(0, whole + sum(player.stack - (stacks[player.name] or 0) for player in self.players))
        for number, pot in enumerate(pots):
            able = [player for player in pot.eligible if not self.contested or not player.mucked] or pot.eligible
            hands = {player.name: player.final_hand for player in able if player.final_hand}
            known = {name: strength([Card(card) for card in cards]) for name, cards in hands.items()}
            winners = [one for one in able if known.get(one.name, 0) == max(known.values(), default=0)]
            # Of whoever won with cards that nobody saw nothing is told but what was won.
            told = {one.name for one in self.summary if isinstance(one, Summed) and one.won}
            if self.contested and len(pots) == 1 and any(one.name in told and not one.final_hand for one in able):
                winners = [one for one in able if one.name in told]
            elif self.contested and len(pots) == 1 and told and not told >= {one.name for one in winners}:
                self._refuse(self.hand.last_line, "others have won by their hands")
            share, odd = divmod(pot.amount - (rake if number == 0 else 0), len(winners))
            for place, winner in enumerate(winners):
                amount = share + (place < odd)
                winner.won += amount
                self.won.append(Won(line=self.hand.last_line, name=winner.name, amount=amount, pot=number))

    def _check_pot(self, number: int, pot: Pot, rake: int) -> None:
        shares = [one for one in self.won if one.pot == number]
        paid = sum(one.amount for one in shares)
        line = shares[-1].line if shares else self.hand.last_line
        if CUSTOMS[self.hand.dialect].main_rake:
            fits = paid == pot.amount - (rake if number == 0 else 0)
        else:
            fits = 0 < paid <= pot.amount
        if not fits:
            self._refuse(line, f"pot {number} holds {pot.amount}")
        names = [one.name for one in shares]
        amounts = [one.amount for one in shares]
        if len(set(names)) < len(names) or max(amounts) - min(amounts) > 1:
            self._refuse(line, "shares are not equal")
        late = max((player.end_line for player in pot.eligible), default=0)
        if CUSTOMS[self.hand.dialect].shows and self.contested and shares and late > shares[0].line:
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
        if self.contested and CUSTOMS[self.hand.dialect].shows:
            for player in self.players:
                if player.folded is None and not player.showed and not player.mucked:
                    self._refuse(line, f"{player.name} neither showed nor mucked")

    def _check_totals(self, said: Totals, pots: list[Pot], whole: int, rake: int) -> None:
        if said.pot not in (None, whole) or said.rake not in (None, rake):
            self._refuse(said.line, f"the pots are {whole}")
        gross = tuple(pot.amount for pot in pots)
        if said.pots and said.pots not in (gross, (gross[0] - rake, *gross[1:])):
            self._refuse(said.line, f"the pots are {gross}")
        if said.rakes and all(one.pot is not None for one in self.won):
            paid = [sum(one.amount for one in self.won if one.pot == number) for number in range(len(pots))]
            if said.rakes != tuple(amount - won for amount, won in zip(gross, paid, strict=True)):
                self._refuse(said.line, "the pots paid another rake")
        tells = self.contested and CUSTOMS[self.hand.dialect].shows
        if said.pot is not None and len(pots) > 1 and not said.pots and tells:
            self._refuse(said.line, f"the pots are {gross}")

    def _check_sum(self, said: Summed) -> None:
        if (once := (said.name, said.won is None, said.stack is None)) in self.told_of:
            self._refuse(said.line, "said already")
        self.told_of.add(once)
        self.check_place(said)
        player = next((one for one in self.players if one.name == said.name), None)
        if player is None:
            seat = next(one for one in self.hand.players if one.name == said.name)
            if said.won or said.net or said.outcome not in (None, "sat_out") or said.stack not in (None, seat.stack):
                self._refuse(said.line, "who is not dealt in")
            return
        if said.outcome == "sat_out":
            self._refuse(said.line, "who is dealt in")
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
        unbet = said.did_not_bet and said.outcome != "folded_before_draw"
        if said.outcome is None or not came[said.outcome] or unbet:
            self._refuse(said.line, f"it did not end so: {said.outcome}")
        silent = said.did_not_bet is None
        if said.outcome == "folded_before_draw" and not silent and said.did_not_bet != (player.beside_ante == 0):
            self._refuse(said.line, "bet or not")

    def check_place(self, said: Summed) -> None:
        """Check a seat number, and who has the button and the blinds."""
        player = next(one for one in self.hand.players if one.name == said.name)
        if said.number not in (None, player.number):
            self._refuse(said.line, "another's seat")
        if said.outcome in (None, "sat_out"):
            return
        places = {"button"} if player.number == self.hand.button else set()
        places |= {"small"} if any(post.kind == "small" and post.name == player.name for post in self.posts) else set()
        places |= {"big"} if self.big_blind == player.name else set()
        if set(said.position) != places:
            self._refuse(said.line, f"the place is {places}")

    def _check_cards(self, said: Summed, player: Player, cards: Cards) -> None:
        if player.folded is not None:
            self._refuse(said.line, "who folded")
        named = {card.notation for card in cards}
        if player.final_hand is not None:
            if named != player.final_hand:
                self._refuse(said.line, "another hand")
        elif player.discards and len(held := player.hand or set()) == 5 and len(named & held) != 5 - player.discards:
            self._refuse(said.line, "other cards kept")  # of the hand as it was dealt
        elif len(cards) != 5 or may_be_held(player, cards, self.players):
            self._refuse(said.line, "cards that cannot be")
        if said.called and misnamed(said.called, cards):
            self._refuse(said.line, "the hand has another name")
        player.hand = named
        player.summed = True
