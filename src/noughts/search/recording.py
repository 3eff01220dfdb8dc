"""The recorded events of a search, with random access to every moment.

    record(…, write=recording)     recording.at(120) ──► Moment   event · path · values · counters

The state of a node at a moment follows from the last events of that node, found by bisection.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from noughts.games.position import Position
from noughts.search import trace


class Seen(NamedTuple):
    """The state of a node at a moment."""

    node: int
    move: int | None
    """The move that led here; `None` at the root."""
    position: Position
    maximizing: bool
    """Whether MAX is to move."""
    alpha: float | None
    beta: float | None
    score: float | None
    """Its score for MAX, so far or final."""
    bound: trace.Bound
    """How the score relates to the value of the node."""
    done: bool
    """Whether the search has left the node."""
    cut: tuple[int, ...]
    """Moves cut off."""
    visits: int
    reward: float
    proven: float | None
    """MCTS: simulations, their total `reward` and the proven reward, for the last mover."""


class Recording:
    """Keeps the events of a search; a moment is the number of its event, from 1.

    Args:
        events: the first events.
        max_events: keep this many and the last one; `dropped` counts the others.
    """

    def __init__(self, events: Iterable[trace.Event] = (), max_events: int | None = None) -> None:
        self.events: list[trace.Event] = []
        self.max_events = max_events
        self.dropped = 0
        self._kinds: dict[type, list[int]] = defaultdict(list)
        self._of: dict[int, list[int]] = defaultdict(list)
        self._below: dict[int | None, list[int]] = defaultdict(list)
        for event in events:
            self(event)

    def __call__(self, event: trace.Event) -> None:
        """Keep one more event."""
        if (
            self.max_events is not None
            and len(self.events) >= self.max_events
            and not isinstance(event, trace.End)
        ):
            self.dropped += 1
            return
        self.events.append(event)
        number = len(self.events)
        self._kinds[type(event)].append(number)
        if not isinstance(event, trace.Start | trace.Deepen | trace.End):
            self._of[event.node].append(number)
        if isinstance(event, trace.Enter | trace.Expand):
            self._below[event.parent].append(number)

    def __len__(self) -> int:
        return len(self.events)

    def at(self, number: int) -> Moment:
        """Return the moment after event `number`, 1 to `len(self)`."""
        if not 1 <= number <= len(self):
            raise IndexError(
                f"There is no event {number}. Events have the numbers 1 to {len(self)}."
            )
        return Moment(self, number)

    @property
    def start(self) -> trace.Start:
        """The first event."""
        start = self.events[0]
        assert isinstance(start, trace.Start)
        return start

    @property
    def end(self) -> trace.End | None:
        """The last event, once the search is over."""
        last = self.events[-1]
        return last if isinstance(last, trace.End) else None

    def next(self, number: int, *kinds: type) -> int | None:
        """Return the first event of these kinds after `number`, if any."""
        found = [
            numbers[place]
            for numbers in (self._kinds[kind] for kind in kinds)
            if (place := bisect_right(numbers, number)) < len(numbers)
        ]
        return min(found, default=None)

    def over(self, number: int) -> int:
        """Return the next moment; after the entry of a node, the moment when its search has ended.

        With MCTS skip to the end of the simulation.
        """
        if number >= len(self):
            return number
        event = self.events[number]
        if isinstance(event, trace.Enter):
            return self._of[event.node][-1]
        roots = self._below[None]
        if roots and isinstance(self.events[roots[0] - 1], trace.Expand) and number >= roots[0]:
            counted = (
                n for n in self._of[1] if isinstance(self.events[n - 1], trace.Backpropagate)
            )
            return next((n for n in counted if n > number), number + 1)
        return number + 1

    def parent(self, node: int) -> int | None:
        """Return the number of the parent node."""
        return self._entry(node).parent

    def _entry(self, node: int) -> trace.Enter | trace.Expand:
        event = self.events[self._of[node][0] - 1]
        assert isinstance(event, trace.Enter | trace.Expand)
        return event

    def seen(self, node: int, number: int) -> Seen:
        """Return the state of a node at moment `number`."""
        entry = self._entry(node)
        alpha, beta = (entry.alpha, entry.beta) if isinstance(entry, trace.Enter) else (None, None)
        score: float | None = None
        bound: trace.Bound = "none"
        done = False
        cut: tuple[int, ...] = ()
        told: trace.Backpropagate | None = None
        maximizing = entry.position.turn is self.start.position.turn
        numbers = self._of[node]
        for place in range(bisect_right(numbers, number) - 1, 0, -1):
            event = self.events[numbers[place] - 1]
            match event:
                case trace.Backpropagate():
                    told = event
                    break
                case trace.Leaf() | trace.Leave():
                    score, bound, done = event.score, event.bound, True
                case trace.Cut():
                    cut = event.moves
                case trace.Best():
                    if not done:
                        score, bound = event.score, trace.so_far(event.bound, maximizing)
                    alpha, beta = event.alpha, event.beta
                    break
        visits, reward, proven = told[1:] if told else (0, 0.0, None)
        return Seen(
            *(node, entry.move, entry.position, maximizing, alpha, beta, score, bound, done),
            *(cut, visits, reward, proven),
        )

    def counted(self, kind: type, number: int) -> int:
        """Return the number of events of a kind up to moment `number`."""
        return bisect_right(self._kinds[kind], number)

    def children(self, node: int | None, number: int) -> list[int]:
        """Return the children of a node entered up to moment `number`; of `None`, the roots."""
        numbers = self._below[node]
        below = (self.events[n - 1] for n in numbers[: bisect_right(numbers, number)])
        return [event.node for event in below if isinstance(event, trace.Enter | trace.Expand)]

    def root(self, number: int) -> int | None:
        """Return the root that was entered last up to moment `number`."""
        roots = self.children(None, number)
        return roots[-1] if roots else None


@dataclass(frozen=True)
class Moment:
    """A search right after one of its events."""

    recording: Recording
    number: int

    @property
    def event(self) -> trace.Event:
        return self.recording.events[self.number - 1]

    @cached_property
    def node(self) -> int | None:
        """The node that the event is about; at the end the root."""
        match self.event:
            case trace.Start() | trace.Deepen():
                return None
            case trace.End():
                return self.recording.root(self.number)
            case event:
                return event.node

    @cached_property
    def path(self) -> list[Seen]:
        """The nodes from the root to the one that the event is about."""
        path, node = [], self.node
        while node is not None:
            path.append(self.recording.seen(node, self.number))
            node = self.recording.parent(node)
        return path[::-1]

    @property
    def position(self) -> Position:
        """The position that the event is about."""
        return self.path[-1].position if self.path else self.recording.start.position

    @property
    def below(self) -> list[Seen]:
        """The nodes entered below the one that the event is about."""
        if self.node is None:
            return []
        children = self.recording.children(self.node, self.number)
        return [self.recording.seen(child, self.number) for child in children]

    def before(self, node: int) -> Seen:
        """Return a node as it stood before the event."""
        return self.recording.seen(node, self.number - 1)

    @property
    def counters(self) -> dict[str, int]:
        """Nodes entered, leaves and cutoffs so far; with MCTS the simulations counted."""
        counted = {
            "nodes": self.recording.counted(trace.Enter, self.number)
            + self.recording.counted(trace.Expand, self.number)
        }
        if self.recording.start.search == "mcts":
            root = self.recording.root(self.number)
            visits = self.recording.seen(root, self.number).visits if root else 0
            return counted | {"simulations": visits}
        return counted | {
            "leaves": self.recording.counted(trace.Leaf, self.number),
            "cutoffs": self.recording.counted(trace.Cut, self.number),
        }


NEXT: dict[str, tuple[type, ...]] = {"cutoff": (trace.Cut,), "leaf": (trace.Leaf, trace.Rollout)}
"""The events to which a viewer can run, by name; MCTS has rollouts in place of leaves."""
