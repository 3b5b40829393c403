"""Tables of a server: serving them, playing at them, watching them."""
