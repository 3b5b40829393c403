"""The card rooms' houses: no-limit, pot-limit and fixed-limit."""
