"""Lists the blinds and other posts with which a game starts, and finds posts by wrong players or of wrong amounts."""

from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

from pokersvc.betting.blinds import blinds_after
from pokersvc.betting.seats import clockwise, next_seat
from pokersvc.games.draw_poker.house.cash_table import Post
from pokersvc.games.draw_poker.house.playable import most_straddled
from pokersvc.histories import statements
from pokersvc.histories.following.conventions import CONVENTIONS
from pokersvc.histories.following.finding import Contradiction, say_amount
from pokersvc.histories.following.house import RAISES
from pokersvc.histories.following.seating import DealtIn
from pokersvc.histories.hand import HandHistory

_BIG: Final = ("big", "both", "extra")
_SAID: Final = {"small": "the small blind", "big": "the big blind"}


def posts_of(hand: HandHistory, seating: DealtIn) -> tuple[Post, ...]:
    """Return the posts due before the deal, without antes: the blinds, then the posts of others.

    A second big blind is a newcomer's. Of a post for small and big blind at once, the big blind is live and the rest is
    dead.
    """
    posts: list[tuple[int, _Kind, int]] = []
    posted = _posted(hand)
    blind = big_blind_of(posted, seating)
    for one in posted:
        if one.kind == "ante" or (seat := seating.seats.get(one.name)) is None:
            continue
        due = _due(hand, one)
        if one.kind == "both":
            posts.append((min(due, hand.big_blind), "extra", seat))
            posts.append((due - hand.big_blind, "dead", seat))
        elif one.kind == "big" and one is not blind:
            posts.append((due, "extra", seat))
        else:
            posts.append((due, one.kind, seat))
    order = clockwise(seating.live, seating.button)  # put the posts in the order of our rules, which no site uses
    posts.sort(key=lambda post: (statements.POST_KINDS.index(post[1]), order.index(post[2])))
    return tuple([Post(amount=amount, kind=kind, seat=seat) for amount, kind, seat in posts if amount > 0])


_Kind: TypeAlias = Literal["small", "big", "extra", "dead", "straddle"]


def _due(hand: HandHistory, one: statements.Posted) -> int:
    """Return the amount due: the full blind or straddle even if the player is all in with less."""
    whole = {"small": hand.small_blind, "straddle": hand.straddle, **dict.fromkeys(_BIG, hand.big_blind)}.get(
        one.kind, 0
    )
    return max(one.amount, whole) if one.all_in else one.amount


def _posted(hand: HandHistory) -> list[statements.Posted]:
    return [one for one in hand.told if one.__class__ is statements.Posted]


def big_blind_of(posted: list[statements.Posted], seating: DealtIn) -> statements.Posted | None:
    """Return the statement of the big blind; of several, that of the first seat after the small blind."""
    small = next((seating.seats.get(one.name, 0) for one in posted if one.kind == "small"), 0)
    bigs = {seating.seats.get(one.name, 0): one for one in posted if one.kind == "big"}
    if not bigs:
        return None
    order = clockwise(seating.live, small or seating.button)
    return next((bigs[seat] for seat in order if seat in bigs), None)


def misplaced(hand: HandHistory, seating: DealtIn) -> Iterator[Contradiction]:
    """Yield blinds that the wrong player posts, or that have the wrong amount.

    The small blind is due left of the button, and the big blind left of the small blind; if two play, the button has
    the small blind. If the small blind is missing because its player left, the big blind is due left of the button, but
    not from newcomers, who have posts of their own.
    """
    posted = _posted(hand)
    yield from _all_ins(hand, posted)
    yield from _twice(posted)
    if CONVENTIONS[hand.dialect].ordered:
        yield from _out_of_order(posted)
    live, players = seating.live, seating.players
    heads_up = len(players) == 2 and (hand.button is None or any(one.number == hand.button for one in players))
    first, due = blinds_after(live, seating.button, heads_up=heads_up)
    small_seat = None
    for one in posted:
        if (seat := seating.seats.get(one.name)) is None:
            yield Contradiction(one.line, f"that {one.name} posts", f"that {one.name} is not dealt in")
        elif one.amount <= 0:
            yield Contradiction(
                one.line, f"that {one.name} posts {say_amount(one.amount, hand.currency)}", "some chips"
            )
        elif one.kind == "ante":
            yield from _how_much(hand, posted, one, hand.ante)
        elif one.kind == "small" and small_seat is None:
            small_seat = seat
            if seat != first:
                yield _where(one, "the small blind", seating.name(first))
            yield from _how_much(hand, posted, one, hand.small_blind)
            if one.amount > hand.big_blind > 0:
                found, most = (say_amount(amount, hand.currency) for amount in (one.amount, hand.big_blind))
                yield Contradiction(one.line, f"a small blind of {found}", f"at most the big blind, {most}")
        elif one.kind == "small":
            yield Contradiction(one.line, f"that {one.name} posts the small blind", "that it is posted")
        elif one.kind in ("big", "extra"):
            yield from _how_much(hand, posted, one, hand.big_blind)
        elif one.kind == "straddle":
            yield from _how_much(hand, posted, one, hand.straddle)
            yield from _straddled(hand, posted, one)
        elif one.kind in ("dead", "both") and hand.small_blind:
            yield from _how_much(hand, posted, one, hand.small_blind + (hand.big_blind if one.kind == "both" else 0))
    if (blind := big_blind_of(posted, seating)) is None:
        return
    broke = {
        seat
        for seat, player in enumerate(players, 1)
        if player.stack <= sum(one.amount for one in posted if one.name == player.name and one.kind == "ante")
    }
    """The seats whose ante left nothing for a blind."""
    if heads_up:
        if (
            small_seat is None
            and first not in broke
            and hand.small_blind
            and not any(one.__class__ is statements.Cancelled for one in hand.told)
        ):
            line = next((one.line for one in hand.told if one.__class__ is not statements.Posted), hand.last_line)
            yield Contradiction(line, "nothing of the small blind", f"that {seating.name(first)} posts it before")
    elif small_seat is not None:
        due = next_seat(live, small_seat)
    else:
        newcomers = {seating.seats.get(one.name, 0) for one in posted if one.kind in ("extra", "dead", "both")}
        absent = sum(1 << seat for seat in newcomers | broke)
        due = next_seat(live & ~absent or live, seating.button)
    if seating.seats.get(blind.name) != due:
        yield _where(blind, "the big blind", seating.name(due))


def _twice(posted: list[statements.Posted]) -> Iterator[Contradiction]:
    """Yield posts that a player makes a second time."""
    before: set[tuple[str, str]] = set()
    for one in posted:
        if (one.name, one.kind) in before:
            yield Contradiction(one.line, "what is told already", "that it is told once")
        before.add((one.name, one.kind))


def _all_ins(hand: HandHistory, posted: list[statements.Posted]) -> Iterator[Contradiction]:
    """Yield all-in posts that leave the player chips, and posts that leave none but are not called all-in."""
    left = {player.name: player.stack for player in hand.players}
    for one in posted:
        left[one.name] -= one.amount
        if one.all_in and left[one.name] > 0:
            rest = say_amount(left[one.name], hand.currency)
            yield Contradiction(one.line, f"that {one.name} is all in", f"that {rest} are left")
        elif not left[one.name] and one.all_in is False and CONVENTIONS[hand.dialect].all_ins:
            yield Contradiction(one.line, f"that {one.name} is not all in", "that nothing is left")


def _out_of_order(posted: list[statements.Posted]) -> Iterator[Contradiction]:
    """Yield antes after blinds, and a small blind after the big one."""
    before: set[str] = set()
    for one in posted:
        if one.kind == "ante" and before - {"ante"}:
            yield Contradiction(one.line, f"that {one.name} posts an ante", "that the antes are posted")
        elif one.kind == "small" and "big" in before:
            yield Contradiction(one.line, f"that {one.name} posts the small blind", "that the big blind is posted")
        before.add(one.kind)


def _straddled(hand: HandHistory, posted: list[statements.Posted], one: statements.Posted) -> Iterator[Contradiction]:
    """Yield a straddle below two big blinds that is not the whole stack, and a first straddle above the limit."""
    least = 2 * hand.big_blind
    player = next(player for player in hand.players if player.name == one.name)
    stack = player.stack - sum(post.amount for post in posted if post.name == one.name and post.kind != "straddle")
    small = hand.small_blind or next((post.amount for post in posted if post.kind == "small"), 0)
    most = most_straddled(RAISES[hand.limit], small, hand.big_blind)
    # Every later straddle is larger than the one before.
    first = next(post for post in posted if post.kind == "straddle") is one
    wrong = (
        "at least"
        if one.amount < least and one.amount != stack
        else "at most"
        if most is not None and one.amount > most
        else ""
    )
    if hand.big_blind and wrong and (first or wrong == "at least"):
        due = most if most is not None and wrong == "at most" else least
        found, right = (say_amount(amount, hand.currency) for amount in (one.amount, due))
        yield Contradiction(one.line, f"a straddle of {found}", f"{wrong} {right}")


def _where(one: statements.Posted, what: str, who: str) -> Contradiction:
    return Contradiction(one.line, f"that {one.name} posts {what}", f"that it is due from {who}")


def _how_much(
    hand: HandHistory, posted: list[statements.Posted], one: statements.Posted, due: int
) -> Iterator[Contradiction]:
    player = next(player for player in hand.players if player.name == one.name)
    first = statements.POST_KINDS[
        : statements.POST_KINDS.index(one.kind)
    ]  # kinds that are paid earlier, in whatever order the text lists the posts
    paid = sum(post.amount for post in posted if post.name == one.name and post.kind in first)
    expected = min(due, player.stack - paid)
    if one.amount != expected and (due or one.kind == "ante"):
        found = say_amount(one.amount, hand.currency)
        yield Contradiction(one.line, f"that {one.name} posts {found}", f"{say_amount(expected, hand.currency)}")
