"""Draw poker for programs that learn it: numbered choices, and a seat's view as a list of whole numbers."""
