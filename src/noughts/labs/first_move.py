"""The lab `first-move`: the score of X when an agent plays itself, at rising depth.

rules × agents × depths ──first_points()──► FirstMovePoint: X's results, score ± 95 %
                              │
opening of two random moves ──┴── games between two players with the same settings
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from noughts.arena.openings import Opening, random_openings
from noughts.arena.statistics import score, score_margin
from noughts.games import registry
from noughts.games.position import Player
from noughts.games.words import percent
from noughts.labs.report import Progress, Report, silent
from noughts.opponents import Opponent, opponent

RULES = (
    "advanced",
    "advanced:full=draw",
    "ultimate",
    "ultimate:won=open",
    "ultimate:tie=boards",
    "ultimate:tie=boards,won=open",
)
AGENTS = {
    "report": "engine:method=alphabeta,evaluation=report,table=16,depth={}",
    "textbook": "alphabeta:depth={}",
    "engine": "engine:table=16,depth={}",
}
"""The opponents by name: alpha-beta with the report's evaluation, with ours, and the engine."""
TEXTBOOK_DEPTH = 3
"""Deepest search of the textbook agent, which is in Python and slow."""
OPENING_PLIES = 2
FEWEST_GAMES = 20
"""Games below which a point decides nothing: the interval is that of a normal distribution."""


@dataclass(frozen=True)
class FirstMovePoint:
    """The games of an agent against itself, at one depth."""

    rules: str
    agent: str
    depth: int
    wins: int
    """Games won by X."""
    draws: int
    losses: int

    @property
    def counts(self) -> tuple[int, int, int]:
        return self.losses, self.draws, self.wins

    @property
    def score(self) -> float:
        """The share of the points that X won, 0 to 1."""
        return score(self.counts)

    @property
    def error(self) -> float:
        """Half the 95 % interval of the score."""
        return score_margin(self.counts)

    @property
    def ahead(self) -> Player | None:
        """The player whose interval lies above one half; `None` if undecided, or of few games."""
        if sum(self.counts) < FEWEST_GAMES or abs(self.score - 0.5) <= self.error:
            return None
        return Player.X if self.score > 0.5 else Player.O

    def data(self) -> dict[str, Any]:
        """Return the point as a JSON object."""
        return {
            "rules": self.rules,
            "agent": self.agent,
            "bot": bot_text(self.agent, self.depth),
            "depth": self.depth,
            "games": sum(self.counts),
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "score": self.score,
            "error": self.error,
            "ahead": None if self.ahead is None else self.ahead.value,
        }

    def __str__(self) -> str:
        return f"{100 * self.score:.0f} ± {100 * self.error:.0f} {self.ahead or '·'}"


def points_of(report: Report) -> list[FirstMovePoint]:
    """Return the points of a report of this lab."""
    names = ("rules", "agent", "depth", "wins", "draws", "losses")
    return [FirstMovePoint(*(each[name] for name in names)) for each in report.data["points"]]


def bot_text(agent: str, depth: int) -> str:
    """Return the text of an agent as an opponent."""
    return AGENTS[agent].format(depth)


def deepest(agent: str, depth: int) -> int:
    """Return the deepest search of an agent in a lab to `depth`."""
    return min(depth, TEXTBOOK_DEPTH) if agent == "textbook" else depth


def first_move(
    *, seed: int = 0, games: int = 40, depth: int = 4, progress: Progress = silent
) -> Report:
    """Let three agents play themselves on nine boards, at rising depth, and count X's points.

    Args:
        seed: of the openings; more games with one seed begin with the same games.
        games: for each point, at least 2.
        depth: of the deepest searches, in plies.
        progress: called after each game.

    Raises:
        ValueError: fewer than 2 games, or no depth.
    """
    if games < 2:
        raise ValueError(f"{games} games have no error bar; at least 2 are wanted")
    if depth < 1:
        raise ValueError(f"the depth is 1 or more, not {depth}")
    points = list(first_points(RULES, games, depth, seed, progress))
    by_rules = {rules: [each for each in points if each.rules == rules] for rules in RULES}
    depths = range(1, depth + 1)
    rows = []
    for rules, own in by_rules.items():
        for agent in AGENTS:
            cells = {each.depth: str(each) for each in own if each.agent == agent}
            rows.append((rules, agent, *(cells.get(each, "") for each in depths)))
    verdicts = " ".join(verdict(rules, own) for rules, own in by_rules.items())
    return Report(
        name="first-move",
        claim="The course report: advanced and ultimate go to whoever moves first and is careful.",
        headers=("game", "agent", *(f"depth {each}" for each in depths)),
        rows=tuple(rows),
        teaches=f"Each agent plays itself {games:,} times at each depth: X's share of the points "
        "in per cent, ± half the 95 % interval, and the player whose interval lies above 50. A dot "
        f"stands where these games do not decide, and below {FEWEST_GAMES} games. “report” is "
        "alpha-beta with the course report's evaluation, “textbook” alpha-beta with the default "
        f"evaluation, in Python and so to depth {deepest('textbook', depth)} only, “engine” the "
        f"native engine. The first {OPENING_PLIES} moves of a game are random (seed {seed}), no "
        "two games have the same, and none leaves a win at once; so X does not choose its first "
        "move. "
        f"The deepest searches of each agent say: {verdicts} One interval in twenty misses by "
        "chance. A score describes these agents at these depths, not best play. With best play X "
        "wins with won=open (Bertholon et al. 2020), and in advanced, with and without full=draw, "
        "by the proofs of noughts (docs/proof.md); for the other rules we know of no proof.",
        data={
            "seed": seed,
            "games": games,
            "depth": depth,
            "opening_plies": OPENING_PLIES,
            "points": [each.data() for each in points],
        },
    )


def first_points(
    rules: Sequence[str], games: int, depth: int, seed: int, progress: Progress = silent
) -> Iterator[FirstMovePoint]:
    """Yield the points of all agents at depth 1 to `depth`, for each rules id."""
    plan = [
        (each, agent, plies)
        for each in rules
        for agent in AGENTS
        for plies in range(1, deepest(agent, depth) + 1)
    ]
    for index, (each, agent, plies) in enumerate(plan):
        text = bot_text(agent, plies)
        players = {side: opponent(text, seed=0) for side in Player}
        counts: dict[Player | None, int] = dict.fromkeys((*Player, None), 0)
        for done, opening in enumerate(random_openings(each, OPENING_PLIES, games, seed)):
            progress(index * games + done, len(plan) * games)
            counts[winner(opening, players)] += 1
        yield FirstMovePoint(each, agent, plies, counts[Player.X], counts[None], counts[Player.O])
    progress(len(plan) * games, len(plan) * games)


def winner(opening: Opening, players: dict[Player, Opponent]) -> Player | None:
    """Play a game from an opening to its end; return the winner."""
    for player in players.values():
        player.new_game()
    position = registry.game(opening.start).after(opening.moves)
    while (outcome := position.outcome()) is None:
        move = players[position.turn].choose(position).move
        assert move is not None, "the game is not over"
        position = position.play(move)
    return outcome.winner


def verdict(rules: str, points: Sequence[FirstMovePoint]) -> str:
    """Return the conclusion from the deepest searches of each agent, as a sentence."""
    last = {each.agent: each for each in points}  # the points of an agent rise in depth
    said = []
    for side, name in ((Player.X, "first"), (Player.O, "second")):
        ahead = [
            f"{agent} ({percent(each.score, 0)} ± {100 * each.error:.0f} for X at depth "
            f"{each.depth})"
            for agent, each in last.items()
            if each.ahead is side
        ]
        if ahead:
            said.append(f"{name} player ahead with {' and '.join(ahead)}")
    undecided = [agent for agent, each in last.items() if each.ahead is None]
    if undecided:
        every = len(undecided) == len(last)
        said.append(f"not decided with {'any agent' if every else ' and '.join(undecided)}")
    return f"{rules}: {', '.join(said)}."
