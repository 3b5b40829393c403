"""Strangers' connections and requests: limits, precedence for people who play, and time limits for slow clients."""
