"""A language model as a bot: any server with the OpenAI-compatible chat interface.

    chat:MODEL@URL[,legal=no][,tries=3][,tokens=2000]

    turn ──► rules, position, legal moves ──POST──► answer ──► a move
                 ▲                                     │ illegal or unreadable: asked again
                 └─────────── what was wrong ◄─────────┘ up to `tries` answers, then a forfeit

The interface is that of https://platform.openai.com/docs/api-reference/chat: `POST
/chat/completions` with `{"model", "messages", "max_tokens"}`, answered by `{"choices": [{"message":
{"content"}, "finish_reason"}], "usage": {"prompt_tokens", "completion_tokens"}}`. MODEL may contain
`:` and `/`; the last `@` separates it from the address. The key is in the variable
`NOUGHTS_CHAT_KEY` of the environment.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from noughts.arena.bot import Bot, Entry, Fault, GameSetup, Reply, Turn, Verdict
from noughts.arena.chat.answers import TAG, Answers
from noughts.arena.chat.prompt import Message, Read, correction, opening_messages, read_move
from noughts.arena.chat.request import KEY, Clock, Completion, Endpoint, Sleep
from noughts.arena.process import LogUnwritable, file_name, printable
from noughts.games.position import NotationError, Player, Position
from noughts.games.record import append_whole
from noughts.games.words import count

USAGE = "chat:MODEL@URL[,legal=no][,tries=3][,tokens=2000]"
MOST = {"tries": 10, "tokens": 100_000}


class Options(NamedTuple):
    """The parts of the text of a bot."""

    model: str
    url: str
    legal: bool = True
    """Whether the prompt lists the legal moves."""
    tries: int = 3
    """Answers to one question, until the bot forfeits."""
    tokens: int = 2_000
    """Most tokens of an answer."""


def parse_options(text: str, rest: str) -> Options:
    """Return the parts of `MODEL@URL,key=value`.

    >>> parse_options("", "org/model:7b@http://localhost:11434/v1,legal=no")[:3]
    ('org/model:7b', 'http://localhost:11434/v1', False)

    Raises:
        NotationError: one is missing, unknown or wrong.
    """
    model, at, place = rest.rpartition("@")
    url, *words = place.split(",")
    if not at or not model.strip():
        raise NotationError(text, "BOT", f"expected {USAGE}")
    _check_url(text, url)
    given: dict[str, Any] = {}
    for word in words:
        key, _, value = word.partition("=")
        if key == "legal" and value in ("yes", "no"):
            given[key] = value == "yes"
        elif key in MOST and value.isdecimal() and 1 <= int(value) <= MOST[key]:
            given[key] = int(value)
        else:
            known = ["legal=yes or legal=no"]
            known += [f"{each}=1 to {most:,}" for each, most in MOST.items()]
            reason = f'"{word}" is no option of a language model: use {", ".join(known)}'
            raise NotationError(text, "BOT", reason)
    return Options(model, url, **given)


def _check_url(text: str, url: str) -> None:
    try:
        parts = urlsplit(url)
        # A request has its path in ASCII, and no spaces.
        is_written = parts.path.isascii() and not re.search(r"[\x00-\x20\x7f]", url)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and is_written
        _ = parts.port
    except ValueError:
        is_address = False
    if not is_address:
        reason = f'"{url}" is not an address such as http://localhost:11434/v1 (expected {USAGE})'
        raise NotationError(text, "BOT", reason)
    if parts.query or parts.fragment or parts.username is not None:
        reason = f"the address would be recorded: put the key into {KEY}, and nothing behind ?"
        raise NotationError(text, "BOT", reason)


def check(text: str, rest: str) -> None:
    """Check the text of a bot.

    Raises:
        NotationError: it is wrong.
    """
    parse_options(text, rest)


def refusal(start: Position, opening: Sequence[int], side: Player) -> str | None:  # noqa: ARG001
    """Return `None`: a model is told the rules of any game."""
    return None


def open_bot(entry: Entry, rest: str) -> ChatBot:
    """Return the bot; the server is asked with the first move."""
    return ChatBot(entry.name, parse_options(entry.text, rest), entry.bounds.log)


class ChatBot(Bot):
    """A language model that is asked for each move anew, and again after an illegal answer.

    Args:
        name: of the entry, for the file of the transcript.
        options: the model, the address, and how to ask.
        folder: for the transcript; `None` for no transcript.
        clock: returns seconds.
        sleep: waits for seconds.
    """

    def __init__(
        self,
        name: str,
        options: Options,
        folder: Path | None = None,
        *,
        clock: Clock = time.monotonic,
        sleep: Sleep = time.sleep,
    ) -> None:
        self._options, self._clock = options, clock
        self._endpoint = Endpoint(
            options.model, options.url, options.tokens, clock=clock, sleep=sleep
        )
        self._transcript = None if folder is None else folder / f"{file_name(name)}.chat.jsonl"
        self._seed, self._side, self._start = 0, Player.X, ""
        self._answers = Answers()

    def new_game(self, setup: GameSetup) -> None:
        # The tag `Seed` of the record: it joins the transcript to the game.
        self._seed, self._side, self._start = setup.seed // 2, setup.side, str(setup.start)
        self._answers = Answers()

    def choose(self, turn: Turn) -> Reply:
        deadline = self._clock() + turn.deadline
        messages = opening_messages(turn, legal=self._options.legal)
        read = Read(None, "")
        for attempt in range(1, self._options.tries + 1):
            began = self._clock()
            try:
                found = self._endpoint.complete(messages, deadline)
            except Fault as fault:
                self._write(turn, attempt, messages, began, fault=str(fault))
                raise
            read = read_move(found.text, turn.position)
            cut = found.is_cut
            self._count(found, read, is_cut=cut)
            self._write(turn, attempt, messages, began, found=found, read=read)
            if cut:
                reason = f"its answer needs more than {self._options.tokens:,} tokens"
                raise Fault(Verdict.TOKENS, reason)
            if read.move is not None:
                return Reply(read.move)
            messages += [
                {"role": "assistant", "content": found.text},
                {"role": "user", "content": correction(read)},
            ]
        answers = f"{count(self._options.tries, 'answer')} without a legal move in {turn.position}"
        if read.text:
            raise Fault(Verdict.ILLEGAL, f"{answers}; the last: {read.text}: {read.reason}")
        shown = printable(" ".join(found.text.split()))
        raise Fault(Verdict.GARBAGE, f"{answers}; the last: {shown or 'empty'}")

    def notes(self) -> Mapping[str, str]:
        return {TAG: str(self._answers)}

    def _count(self, found: Completion, read: Read, *, is_cut: bool) -> None:
        illegal = read.verdict == "illegal" and not is_cut
        unreadable = read.verdict == "unreadable" or is_cut
        self._answers = self._answers.plus(
            Answers(1, illegal, unreadable, found.sent, found.received)
        )

    def _write(
        self,
        turn: Turn,
        attempt: int,
        messages: Sequence[Message],
        began: float,
        *,
        found: Completion | None = None,
        read: Read | None = None,
        fault: str | None = None,
    ) -> None:
        """Add a question and its answer to the transcript.

        Raises:
            LogUnwritable: the file cannot be written.
        """
        if self._transcript is None:
            return
        place = turn.position
        line = {
            "schema": 1,
            "seed": self._seed,
            "start": self._start,
            "side": self._side.value,
            "ply": len(turn.moves) + 1,
            "attempt": attempt,
            "model": self._options.model,
            "messages": [*messages],
            "answer": None if found is None else found.text,
            "verdict": None if read is None else read.verdict,
            "move": None if read is None or read.move is None else place.move_text(read.move),
            "tokens": None if found is None else [found.sent, found.received],
            "seconds": round(self._clock() - began, 3),
            "fault": fault,
        }
        try:
            self._transcript.parent.mkdir(parents=True, exist_ok=True)
            with self._transcript.open("ab", buffering=0) as file:
                append_whole(file, json.dumps(line).encode() + b"\n")
        except OSError as error:
            reason = f"cannot write {self._transcript}: {error.strerror}"
            raise LogUnwritable(reason) from error
