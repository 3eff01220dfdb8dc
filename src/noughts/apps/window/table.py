"""A game at the window: who plays, what is shown, what is thought about it; no pixels.

    mouse, keys ──► play · undo · jump · hint · … ──► Table ──► what the screen draws
                       Thinker ──► update() ─────────────┘

The moves are in a `Round`; the table adds whose turn it is to think, and which ply is looked at.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path

from noughts.apps.command import to_go_on
from noughts.apps.window.thinking import Failed, Finding, Job, Thinker
from noughts.arena.player import opponent_name, parse_opponent
from noughts.arena.round import RESIGNATION, Round
from noughts.games import record
from noughts.games.nested import NestedPosition
from noughts.games.position import IllegalMove, Player, Position
from noughts.games.record import RESULTS, Record
from noughts.games.row import RowPosition
from noughts.search import Value
from noughts.views.words import outcome_sentence

PACE = 0.4
"""Seconds between two moves of machines that play each other, so that people can follow."""


def sentence(reason: str) -> str:
    """Return a reason as a sentence; a move at its start keeps its small letter.

    >>> sentence("the game is over"), sentence("a1 is taken")
    ('The game is over.', 'a1 is taken.')
    """
    first = reason.partition(" ")[0]
    return f"{first.capitalize() if first.isalpha() else first}{reason[len(first) :]}."


class Table:
    """Two opponents, persons or machines, and a game played in rounds.

    Args:
        start: the position before the first move.
        sides: the opponents as `parse_opponent` reads them.
        player: finds the machines' moves.
        adviser: finds analyses and hints.
        moves: played at the start of every round.
        swapped: whether X is shown as O, and O as X.
        save: a file to which every finished game is appended.
        seed: of what the machines leave to chance.

    Raises:
        NotationError: no such opponent.
        IllegalMove: a move that the rules do not allow.
    """

    def __init__(
        self,
        start: Position,
        sides: Mapping[Player, str],
        *,
        player: Thinker,
        adviser: Thinker,
        moves: Sequence[int] = (),
        swapped: bool = False,
        save: Path | None = None,
        seed: int | None = None,
    ) -> None:
        self.start = start
        self.sides = {side: sides[side] for side in Player}
        self.people = [s for s in Player if parse_opponent(sides[s]).choose is None]
        self.swapped = swapped
        self.save_file = save
        self.opening = tuple(moves)
        self.score: dict[Player | None, int] = {Player.X: 0, Player.O: 0, None: 0}
        """Rounds won before this one; draws under `None`."""
        self.paused = False
        """Whether machines that play each other wait."""
        self.analysing = False
        self.analysis: Finding | None = None
        """What is known of the position shown."""
        self.hint: Finding | None = None
        """What was suggested in the position shown."""
        self.note = ""
        """What there is to say of the last thing done."""
        self.failure = ""
        """Why a machine has no move to give; the game waits for the person."""
        self._seeds = {s: seed if seed is None else 2 * seed + n for n, s in enumerate(Player)}
        self._player, self._adviser = player, adviser
        self._shown: int | None = None
        self._saved: tuple[object, ...] = ()
        self._moved_at = 0.0
        self._begin()

    # What is so

    @property
    def position(self) -> Position:
        """The position at the end of the line."""
        return self.round.position

    @property
    def ply(self) -> int:
        """How many moves have been made in the position shown."""
        return len(self.round.moves) if self._shown is None else self._shown

    @property
    def shown(self) -> Position:
        """The position shown."""
        return self.round.positions[self.ply]

    @property
    def is_live(self) -> bool:
        """Whether the position shown is that at the end of the line."""
        return self._shown is None

    @property
    def last_cell(self) -> int | None:
        """The cell that the last move before the position shown took, where the game has cells."""
        if not self.ply:
            return None
        before = self.round.positions[self.ply - 1]
        if not isinstance(before, RowPosition | NestedPosition):
            return None
        return before.cell(self.round.moves[self.ply - 1])

    @property
    def alone(self) -> bool:
        """Whether one person plays against a machine."""
        return len(self.people) == 1

    @property
    def may_move(self) -> bool:
        """Whether a person is to move, in the position shown."""
        return self.is_live and not self.round.is_over and self.position.turn in self.people

    @property
    def is_thinking(self) -> bool:
        """Whether a machine looks for its move."""
        return self._player.job is not None

    @property
    def hinting(self) -> bool:
        """Whether a hint is being looked for."""
        job = self._adviser.job
        return job is not None and job.kind == "hint"

    def letter(self, player: Player) -> str:
        """Return the letter with which a player is shown."""
        return str(player.other if self.swapped else player)

    def letters(self, text: str) -> str:
        """Return `text` with the letters that are shown."""
        if not self.swapped:
            return text
        return re.sub(r"\b[XO]\b", lambda found: "O" if found[0] == "X" else "X", text)

    def name(self, player: Player) -> str:
        if player in self.people:
            return "You" if self.alone else f"Player {self.letter(player)}"
        return opponent_name(self.sides[player])

    @property
    def values(self) -> dict[int, Value]:
        """What each legal move of the position shown is worth, where that is known and wanted."""
        return self.analysis.values if self.analysis and self.analysing else {}

    def total(self) -> dict[Player | None, int]:
        """Return the rounds won, this one included; draws under `None`."""
        return {
            winner: self.score[winner] + (self.round.record.result == result)
            for winner, result in RESULTS.items()
        }

    def ending(self) -> str:
        """Return how the game ended, or nothing while it goes on."""
        if not self.round.is_over:
            return ""
        if self.round.record.termination != RESIGNATION:
            return self.letters(outcome_sentence(self.position))
        winner = next(w for w, result in RESULTS.items() if result == self.round.record.result)
        assert winner is not None
        return f"{self.letter(winner.other)} has resigned: {self.letter(winner)} wins."

    # What people do

    def play(self, move: int) -> None:
        """Play a move of the person who is to move, or note why that cannot be."""
        if not self.may_move:
            self.note = self._why_not()
            return
        try:
            self.round.play(move)
        except IllegalMove as error:
            self.note = sentence(self.letters(error.reason))
            return
        self._changed()

    def enter(self, text: str) -> bool:
        """Play the move that a person has typed; return whether it was one."""
        if not self.may_move:
            self.note = self._why_not()
            return False
        try:
            move = self.position.parse_entry(text)
        except IllegalMove as error:
            self.note = sentence(self.letters(error.reason))
            return False
        self.play(move)
        return True

    def _why_not(self) -> str:
        if self.round.is_over:
            return "The game is over."
        if not self.is_live:
            return "This is an earlier position; End goes back to the game."
        return f"{self.name(self.position.turn)} is to move."

    def undo(self) -> None:
        """Take back the last move of the person, and the machine's answer to it."""
        if not self.round.undo(self.people[0] if self.alone else None):
            self.note = "There is no move of yours to take back."
            return
        self.paused = not self.people
        self._changed()

    def redo(self) -> None:
        """Play again what was taken back last."""
        if not self.round.redo(self.people[0] if self.alone else None):
            self.note = "There is nothing to play again."
            return
        self._changed()

    @property
    def can_undo(self) -> bool:
        whose = self.people[0] if self.alone else None
        turns = [position.turn for position in self.round.positions[:-1]]
        return any(whose in (None, turn) for turn in turns)

    @property
    def can_redo(self) -> bool:
        return bool(self.round.undone)

    @property
    def can_resign(self) -> bool:
        return bool(self.people) and not self.round.is_over

    def resign(self) -> None:
        """Give the game up: the person to move, or the one who plays a machine."""
        if not self.can_resign:
            self.note = "The game is over." if self.round.is_over else "No person plays."
            return
        turn = self.position.turn
        self.round.resign(turn if turn in self.people else self.people[0])
        self._changed()

    def pause(self) -> None:
        """Let machines that play each other wait, or go on."""
        self.paused = not self.paused
        self._think()

    def rematch(self) -> None:
        """Begin the next round, the sides swapped."""
        if not self.round.is_over:
            self.note = "The game still goes on."
            return
        total = self.total()
        self.score = {Player.X: total[Player.O], Player.O: total[Player.X], None: total[None]}
        self.sides = {side: self.sides[side.other] for side in Player}
        self._seeds = {side: self._seeds[side.other] for side in Player}
        self.people = [side for side in Player if side.other in self.people]
        self._begin()

    def jump(self, ply: int) -> None:
        """Show the position after so many moves; the game itself stays as it is."""
        last = len(self.round.moves)
        ply = max(0, min(ply, last))
        if ply != self.ply:
            self._shown = None if ply == last else ply
            self.note = ""
            self._look()

    def ask_hint(self) -> None:
        """Have a move suggested in the position shown."""
        if self.shown.outcome() is not None:
            self.note = "The game is over."
            return
        self.hint = None
        self._adviser.ask(self._job("hint", self.ply))

    def analyse(self) -> None:
        """Switch the analysis on or off."""
        self.analysing = not self.analysing
        self._look()

    def save(self, name: str) -> None:
        """Append the game to a file, or note why it cannot be."""
        if not name:
            self.note = "Not saved: no file was named."
            return
        try:
            record.append(Path(name).expanduser(), self.round.record)
        except OSError as error:
            self.note = f"Not saved: {error.strerror or error} ({name})."
            return
        self._saved = self._content()
        self.note = f"Saved to {name}."

    # What machines do

    def update(self) -> bool:
        """Take in what was found since the last call; return whether anything has changed."""
        early = not self.people and time.monotonic() < self._moved_at + PACE
        moved = [] if early else self._player.poll()
        for each in moved:
            if isinstance(each, Failed):
                self._fail(each)
            else:
                self._answer(each)
        # Only now: what was found of the position before the move no longer counts.
        advice = self._adviser.poll()
        for each in advice:
            if isinstance(each, Failed):
                self._fail(each)
            elif each.kind == "hint":
                self.hint = each
                self._advise()
            else:
                self.analysis = each
        return bool(moved or advice)

    def _answer(self, found: Finding) -> None:
        assert found.move is not None
        self._moved_at = time.monotonic()
        position = self.position
        self.round.play(found.move)
        # Who looks at an earlier position goes on looking at it.
        self._changed(keep=True)
        kept = self.note
        said = f"{self.name(position.turn)} plays {position.move_text(found.move)}"
        if found.nodes > 1:
            said += f". Its view: {found.value}, {found.nodes:,} nodes, {found.seconds:.2f} s"
        self.note = f"{said}. {kept}" if kept else f"{said}."

    def _fail(self, failed: Failed) -> None:
        if failed.kind == "move":
            who = self.name(self.position.turn)
            self.failure = f"{who} has no move to give: {failed.reason}"
        else:
            self.analysing = False
            self.note = f"The {failed.kind} has failed: {failed.reason}"

    def stop(self) -> None:
        """End every search, before the table is left."""
        self._player.stop()
        self._adviser.stop()

    def _begin(self) -> None:
        """Begin a round in which only the opening has been played."""
        names = {str(player): self.sides[player] for player in Player}
        tags = {**names, "Date": date.today().isoformat()}
        self.round = Round(Record.from_moves(self.start, self.opening, tags))
        self._saved = ()
        self._changed()

    def _changed(self, keep: bool = False) -> None:
        """Go on after a change of the game: machines think anew, a finished game is saved."""
        shown = self.ply if keep and self._shown is not None else None
        self._shown = shown
        self.note = self.failure = ""
        self._player.stop()
        if shown is None:
            self._look()
        self._think()
        if self.round.is_over and self.save_file is not None and self._saved != self._content():
            self.save(str(self.save_file))

    def _think(self) -> None:
        """Let the machine that is to move look for its move, or wait."""
        turn = self.position.turn
        if self.round.is_over or turn in self.people or self.paused:
            self._player.stop()
            return
        job = self._job("move", len(self.round.moves))
        self._player.ask(job._replace(opponent=self.sides[turn], seed=self._seeds[turn]))

    def _look(self) -> None:
        """Forget what was known of the position shown before, and analyse this one if wanted."""
        self.analysis = self.hint = None
        self._adviser.stop()
        self._advise()

    def _advise(self) -> None:
        if self.analysing and self.shown.outcome() is None:
            self._adviser.ask(self._job("analysis", self.ply))
        else:
            self._adviser.stop()

    def _job(self, kind: str, ply: int) -> Job:
        return Job(kind, str(self.start), tuple(self.round.moves[:ply]))

    def _content(self) -> tuple[object, ...]:
        return (*self.round.moves, self.round.record.result)

    # The end

    def farewell(self, command: str) -> list[str]:
        """Return what is said when the window closes: how to go on with the game.

        Args:
            command: what opens a window, as a shell has it.
        """
        if not self.round.moves or self.round.is_over:
            return ["Goodbye."]
        said = ["Goodbye. To go on:"]
        if self.save_file is not None and self._saved != self._content():
            self.save(str(self.save_file))
            said = [self.note, *said]
        line = to_go_on(command, self.start, self.sides, self.round.moves, self.swapped)
        return [*said, line]
