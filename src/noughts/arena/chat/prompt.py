"""The messages to a language model, and the move in its answer.

    Turn ──opening_messages()──► rules, position, legal moves      answer ──read_move()──► Read
                                                                    │  a legal move: played
    Read ──correction()──► what was wrong, and once more ◄──────────┘  illegal or unreadable

The answer of a model is text of a stranger: it is searched for a move, and nothing else is done
with it.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from noughts.arena.bot import Turn
from noughts.explain.rules_text import rules_text
from noughts.explain.situation import situation
from noughts.games.nested import NestedPosition
from noughts.games.phrases import sentence
from noughts.games.position import IllegalMove, Position, move_texts
from noughts.games.row import ConnectFour, RowPosition
from noughts.games.words import description, state

Message = dict[str, Any]
"""A message of the chat interface: `role` and `content`."""

FORMAT = "Answer with your move in the last line: the word MOVE, a colon, and the move."
"""The form of an answer that is asked for; other answers are read as far as they can be."""
LONGEST_ANSWER = 20_000
"""Most characters read of an answer, from its end."""

_STATED = re.compile(r"\bmove\s*(?:is\s*)?[:=]\s*([^\n]*)", re.IGNORECASE)
_ALONE = re.compile(r"\W*((?=[a-z]*\d)[a-z\d]{1,6})\W*", re.IGNORECASE | re.ASCII)
"""One word with a digit and nothing else: a move, if of another board."""
_THOUGHT = "</think>"
"""The end of the thoughts that some models write into their answer."""
_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
"""ASCII characters as Chinese and Japanese texts may have them: `MOVE：５`."""
_WORD = re.compile(r"[A-Za-z]?\d{1,2}(?![A-Za-z\d])|[A-Za-z\d_]+")


class Read(NamedTuple):
    """The move in an answer, or why there is none."""

    move: int | None
    """A legal move."""
    text: str
    """The move as the answer has it; empty if it cannot be read."""
    reason: str = ""
    """Why the move is not legal; empty if it cannot be read."""

    @property
    def verdict(self) -> str:
        """`legal`, `illegal` or `unreadable`."""
        return "legal" if self.move is not None else "illegal" if self.text else "unreadable"


def opening_messages(turn: Turn, *, legal: bool = True) -> list[Message]:
    """Return the question for a move: the rules, the position in text, and the legal moves.

    Args:
        turn: the position, and the moves that led there.
        legal: whether to list the legal moves, and to name the board that the rules force.
    """
    position = turn.position
    system = f"You play a board game. The rules:\n\n{rules_text(turn.start)}\n\n{FORMAT}"
    said = [f"You are {position.turn}, and it is your move."]
    if turn.moves:
        numbered = enumerate(move_texts(turn.start, turn.moves), 1)
        said.append("Moves so far: " + " ".join(f"{n}. {move}" for n, move in numbered))
    if legal:
        said.append(f"The board:\n{position.diagram()}")
        said.append(situation(position, _last_cell(turn), position.turn))
        texts = [position.move_text(move) for move in position.legal_moves()]
        said.append(f"Legal moves: {' '.join(texts)}")
    else:
        marks = _marks(position)
        said.append(f"The board: {marks or 'empty'}")
    said.append(f"The position as a string: {position}")
    user = "\n\n".join([*said, FORMAT])
    return [{"role": "system", "content": system}, {"role": "user", "content": user}]


def _last_cell(turn: Turn) -> int | None:
    """Return the cell of the last move; `None` if there is none."""
    if not turn.moves:
        return None
    before = turn.start.after(turn.moves[:-1])
    if not isinstance(before, RowPosition | NestedPosition):
        return None
    return before.cell(turn.moves[-1])


def _marks(position: Position) -> str:
    """Return the marks on the board in words, without the board to play on."""
    how = state(position)
    return description(position).removesuffix(f"{how[0].upper()}{how[1:]}.").strip()


def correction(read: Read) -> str:
    """Return the message after an answer without a legal move."""
    if read.text:
        return f"{read.text} is not legal: {sentence(read.reason)} Choose another move. {FORMAT}"
    return f"There is no move in your answer. {FORMAT}"


def read_move(answer: str, position: Position) -> Read:
    """Return the move in an answer.

    A stated move, as in `MOVE: 5`, counts first, the last one if there are several, and also if no
    board has it, as `MOVE: 99`; else the last legal move that the text names. Thoughts up to
    `</think>` do not count.

    >>> import noughts
    >>> read_move("I take the centre. **MOVE: 5**", noughts.game("basic")).move
    4
    >>> read_move("Cell 5 or 1? 5 it is.", noughts.game("basic").play("5")).verdict
    'legal'
    """
    text = answer[-LONGEST_ANSWER:].rpartition(_THOUGHT)[2].translate(_FULL_WIDTH)
    legal = {position.move_text(move).lower(): move for move in position.legal_moves()}
    notation = _notation(position) | set(legal)

    def chosen(name: str) -> Read:
        if name in legal:
            return Read(legal[name], name)
        return Read(None, name, _refusal(position, name))

    for stated in reversed(_STATED.findall(text)):
        if named := _named(stated, notation, position):
            return chosen(named[0])
        if alone := _ALONE.fullmatch(stated):
            return chosen(alone[1])
    named = _named(text, notation, position)
    allowed = [name for name in named if name in legal]
    last = (allowed or named)[-1:]
    return chosen(last[0]) if last else Read(None, "")


def _named(text: str, notation: set[str], position: Position) -> list[str]:
    """Return the moves that a text names, legal or not, in order."""
    words = [word.lower() for word in _WORD.findall(text)]
    found = [word for word in words if word in notation]
    if not found and isinstance(position, NestedPosition):
        # Board 5, cell 1: two digits with something between.
        digits = [word for word in words if re.fullmatch("[1-9]", word)]
        return ["".join(digits)] if len(digits) == 2 else []
    return found


def _notation(position: Position) -> set[str]:
    """Return the texts of all moves of a game, legal or not; none if they are not known."""
    if isinstance(position, NestedPosition):
        return {f"{board}{cell}" for board in range(1, 10) for cell in range(1, 10)}
    if isinstance(position, RowPosition):
        rules = position.rules
        count = rules.columns if isinstance(position, ConnectFour) else rules.size
        return {position.move_text(move) for move in range(count)}
    return set()


def _refusal(position: Position, text: str) -> str:
    try:
        position.parse_move(text)
    except IllegalMove as error:
        return error.reason
    return position.refusal(text)
