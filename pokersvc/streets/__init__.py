"""Streets: the deals, the draws and the shown hands between betting rounds, for any card game in which people bet.

A game consists of a list of streets (`pokersvc.streets.street.Street`) and a ranking of its hands. It derives its state
from `pokersvc.streets.state.StreetsState`; it stores events of its own and passes them to the functions here.
`docs/streets.md` has an example.
"""
