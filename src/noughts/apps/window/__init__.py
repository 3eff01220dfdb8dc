"""The window, with pygame: `table` the game, `game`, `setup` and `course` what is seen, `thinking`
the searches beside it."""
