"""Terms, fixtures and records of the matches that tests play."""

from __future__ import annotations

import re
from typing import Any

from noughts.arena.bot import parse_entry
from noughts.arena.control import Control
from noughts.arena.openings import random_openings
from noughts.arena.schedule import Fixture, Terms, schedule
from noughts.games.record import Record, format_json_line


def terms_of(*bots: str, **changes: Any) -> Terms:
    terms = Terms(tuple(map(parse_entry, bots)), ("basic",), 2, Control(nodes=100))
    return terms._replace(**changes)


def fixtures_of(terms: Terms, plies: int = 2) -> list[Fixture]:
    books = {game: random_openings(game, plies, terms.pairs, terms.seed) for game in terms.games}
    return list(schedule(terms, books))


def timeless(record: Record) -> str:
    """Return all of a record that does not depend on the clock."""
    line = re.sub(r"\d+\.\d{6} s", "… s", format_json_line(record))
    return re.sub(r'"(Date|Time)": "[^"]*"', "", line)
