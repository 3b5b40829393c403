"""The terms of a game of draw poker in a few words, for people who may join a table."""

from collections.abc import Mapping

from pokersvc.core.setup import Options
from pokersvc.games.draw_poker.house.cash_rules import STRADDLE_BY_CHOICE, CashRules, cash_rules_given
from pokersvc.games.draw_poker.house.rules import DrawPokerRules, Rake
from pokersvc.text import counted


def terms(options: Options) -> list[str]:
    """Return the blinds or the ante, the stacks, and what else the options change."""
    rules: DrawPokerRules = options["rules"]
    said = ["cash game"] if options.get("cash") else []
    if rules.blinds is not None:
        said.append(f"blinds {_blinds(rules)}")
    if rules.ante.amount:
        rising = f", {rules.ante.increase:,} more each round" if rules.ante.increase else ""
        said.append(f"ante {rules.ante.amount:,}{rising}")
    if rules.straddle:
        said.append(f"straddle {rules.straddle:,}" + (" by choice" if options.get(STRADDLE_BY_CHOICE.name) else ""))
    said.append(f"{counted(rules.stack, 'chip')} each")
    own: Mapping[str, int] = options.get("stack", {})
    said += [f"{counted(chips, 'chip')} for {name}" for name, chips in own.items()]
    if rules.rake is not None and rules.rake.share:
        said.append(_rake(rules.rake))
    return [*said, *_cash(cash_rules_given(options, rules))]


def _cash(cash: CashRules | None) -> list[str]:
    """Return the rules of a cash game besides those of its house.

    >>> _cash(CashRules(least=20, most=100, approval=True, away_rounds=1, return_rounds=9))[:2]
    ['20 to 100 chips at once, which the host approves', 'away for at most 1 round']
    >>> _cash(CashRules(least=20, return_rounds=9))
    ['20 chips or more at once', 'back with no fewer chips within 9 rounds']
    """
    if cash is None:
        return []
    most = f" to {counted(cash.most, 'chip')}" if cash.most else " chips or more" if cash.least > 1 else ""
    bought = f"{cash.least:,}{most} at once" if most else "chips" if cash.approval else ""
    found = [bought + (", which the host approves" if cash.approval else "")] if bought else []
    found += [f"away for at most {counted(cash.away_rounds, 'round')}"] if cash.away_rounds else []
    if cash.bomb_blinds:
        often = f" every {counted(cash.bomb_every, 'round')}" if cash.bomb_every else ""
        found.append(f"bomb pots of {counted(cash.bomb_blinds, 'big blind')}{often}")
    if cash.return_rounds:
        found.append(f"back with no fewer chips within {counted(cash.return_rounds, 'round')}")
    return found


def short_title(options: Options) -> str:
    """Return the kind of game with its blinds, or with its house if it has no blinds."""
    rules: DrawPokerRules = options["rules"]
    kind = "Cash game" if options.get("cash") else "Draw poker"
    return f"{kind}, {rules.name}" if rules.blinds is None else f"{kind} {_blinds(rules)}"


def _blinds(rules: DrawPokerRules) -> str:
    assert rules.blinds is not None
    return f"{rules.blinds.small:,}/{rules.blinds.big:,}"


def _rake(rake: Rake) -> str:
    """Return the rake.

    >>> _rake(Rake(share=250, caps=(1, 3)))
    'rake 2.5%, at most 3'
    """
    return f"rake {rake.share / 100:g}%" + (f", at most {max(rake.caps):,}" if rake.caps else "")
