"""Explanations: every sentence is true; `sentence_checks.py` proves each claim another way."""

from __future__ import annotations

import random
import re
from collections.abc import Collection
from pathlib import Path

import pytest
from command import answer, run
from samples import RULES_IDS, random_game, reachable
from sentence_checks import CHECKS, SHORT, check, check_position, over, truth

import noughts
from noughts.explain.facts import alike, by_rules
from noughts.explain.kinds import KINDS
from noughts.explain.sentences import WORDS, explain, sentences
from noughts.games.nested import NestedPosition
from noughts.games.phrases import LINE_CELLS, LINES, PLACES
from noughts.games.position import Position, canonical_key, wins_at_once
from noughts.judgement.judge import Judge
from noughts.search import Limit, Value

EXAMPLES = str(Path(__file__).parent.parent / "examples")


@pytest.fixture(autouse=True)
def _short_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the tests, not the solvers, decide how far a search goes."""
    monkeypatch.setattr("noughts.judgement.judge.SOLVED", {})


def test_every_kind_of_fact_has_a_claim_words_and_a_check() -> None:
    assert set(KINDS) == set(WORDS) == set(CHECKS)


SMALL = ["basic", "mnk:3,3,3,misere", "connect4:3,3,3"]


@pytest.mark.parametrize("rules_id", SMALL)
def test_sentences_about_one_position_of_each_symmetry_class(rules_id: str) -> None:
    """Of every third class."""
    places = sorted(reachable(noughts.game(rules_id)), key=str)
    check_all([*{canonical_key(place): place for place in places}.values()][::3])


@pytest.mark.soak
@pytest.mark.parametrize("rules_id", SMALL)
def test_sentences_about_every_small_position(rules_id: str) -> None:
    check_all(sorted(reachable(noughts.game(rules_id)), key=str))


def check_all(places: Collection[Position]) -> None:
    """Check the sentences about positions of one game, each with a random move."""
    judge = Judge(next(iter(places)))
    kinds: set[str] = set()
    rng = random.Random(0)
    for place in places:
        if not over(place):
            kinds |= check_position(place, judge, (rng.choice(place.legal_moves()),))
            groups_are_whole(place, judge)
    assert {"standing", "only", "gives_up", "quickest", "holds_out", "worth"} <= kinds
    assert "estimate" not in kinds


def groups_are_whole(position: Position, judge: Judge) -> None:
    """Check that a list of winning, drawing or losing moves is complete."""
    outlooks = {move: truth(position, move) for move in position.legal_moves()}
    for fact in alike(position, judge):
        if fact.value is not None:
            same = [m for m, v in outlooks.items() if v is not None and v.kind == fact.value.kind]
            assert list(fact.moves) == same
        elif fact.kind == "lose":
            same = [m for m, v in outlooks.items() if v == Value.loss(fact.plies)]
            assert list(fact.moves) == same


def late(start: Position, rng: random.Random) -> Position:
    """Return a position of a random game, half the time near its end."""
    *positions, _ = random_game(start, rng)
    near = positions[-12:] if rng.random() < 0.5 else positions
    return rng.choice(near)


@pytest.mark.parametrize("rules_id", RULES_IDS)
def test_sentences_about_random_positions(rules_id: str) -> None:
    check_some_sentences(rules_id, {"mnk:19,19,5": 1}.get(rules_id, 4))


@pytest.mark.soak
@pytest.mark.parametrize("rules_id", RULES_IDS)
def test_sentences_about_many_random_positions(rules_id: str) -> None:
    check_some_sentences(rules_id, 60 if rules_id == "mnk:19,19,5" else 1000)


def check_some_sentences(rules_id: str, number: int) -> None:
    rng = random.Random(rules_id)
    start = noughts.game(rules_id)
    for count in range(number):
        place = late(start, rng)
        # After a short search many values are open, and no sentence may be false.
        limit = Limit(nodes=rng.choice((1, 50, 20_000))) if count % 4 == 0 else SHORT
        check_position(place, Judge(place, limit), (rng.choice(place.legal_moves()),))


GAMES_BY_RULES = {
    "ultimate": {"takes_board", "stops_boards", "denies_board", "denies_game", "two_in_line"}
    | {"frees", "gives_board", "gains_board", "sends_in_vain", "spares"},
    "ultimate:won=open": {"takes_board", "frees", "gives_board", "sends_in_vain", "spares"},
    "ultimate:tie=boards": {"takes_board", "gives_board", "spares"},
    "advanced": {"denies_board", "two_in_line", "sends_in_vain"},
    "mnk:7,7,4": {"opens", "stops_open"},
    "mnk:9,9,5": {"opens", "stops_open"},
    "mnk:7,7,4,exact": {"opens", "stops_open"},
    "connect4": {"awaits"},
    "connect4:5,4,3": {"awaits"},
}
"""Games, and kinds of facts that their random positions have."""


@pytest.mark.parametrize("rules_id", GAMES_BY_RULES)
def test_facts_by_the_rules_about_random_moves(rules_id: str) -> None:
    check_facts_by_rules(rules_id, {"advanced": 10}.get(rules_id, 5))


@pytest.mark.soak
@pytest.mark.parametrize("rules_id", GAMES_BY_RULES)
def test_facts_by_the_rules_about_many_random_moves(rules_id: str) -> None:
    check_facts_by_rules(rules_id, 300)


def check_facts_by_rules(rules_id: str, games: int) -> None:
    """Check the facts by the rules about one random move of every position of random games."""
    rng = random.Random(rules_id)
    kinds: set[str] = set()
    for _ in range(games):
        *positions, _ = random_game(noughts.game(rules_id), rng)
        for place in positions:
            if over(place):
                continue
            move = rng.choice(place.legal_moves())
            for sentence in sentences(place, by_rules(place, move)):
                check(place, sentence)
                kinds.add(sentence.fact.kind)
    assert GAMES_BY_RULES[rules_id] <= kinds


def said(position: str, move: str = "", **limits: int) -> list[str]:
    """Return the sentences about a position, or about a move."""
    place = noughts.position(position) if "~" in position else noughts.game(position)
    asked = place.parse_move(move) if move else None
    return [sentence.text for sentence in explain(place, Judge(place, Limit(**limits)), asked)]


BASIC, MISERE = "basic~XX1.OO1.3~X", "mnk:3,3,3,misere"
ULTIMATE = (
    "ultimate~2O3XXX.1XOX1OOX1.1OX2X1XX.3O2XXO.OX1XX4.OXO6.X2OOX1OO.OO2O1OO1.XO4XXO~X~8",
    "ultimate~O2O2X1O.5OXXO.1O3X3.1O2OOXX1.XX1X2X2.X1XXOOX2.XXOOOOXOO.X3O1O2.4XXO1X~O~1",
    "ultimate~1XX6.2X1O2O1.OO7.O8.O7X.4X4.3X5.1X7.5O3~X~1",
    "ultimate~6X2.9.5X3.8X.9.2O5O.3O5.5X3.7O1~X~9",
)
BY_BOARDS = (
    "ultimate:tie=boards~XOO1OXO2.1OOOOXXXO.XXX3O2.XXX2X3.1XOXXX1O1.OXOOOOXO1.3OOOXX1."
    "OXOOXX1XX.XOOXXOO1X~O~5"
)
WORDED = [
    (BASIC, "3", "3 makes the line 1 2 3 and wins."),
    (BASIC, "7", "7 leaves O's line 4 5 6 open: O wins at once with 6."),
    (BASIC, "7", "7 turns a win into an immediate loss; 3 wins at once."),
    ("basic~XX1.1O1.3~O", "", "X threatens the line 1 2 3, with 3."),
    ("basic~XX1.1O1.3~O", "3", "3 blocks X's line 1 2 3."),
    ("basic~XX1.1O1.3~O", "3", "3 threatens the line 3 5 7, with 7."),
    ("basic~X2.O2.3~X", "5", "5 wins in 3 moves, and no move sooner; 2 and 3 win as soon."),
    (
        "basic~XX1.1O1.3~O",
        "3",
        "3 is the only move that keeps the draw; every other move loses at once.",
    ),
    ("basic", "", "X to move: a draw with best play; 5 keeps it."),
    ("basic", "", "Every move draws."),
    (
        "mnk:3,3,3~XO1.1X1.2O~X",
        "a3",
        "a3 threatens two lines at once, with c1 and a2: O can stop only one.",
    ),
    (f"{MISERE}~OX1.3.1XO~X", "b2", "b2 makes the line b1 b2 b3, which loses."),
    (f"{MISERE}~OXO.3.OXX~X", "c2", "c2 leaves O only moves that make a line."),
    (f"{MISERE}~XOX.OOX.X1O~X", "b3", "b3 ends the game as a draw, as nobody has a line."),
    (f"{MISERE}~OXX.OXO.1OX~X", "a3", "a3 is the only legal move."),
    (f"{MISERE}~1OX.1XX.1O1~O", "a2", "a2 wins in 2 moves; a1 wins sooner, in 1 move."),
    (f"{MISERE}~3.X2.XOO~X", "b2", "b2 loses in 2 moves; b1 lasts 3 moves."),
    (f"{MISERE}~3.O2.2X~X", "", "Every move loses. b1 lasts longest: 4 moves."),
    ("connect4:4,4~4.3X.3X.O1OX~O", "4", "4 blocks X's 4 in column 4."),
    ("connect4:5,4,3~5.X4.OO3.OX2X~X", "3", "3 gives O the cell above it, which wins at once."),
    (
        "connect4:4,4~X1OO.X1XX.O1XO.XXOO~O",
        "",
        "Every move gives X the cell above it, which wins at once.",
    ),
    ("connect4:5,4,3~5.5.4O.1OX1X~X", "5", "Whatever O answers to 5, X wins at once."),
    ("advanced~9.9.3O5.2X1X4.3O5.9.9.9.9~X~4", "47", "47 makes the line 43 45 47 and wins."),
    (
        "advanced~9.9.9.6O2.7X1.8X.7XX.5O2X.3XO2OO~O~8",
        "87",
        "87 sends X to the bottom-left board, where X wins at once with 77.",
    ),
    (
        "advanced~X4O1X1.9.9.9.9.6X2.O5O2.8O.6X2~X~7",
        "74",
        "74 blocks O's line on the bottom-left board.",
    ),
    (ULTIMATE[0], "25", "25 wins the top-middle board, and the game with three boards in a row."),
    (
        ULTIMATE[1],
        "16",
        "16 gives X a free choice, as the middle-right board is won: X wins at once with 49.",
    ),
    (ULTIMATE[2], "11", "11 wins the top-left board."),
    (
        ULTIMATE[2],
        "11",
        "11 gives O a free choice, as the top-left board is won: O can win the top-middle "
        "board or the top-right board at once.",
    ),
    (ULTIMATE[3], "96", "96 sends O to the middle-right board, which O can win at once with 66."),
    (BY_BOARDS, "21", "21 ends the game, and X has won: the boards are 5 to 4."),
]


@pytest.mark.parametrize(("position", "move", "sentence"), WORDED)
def test_wording(position: str, move: str, sentence: str) -> None:
    assert sentence in said(position, move)


def test_unproven_positions_have_estimates() -> None:
    about = said("ultimate", depth=4)
    assert re.fullmatch(
        r"\d\d looks best: X's expected score is about \d\d %\. Not proven\.", about[-1]
    )
    of_move = said("ultimate", "19", depth=4)[-1]
    assert re.fullmatch(
        r"\d\d looks (slightly )?better than 19 \([^)]*\d\d %\)\. Not proven\.", of_move
    )


def test_draw_by_a_full_target_is_named() -> None:
    moves = "55 54 45 53 35 51 15 58 88 85 56 65 57 75 52 25 59"
    place = noughts.game("advanced:full=draw").after(moves)
    sentence = "95 ends the game as a draw: it names the centre board, which is full."
    assert sentence in said(str(place), "95", nodes=20_000)


def test_registered_game_is_explained(nim: Position) -> None:
    for place in reachable(nim):
        if not over(place) and sum(place.piles) < 6:  # type: ignore[attr-defined]
            judge = Judge(place, Limit(nodes=3_000))
            check_position(place, judge, (place.legal_moves()[0],))
    texts = [sentence.text for sentence in explain(noughts.position("nim~1.2.2~X"), Judge(nim))]
    assert (
        "a1 is the only winning move, in 3 moves; every other move loses within 2 moves." in texts
    )


def test_finished_game_is_not_explained() -> None:
    place = noughts.position("basic~XXX.OO1.3~O")
    with pytest.raises(ValueError, match="the game is over"):
        explain(place, Judge(place))


# The command --------------------------------------------------------------------------------------


def test_command_shows_each_sentence_above_its_lines() -> None:
    done = run("explain", BASIC, "7")
    assert done.returncode == 0
    assert done.stdout.splitlines()[-6:] == [
        "",
        "7 leaves O's line 4 5 6 open: O wins at once with 6.",
        "    7 6",
        "7 turns a win into an immediate loss; 3 wins at once.",
        "    7 6",
        "    3",
    ]


def test_json_has_every_line_in_notation() -> None:
    data = answer("explain", "mnk:3,3,3", "c3", "--moves", "b2 b1")
    assert (data["position"], data["move"]) == ("mnk:3,3,3~1O1.1X1.3~X", "c3")
    for sentence in data["sentences"]:
        assert sentence["exact"]
        for line in sentence["lines"]:
            place = noughts.position(data["position"])
            for text in line:
                place = place.play(place.parse_move(text))
    claims = {sentence["claim"]: sentence for sentence in data["sentences"]}
    assert claims["threatens"]["moves"] == ["a1"]
    assert claims["threatens"]["lines"][0][-1] == "a1"


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        (["chess"], 2, 'No game called "chess"'),
        (["basic~XXX.OOO.3~X"], 3, "Both X and O have a line"),
        (["basic~XXX.OO1.3~O"], 3, "The game is over: X wins with the top row."),
        (["basic", "0"], 3, "There is no cell 0."),
        (["basic", "5", "--moves", "5"], 3, "Cell 5 is taken."),
        (["basic", "--nodes", "0"], 2, "nodes"),
    ],
)
def test_wrong_input_is_refused(arguments: list[str], code: int, complaint: str) -> None:
    done = run("explain", *arguments)
    assert (done.returncode, done.stdout) == (code, "")
    assert complaint in done.stderr


@pytest.mark.parametrize("rules_id", ["basic", "ultimate", "ultimate:tie=boards", "advanced"])
def test_words_name_the_cells_of_the_text(rules_id: str) -> None:
    """Names put back into coordinates give the text, whether they name the board or not."""
    rng = random.Random(rules_id)
    seen = {"with board": 0, "without": 0, "line": 0}
    for _ in range(12):
        for place in random_game(noughts.game(rules_id), rng):
            if place.outcome() is not None or rng.random() < 0.7:
                continue
            own_board = place.forced if isinstance(place, NestedPosition) else None
            moves = [*rng.sample(place.legal_moves(), 1), *wins_at_once(place)[:1]]
            facts = [fact for move in moves for fact in by_rules(place, move)]
            for said in sentences(place, facts):
                assert in_coordinates(said.words, own_board, seen) == said.text
    assert (seen["with board"] > 9) == (rules_id != "basic")
    assert seen["without"] > 9
    assert (seen["line"] > 3) == (rules_id in ("basic", "advanced"))


def in_coordinates(words: str, own_board: int | None, seen: dict[str, int]) -> str:
    """Put the names of cells and lines back into coordinates."""
    places = "|".join(sorted(PLACES, key=len, reverse=True))
    boards = [place.replace(" ", "-") for place in PLACES]
    of_board = rf" of the ({'|'.join(boards)}) board"

    def line(found: re.Match[str]) -> str:
        seen["line"] += 1
        cells = LINE_CELLS[LINES.index(found[1])]
        board = boards.index(found[2]) + 1 if found[2] else ""
        return "line " + " ".join(f"{board}{cell}" for cell in cells)

    def cell(found: re.Match[str]) -> str:
        seen["with board"] += 1
        return f"{boards.index(found[2]) + 1}{PLACES.index(found[1].lower()) + 1}"

    def own_cell(found: re.Match[str]) -> str:
        seen["without"] += 1
        board = "" if own_board is None else own_board + 1
        return f"{board}{PLACES.index(found[1].lower()) + 1}"

    words = re.sub(rf"({'|'.join(LINES)})(?:{of_board})?", line, words)
    words = re.sub(rf"(?i:(?:the )?\b({places})){of_board}", cell, words)
    return re.sub(rf"(?i:\b(?:the (?=centre))?({places})\b)(?! board|-)", own_cell, words)
