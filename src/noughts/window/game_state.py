"""The state of a game in the window: players, shown position, searches; no drawing.

    mouse, keys ──► play · undo · jump · hint · … ──► GameState ──► screen
                       SearchProcess ──► update() ─────┘

The moves and the score are in a `Series`; this adds the searches and the shown ply.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from pathlib import Path

from noughts.cli.output import resume_command
from noughts.games import record
from noughts.games.letters import shown_player, shown_text
from noughts.games.phrases import sentence
from noughts.games.position import IllegalMove, Player, Position
from noughts.games.progress import GameInProgress
from noughts.games.record import Record
from noughts.games.series import NO_SCORE, Score, Series
from noughts.opponents import opponent, opponent_name
from noughts.search import Value
from noughts.views.board import cell_of
from noughts.views.values import words
from noughts.window.searches import Job, SearchFailed, SearchProcess, SearchReport

PACE = 0.4
"""Least seconds between moves of two machines, so that people can follow."""


class GameState:
    """Two players, people or machines, and a series of games between them.

    Args:
        start: the position before the first move.
        sides: the opponents as `opponent` reads them.
        player: searches for the moves of machines.
        adviser: searches for analyses and hints.
        moves: opening moves of every game.
        swapped: whether X is shown as O, and O as X.
        save: file to which finished games are appended.
        seed: random seed of the machines.

    Raises:
        NotationError: unknown opponent.
        IllegalMove: illegal opening move.
    """

    def __init__(
        self,
        start: Position,
        sides: Mapping[Player, str],
        *,
        player: SearchProcess,
        adviser: SearchProcess,
        moves: Sequence[int] = (),
        swapped: bool = False,
        save: Path | None = None,
        seed: int | None = None,
    ) -> None:
        self.start = start
        self.sides = {side: sides[side] for side in Player}
        self.swapped = swapped
        self.save_file = save
        self.opening = tuple(moves)
        self.pace = PACE
        """Least seconds between moves of two machines."""
        self.paused = False
        """Whether two machines are paused."""
        self.analysing = False
        self.analysis: SearchReport | None = None
        """Latest analysis of the shown position."""
        self.hint: SearchReport | None = None
        """Hint for the shown position."""
        self.note = ""
        """Message about the last action."""
        self.failure = ""
        """Message about a machine that failed to move."""
        self._seeds = {s: seed if seed is None else 2 * seed + n for n, s in enumerate(Player)}
        self._player, self._adviser = player, adviser
        self._shown: int | None = None
        self._saved: tuple[object, ...] = ()
        self._moved_at = 0.0
        people = [side for side in Player if opponent(sides[side]).is_human]
        self._begin(people, NO_SCORE)

    # Properties

    @property
    def round(self) -> GameInProgress:
        return self.series.round

    @property
    def people(self) -> Collection[Player]:
        """The sides of people."""
        return self.series.people

    @property
    def position(self) -> Position:
        """The last position of the game."""
        return self.round.position

    @property
    def ply(self) -> int:
        """Number of moves before the shown position."""
        return len(self.round.moves) if self._shown is None else self._shown

    @property
    def shown(self) -> Position:
        """The shown position."""
        return self.round.positions[self.ply]

    @property
    def is_live(self) -> bool:
        """Whether the shown position is the last one."""
        return self._shown is None

    @property
    def last_cell(self) -> int | None:
        """The cell of the last move before the shown position; `None` for games without cells."""
        if not self.ply:
            return None
        return cell_of(self.round.positions[self.ply - 1], self.round.moves[self.ply - 1])

    @property
    def may_move(self) -> bool:
        """Whether a person is to move in the shown position."""
        return self.is_live and not self.round.is_over and self.position.turn in self.people

    @property
    def is_thinking(self) -> bool:
        """Whether a machine is searching for its move."""
        return self._player.job is not None

    @property
    def hinting(self) -> bool:
        """Whether a search for a hint is running."""
        job = self._adviser.job
        return job is not None and job.kind == "hint"

    def letter(self, player: Player) -> str:
        """Return the visible letter of a player."""
        return str(shown_player(player, self.swapped))

    def letters(self, text: str) -> str:
        """Return a text with the visible letters."""
        return shown_text(text, self.swapped)

    def name(self, player: Player) -> str:
        if player in self.people:
            return "You" if self.series.person else f"Player {self.letter(player)}"
        return opponent_name(self.sides[player])

    @property
    def values(self) -> dict[int, Value]:
        """Known values of the legal moves while analysis is on."""
        return self.analysis.values if self.analysis and self.analysing else {}

    def verdict(self) -> str:
        """Return the result in a few words, such as `You win!`; empty before the end."""
        if not self.round.is_over:
            return ""
        winner, person = self.round.winner, self.series.person
        if winner is None:
            return "Draw"
        if person is None:
            return self.letters(f"{winner} wins")
        return "You win!" if winner is person else "You lost"

    def ending(self) -> str:
        """Return the result as a sentence; an empty text while the game is in progress."""
        return self.letters(self.round.ending or "")

    # Actions of people

    def play(self, move: int) -> None:
        """Play a person's move, or set `note` to the reason why not."""
        if not self.may_move:
            self.note = self._why_not()
            return
        try:
            self.round.play(move)
        except IllegalMove as error:
            self.note = self.letters(str(error))
            return
        self._changed()

    def enter(self, text: str) -> bool:
        """Play a typed move; return whether it was legal."""
        if not self.may_move:
            self.note = self._why_not()
            return False
        try:
            move = self.position.parse_entry(text)
        except IllegalMove as error:
            self.note = self.letters(str(error))
            return False
        self.play(move)
        return True

    def _why_not(self) -> str:
        if self.round.is_over:
            return "The game is over."
        if not self.is_live:
            return "This is an earlier position. Press End to go back."
        return f"{self.name(self.position.turn)} is to move."

    def undo(self) -> None:
        """Undo the person's last move and the machine's reply."""
        if not self.series.undo():
            self.note = "You have no move to undo."
            return
        self.paused = not self.people
        self._changed()

    def redo(self) -> None:
        """Redo the moves undone last."""
        if not self.series.redo():
            self.note = "There is no move to redo."
            return
        self._changed()

    def resign(self) -> None:
        """Resign for the person to move, or for the person who plays a machine."""
        if not self.series.can_resign:
            self.note = "The game is over." if self.round.is_over else "No person plays."
            return
        self.series.resign()
        self._changed()

    def pause(self) -> None:
        """Pause or continue a game of two machines."""
        if self.round.is_over:
            self.note = "The game is over."
            return
        self.paused = not self.paused
        self._think()

    def rematch(self) -> None:
        """Begin the next game with the sides swapped."""
        if not self.round.is_over:
            self.note = "The game is still in progress."
            return
        self.paused = False
        self.sides = {side: self.sides[side.other] for side in Player}
        self._seeds = {side: self._seeds[side.other] for side in Player}
        people = [side for side in Player if side.other in self.people]
        self._begin(people, self.series.following_score())

    def jump(self, ply: int) -> None:
        """Show the position after `ply` moves; the game is unaffected."""
        last = len(self.round.moves)
        ply = max(0, min(ply, last))
        if ply != self.ply:
            self._shown = None if ply == last else ply
            self.note = ""
            self._look()

    def ask_hint(self) -> None:
        """Start a search for a hint in the shown position."""
        if self.shown.outcome() is not None:
            self.note = "The game is over."
            return
        self.hint = None
        self._adviser.ask(self._job("hint", self.ply))

    def analyse(self) -> None:
        """Switch analysis on or off."""
        self.analysing = not self.analysing
        self._look()

    def save(self, name: str) -> None:
        """Append the game to a file; set `note` to the outcome."""
        if not name:
            self.note = "Not saved: type a file name."
            return
        try:
            record.append(Path(name).expanduser(), self.round.record)
        except OSError as error:
            self.note = f"Not saved: {error.strerror or error} ({name})."
            return
        self._saved = self._content()
        self.note = f"Saved to {name}."

    # Results of searches

    def update(self) -> bool:
        """Read new results of the searches; return whether anything has changed."""
        early = not self.people and time.monotonic() < self._moved_at + self.pace
        moved = [] if early else self._player.poll()
        for each in moved:
            if isinstance(each, SearchFailed):
                self._fail(each)
            else:
                self._answer(each)
        # After the moves, which make advice on the previous position obsolete.
        advice = self._adviser.poll()
        for each in advice:
            if isinstance(each, SearchFailed):
                self._fail(each)
            elif each.kind == "hint":
                self.hint, self.note = each, ""
                self._advise()
            else:
                self.analysis = each
        return bool(moved or advice)

    def _answer(self, found: SearchReport) -> None:
        assert found.move is not None
        self._moved_at = time.monotonic()
        position = self.position
        self.round.play(found.move)
        # A person who views an earlier position keeps viewing it.
        self._changed(keep=True)
        kept = self.note
        said = f"{self.name(position.turn)} plays {position.move_text(found.move)}"
        if found.nodes > 1:
            said += (
                f". Its view: {words(found.value)}, {found.nodes:,} nodes, {found.seconds:.2f} s"
            )
        self.note = f"{said}. {kept}" if kept else f"{said}."

    def _fail(self, failed: SearchFailed) -> None:
        if failed.kind == "move":
            who = self.name(self.position.turn)
            self.failure = f"{who} can't move: {sentence(failed.reason)}"
        else:
            self.analysing = False
            self.note = f"The {failed.kind} failed: {failed.reason}"

    def stop(self) -> None:
        """Stop all searches."""
        self._player.stop()
        self._adviser.stop()

    def _begin(self, people: Collection[Player], score: Score) -> None:
        """Begin a game with only the opening played."""
        names = {str(player): self.sides[player] for player in Player}
        tags = {**names, "Date": date.today().isoformat()}
        played = GameInProgress(Record.from_moves(self.start, self.opening, tags))
        self.series = Series(played, people, score)
        self._saved = ()
        self._changed()

    def _changed(self, keep: bool = False) -> None:
        """Restart searches after a change of the game; save a finished game."""
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
        """Start the search of the machine to move, or stop it."""
        turn = self.position.turn
        if self.round.is_over or turn in self.people or self.paused:
            self._player.stop()
            return
        job = self._job("move", len(self.round.moves))
        self._player.ask(job._replace(opponent=self.sides[turn], seed=self._seeds[turn]))

    def _look(self) -> None:
        """Drop the advice on the previous position; analyse the shown one if analysis is on."""
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
        """Return the lines to print when the window closes, with the command to continue.

        Args:
            command: the command that opens a window, quoted for a shell.
        """
        if not self.round.moves or self.round.is_over:
            return ["Goodbye."]
        said = ["Goodbye. To continue:"]
        if self.save_file is not None and self._saved != self._content():
            self.save(str(self.save_file))
            said = [self.note, *said]
        line = resume_command(command, self.start, self.sides, self.round.moves, self.swapped)
        return [*said, line]
