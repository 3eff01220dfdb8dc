"""The events of a search, kept, so that any moment of it can be looked at at once.

    record(…, write=recording)     recording.at(120) ──► Moment   event · path · values · counters

Nothing is undone to go back: the state of a node at a moment is what its own last events before
it say, and these are found by bisection.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from noughts.games.position import Position
from noughts.search.trace import (
    Backpropagate,
    Best,
    Cut,
    Deepen,
    End,
    Enter,
    Event,
    Expand,
    Leaf,
    Leave,
    Rollout,
    Start,
)


class Seen(NamedTuple):
    """A node as it stands at a moment."""

    node: int
    move: int | None
    """The move that led here; `None` at the root."""
    position: Position
    maximizing: bool
    """Whether MAX is to move."""
    alpha: float | None
    beta: float | None
    score: float | None
    """What it is worth to MAX, as far as the search knows at the moment."""
    done: bool
    """Whether the search has left it."""
    cut: tuple[int, ...]
    """The moves that are cut off."""
    visits: int
    reward: float
    proven: float | None
    """Simulations of MCTS, what they brought the player who moved here, and the proven reward."""


class Recording:
    """Keeps events as a search writes them; a moment is the number of its event, from 1.

    Args:
        events: to begin with.
        most_events: keep so many and the last one, and only count the others in `dropped`.
    """

    def __init__(self, events: Iterable[Event] = (), most_events: int | None = None) -> None:
        self.events: list[Event] = []
        self.most_events = most_events
        self.dropped = 0
        self._kinds: dict[type, list[int]] = defaultdict(list)
        self._of: dict[int, list[int]] = defaultdict(list)
        self._below: dict[int | None, list[int]] = defaultdict(list)
        for event in events:
            self(event)

    def __call__(self, event: Event) -> None:
        """Keep one more event."""
        if (
            self.most_events is not None
            and len(self.events) >= self.most_events
            and not isinstance(event, End)
        ):
            self.dropped += 1
            return
        self.events.append(event)
        number = len(self.events)
        self._kinds[type(event)].append(number)
        if not isinstance(event, Start | Deepen | End):
            self._of[event.node].append(number)
        if isinstance(event, Enter | Expand):
            self._below[event.parent].append(number)

    def __len__(self) -> int:
        return len(self.events)

    def at(self, number: int) -> Moment:
        """Return the moment right after event `number`, which is from 1 to `len(self)`."""
        if not 1 <= number <= len(self):
            raise IndexError(f"there is no event {number}: they go from 1 to {len(self)}")
        return Moment(self, number)

    @property
    def start(self) -> Start:
        """The first event."""
        start = self.events[0]
        assert isinstance(start, Start)
        return start

    @property
    def end(self) -> End | None:
        """The last event, once the search is over."""
        last = self.events[-1]
        return last if isinstance(last, End) else None

    def next(self, number: int, *kinds: type) -> int | None:
        """Return the first event of these kinds behind `number`, if there is one."""
        found = [
            numbers[place]
            for numbers in (self._kinds[kind] for kind in kinds)
            if (place := bisect_right(numbers, number)) < len(numbers)
        ]
        return min(found, default=None)

    def over(self, number: int) -> int:
        """Return the moment one step on, where a step into a node runs until it is left.

        With MCTS it runs to the end of the simulation.
        """
        if number >= len(self):
            return number
        event = self.events[number]
        if isinstance(event, Enter):
            return self._of[event.node][-1]
        roots = self._below[None]
        if roots and isinstance(self.events[roots[0] - 1], Expand) and number >= roots[0]:
            counted = (n for n in self._of[1] if isinstance(self.events[n - 1], Backpropagate))
            return next((n for n in counted if n > number), number + 1)
        return number + 1

    def parent(self, node: int) -> int | None:
        """Return the number of the node above."""
        return self._entry(node).parent

    def _entry(self, node: int) -> Enter | Expand:
        event = self.events[self._of[node][0] - 1]
        assert isinstance(event, Enter | Expand)
        return event

    def seen(self, node: int, number: int) -> Seen:
        """Return a node as it stands at moment `number`."""
        entry = self._entry(node)
        alpha, beta = (entry.alpha, entry.beta) if isinstance(entry, Enter) else (None, None)
        score: float | None = None
        done = False
        cut: tuple[int, ...] = ()
        told: Backpropagate | None = None
        numbers = self._of[node]
        for place in range(bisect_right(numbers, number) - 1, 0, -1):
            event = self.events[numbers[place] - 1]
            match event:
                case Backpropagate():
                    told = event
                    break
                case Leaf() | Leave():
                    score, done = event.score, True
                case Cut():
                    cut = event.moves
                case Best():
                    score = event.score if score is None else score
                    alpha, beta = event.alpha, event.beta
                    break
        visits, reward, proven = told[1:] if told else (0, 0.0, None)
        maximizing = entry.position.turn is self.start.position.turn
        return Seen(
            *(node, entry.move, entry.position, maximizing, alpha, beta, score, done, cut),
            *(visits, reward, proven),
        )

    def counted(self, kind: type, number: int) -> int:
        """Return how many events of a kind there are up to moment `number`."""
        return bisect_right(self._kinds[kind], number)

    def children(self, node: int, number: int) -> list[int]:
        """Return the nodes entered below a node up to moment `number`."""
        numbers = self._below[node]
        below = (self.events[n - 1] for n in numbers[: bisect_right(numbers, number)])
        return [event.node for event in below if isinstance(event, Enter | Expand)]

    def root(self, number: int) -> int | None:
        """Return the root that was entered last up to moment `number`."""
        numbers = self._below[None]
        place = bisect_right(numbers, number)
        if not place:
            return None
        root = self.events[numbers[place - 1] - 1]
        assert isinstance(root, Enter | Expand)
        return root.node


@dataclass(frozen=True)
class Moment:
    """A search right after one of its events."""

    recording: Recording
    number: int

    @property
    def event(self) -> Event:
        return self.recording.events[self.number - 1]

    @cached_property
    def node(self) -> int | None:
        """The node that the event is about; at the end the root."""
        match self.event:
            case Start() | Deepen():
                return None
            case End():
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
            "nodes": self.recording.counted(Enter, self.number)
            + self.recording.counted(Expand, self.number)
        }
        if self.recording.start.search == "mcts":
            root = self.recording.root(self.number)
            visits = self.recording.seen(root, self.number).visits if root else 0
            return counted | {"simulations": visits}
        return counted | {
            "leaves": self.recording.counted(Leaf, self.number),
            "cutoffs": self.recording.counted(Cut, self.number),
        }


NEXT: dict[str, tuple[type, ...]] = {"cutoff": (Cut,), "leaf": (Leaf, Rollout)}
"""The events that one may run to, by name; MCTS has rollouts in the place of leaves."""
