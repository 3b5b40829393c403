"""A module that takes long to import."""

import time

BEGAN = time.process_time()
while time.process_time() < BEGAN + 0.05:
    pass
