"""What every test may rely on."""

import signal

# A shell that starts tests in the background has them ignore Ctrl-C, and the programs they start would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
