"""Adapters for bots written for other sites, courses and libraries: one module for each kind.

    python kaggle cs50 aima        Python functions; `host` runs one in a separate process
    codingame gomocup nineboard    programs that speak their site's protocol
    openspiel                      a bot of a library, in this process

A module has `check(text, rest)`, `refusal(start, opening, side)` and `open_bot(entry, rest)`, as
`noughts.arena.bot` expects; `docs/bots.md` shows a bot of each kind.
"""
