"""Players of one's own, well and ill behaved."""
