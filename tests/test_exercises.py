"""Exercises: answers by another path, one right answer, no two alike, marking, figures."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import permutations
from typing import Any, NamedTuple
from xml.etree import ElementTree

import pytest

import noughts
from noughts.exercises.exercise import BadAnswer, BadExercises, Exercise, Grade, mark
from noughts.exercises.grading import GRADES, difficulty_of
from noughts.exercises.make import KINDS, TooFew, exercises
from noughts.exercises.material import Wish
from noughts.games.given_tree import GivenTree
from noughts.games.position import Player, Position, canonical_key
from noughts.games.row import RowPosition
from noughts.views.exercise_figure import figure_text, picture

NUMBER = 200
"""Exercises of each kind that are compared; of `move`, which needs proofs, `MOVES`."""
MOVES = 30
GAME_TREES = 40


@cache
def sample(kind: str) -> list[Exercise]:
    """Return exercises of a kind: on random trees or tic-tac-toe, then on positions of games."""
    found = list(exercises(kind, MOVES if kind == "move" else NUMBER, seed=5))
    if kind in ("minimax", "alphabeta", "count"):
        found += exercises(kind, GAME_TREES, 5, Wish(game="basic"))
        found += exercises(kind, GAME_TREES, 5, Wish(game="ultimate"))
    return found


each_kind = pytest.mark.parametrize("kind", KINDS)


# Independent computations on the nodes of the figure ----------------------------------------------


class Branch(NamedTuple):
    """A node of the figure, with its children."""

    name: str
    value: float
    children: Sequence[Any]


def tree_of(exercise: Exercise) -> Branch:
    children: dict[str | None, list[str]] = {}
    for node in exercise.figure:
        children.setdefault(node.parent, []).append(node.name)
    given = {node.name: node.given for node in exercise.figure}

    def below(name: str) -> Branch:
        inner = [below(child) for child in children.get(name, ())]
        value = math.nan if inner else float(given[name][0].replace("−", "-"))
        return Branch(name, value, inner)

    return below(exercise.figure[0].name)


def minimax_values(node: Branch, maximizing: bool = True) -> dict[str, float]:
    found: dict[str, float] = {}
    if not node.children:
        return {node.name: node.value}
    for child in node.children:
        found |= minimax_values(child, not maximizing)
    values = [found[child.name] for child in node.children]
    found[node.name] = max(values) if maximizing else min(values)
    return found


Windows = dict[str, tuple[float, float, float]]


def alphabeta_windows(root: Branch) -> Windows:
    """Return alpha and beta at entry, and the returned value, of each node that is entered.

    As negamax in fail-soft form, unlike the searches of the package.
    """
    found: Windows = {}

    def negamax(node: Branch, low: float, high: float, sign: int) -> float:
        window = (low, high) if sign > 0 else (-high, -low)
        best = sign * node.value
        if node.children:
            best = -math.inf
            for child in node.children:
                best = max(best, -negamax(child, -high, -max(low, best), -sign))
                if best >= high:
                    break
        found[node.name] = (*window, sign * best)
        return best

    negamax(root, -math.inf, math.inf, 1)
    return found


def number(text: str) -> float:
    return float(text.replace("−", "-").replace("∞", "inf"))


def answers(exercise: Exercise) -> dict[str, str]:
    return {entry.name: entry.answer for entry in exercise.entries}


def leaves(node: Branch) -> list[str]:
    if not node.children:
        return [node.name]
    return [name for child in node.children for name in leaves(child)]


def test_minimax_values() -> None:
    compared = 0
    for exercise in sample("minimax"):
        root, given = tree_of(exercise), answers(exercise)
        values = minimax_values(root)
        inner = set(values) - set(leaves(root))
        assert {name: number(given[f"{name}.value"]) for name in inner} == {
            name: values[name] for name in inner
        }
        best = [child.name for child in root.children if values[child.name] == values["A"]]
        assert [given["choice"]] == best
        compared += len(inner)
    assert compared > 1200


def test_leaf_values_of_games_are_results() -> None:
    compared = 0
    for exercise in sample("minimax")[NUMBER:]:
        mover = noughts.position(exercise.source).turn
        for node in exercise.figure:
            outcome = noughts.position(node.position).outcome()
            assert (outcome is None) == (not node.given)
            if outcome is not None:
                result = 0 if outcome.winner is None else 1 if outcome.winner is mover else -1
                assert number(node.given[0]) == result
                compared += 1
    assert compared > 300


def test_alphabeta_windows() -> None:
    compared = 0
    for exercise in sample("alphabeta"):
        root, given = tree_of(exercise), answers(exercise)
        entered, all_leaves = alphabeta_windows(root), leaves(root)
        pruned = [name for name in all_leaves if name not in entered]
        assert given["pruned"].split() == pruned
        assert pruned
        assert {node.name for node in exercise.figure if node.pruned} == {
            node.name for node in exercise.figure
        } - set(entered)
        for name in {node.name for node in exercise.figure} - set(all_leaves):
            asked = ("value",) if name == "A" else ("alpha", "beta", "value")
            for column, expected in zip(
                ("alpha", "beta", "value"), entered.get(name, ("-",) * 3), strict=True
            ):
                if column in asked:
                    answer = given[f"{name}.{column}"]
                    assert answer == "-" if expected == "-" else number(answer) == expected
                    compared += 1
    assert compared > 3000


def test_orders() -> None:
    for exercise in sample("order"):
        root, given = tree_of(exercise), answers(exercise)
        all_leaves = set(leaves(root))

        def searched(order: Sequence[str], root: Branch = root) -> int:
            named = {child.name: child for child in root.children}
            turned = root._replace(children=[named[name] for name in order])
            return len(set(leaves(root)) & set(alphabeta_windows(turned)))

        drawn = [child.name for child in root.children]
        assert int(given["drawn"]) == searched(drawn)
        by_choice = {choice: searched(choice.split()) for choice in exercise.entry("best").choices}
        least = min(by_choice.values())
        assert [each for each, count in by_choice.items() if count == least] == [given["best"]]
        assert int(given["fewest"]) == least <= len(all_leaves)
        orders = permutations(drawn) if len(drawn) < 4 else [drawn, drawn[::-1]]
        assert least <= min(map(searched, orders))


def test_counts() -> None:
    for exercise in sample("count"):
        root, given = tree_of(exercise), answers(exercise)
        entered = alphabeta_windows(root)
        assert int(given["minimax"]) == len(exercise.figure)
        assert int(given["alphabeta"]) == len(entered) < len(exercise.figure)
        assert int(given["leaves"]) == len(set(leaves(root)) & set(entered))


def open_to(position: RowPosition, other: Player) -> int:
    """Return the number of lines without a mark of `other`, cell by cell."""
    rules = position.rules
    found = 0
    for row in range(rules.rows):
        for column in range(rules.columns):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = [(row + n * down, column + n * right) for n in range(rules.k)]
                if all(r < rules.rows and 0 <= c < rules.columns for r, c in cells):
                    marks = {position.mark(r * rules.columns + c) for r, c in cells}
                    found += other not in marks
    return found


def test_evaluations() -> None:
    for exercise in sample("evaluation"):
        position = noughts.position(exercise.source)
        assert isinstance(position, RowPosition)
        x, o = open_to(position, Player.O), open_to(position, Player.X)
        given = answers(exercise)
        assert given == {"X.lines": str(x), "O.lines": str(o), "E": str(x - o)}


@cache
def result(position: Position) -> int:
    """Return 1, 0 or -1 for the side to move, by minimax."""
    outcome = position.outcome()
    if outcome is not None:
        return 0 if outcome.winner is None else 1 if outcome.winner is position.turn else -1
    return max(-result(position.play(move)) for move in position.legal_moves())


def cells_that_win(position: Position, player: Player) -> set[int]:
    """Return the empty cells of a tic-tac-toe board that complete a line of a player."""
    text = str(position).split("~")[1].replace(".", "")
    cells = re.sub(r"\d", lambda run: "." * int(run[0]), text)
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    return {
        cell
        for line in lines
        for cell in line
        if cells[cell] == "." and all(cells[c] == str(player) for c in line if c != cell)
    }


def test_best_moves() -> None:
    """The best move is the only one by minimax, and one reason is true of it."""
    seen = set()
    for exercise in sample("move"):
        position, given = noughts.position(exercise.source), answers(exercise)
        values = {move: -result(position.play(move)) for move in position.legal_moves()}
        best = [move for move, value in values.items() if value == max(values.values())]
        assert [position.move_text(move) for move in best] == [given["move"]]
        move, mover = best[0], position.turn
        own, other = cells_that_win(position, mover), cells_that_win(position, mover.other)
        after = cells_that_win(position.play(move), mover)
        others = [value for each, value in values.items() if each != move]
        wins = move in own
        true = [
            wins,
            move in other,
            not wins and values[move] == 1 and len(after) > 1,
            not wins and values[move] == 1 and len(after) < 2,
            values[move] == 0 and max(others) == -1 and not other,
        ]
        choices = exercise.entry("why").choices
        assert [choice for choice, is_true in zip(choices, true, strict=True) if is_true] == [
            given["why"]
        ]
        seen.add(given["why"])
    assert len(seen) > 3


@pytest.mark.parametrize("game", ["connect4:4,4", "mnk:4,3,3"])
def test_best_moves_of_other_games(game: str) -> None:
    compared = 0
    for exercise in exercises("move", 15, 1, Wish(game=game)):
        position, given = noughts.position(exercise.source), answers(exercise)
        if position.ply >= 6:
            values = {move: -result(position.play(move)) for move in position.legal_moves()}
            best = [move for move, value in values.items() if value == max(values.values())]
            assert [position.move_text(move) for move in best] == [given["move"]]
            compared += 1
    assert compared > 5


def test_simulations() -> None:
    """The bounds, the choices and the new counts follow from the given counts."""
    deep = 0
    for exercise in sample("mcts"):
        given, figure = answers(exercise), {node.name: node for node in exercise.figure}

        def count(name: str, at: int, figure: Any = figure) -> float:
            return float(figure[name].given[at].partition("= ")[2])

        winner = re.search(r"is won by ([XO])", exercise.task)
        path, at = ["A"], "A"
        while f"{at}.selected" in given:
            children = [node.name for node in exercise.figure if node.parent == at]
            bounds = {
                name: count(name, 1) / count(name, 0)
                + math.sqrt(math.log(count(at, 0)) / count(name, 0))
                for name in children
            }
            for name, bound in bounds.items():
                assert abs(number(given[f"{name}.bound"]) - bound) <= 0.0051
            best = max(bounds, key=bounds.__getitem__)
            assert sum(bound > bounds[best] - 0.015 for bound in bounds.values()) == 1
            assert given[f"{at}.selected"] == best
            at = best
            path.append(at)
        deep += len(path) > 2
        new = re.search(r"The new node is (\w+), ([XO])'s move", exercise.task)
        assert new
        movers = {name: "O" if figure[name].role[0] == "X" else "X" for name in figure}
        movers[new[1]] = new[2]
        for name in [*figure, new[1]]:
            passed = name in path or name == new[1]
            visits = count(name, 0) if name in figure else 0
            reward = count(name, 1) if name in figure and name != "A" else 0
            gain = 0.5 if winner is None else float(winner[1] == movers[name])
            assert number(given[f"{name}.visits"]) == visits + passed
            if name != "A":
                assert number(given[f"{name}.reward"]) == reward + gain * passed
    assert deep


# All kinds ----------------------------------------------------------------------------------------


@each_kind
def test_no_two_are_alike(kind: str) -> None:
    found = sample(kind)[: MOVES if kind == "move" else NUMBER]

    def key(exercise: Exercise) -> object:
        if exercise.source.startswith("("):
            tree = GivenTree.parse(exercise.source)
            numbers = [int(text) for text in re.findall(r"-?\d+", exercise.source)]
            least = min(numbers)
            shape = re.sub(r"-?\d+", "n", str(tree))
            return shape, tuple(each - least for each in numbers)
        counts = [node.given for node in exercise.figure] if kind == "mcts" else []
        return canonical_key(noughts.position(exercise.source)), str(counts)

    assert len({key(each) for each in found}) == len(found)
    assert len(found) >= MOVES


def wrong_answers(exercise: Exercise) -> Iterator[tuple[str, str]]:
    for entry in exercise.entries:
        if entry.kind == "number":
            yield from ((entry.name, text) for text in entry.mistakes)
            yield entry.name, "987"
        elif entry.kind == "choice":
            yield from ((entry.name, each) for each in entry.choices if each != entry.answer)
        else:
            names = set(entry.answer.split())
            yield from ((entry.name, " ".join(names ^ {each})) for each in entry.choices)


@each_kind
def test_marks(kind: str) -> None:
    """Right answers are marked right, in each spelling, and no others; each has a reason."""
    wrong = 0
    for exercise in sample(kind)[::3]:
        shown = {entry.name: entry.shown for entry in exercise.entries}
        for given in (answers(exercise), shown):
            marks = mark(exercise, given)
            assert [each.name for each in marks] == [entry.name for entry in exercise.entries]
            assert all(each.right and each.says.endswith(".") for each in marks)
        for name, text in wrong_answers(exercise):
            [found] = mark(exercise, {name: text})
            assert not found.right
            assert found.says.endswith(".")
            wrong += 1
    assert wrong > 50


def test_mistakes_are_named() -> None:
    """A typical wrong number has its own sentence, and the sentence is true."""
    extremes = 0
    for exercise in sample("minimax"):
        values = minimax_values(tree_of(exercise))
        for entry in exercise.entries:
            for wrong, says in entry.mistakes.items():
                told = re.match(r"(\S+) is the (largest|smallest) of (.+), but (\w+) is a", says)
                if told:
                    numbers = [number(each) for each in re.findall(r"−?\d+", told[3])]
                    end = max if told[2] == "largest" else min
                    assert number(wrong) == number(told[1]) == end(numbers)
                    assert values[told[4]] in numbers
                    extremes += 1
    assert extremes > 500


CUT = re.compile(
    r"(\w+) is cut off after (?:leaf )?(\w+), where its value, (\S+), is (.+?), (\S+)\."
)
SURE = re.compile(r"(Alpha|Beta) is (\S+): (MAX|MIN) is already sure of it at (\w+)\.")


def test_reasons_of_alphabeta_are_true() -> None:
    cuts = sure = 0
    for exercise in sample("alphabeta"):
        root, figure = tree_of(exercise), {node.name: node for node in exercise.figure}
        entered = alphabeta_windows(root)
        for entry in exercise.entries:
            for name, last, value, relation, edge in CUT.findall(entry.why):
                is_max = figure[name].role == "MAX"
                alpha, beta, returned = entered[name]
                assert number(value) == returned
                assert number(edge) == (beta if is_max else alpha)
                assert relation == ("at least beta" if is_max else "at most alpha")
                assert returned >= beta if is_max else returned <= alpha
                children = [node.name for node in exercise.figure if node.parent == name]
                assert last in entered
                assert not set(children[children.index(last) + 1 :]) & set(entered)
                cuts += 1
            told = SURE.fullmatch(entry.why)
            if told:
                above = figure[entry.row].parent
                while above != told[4]:
                    assert above is not None
                    above = figure[above].parent
                assert above is not None
                assert figure[above].role == told[3]
                assert number(told[2]) == number(entry.answer)
                sure += 1
    assert cuts > 500
    assert sure > 500


def test_formulas_of_bounds_are_true() -> None:
    compared = 0
    for exercise in sample("mcts"):
        for entry in exercise.entries:
            told = re.fullmatch(r"(\S+)/(\d+) \+ √\(ln (\d+) / (\d+)\) = (\S+)\.", entry.why)
            if told:
                reward, visits, parent, again, bound = map(float, told.groups())
                assert visits == again
                assert abs(reward / visits + math.sqrt(math.log(parent) / visits) - bound) < 0.0051
                compared += 1
    assert compared > 800


def test_answers_in_other_words() -> None:
    [exercise] = exercises("alphabeta", 1, seed=2)
    names = [entry.name for entry in exercise.entries if entry.answer == "-inf"]
    for text in ("-inf", "−∞", " -Infinity ", "-oo"):
        assert mark(exercise, {names[0]: text})[0].right
    pruned = exercise.entry("pruned")
    backwards = ", ".join(reversed(pruned.answer.split())).upper()
    assert mark(exercise, {"pruned": backwards})[0].right
    assert not mark(exercise, {"pruned": "none"})[0].right
    [bad] = mark(exercise, {names[0]: "much"})
    assert (bad.right, bad.says) == (False, "'much' is not a number.")
    with pytest.raises(BadAnswer, match="'zz' is none of"):
        pruned.read("zz")
    with pytest.raises(BadAnswer):
        exercise.entry(names[0]).read("nan")
    with pytest.raises(KeyError):
        mark(exercise, {"nothing": "1"})


def test_bounds_are_rounded() -> None:
    [exercise] = exercises("mcts", 1, seed=2)
    entry = next(each for each in exercise.entries if each.name.endswith(".bound"))
    right = float(entry.answer)
    for value, is_right in ((right + 0.01, True), (right - 0.01, True), (right + 0.02, False)):
        assert mark(exercise, {entry.name: f"{value:.2f}".replace(".", ",")})[0].right is is_right


@each_kind
def test_difficulty(kind: str) -> None:
    easy, medium = GRADES[kind]
    points = (easy, easy + 1, medium, medium + 1)
    assert [difficulty_of(kind, each) for each in points] == ["easy", "medium", "medium", "hard"]
    found = {grade: list(exercises(kind, 2, 1, Wish(difficulty=grade))) for grade in Grade}
    for grade, chosen in found.items():
        assert [each.difficulty for each in chosen] == [grade] * 2
        assert all(difficulty_of(kind, each.points) is grade for each in chosen)


def test_points_measure_work() -> None:
    for exercise in sample("minimax"):
        assert exercise.points == len(exercise.figure) - 1
    for exercise in sample("evaluation"):
        position = noughts.position(exercise.source)
        assert isinstance(position, RowPosition)
        marks = position.x | position.o
        assert exercise.points == sum(1 for line in position.rules.lines if line & marks)


@each_kind
def test_the_same_call_makes_the_same_exercises(kind: str) -> None:
    first, again = (list(exercises(kind, 2, seed=8)) for _ in range(2))
    assert first == again
    assert first != list(exercises(kind, 2, seed=9))


@pytest.mark.parametrize(
    ("kind", "wish", "said"),
    [
        ("move", Wish(depth=2), "move takes no depth; it takes game"),
        ("order", Wish(game="basic"), "order takes no game"),
        ("minimax", Wish(game="basic", depth=2), "give them without a game"),
        ("minimax", Wish(depth=5, branching=5), "has 3125 leaves; at most 32 fit"),
        ("minimax", Wish(game="chess"), 'No game called "chess"'),
        ("minimax", Wish(game="basic~XXX.OO1.3~O"), "the game is over"),
        ("evaluation", Wish(game="ultimate"), "is not a game of rows"),
        ("evaluation", Wish(game="mnk:3,3,3,misere"), "not in misère"),
    ],
)
def test_wishes_that_cannot_be_met(kind: str, wish: Wish, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        list(exercises(kind, 1, 0, wish))


def test_too_few() -> None:
    with pytest.raises(TooFew, match="no exercises of minimax were found, not 1; change the opt"):
        list(exercises("minimax", 1, 0, Wish(game="basic~XOX.OXO.3~X")))
    with pytest.raises(TooFew, match=r"only \d+ different exercises of minimax were found, not 99"):
        list(exercises("minimax", 99, 0, Wish(game="basic~XOX.XO1.3~O")))


# Data and figures ---------------------------------------------------------------------------------


@each_kind
def test_json(kind: str) -> None:
    for exercise in sample(kind)[:5]:
        data = json.loads(json.dumps(exercise.as_data()))
        again = Exercise.from_data(data)
        assert again == exercise
        assert mark(again, answers(exercise)) == mark(exercise, answers(exercise))


def test_damaged_json_is_refused() -> None:
    good = next(exercises("alphabeta", 1)).as_data()
    pruned = next(entry for entry in good["entries"] if entry["name"] == "pruned")
    changes: tuple[dict[str, Any], ...] = (
        {"title": 3},
        {"difficulty": "terrible"},
        {"figure": []},
        {"figure": [{**good["figure"][0], "position": "basic~nonsense"}]},
        {"figure": [good["figure"][0], {**good["figure"][1], "parent": "Q"}]},
        {"figure": [good["figure"][0], {**good["figure"][1], "name": "A"}]},
        {"figure": [good["figure"][0], {**good["figure"][1], "parent": "B"}]},
        {"entries": [pruned, pruned]},
        {"entries": [{**pruned, "answer": "zz"}]},
        {"entries": [{**pruned, "kind": "song"}]},
        {"entries": [{**pruned, "mistakes": {"a": 1}}]},
        {"rules": [1]},
        {"more": "x"},
    )
    for change in changes:
        data = {**json.loads(json.dumps(good)), **change}
        with pytest.raises(BadExercises, match="this is not an exercise"):
            Exercise.from_data(data)
    nothings: tuple[Any, ...] = (None, [], {}, 3)
    for nothing in nothings:
        with pytest.raises(BadExercises):
            Exercise.from_data(nothing)


@each_kind
def test_figures(kind: str) -> None:
    """Figures are XML; only the key has the answers, and the same names as the text."""
    for exercise in [*sample(kind)[:3], *sample(kind)[-3:]]:
        before, after = (picture(exercise, solved=solved) for solved in (False, True))
        for drawn in (before, after):
            assert ElementTree.fromstring(drawn).tag.endswith("svg")
        if kind in ("minimax", "alphabeta", "mcts"):
            assert before != after
        shown = figure_text(exercise)
        for node in exercise.figure if exercise.is_tree else ():
            assert re.search(rf"(^|[ ─]){node.name}  ", shown, re.MULTILINE)
            assert all(line in shown for line in node.given)
            assert all(line in figure_text(exercise, solved=True) for line in node.solved)
            if not node.given:
                assert not re.search(rf"[ ─^]{node.name}  M\w\w  −?\d", shown)
