"""The window, with pygame: `app` the loop, `setup`, `game` and `runner` what is shown, `table` the
game, `thinking` and `course` what goes on in processes beside it.
"""

import os

# stdout is for answers: pygame is not to say its name there.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
