"""Connections and requests of strangers: limits, precedence of people who play, and time limits for slow clients."""
