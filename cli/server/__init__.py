"""Tables of a server: serving them, playing at them, and watching them."""
