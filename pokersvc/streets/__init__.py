"""Streets: what is dealt, drawn and shown between betting rounds, for any game of cards in which people bet.

A game is a list of streets (`pokersvc.streets.street.Street`) and how its hands rank. It builds its state on
`pokersvc.streets.state.StreetsState` and stores events of its own, which the functions here take.
`docs/streets.md` has an example.
"""
