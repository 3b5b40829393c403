"""Creates tests/histories/doctored: a hand dealt by PokerKit, and thirteen copies with one change each.

Run ``python -m tests.histories.doctor`` to write them again. ``expected.json`` has the first line that contradicts the
lines before it, or null for draws one by one, which are another house's order and consistent.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from pokerkit import Automation

from .pokerkit_draw import registered

FOLDER: Final = Path(__file__).parent / "doctored"
HANDS: Final = ("KsKd9c5h2d", "QhQc8s8d3c", "TsTd6c4h2c", "AhJc7d6s3d")
DRAWS: Final = {"p1": "7h4s", "p2": "Jd", "p3": "Th5c3s"}


def played() -> Any:
    """Let PokerKit play the hand: bets, discards and draws that give the third player three tens."""
    game: Any = registered().game_types["N5CD"]
    game = game(
        (
            Automation.ANTE_POSTING,
            Automation.BET_COLLECTION,
            Automation.BLIND_OR_STRADDLE_POSTING,
            Automation.HAND_KILLING,
            Automation.CHIPS_PUSHING,
            Automation.CHIPS_PULLING,
        ),
        False,
        1,
        0,
        2,
    )
    state = game(200, 4)
    for cards in HANDS:
        state.deal_hole(cards)
    state.check_or_call()
    state.complete_bet_or_raise_to(4)
    state.check_or_call()
    state.fold()
    state.check_or_call()
    for cards in ("5h2d", "3c", "6c4h2c"):
        state.stand_pat_or_discard(cards)
    state.burn_card("??")
    for cards in DRAWS.values():
        state.deal_hole(cards)
    state.check_or_call()
    state.complete_bet_or_raise_to(6)
    state.complete_bet_or_raise_to(18)
    state.fold()
    state.check_or_call()
    state.show_or_muck_hole_cards("TsTdTh5c3s")
    state.show_or_muck_hole_cards("QhQc8s8dJd")
    return registered().from_game_state(game, state, finishing_stacks=list(state.stacks))


class Doctored(NamedTuple):
    """A changed hand, and the first line that shows the change."""

    name: str
    actions: list[str]
    wrong: str | None
    """The first action or field that contradicts an earlier one."""
    stacks: list[int] | None


def doctored(actions: list[str], stacks: list[int]) -> Iterator[Doctored]:
    """Yield the hand as it was, and the thirteen."""

    def changed(old: str, new: str | None) -> list[str]:
        place = actions.index(old)
        return [*actions[:place], *([] if new is None else [new]), *actions[place + 1 :]]

    yield Doctored("as_it_was", actions, None, stacks)
    yield Doctored("check_removed", changed("p1 cc", None), "p2 cbr 4", stacks)
    last_call = len(actions) - 3
    assert actions[last_call] == "p2 cc"
    without = [*actions[:last_call], *actions[last_call + 1 :]]
    yield Doctored("call_removed", without, "p3 sm TsTdTh5c3s", stacks)
    yield Doctored("card_of_another_hand", changed("d dh p1 7h4s", "d dh p1 7hQh"), "d dh p1 7hQh", stacks)
    yield Doctored("discard_not_held", changed("p1 sd 5h2d", "p1 sd 5h2h"), "p1 sd 5h2h", stacks)
    yield Doctored("bet_below_minimum", changed("p2 cbr 4", "p2 cbr 1"), "p2 cbr 1", stacks)
    yield Doctored("bet_out_of_turn", changed("p2 cbr 4", "p3 cbr 4"), "p3 cbr 4", stacks)
    cut = actions.index("p2 cbr 6") + 1
    yield Doctored("cut_off", actions[:cut], "p2 cbr 6", None)
    yield Doctored("action_after_the_end", [*actions, "p2 cbr 10"], "p2 cbr 10", stacks)
    yield Doctored("wrong_finishing_stacks", actions, "finishing_stacks", [stacks[0] + 1, *stacks[1:]])
    draws = [one for one in actions if " sd " in one]
    first = actions.index(draws[0])
    one_by_one = [text for sd in draws for text in (sd, f"d dh {sd[:2]} {DRAWS[sd[:2]]}")]
    yield Doctored("one_by_one", [*actions[:first], *one_by_one, *actions[first + 6 :]], None, stacks)
    shown = "p3 sm TsTdTh5c3s"
    yield Doctored("showdown_never_held", changed(shown, "p3 sm TsTdTh5c4c"), "p3 sm TsTdTh5c4c", stacks)
    false = "p2 sm QhQcQs8d8s"
    yield Doctored("loser_shows_a_winner", changed("p2 sm QhQc8s8dJd", false), false, stacks)
    twice = "d dh p1 KsKs9c5h2d"
    yield Doctored("same_card_twice", changed("d dh p1 KsKd9c5h2d", twice), twice, stacks)


def text_of(hand: Doctored) -> str:
    """Return a hand as PHH, with each action on its own line."""
    lines = [
        'variant = "N5CD"',
        "antes = [1, 1, 1, 1]",
        "blinds_or_straddles = [0, 0, 0, 0]",
        "min_bet = 2",
        "starting_stacks = [200, 200, 200, 200]",
        "actions = [",
        *(f'  "{action}",' for action in hand.actions),
        "]",
        f'hand = "{hand.name}"',
    ]
    if hand.stacks is not None:
        lines.append(f"finishing_stacks = {hand.stacks}")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the files."""
    history = played()
    expected = {}
    FOLDER.mkdir(exist_ok=True)
    for hand in doctored(history.actions, history.finishing_stacks):
        text = text_of(hand)
        (FOLDER / f"{hand.name}.phh").write_text(text, "utf-8")
        places = [number for number, line in enumerate(text.splitlines(), 1) if hand.wrong and hand.wrong in line]
        if hand.name != "as_it_was":
            expected[hand.name] = places[-1] if places else None
    (FOLDER / "expected.json").write_text(json.dumps(expected, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
