"""Amounts as files write them: exact, in the smallest unit, and refused where they are no amount of the currency."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokersvc.histories.amounts import WrongAmount, amount_of, currency_of
from pokersvc.histories.hand import CHIPS, Currency

USD, EUR = Currency("USD", 2), Currency("EUR", 2)


@pytest.mark.parametrize(
    ("text", "currency", "amount"),
    [
        ("$0.05", USD, 5),
        ("$1", USD, 100),
        ("$0.1", USD, 10),
        ("$1,234.50", USD, 123_450),
        ("$12,345,678", USD, 1_234_567_800),
        ("1,500", CHIPS, 1_500),
        ("1500.00", CHIPS, 1_500),
        ("€3.20", EUR, 320),
        ("0.02", USD, 2),
        ("$2", Currency("CAD", 2), 200),
    ],
)
def test_an_amount_is_a_whole_number_of_the_smallest_unit(text: str, currency: Currency, amount: int) -> None:
    assert amount_of(text, currency) == amount


@pytest.mark.parametrize(
    ("text", "currency"),
    [
        ("$0.005", USD),
        ("0.5", CHIPS),
        ("€1", USD),
        ("$1", EUR),
        ("$1", CHIPS),
        ("1,23", CHIPS),
        ("1234,567", CHIPS),
        ("", CHIPS),
        ("-1", CHIPS),
        ("٣", CHIPS),
        ("1" * 5_000, CHIPS),
        ("$1.", USD),
        ("1e3", CHIPS),
    ],
)
def test_what_is_no_amount_of_the_currency_is_refused_by_its_text(text: str, currency: Currency) -> None:
    with pytest.raises(WrongAmount) as said:
        amount_of(text, currency)
    assert repr(text[:20]) in str(said.value)


@given(st.integers(0, 10**14))
def test_no_amount_of_cents_is_lost(cents: int) -> None:
    written = f"${cents // 100:,}.{cents % 100:02}"
    assert amount_of(written, USD) == amount_of(written.replace(",", ""), USD) == cents


def test_a_currency_is_that_of_the_symbol_and_of_the_code_with_it() -> None:
    assert currency_of("$1") == currency_of("$1", "USD") == USD
    assert currency_of("€1") == currency_of("€1", "EUR") == EUR
    assert currency_of("£1").code == "GBP"
    assert currency_of("$1", "CAD") == Currency("CAD", 2)
    assert currency_of("10") == CHIPS
    with pytest.raises(WrongAmount, match="'€1' is not an amount in USD"):
        currency_of("€1", "USD")
