"""Files and processes, as pokersvc creates them."""
