"""Tables as a server runs them."""
