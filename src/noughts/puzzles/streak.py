"""The puzzles that a person has solved, and how many in a row, in a file of the user."""

from __future__ import annotations

import datetime
import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

from platformdirs import user_data_path

NAME = "puzzles.json"


@dataclass
class Streak:
    """What a person has solved."""

    solved: list[str] = field(default_factory=list)
    """Ids of puzzles, in order."""
    in_row: int = 0
    """Puzzles solved in a row without a wrong move, a hint or the answer."""
    best: int = 0
    """The largest `in_row` so far."""
    days: int = 0
    """Days in a row on which the puzzle of the day was solved."""
    day: str = ""
    """The last of these days, as in `2026-11-23`."""

    def solve(self, puzzle_id: str, *, alone: bool) -> None:
        """Count a solved puzzle; `alone` means without an error or help."""
        if puzzle_id not in self.solved:
            self.solved.append(puzzle_id)
        self.in_row = self.in_row + 1 if alone else 0
        self.best = max(self.best, self.in_row)

    def give_up(self) -> None:
        """Count a puzzle that was shown or skipped."""
        self.in_row = 0

    def solve_day(self, day: datetime.date) -> None:
        """Count the solved puzzle of a day."""
        yesterday = day - datetime.timedelta(1)
        if self.day != day.isoformat():
            self.days = self.days + 1 if self.day == yesterday.isoformat() else 1
            self.day = day.isoformat()

    def save(self, file: Path) -> None:
        """Write the file.

        Raises:
            OSError: it cannot be written.
        """
        file.parent.mkdir(parents=True, exist_ok=True)
        partial = file.with_name(f"{file.name}.partial")
        partial.write_text(json.dumps(asdict(self)) + "\n", encoding="utf-8")
        partial.replace(file)


def streak_file() -> Path:
    """Return the file of this user."""
    return user_data_path("noughts") / NAME


def load_streak(file: Path) -> Streak:
    """Return the content of a file; an empty one where there is no file.

    Raises:
        ValueError: the file is damaged.
        OSError: it cannot be read.
    """
    if not file.exists():
        return Streak()
    try:
        return Streak(**json.loads(file.read_text(encoding="utf-8")))
    except (ValueError, TypeError) as error:
        raise ValueError(f"{file} is damaged: {error}. Delete it to start again") from error
