"""The list of modules that have moved: importing a module by its former name gives the current module.

When you move a module, add a line, and keep the older lines: each names the module's current place. List modules, not
packages: a module inside a moved package would be loaded twice, so every module of the package has a line. The line of
a module that was divided leads to the names that the documentation told people to import; the other names of the old
module may be elsewhere.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

MOVED: Final[Mapping[str, str]] = MappingProxyType({
    "pokersvc.core.chance": "pokersvc.core.randomness.chance",
    "pokersvc.core.given": "pokersvc.core.common_events",
    "pokersvc.core.player": "pokersvc.core.bots.player",
    "pokersvc.core.stream": "pokersvc.core.randomness.stream",
    "pokersvc.core.table": "pokersvc.core.tables.table",
    "pokersvc.core.together": "pokersvc.core.randomness.common_shuffle",
    "pokersvc.games.draw_poker.advice": "pokersvc.games.draw_poker.advising.advice",
    "pokersvc.games.draw_poker.advisor": "pokersvc.games.draw_poker.advising.advisor",
    "pokersvc.games.draw_poker.betting": "pokersvc.games.draw_poker.decisions",
    "pokersvc.games.draw_poker.brought": "pokersvc.games.draw_poker.net_results",
    "pokersvc.games.draw_poker.button": "pokersvc.betting.blinds",
    "pokersvc.games.draw_poker.card_books": "pokersvc.games.draw_poker.recorded_hands.card_books",
    "pokersvc.games.draw_poker.cash": "pokersvc.betting.cash",
    "pokersvc.games.draw_poker.cash_options": "pokersvc.games.draw_poker.house.cash_options",
    "pokersvc.games.draw_poker.cash_table": "pokersvc.games.draw_poker.house.cash_table",
    "pokersvc.games.draw_poker.cash_words": "pokersvc.games.draw_poker.display.cash_words",
    "pokersvc.games.draw_poker.dealt": "pokersvc.streets.draws",
    "pokersvc.games.draw_poker.deck": "pokersvc.streets.state",
    "pokersvc.games.draw_poker.display.recorded_words": "pokersvc.games.draw_poker.display.telling",
    "pokersvc.games.draw_poker.drawn": "pokersvc.games.draw_poker.display.table_drawn",
    "pokersvc.games.draw_poker.draws_made": "pokersvc.games.draw_poker.advising.discards_made",
    "pokersvc.games.draw_poker.expected": "pokersvc.games.draw_poker.display.unusual_rules",
    "pokersvc.games.draw_poker.hand_advice": "pokersvc.games.draw_poker.advising.hand_advice",
    "pokersvc.games.draw_poker.hand_drawn": "pokersvc.games.draw_poker.display.hand_drawn",
    "pokersvc.games.draw_poker.history_words": "pokersvc.games.draw_poker.display.history_words",
    "pokersvc.games.draw_poker.houses": "pokersvc.games.draw_poker.house.houses",
    "pokersvc.games.draw_poker.moment": "pokersvc.games.draw_poker.display.reminders",
    "pokersvc.games.draw_poker.money": "pokersvc.betting.money",
    "pokersvc.games.draw_poker.open_seats": "pokersvc.games.draw_poker.house.open_seats",
    "pokersvc.games.draw_poker.past": "pokersvc.games.draw_poker.past_hands",
    "pokersvc.games.draw_poker.phases": "pokersvc.streets.phases",
    "pokersvc.games.draw_poker.picked": "pokersvc.games.draw_poker.display.picked_cards",
    "pokersvc.games.draw_poker.playable": "pokersvc.games.draw_poker.house.playable",
    "pokersvc.games.draw_poker.players": "pokersvc.games.draw_poker.advising.players",
    "pokersvc.games.draw_poker.posts": "pokersvc.betting.blinds",
    "pokersvc.games.draw_poker.pots": "pokersvc.betting.pots",
    "pokersvc.games.draw_poker.rake": "pokersvc.betting.pots",
    "pokersvc.games.draw_poker.reasons": "pokersvc.games.draw_poker.display.reasons",
    "pokersvc.games.draw_poker.recorded": "pokersvc.games.draw_poker.recorded_hands.recorded",
    "pokersvc.games.draw_poker.recorded_apply": "pokersvc.games.draw_poker.apply",
    "pokersvc.games.draw_poker.recorded_dealer": "pokersvc.games.draw_poker.dealer",
    "pokersvc.games.draw_poker.recorded_events": "pokersvc.games.draw_poker.recorded_hands.recorded_events",
    "pokersvc.games.draw_poker.recorded_situation": "pokersvc.games.draw_poker.recorded_hands.recorded_inputs",
    "pokersvc.games.draw_poker.recorded_state": "pokersvc.games.draw_poker.state",
    "pokersvc.games.draw_poker.recorded_words": "pokersvc.games.draw_poker.display.telling",
    "pokersvc.games.draw_poker.refusals": "pokersvc.betting.state",
    "pokersvc.games.draw_poker.rules": "pokersvc.games.draw_poker.house.rules",
    "pokersvc.games.draw_poker.seat_rows": "pokersvc.games.draw_poker.display.seat_rows",
    "pokersvc.games.draw_poker.seats": "pokersvc.betting.seats",
    "pokersvc.games.draw_poker.short": "pokersvc.games.draw_poker.display.short_stacks",
    "pokersvc.games.draw_poker.shortcuts": "pokersvc.games.draw_poker.display.shortcuts",
    "pokersvc.games.draw_poker.showdown": "pokersvc.streets.showdown",
    "pokersvc.games.draw_poker.streets": "pokersvc.streets.walk",
    "pokersvc.games.draw_poker.telling": "pokersvc.games.draw_poker.display.telling",
    "pokersvc.games.draw_poker.terms": "pokersvc.games.draw_poker.house.betting_terms",
    "pokersvc.games.draw_poker.words": "pokersvc.games.draw_poker.display.words",
    "pokersvc.server.next_step": "pokersvc.server.running.next_step",
    "pokersvc.server.share_waits": "pokersvc.server.running.share_waits",
})  # fmt: skip
"""Former name of a module → its current name."""
