"""The window, with pygame.

`app` has the event loop, `setup`, `game` and `cs50_screen` the screens, `game_state` the game,
`searches` and `cs50_functions` the work of the worker processes.
"""

import os

# Keeps pygame's banner out of stdout.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
