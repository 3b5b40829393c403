"""Files and processes, as this program makes them."""
