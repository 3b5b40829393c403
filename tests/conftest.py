"""What every test may rely on."""

import os
import signal

from hypothesis import HealthCheck, settings

# A shell that starts tests in the background has them ignore Ctrl-C, and the programs they start would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Machines are shared and noisy: how long an example takes says nothing of the code.
# What lands is judged by the same examples each time; everywhere else new ones are tried.
settings.register_profile(
    "untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize="CI" in os.environ
)
settings.load_profile("untimed")
