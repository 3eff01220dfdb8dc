"""`noughts explain` gives reasons for values; `noughts review` finds the errors of a game."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from noughts.cli.inputs import read_position_after, read_records
from noughts.cli.options import (
    ANALYSE,
    Commands,
    JsonFlag,
    MovesOption,
    PositionArgument,
    SearchLimits,
)
from noughts.cli.output import answer, check_page, fail, failing, progress, writing
from noughts.games.position import IllegalMove, Player, Position
from noughts.games.record import Record
from noughts.games.words import count, outcome_sentence

if TYPE_CHECKING:
    from noughts.explain.review import Remark
    from noughts.explain.sentences import Sentence
    from noughts.judgement.judge import Judge

app = Commands()

ROWS = 40
"""Most rows of a tree in the terminal."""


@app.add_to(
    ANALYSE,
    "noughts explain basic --moves 51",
    "noughts explain basic~XX1.OO1.3~X 7",
    "noughts explain connect4 4 --moves 4453 --json",
    "noughts explain mnk:15,15,5 --moves 'h6 f8 j6 h8 j8 f6 i9 h10' --tree",
)
def explain(
    position: PositionArgument,
    limits: SearchLimits,
    move: Annotated[
        str | None, typer.Argument(help="A move. Left out: the position is explained.")
    ] = None,
    moves: MovesOption = "",
    tree: Annotated[
        bool,
        typer.Option("--tree", help="For a win by threats in Gomoku: the tree of all replies."),
    ] = False,
    lines: Annotated[
        int | None,
        typer.Option(help="With --tree: most rows to print (default: 40).", min=1),
    ] = None,
    json_: JsonFlag = False,
) -> None:
    """Explain a position or a move, with the moves that prove each sentence."""
    from noughts.cli.terminal import Terminal, show_position, show_sentences
    from noughts.explain.sentences import explain as sentences_about
    from noughts.explain.win_tree import tree_of
    from noughts.games.phrases import phrase
    from noughts.judgement.judge import Judge
    from noughts.threat_tree import has_threat_trees
    from noughts.views.threat_tree import text as tree_text

    place = read_position_after(position, moves)
    if place.outcome() is not None:
        fail(f"the game is over: {outcome_sentence(place)}", 3)
    if lines is not None and not tree:
        fail("--lines goes with --tree", 2)
    if tree and not has_threat_trees(place):
        fail("--tree is for Gomoku: five in a row on any board, such as mnk:15,15,5", 2)
    with failing(3, IllegalMove):
        chosen = None if move is None else place.parse_entry(move)
    said = sentences_about(place, Judge(place, limits.limit, exactly=True), chosen)
    grown = next(filter(None, (tree_of(place, each.fact) for each in said)), None) if tree else None
    if json_:
        asked = None if chosen is None else place.move_text(chosen)
        sentences = [_sentence_json(place, each) for each in said]
        found = {"position": str(place), "move": asked, "sentences": sentences}
        answer(found | ({"tree": grown and grown.as_data()} if tree else {}))
        return
    terminal = Terminal()
    show_position(terminal, place)
    show_sentences(terminal.console, place, said)
    if tree:
        print()
        print(phrase("tree-none").on_page() if grown is None else tree_text(grown, lines or ROWS))


def _sentence_json(position: Position, said: Sentence) -> dict[str, Any]:
    from noughts.answers.reasons import sentence_data

    data, value = sentence_data(position, said), said.fact.value
    plain = {name: each for name, each in data.items() if name not in ("sketch", "tree")}
    return plain | {"value": value and value.as_data()}


def _review_json(record: Record, remarks: Sequence[Remark], judge: Judge) -> dict[str, Any]:
    from noughts.answers.reasons import review_data

    found = review_data(remarks, judge)
    moves = [
        {name: value for name, value in data.items() if name not in ("proven", "error", "good")}
        | {
            "before": remark.before.as_data(),
            "after": remark.after.as_data(),
            "sentences": [_sentence_json(remark.position, each) for each in remark.sentences],
        }
        for data, remark in zip(found["remarks"], remarks, strict=True)
    ]
    return {
        "start": str(record.start),
        "tags": record.tags,
        "result": record.result,
        "players": found["summary"],
        "wins": found["wins"],
        "moves": moves,
    }


def _number(text: str) -> int:
    """Return the number of a game in a file."""
    if text.isdecimal() and int(text):
        return int(text)
    reason = (
        f"{text!r} is not the number of a game in the file, such as 2. A file names the game of "
        "its moves itself: write a line such as `connect4 4453`."
    )
    raise typer.BadParameter(reason)


class Side(StrEnum):
    """Players whose errors are retried."""

    X = "X"
    O = "O"  # noqa: E741
    BOTH = "both"


@app.add_to(
    ANALYSE,
    "noughts review games.txt",
    "noughts review games.jsonl --game 3 --save reviewed.txt",
    "noughts review games.txt --html review.html",
    "noughts review gomocup.psq",
    "noughts review games.txt --retry --side O",
)
def review(
    file: Annotated[Path, typer.Argument(help="A file of games, also .psq or SGF of Gomoku.")],
    limits: SearchLimits,
    game: Annotated[
        int | None,
        typer.Option(help="Number of the one game to review.", parser=_number, metavar="<integer>"),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(help="Append each game, with comments and better lines, to this file."),
    ] = None,
    html: Annotated[
        Path | None, typer.Option(help="Write the review as one HTML page to this file.")
    ] = None,
    retry: Annotated[
        bool, typer.Option("--retry", help="Try again where an error was made.")
    ] = False,
    side: Annotated[
        Side | None, typer.Option(help="With --retry: X, O or both (the default).")
    ] = None,
    json_: JsonFlag = False,
) -> None:
    """Review games: find the errors, and show better moves."""
    from noughts.cli.retry import try_again
    from noughts.cli.review_text import show_review
    from noughts.cli.terminal import Quit, Terminal
    from noughts.explain.review import annotated
    from noughts.explain.review import review as remarks_on
    from noughts.games import record as records
    from noughts.judgement.judge import ALL_THREADS, Judge

    if side is not None and not retry:
        fail("--side goes with --retry", 2)
    if html is not None:
        check_page(html, "--html")
        if retry:
            fail("--retry is interactive and writes no page: leave out --html", 2)
    if json_ and retry:
        fail("--retry is interactive and prints no JSON: leave out --json", 2)
    terminal, number = Terminal(), 0
    reviewed = []
    for number, each in enumerate(read_records(file), 1):
        if game not in (None, number):
            continue
        judge = Judge(each.start, limits.limit, exactly=True, threads=ALL_THREADS)
        with progress("reviewing") as show:
            remarks = remarks_on(each, judge, show)
        reviewed.append((each, remarks))
        if save is not None:
            with writing(save, "--save"):
                records.append(save, annotated(each, remarks, judge))
        if json_:
            answer({"game": number, **_review_json(each, remarks, judge)})
        elif retry:
            sides = [p for p in Player if side in (None, Side.BOTH, Side(p.value))]
            try:
                try_again(terminal, remarks, judge, sides, number)
            except Quit:
                return
        else:
            show_review(terminal.console, each, remarks, f"Game {number}: ")
    if not number:
        fail(f"{file} has no games", 3)
    if game is not None and game > number:
        fail(f"--game {game}: {file} has only {count(number, 'game')}", 3)
    if html is not None:
        from noughts.views.review_report import review_report

        with writing(html, "--html"):
            html.write_text(review_report(reviewed), encoding="utf-8")
