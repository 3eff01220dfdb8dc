"""Bots that were made for elsewhere, as bots of the arena: a module for each kind.

    python kaggle cs50 aima        Python functions; `host` holds one in a process of ours
    codingame gomocup nineboard    programs, spoken to in the protocol of their site
    openspiel                      a library's bot, in this process

A module has `check(text, rest)`, `refusal(start, opening)` and `open_bot(entry, rest)`, as
`noughts.arena.bot.KINDS` wants; `docs/bots.md` shows a bot of each kind.
"""
