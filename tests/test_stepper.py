"""The stepper: views against the trace's tree, sentences against events, keys, and lines."""

from __future__ import annotations

import io
import os
import random
import re
from collections.abc import Iterator
from math import inf
from pathlib import Path
from typing import Any

import pexpect
import pytest
from command import NOUGHTS, run
from patience import PATIENCE
from rich.console import Console
from samples import NIM, SOME_RULES_IDS, random_position

import noughts
from noughts.cli.stepper import COMMANDS, Stepper, browse, page
from noughts.cli.terminal import Quit
from noughts.games.drawing import ASCII, Look
from noughts.search import Limit, minimax, trace
from noughts.search.recording import Moment, Recording
from noughts.search.textbook import SEARCHES, parse_search
from noughts.search.trace import (
    KINDS,
    Backpropagate,
    Best,
    Cut,
    Enter,
    Expand,
    Leaf,
    Rollout,
    Select,
    kind_of,
    record,
)
from noughts.search.tree import Grower
from noughts.views.narrate import sentence

NEAR_THE_END = "basic~XOX.XOO.1X1~O"
EXAMPLES = Path(__file__).parent.parent / "examples"


def recorded(text: str, position: noughts.Position, **options: Any) -> Recording:
    watched, recording = parse_search(text, position), Recording()
    record(watched.search, position, watched.limit, write=recording, **watched.options, **options)
    return recording


def moments(recording: Recording) -> Iterator[Moment]:
    return (recording.at(number) for number in range(1, len(recording) + 1))


SAMPLES = [
    *((name, "basic~OX1.1X1.2O~X") for name in SEARCHES),
    ("minimax:stop_at_win=yes", "basic~OX1.1X1.2O~X"),
    ("alphabeta:strict=yes,score=sign", "basic~O2.1X1.3~X"),
    ("alphabeta:depth=2,evaluation=lines", "basic~3.1X1.3~O"),
    ("negamax:depth=3", "mnk:4,4,3~X3.4.4.4~O"),
    ("hminimax:depth=2", "ultimate~9.9.9.9.X8.9.9.9.9~O~1"),
    ("mcts:simulations=60,seed=3", "connect4~7.7.7.7.7.7~X"),
]


@pytest.fixture(scope="module", params=SAMPLES, ids=lambda sample: sample[0])
def recording(request: pytest.FixtureRequest) -> Recording:
    text, position = request.param
    return recorded(text, noughts.position(position))


def test_every_view_is_the_tree_so_far(recording: Recording) -> None:
    grower = Grower()
    entered = cutoffs = leaves = 0
    for number, event in enumerate(recording.events, 1):
        grower(event)
        entered += isinstance(event, Enter | Expand)
        cutoffs += isinstance(event, Cut)
        leaves += isinstance(event, Leaf)
        moment = recording.at(number)
        assert moment.counters["nodes"] == entered
        assert moment.counters.get("cutoffs", 0) == cutoffs
        assert moment.counters.get("leaves", 0) == leaves
        for seen in moment.path:
            node = grower.nodes[seen.node]
            assert (seen.move, seen.position, seen.score) == (node.move, node.position, node.score)
            assert (seen.visits, seen.reward, seen.proven) == (
                *(node.visits, node.reward),
                node.proven if node.visits else None,
            )
            assert seen.cut == (node.cut.moves if node.cut else ())
        for above, below in zip(moment.path, moment.path[1:], strict=False):
            assert below.move is not None
            assert above.position.play(below.move) == below.position
        if moment.node is not None:
            children = [child.number for child in grower.nodes[moment.node].children]
            assert [seen.node for seen in moment.below] == children


def test_counters_end_at_those_of_the_search(recording: Recording) -> None:
    end = recording.end
    assert end is not None
    counters = recording.at(len(recording)).counters
    assert counters["nodes"] == end.recorded
    if recording.start.search == "mcts":
        assert counters["simulations"] == end.result.simulations
        assert counters["nodes"] == end.result.nodes
    elif recording.start.search != "negamax":
        assert (counters["nodes"], counters["cutoffs"]) == (end.result.nodes, end.result.cutoffs)


def test_windows_follow_the_searches(recording: Recording) -> None:
    """A node starts with the window that its parent had left."""
    for moment in moments(recording):
        if isinstance(moment.event, Enter) and moment.event.alpha is not None:
            for above, below in zip(moment.path, moment.path[1:], strict=False):
                assert above.alpha is not None
                assert above.beta is not None
                assert below.alpha is not None
                assert above.alpha <= below.alpha


def test_over_continues_at_the_same_depth(recording: Recording) -> None:
    number = 1
    while number < len(recording):
        after = recording.over(number)
        assert after > number
        event = recording.events[number]
        if isinstance(event, Enter):
            assert isinstance(recording.events[after - 1], Leaf | trace.Leave)
            assert recording.at(after).node == event.node
        elif recording.start.search == "mcts" and number > 1 and after < len(recording):
            assert isinstance(recording.events[after - 1], Backpropagate)
            assert recording.at(after).node == 1
        number = after


# Sentences


def test_sentence_is_true_of_its_event(recording: Recording) -> None:
    text = recording.start.scale.text
    for moment in moments(recording):
        told, event = sentence(moment), moment.event
        assert re.fullmatch(r"[^a-z]?.*[.]", told)
        player = {True: "MAX", False: "MIN"}
        match event:
            case Enter(parent=parent, move=move, position=position, alpha=alpha):
                if parent is not None and move is not None:
                    start = moment.path[-2].position
                    assert f"{start.turn}'s move {start.move_text(move)} leads" in told
                assert (position.outcome() is not None) == ("the game is over" in told)
                if alpha is not None and alpha > -inf and position.outcome() is None:
                    assert f"MAX is sure of {text(alpha)} (alpha)" in told
            case Leaf(score=score, reason=reason):
                assert text(score, event.bound) in told
                winner = getattr(moment.position.outcome(), "winner", None)
                if reason == "over" and winner:
                    assert f"a win for {winner}" in told
                assert ("keeps" in told or "No move" in told) == no_better(moment, score)
            case Best(score=score, move=move, bound=bound):
                before = moment.before(event.node)
                name = moment.position.move_text(move)
                assert f"move {name} gives {text(score, bound)}" in told
                assert ("first value" in told) == (before.score is None)
                if before.score is not None and moment.path[-1].bound == "none":
                    assert told.endswith(f"than {text(score)}.")
                elif before.score is not None:
                    assert (score > before.score) == ("more than" in told)
                    assert (score < before.score) == ("less than" in told)
                window = moment.path[-1]
                if window.alpha is not None and window.beta is not None:
                    narrowed = window.alpha < window.beta
                    rises = narrowed and window.alpha != before.alpha
                    falls = narrowed and window.beta != before.beta
                    assert (f"Alpha rises to {text(window.alpha)}." in told) == rises
                    assert (f"Beta falls to {text(window.beta)}." in told) == falls
            case Cut(score=score, reason=reason, edge=edge, moves=moves):
                if edge is not None:
                    signs = {"beta": "≥>", "alpha": "≤<"}[reason]
                    assert re.match(
                        f"{re.escape(text(score))} [{signs}] {reason} {re.escape(text(edge))}:",
                        told,
                    )
                    assert score >= edge if reason == "beta" else score <= edge
                for move in moves[:9]:
                    assert f" {moment.position.move_text(move)} " in told
                assert bool(moves) == ("not looked at" in told)
            case trace.Leave(score=score, bound=bound):
                assert ("keeps" in told or "No move" in told) == no_better(moment, score)
                if len(moment.path) > 1:
                    below, above = (player[seen.maximizing] for seen in moment.path[:-3:-1])
                    assert told.startswith(f"{below} hands {text(score, bound)} up to {above}")
            case Select(child=child, bounds=bounds):
                assert bounds[child] == max(bounds.values())
                assert f"{bounds[child]:.2f}" in told
            case Rollout(moves=moves, reward=reward):
                end = moment.position
                for move in moves:
                    end = end.play(move)
                outcome = end.outcome()
                mover = moment.position.turn.other
                assert told.endswith(f"{mover} gets {reward:g}.")
                if outcome is not None:
                    assert (f"a win for {mover}" in told) == (outcome.winner is mover)
                    assert ("a draw" in told) == (outcome.winner is None)
            case Backpropagate(visits=visits, proven=proven):
                assert f"{visits} visit" in told
                assert (proven is not None) == ("proven" in told)


def no_better(moment: Moment, score: float) -> bool:
    """Return whether this score does not improve on the parent's."""
    if len(moment.path) < 2 or moment.path[-2].score is None:
        return False
    above = moment.path[-2]
    assert above.score is not None
    return score <= above.score if above.maximizing else score >= above.score


def test_every_kind_of_event_has_a_sentence() -> None:
    seen = {
        kind_of(event)
        for text, position in SAMPLES
        for event in recorded(text, noughts.position(position)).events
    }
    assert seen == set(KINDS)


@pytest.mark.parametrize("rules_id", SOME_RULES_IDS)
def test_all_games_have_sentences_and_boards(rules_id: str) -> None:
    position = random_position(noughts.game(rules_id), random.Random(rules_id))
    for text in ("alphabeta:depth=2", "mcts:simulations=12,seed=1"):
        stepper = Stepper(recorded(text, position), text)
        for number in {1, 5, len(stepper.recording) // 2, len(stepper.recording)}:
            stepper.obey(f"go {number}")
            for width, height in ((80, 24), (80, None), (130, 40)):
                lines = page(stepper, width, height, Look())
                assert all(line.cell_len <= width for line in lines)
                assert height is None or len(lines) <= height - 1
                plain = page(stepper, width, height, Look(ASCII))
                assert all(line.plain.isascii() for line in plain)
                assert any(line.plain.startswith("> ") or " > " in line.plain for line in plain)


# Commands


def test_commands_move_and_refusals_say_why() -> None:
    stepper = Stepper(recorded("alphabeta", noughts.position(NEAR_THE_END)), "alphabeta")
    last = len(stepper.recording)
    for command, number in (
        ("", 2),
        ("f", 3),
        ("b", 2),
        ("3", 5),
        ("-2", 3),
        ("end", last),
        ("start", 1),
        (f"go {last}", last),
        ("-100", 1),
        ("start", 1),
    ):
        stepper.obey(command)
        assert stepper.number == number, command
    for command, reason in (
        ("back", "This is the start"),
        ("-9999", "This is the start"),
        (f"go {last + 1}", "This is the end"),
        ("forward", "This is the end"),
        ("cutoff", "There is no cutoff after this"),
        ("go", "Type go N, with N from 1 to"),
        ("go far", "Type go N, with N from 1 to"),
        ("9" * 5000, "No command"),
        ("jump", "No command 'jump'. Choose from: forward, back, cutoff"),
        ("back 3", "No command 'back 3'. Did you mean back?"),
        ("cutof", "No command 'cutof'. Did you mean cutoff?"),
    ):
        stepper.obey(command)
        assert reason in stepper.message, command
    with pytest.raises(Quit):
        stepper.obey("quit")


def test_jump_to_the_next_cutoff_and_leaf() -> None:
    stepper = Stepper(recorded("alphabeta", noughts.position("basic~OX1.1X1.2O~X")), "alphabeta")
    events = stepper.recording.events
    for command, kind in (("cutoff", Cut), ("leaf", Leaf)):
        stepper.obey("start")
        stops = []
        while not stepper.message:
            stops.append(stepper.number)
            stepper.obey(command)
        assert stops[1:] == [n for n, event in enumerate(events, 1) if isinstance(event, kind)]


class Counted(list[Any]):
    """A list that counts the entries that are read."""

    read = 0

    def __getitem__(self, place: Any) -> Any:
        found = super().__getitem__(place)
        self.read += len(found) if isinstance(place, slice) else 1
        return found

    def __iter__(self) -> Any:
        self.read += len(self)
        return super().__iter__()


def test_back_and_jumps_read_few_of_a_hundred_thousand_events() -> None:
    recording = Recording()
    record(minimax, noughts.game("basic"), Limit(nodes=40_000), write=recording)
    assert len(recording) > 100_000
    stepper = Stepper(recording, "minimax")
    recording.events = Counted(recording.events)
    for command in ("end", "go 50000", *["back"] * 50, *["leaf"] * 48):
        stepper.obey(command)
        page(stepper, 80, 24, Look())
    assert recording.events.read < 100 * len(recording) / 50


def test_memory_is_bounded_and_omitted_events_are_reported() -> None:
    few = Recording(max_events=30)
    watched = parse_search("mcts:simulations=50,seed=1", noughts.game("basic"))
    record(watched.search, noughts.game("basic"), watched.limit, write=few, **watched.options)
    assert len(few) == 31
    assert few.end is not None
    shown = "\n".join(line.plain for line in page(Stepper(few, "mcts"), 80, 24, Look()))
    assert f"{few.dropped:,} events are not recorded" in shown
    done = run("step", "basic", "--nodes", "100", entries="end\n")
    assert "100 of 20,866 nodes are recorded (--nodes)" in done.stdout


# Through a pipe


def test_piped_lines_are_answered_by_views() -> None:
    done = run("step", NEAR_THE_END, "--algorithm", "minimax", entries="leaf\nend\nquit\nback\n")
    assert (done.returncode, done.stderr) == (0, "")
    events = [int(number) for number in re.findall(r"event (\d+) of 15", done.stdout)]
    assert events == [1, 5, 15]
    assert (
        "The search is over: O plays 7, which gives W 1." in done.stdout or "O plays" in done.stdout
    )
    assert "\x1b" not in done.stdout
    assert done.stdout.isascii()


def test_help_names_every_command() -> None:
    done = run("step", NEAR_THE_END, entries="?\n")
    for command in COMMANDS:
        assert re.search(rf"^{command} ", done.stdout, re.MULTILINE)


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        (["basic~XXX.OO1.3~O"], 3, "Cannot search basic~XXX.OO1.3~O: the game is over. X wins"),
        (["basic~XXX.OOO.3~X"], 3, "Both X and O have a line"),
        (["checkers"], 2, 'No game called "checkers"'),
        (["basic", "--algorithm", "dijkstra"], 2, "There is no search 'dijkstra'"),
        (["basic", "--nodes", "0"], 2, "nodes"),
        ([], 2, "position"),
    ],
)
def test_refusals(arguments: list[str], code: int, complaint: str) -> None:
    done = run("step", *arguments, entries="")
    assert done.returncode == code
    assert complaint.lower() in done.stderr.lower()


def test_registered_game() -> None:
    game = str(NIM)
    done = run("--load", game, "step", "nim~1.1.1~X", entries="cutoff\nend\n")
    assert done.returncode == 0
    assert "a |" in done.stdout
    assert "X plays" in done.stdout


# At a terminal


@pytest.fixture
def terminal() -> Iterator[Any]:
    """Return a function that starts `noughts step` in a shell at an 80×24 terminal."""
    running = []

    def spawn(arguments: str, size: tuple[int, int] = (24, 80), **variables: str) -> pexpect.spawn:
        child = pexpect.spawn(
            "/bin/sh",
            ["-c", f"trap : INT; {NOUGHTS} step {arguments}; echo code $?; stty -a; echo done"],
            encoding="utf-8",
            timeout=PATIENCE,
            dimensions=size,
            env={"TERM": "xterm-256color", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin", **variables},
        )
        running.append(child)
        child.expect("q quit")
        return child

    yield spawn
    for child in running:
        child.close(force=True)


def restored(child: pexpect.spawn, code: int) -> None:
    """Check the stepper's exit code, and that the terminal is restored."""
    child.expect(f"code {code}")
    left = child.before
    child.expect("done")
    assert "\x1b[?1049l" in left
    assert "\x1b[?25h" in left
    settings = child.before.split()
    assert "icanon" in settings
    assert "echo" in settings
    assert "susp = ^Z" in child.before


def test_keys_at_a_terminal(terminal: Any) -> None:
    recording = recorded("alphabeta", noughts.position("basic~OX1.1X1.2O~X"))
    child = terminal("basic --moves 5129")
    for keys, number in (
        (" ", 2),
        ("\x1b[C", 3),
        ("\x1b[D", 2),
        ("c", 13),
        ("b", 12),
        ("e", 168),
        ("s", 1),
        ("g120\r", 120),
        ("g12\x7f5\r", 15),
        ("\x1b[F", 168),
        ("\x1b[H", 1),
        ("\x1b[6~  ", 3),
        ("o", recording.over(3)),
    ):
        child.send(keys)
        child.expect(rf"event {number} of 168")
        child.expect("q quit")
    child.send("?")
    child.expect("Keys")
    child.send("x")
    child.expect(f"event {recording.over(3)} of 168")
    child.send("q")
    restored(child, 0)


def test_control_c_restores_the_terminal(terminal: Any) -> None:
    child = terminal("basic --moves 5129")
    child.sendintr()
    restored(child, 130)


def test_control_c_while_the_first_screen_is_drawn_restores_the_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Interrupted(io.StringIO):
        """A screen whose person presses Ctrl-C at the sight of it."""

        def write(self, text: str) -> int:
            is_first = "q quit" in text and "q quit" not in self.getvalue()
            written = super().write(text)
            if is_first:
                raise KeyboardInterrupt
            return written

    stepper = Stepper(recorded("alphabeta", noughts.position(NEAR_THE_END)), "alphabeta")
    screen = Interrupted()
    console = Console(file=screen, force_terminal=True, width=80, height=24)
    keyboard, descriptor = os.openpty()
    with os.fdopen(descriptor) as stdin, os.fdopen(keyboard):
        monkeypatch.setattr("sys.stdin", stdin)
        with pytest.raises(KeyboardInterrupt):
            browse(stepper, console, False)
    assert "\x1b[?1049h" in screen.getvalue()
    assert screen.getvalue().count("\x1b[?1049l") == 1


def test_end_of_input_leaves(terminal: Any) -> None:
    child = terminal("basic --moves 5129")
    child.sendeof()
    restored(child, 0)


def test_small_terminal_is_reported_and_a_larger_one_redrawn(terminal: Any) -> None:
    child = terminal("basic --moves 5129", size=(20, 60))
    assert "60×20" in child.before
    child.setwinsize(24, 80)
    child.expect("function ALPHA-BETA-SEARCH")
    child.send("q")
    restored(child, 0)


def test_ascii_and_no_colour(terminal: Any) -> None:
    child = terminal("basic --moves 5129 --ascii", NO_COLOR="1")
    child.send("c")
    child.expect("event 13 of 168")
    child.expect("q quit")
    assert child.before.isascii()
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]m|38;", child.before)
    child.send("q")
    restored(child, 0)


@pytest.mark.parametrize("most", [{"max_nodes": 1}, {"max_nodes": 7}, {"max_depth": 1}])
@pytest.mark.parametrize(("text", "position"), SAMPLES, ids=[text for text, _ in SAMPLES])
def test_truncated_trace_is_reported(text: str, position: str, most: dict[str, int]) -> None:
    recording = recorded(text, noughts.position(position), **most)
    stepper = Stepper(recording, text)
    assert recording.end is not None
    told = 0
    for number, event in enumerate(recording.events, 1):
        stepper.obey(f"go {number}")
        lines = [line.plain for line in page(stepper, 80, 24, Look())]
        assert sentence(stepper.moment)[:40] in "\n".join(lines)
        all_nodes = recording.end.recorded + recording.end.left_out
        missing = f"{recording.end.recorded:,} of {all_nodes:,} nodes are recorded"
        assert any(missing in line for line in lines) == (recording.end.left_out > 0)
        told += event.left_out if isinstance(event, trace.Leave) else 0
    if recording.start.search not in ("mcts", "negamax"):
        assert told == recording.end.left_out > 0
