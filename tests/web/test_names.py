"""The page's rules mirror the service's: the same modules, names and order of functions."""

import ast
import re
from pathlib import Path
from typing import Final

import pytest

from tests.web.node import ROOT, SERVED

GAMES: Final = SERVED / "verify" / "games"
FOLDERS: Final = ("betting", "streets", "draw_poker")
_ROW: Final = re.compile(r"^\| `(games/[a-z_/]+\.js)` \| `(pokersvc/[a-z_/]+\.py)` \|", re.MULTILINE)
PAIRS: Final = dict(_ROW.findall((ROOT / "docs" / "verifier.md").read_text("utf-8")))
"""Modules by the table of the docs."""

ALONE: Final = {
    "draw_poker/cards.js": "what one viewer knows of the cards, which the service knows all",
    "draw_poker/draw_poker.js": "the game as the verifier asks for it, and the comparison with what is due",
    "draw_poker/facing.js": "what a seat faces before its turn, for a page that chooses in advance",
    "streets/commitments.js": "digests of cards, and what was shown by them: sets beside a state that counts cards",
    "draw_poker/redeal.js": "decks that are dealt again once their seeds are open, for one viewer",
}
"""Modules of the page without a counterpart in Python."""

ONLY_HERE: Final = {
    "betting/cash.js": {"check_number": "`_person`, which says whose number it is and does not judge a given one"},
    "betting/cash_seats.js": {
        "is_same": "Python compares tuples",
        "knows": "Python asks for the numbers of all persons",
        "wish_fulfilled": "`_wish_fulfilled` of `cash.py`",
    },
    "betting/purchases.js": {
        "is_admitted": "the event that the dealer makes in Python, `admitted` of `cash_decisions.py`",
        "check_asked": "`_asked` of `cash_decisions.py`",
    },
    "betting/wishes.js": {
        "wishes_of": "a tuple with names in Python",
        "in_order": "`sorted` in Python",
    },
    "draw_poker/betting_terms.js": {
        "cash_terms_of": "`house/cash_rules.py` has it beside the options of cash games",
        "refused_cash": "`house/cash_rules.py`, too",
        "may_have_bomb_pots": "`house/cash_rules.py`, too",
    },
    "betting/seats.js": {
        "bit_count": "numbers of Python have it",
        "set_of": "Python adds up bits where it needs a set",
    },
    "betting/ranking.js": {"is_better": "Python compares tuples"},
    "betting/terms.js": {"rake_of": "`RakeTerms.of`: terms are plain objects here"},
    "draw_poker/situation.js": {"seats_at_start": "`cash_table` has it beside the tables that are stored"},
    "draw_poker/decisions.js": {
        "buy": "`_buy_chips` and `_sit_down` of `cash_decisions.py`",
        "bought": "which of both decides",
        "ask_for_chips": "`_asked` of `cash_decisions.py`",
        "admit": "`_answer` of `cash_decisions.py`",
        "is_chosen": "`action_of` tells it by returning an action",
    },
    "draw_poker/apply.js": {
        "sits_down": "`_sat_down`, which is the name of what it imports here",
        "blind_or_post": "`_blind_posted` and `_posted`: the due post was compared before",
    },
    "draw_poker/levels.js": {
        "is_timed": "`Levels.timed`: levels are plain objects here",
        "level_at": "`Levels.at`, too",
    },
    "draw_poker/stakes.js": {"may_straddle": "`_straddles` of `house/playable.py`"},
    "draw_poker/dealer.js": {
        "due_at_cash": "`due_before_round` of `cash_decisions.py`",
        "has_button": "`DrawPokerRules.button`: rules are plain objects here",
    },
}
"""Functions of the page without one of their name beside them, and why."""

LIMITS: Final = "only the limits of bets need it, which the page does not check"
REFUSES: Final = "the page compares an event with the one that is due, before it changes anything"
WORDS: Final = "only what is shown at a table needs it"
COUNTED: Final = "the page counts the cards of hands and decks; which they are, `draw_poker/cards.js` knows"
DIGESTS: Final = "`streets/commitments.js` has the digests of cards beside the state"
NOT_DEALT: Final = "no game of the page deals cards face up or to a board"
SHARED: Final = "hands recorded elsewhere share it, which the page does not read"
ELSEWHERE: Final = "histories of other sites ask for it apart from a game, which the page does not"
TOTALS: Final = "the page needs only what a person took last, not what they brought and took in all"
ONLY_THERE: Final = {
    "betting/blinds.js": {"blinds_after": ELSEWHERE},
    "betting/cash_seats.js": {"brings": TOTALS, "takes": TOTALS},
    "betting/purchases.js": {"is_asked": "`approval` of the terms"},
    "betting/wishes.js": {"ends_after_wishes": "the page does not ask whether another round follows"},
    "betting/state.js": {
        "uncalled_of": ELSEWHERE,
        "small_blind_missing": WORDS,
        "is_bomb_pot": WORDS,
        "capped": LIMITS,
        "measure_raise": LIMITS,
        "levels": WORDS,
        "several_pots": WORDS,
        "exists": REFUSES,
        "not_one_of": REFUSES,
        "not_in_turn": REFUSES,
    },
    "betting/terms.js": {"of": "`rakeOf`"},
    "streets/state.js": {
        "fits": COUNTED,
        "clear_seat": "a round begins before its cards are looked at again",
        "check_streets": "the page has the streets of our own houses and no others",
        "next_cards": COUNTED,
        "next_salts": COUNTED,
        "known": COUNTED,
        "hidden": COUNTED,
        "repeats": COUNTED,
    },
    "streets/walk.js": {
        "check_commitment": DIGESTS,
        "commit": DIGESTS,
        "up_cards_dealt": NOT_DEALT,
        "board_dealt": NOT_DEALT,
    },
    "streets/draws.js": {"without": COUNTED},
    "streets/openers.js": {"by_cards": NOT_DEALT, "faces_up": NOT_DEALT},
    "streets/showdown.js": {"show": SHARED},
}
"""Public functions of betting and of streets that the page does not have, and why."""

_TOP: Final = re.compile(
    r"^(?:export )?(?:function|const) ([a-z]\w*)|^  (?:get )?([a-z]\w*)\([^;]*\) \{$", re.MULTILINE
)
_NO_METHOD: Final = {"if", "for", "while", "switch", "constructor"}


def _in_javascript(module: str) -> list[str]:
    """Return the functions and methods of a module of the page in their order, as Python would write their names."""
    found = ["".join(names) for names in _TOP.findall((GAMES / module).read_text("utf-8"))]
    return [re.sub(r"[A-Z]", lambda upper: f"_{upper[0].lower()}", name) for name in found if name not in _NO_METHOD]


def _in_python(module: str) -> list[str]:
    """Return the functions and methods of a module in their order; names of private ones keep their underscore."""
    tree = ast.parse((ROOT / module).read_text("utf-8"))
    kinds = (ast.FunctionDef, ast.ClassDef)
    inside = [
        child for node in tree.body for child in ([node, *node.body] if isinstance(node, ast.ClassDef) else [node])
    ]
    return [node.name for node in inside if isinstance(node, kinds) and not node.name.startswith("__")]


def test_each_module_is_in_the_table_or_stands_alone() -> None:
    here = {f"{folder}/{path.name}" for folder in FOLDERS for path in (GAMES / folder).glob("*.js")}
    assert here == {name.removeprefix("games/") for name in PAIRS} | set(ALONE)
    assert all(Path(python).stem == Path(name).stem for name, python in PAIRS.items())


@pytest.mark.parametrize("module", sorted(name.removeprefix("games/") for name in PAIRS))
def test_functions_have_the_names_and_the_order_of_those_beside_them(module: str) -> None:
    there = [name.removeprefix("_") for name in _in_python(PAIRS[f"games/{module}"])]
    here, alone = _in_javascript(module), ONLY_HERE.get(module, {})
    assert [name for name in here if name not in there] == [name for name in here if name in alone]
    assert set(alone) <= set(here), "an exception that is none any more"
    places = [there.index(name) for name in here if name in there]
    assert places == sorted(places), "their order differs"


@pytest.mark.parametrize("module", sorted(name.removeprefix("games/") for name in PAIRS if "/draw_poker/" not in name))
def test_public_functions_of_betting_and_streets_are_on_the_page_but_for_what_it_does_not_check(module: str) -> None:
    public = [name for name in _in_python(PAIRS[f"games/{module}"]) if name[0] != "_" and name.islower()]
    missing = [name for name in public if name not in _in_javascript(module)]
    assert missing == list(ONLY_THERE.get(module, {}))
