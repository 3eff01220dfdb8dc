"""Trees of wins by threats: a checker that knows only the rules accepts them, not damaged ones."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache

import pytest
from command import run

import noughts
from noughts.answers.reasons import review_data
from noughts.explain.kinds import Fact
from noughts.explain.review import review
from noughts.explain.win_tree import tree_of
from noughts.games.position import IllegalMove, Position
from noughts.games.record import Record
from noughts.games.row import MNK
from noughts.judgement.judge import Judge
from noughts.search import Limit, Value
from noughts.threat_tree import ThreatNode, ThreatReplies, ThreatTree, threat_tree
from noughts.views.threat_tree import rows, text

SIZES = ("5,5", "6,6", "7,5", "8,9", "9,9", "11,11", "15,15", "19,12", "20,20")
RULES = [f"mnk:{size},5{rule}" for size in SIZES for rule in ("", ",exact")]
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))
Lines = dict[int, list[tuple[int, int]]]


@cache
def lines_through(columns: int, rows: int) -> Lines:
    """Return the lines of five through each cell as masks, with the cells next to their ends."""
    through: Lines = {1 << cell: [] for cell in range(columns * rows)}
    for cell in range(columns * rows):
        for across, down in DIRECTIONS:
            column, row = cell % columns, cell // columns
            places = [(column + i * across, row + i * down) for i in range(-1, 6)]
            masks = [
                1 << y * columns + x if 0 <= x < columns and 0 <= y < rows else 0 for x, y in places
            ]
            before, *line, after = masks
            if all(line):
                for each in line:
                    through[each].append((sum(line), before | after))
    return through


class Board:
    """A board of five in a row, with the rules written once more."""

    def __init__(self, position: Position) -> None:
        assert isinstance(position, MNK)
        rules = position.rules
        self.exact = rules.exact
        self.lines = lines_through(rules.columns, rules.rows)
        self.marks = {"X": 0, "O": 0}
        self.empty = set(range(rules.size))
        for cell in range(rules.size):
            if mark := position.mark(cell):
                self.put(cell, str(mark))

    def put(self, cell: int, mark: str) -> None:
        self.marks[mark] |= 1 << cell
        self.empty.remove(cell)

    def take(self, cell: int, mark: str) -> None:
        self.marks[mark] ^= 1 << cell
        self.empty.add(cell)

    def completes(self, cell: int, mark: str) -> bool:
        """Whether a mark on an empty cell makes a line."""
        marks = self.marks[mark] | 1 << cell
        return any(
            line & marks == line and not (self.exact and ends & marks)
            for line, ends in self.lines[1 << cell]
        )

    def completing(self, cell: int, mark: str) -> set[int]:
        """Return the empty cells that complete a line with the mark on `cell`."""
        marks = self.marks[mark]
        missing = (line & ~marks for line, _ in self.lines[1 << cell])
        cells = {each.bit_length() - 1 for each in missing if each & (each - 1) == 0}
        return {each for each in cells & self.empty if self.completes(each, mark)}

    def all_completing(self, mark: str) -> set[int]:
        """Return the empty cells that complete a line."""
        cells = range(len(self.lines))
        return {
            each
            for cell in cells
            if self.marks[mark] >> cell & 1
            for each in self.completing(cell, mark)
        }


class Wrong(Exception):
    """The tree is no proof."""


class Checker:
    """Plays every legal reply of the defender, and the tree's answers."""

    def __init__(self, tree: ThreatTree) -> None:
        self.board = Board(tree.position)
        self.tree = tree
        self.mine, self.theirs = str(tree.winner), str(tree.winner.other)
        self.replies = 0

    def check(self) -> int:
        """Return the number of replies played.

        Raises:
            Wrong: the tree does not prove what it says.
        """
        root, attacks = self.tree.root, self.tree.winner is self.tree.position.turn
        if attacks is (root.move is None):
            raise Wrong("the wrong side begins")
        danger = self.board.all_completing(self.theirs)
        self._attack(root, danger, root.plies)
        return self.replies

    def _attack(self, node: ThreatNode, danger: set[int], most: int) -> None:
        """Check a node; `danger` are the cells where the defender completes a line."""
        if node.is_cut:
            raise Wrong("replies are missing")
        if node.plies > most:
            raise Wrong("the end comes later")
        if node.move is None:
            self._defend(node, danger, node.plies)
            return
        if node.move not in self.board.empty:
            raise Wrong("the cell is taken")
        if self.board.completes(node.move, self.mine):
            if node.replies or node.plies != 1:
                raise Wrong("the game is over")
            return
        self.board.put(node.move, self.mine)
        self._defend(node, danger - {node.move}, node.plies - 1)
        self.board.take(node.move, self.mine)

    def _defend(self, node: ThreatNode, danger: set[int], most: int) -> None:
        if danger:
            raise Wrong("the defender wins")
        listed: dict[int, ThreatNode] = {}
        other: ThreatNode | None = None
        for moves, after in node.replies:
            if other is not None or any(reply in listed for reply in moves):
                raise Wrong("a reply is in two groups")
            if not moves:
                other = after
            listed |= dict.fromkeys(moves, after)
        if not listed.keys() <= self.board.empty:
            raise Wrong("a reply is not legal")
        if (other is not None) is (len(listed) == len(self.board.empty)):
            raise Wrong("any other reply is missing, or there is none")
        self.replies += len(self.board.empty)
        replies = list(self.board.empty)
        if other is not None and other.plies == 1 and not (other.replies or other.is_cut):
            # A mark elsewhere does not change a line of the attacker that has one cell left.
            five = other.move
            if five not in listed or not self.board.completes(five, self.mine) or most < 2:
                raise Wrong("no line is completed")
            replies = list(listed)
        for reply in replies:
            then = listed.get(reply, other)
            assert then is not None
            self.board.put(reply, self.theirs)
            new = self.board.completing(reply, self.theirs)
            self._attack(then, new, most - 1)
            self.board.take(reply, self.theirs)


def accepts(tree: ThreatTree) -> bool:
    try:
        return Checker(tree).check() > 0
    except Wrong:
        return False


def random_position(rules_id: str, rng: random.Random) -> Position:
    """Return a position with some marks close together."""
    position = noughts.game(rules_id)
    assert isinstance(position, MNK)
    columns, rows = position.rules.columns, position.rules.rows
    wide, high = min(columns, rng.randint(5, 8)), min(rows, rng.randint(5, 8))
    left, top = rng.randint(0, columns - wide), rng.randint(0, rows - high)
    cells = [
        row * columns + column
        for row in range(top, top + high)
        for column in range(left, left + wide)
    ]
    rng.shuffle(cells)
    for cell in cells[: rng.randint(7, max(8, wide * high // 2))]:
        if position.outcome() is not None:
            break
        position = position.play(cell)
    return position


def some_trees(seed: int, number: int, largest: int) -> Iterator[ThreatTree]:
    """Yield trees of random positions on boards of all sizes, by both rules."""
    rng, found = random.Random(seed), 0
    while found < number:
        position = random_position(rng.choice(RULES), rng)
        if position.outcome() is None:
            tree = threat_tree(position, nodes=600)
            if tree is not None and 3 <= tree.size <= largest and not tree.is_cut:
                found += 1
                yield tree


def check_trees(seed: int, number: int, largest: int) -> None:
    defended, exact, long, refused = 0, 0, 0, 0
    for tree in some_trees(seed, number, largest):
        Checker(tree).check()
        defended += tree.root.move is None
        exact += tree.position.rules_id.endswith("exact")
        long += tree.plies > 7
        for damaged in damages(tree.root, random.Random(tree.size)):
            assert not accepts(tree._replace(root=damaged)), (str(tree.position), damaged)
            refused += 1
    assert min(defended, exact, long) * 20 >= number
    assert refused > 3 * number


def damages(root: ThreatNode, rng: random.Random) -> Iterator[ThreatNode]:
    """Yield the tree with one fault each, at a random node with replies."""
    places = [path for path, node in paths(root) if node.replies]

    def put(node: ThreatNode, path: Sequence[int], new: ThreatNode) -> ThreatNode:
        if not path:
            return new
        at, *rest = path
        group = node.replies[at]
        changed = ThreatReplies(group.moves, put(group.then, rest, new))
        return node._replace(replies=(*node.replies[:at], changed, *node.replies[at + 1 :]))

    def chosen() -> tuple[list[int], ThreatNode]:
        path = rng.choice(places)
        node = root
        for at in path:
            node = node.replies[at].then
        return path, node

    path, node = chosen()
    yield put(root, path, node._replace(plies=node.plies - 1))
    path, node = chosen()
    yield put(root, path, node._replace(is_cut=True))
    path, node = chosen()
    at = rng.randrange(len(node.replies))
    yield put(root, path, node._replace(replies=node.replies[:at] + node.replies[at + 1 :]))
    path, node = chosen()
    taken = node.replies[0].moves or (0,)
    yield put(root, path, node._replace(replies=(*node.replies, ThreatReplies(taken, node))))
    path, node = chosen()
    # The listed replies are answered as any other.
    other = ThreatReplies((), node.replies[-1].then)
    if not node.replies[-1].moves and len(node.replies) > 1:
        yield put(root, path, node._replace(replies=(other,)))
    path, node = chosen()
    if node.move is not None:
        lost = node.replies[0].moves[:1]
        yield put(root, path, node._replace(move=lost[0] if lost else None))


def paths(node: ThreatNode) -> Iterator[tuple[list[int], ThreatNode]]:
    """Yield each node with the numbers of the groups that lead to it."""
    yield [], node
    for at, each in enumerate(node.replies):
        for path, below in paths(each.then):
            yield [at, *path], below


def test_trees_hold_against_every_reply_and_damaged_ones_do_not() -> None:
    check_trees(1, 120, 60)


@pytest.mark.soak
def test_more_trees() -> None:
    check_trees(2, 2_000, 1_000)


@pytest.mark.parametrize(
    ("position", "replies"),
    [
        # O stops a win by fours with a mark away from it, which makes a reply a four.
        ("mnk:8,9,5~8.1X2O1X1.1X1O4.5O1O.2OXX3.1O1X4.1X1X1X2.7O.1X1O1O2~O", 8_400),
        # After the last four two cells are empty, and each completes a line.
        ("mnk:5,5,5~OOXOO.OOXXO.XX1X1.XOXOX.OX1OX~X", 2),
    ],
)
def test_trees_list_every_reply_that_needs_its_own_answer(position: str, replies: int) -> None:
    tree = threat_tree(noughts.position(position))
    assert tree is not None
    assert Checker(tree).check() == replies


FOUR_THREE = noughts.game("mnk:15,15,5").after("h6 f8 j6 h8 j8 f6 i9 h10")
"""X wins with i7, which makes an open three."""


def test_a_tree_is_told_row_by_row() -> None:
    tree = threat_tree(FOUR_THREE, FOUR_THREE.parse_move("i7"))
    assert tree is not None
    assert Checker(tree).check() > 0
    assert text(tree, 5).splitlines() == [
        "X wins in at most 5 moves, whatever O plays. Where a row continues, X has made a four: "
        "any other reply of O loses at once.",
        "X i7",
        "    O g5: X k9 O l10 X j9",
        "        O j5, j7, j10: X h9 (then g9 or l9 wins)",
        "        any other reply: X j7 (then j5 or j10 wins)",
        "    O k9: X f4 O g5 X i6",
        "and 4 more rows",
    ]
    told = list(rows(tree))
    assert len(told) == len(text(tree, 99).splitlines()) - 1
    for row in told:
        # The moves are legal, and an example is one of the other replies.
        place = FOUR_THREE.after((*row.base, *row.replies[:1], *row.moves))
        assert place.outcome() is None
        beside = [each for each in told if each.base == row.base and not each.is_any_other]
        assert not row.is_any_other or all(row.replies[0] not in each.replies for each in beside)


def test_a_large_tree_is_cut_level_by_level_and_says_so() -> None:
    whole = threat_tree(FOUR_THREE)
    assert whole is not None
    assert not whole.is_cut
    for size in range(1, whole.size, 4):
        tree = threat_tree(FOUR_THREE, size=size)
        assert tree is not None
        assert tree.is_cut
        assert tree.size <= size
        assert tree.root.move == whole.root.move
        assert not accepts(tree)
        said = text(tree, 99)
        assert f"The tree is cut at {tree.size} positions" in said
        assert "(replies left out, at most " in said


def test_the_defender_to_move_is_lost_after_every_reply() -> None:
    lost = FOUR_THREE.after("i7")
    tree = threat_tree(lost)
    assert tree is not None
    assert tree.winner is lost.turn.other
    assert tree.root.move is None
    assert Checker(tree).check() > 0
    assert text(tree, 1).splitlines()[1] == "O to move"
    data = tree.as_data()
    assert data["root"]["move"] is None
    assert [each["moves"] for each in data["root"]["replies"]] == [["g5"], ["k9"], ["f4"], None]


def test_no_tree_without_a_win_by_threats() -> None:
    assert threat_tree(noughts.game("mnk:15,15,5")) is None
    assert threat_tree(FOUR_THREE, FOUR_THREE.parse_move("a1")) is None
    # Six in a row: a line in freestyle only.
    six = "c8 a1 d8 c1 e8 e2 g8 g1 h8 a15"
    for rule, found in (("", True), (",exact", False)):
        place = noughts.game(f"mnk:15,15,5{rule}").after(six)
        assert (threat_tree(place, place.parse_move("f8")) is not None) is found


def test_bad_questions() -> None:
    for rules_id in ("mnk:5,5,4", "mnk:6,6,5,misere", "connect4"):
        with pytest.raises(ValueError, match="only five in a row"):
            threat_tree(noughts.game(rules_id))
    with pytest.raises(ValueError, match="limits of 1 or more"):
        threat_tree(FOUR_THREE, size=0)
    with pytest.raises(IllegalMove):
        threat_tree(FOUR_THREE, FOUR_THREE.parse_move("i7") + 225)
    over = noughts.game("mnk:15,15,5").after("a1 a2 b1 b2 c1 c2 d1 d2 e1")
    with pytest.raises(ValueError, match="the game is over"):
        threat_tree(over)


def test_a_fact_has_a_tree_that_is_no_longer_than_it_says() -> None:
    move, player = FOUR_THREE.parse_move("i7"), FOUR_THREE.turn

    def found(kind: str, value: Value, place: Position = FOUR_THREE) -> ThreatTree | None:
        return tree_of(place, Fact(kind, place.turn, move, (), value=value))

    assert found("worth", Value.win(9)) == found("worth", Value("win", None, None))
    assert found("worth", Value.win(9)) is not None
    assert found("worth", Value.win(7)) is None
    assert found("worth", Value.loss(10)) is None
    assert found("opens", Value.win(9)) is None
    after = FOUR_THREE.play(move)
    defence = after.parse_move("g5")
    of_move = tree_of(after, Fact("worth", player.other, defence, (), value=Value.loss(8)))
    assert of_move is not None
    assert of_move.position == after.play(defence)
    of_all = tree_of(after, Fact("standing", player.other, defence, (), value=Value.loss(8)))
    assert of_all is not None
    assert of_all.root.move is None


def test_a_review_shows_the_tree_behind_an_error() -> None:
    game = Record.from_moves(FOUR_THREE, [FOUR_THREE.parse_move("a1")])
    judge = Judge(FOUR_THREE, Limit(nodes=5_000), exactly=True)
    (remark,) = review_data(review(game, judge), judge)["remarks"]
    assert remark["error"]
    (tree,) = filter(None, (each["tree"] for each in remark["sentences"]))
    assert tree["winner"] == "O"
    assert tree["base"] == ["a1"]
    assert tree["rows"][0]["replies"] == []
    others = [row for row in tree["rows"] if row["any_other"]]
    assert others
    assert all(row["any_other"] == "any other reply" for row in others)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["basic", "--tree"], "--tree is for Gomoku: five in a row on any board"),
        (["mnk:15,15,5", "--lines", "3"], "--lines goes with --tree"),
    ],
)
def test_options_of_the_command_that_do_not_fit(options: list[str], said: str) -> None:
    done = run("explain", *options)
    assert done.returncode == 2
    assert said in done.stderr
