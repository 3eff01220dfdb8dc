"""The answer of `noughts unbeatable` for a terminal.

UnbeatableReport ──unbeatable_text()──► verdict · sides · the shortest lost game, its mistake
EarlyMoves ───────early_moves_text()──► verdict · table by ply · the worst move
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from noughts.games.position import move_texts
from noughts.games.words import count, outcome_sentence, short_text
from noughts.school.asking import Nature
from noughts.school.judged_moves import EarlyMoves, JudgedMove
from noughts.school.unbeatable import LostGame, SideSearch, UnbeatableReport
from noughts.views import text
from noughts.views.board import cell_of

VERDICTS = {"no loss found": "was not seen to lose", "undecided": "is undecided"}
"""Verbs for the verdicts that are none, to follow the name of a bot."""
_RESULTS = {0.0: "lose", 0.5: "draw", 1.0: "win"}
"""Results by their points."""


def side_text(search: SideSearch) -> str:
    """Return the result of one side in words, also of a search that was interrupted."""
    numbers = f"{count(search.positions, 'position')}, {count(search.lines, 'line')}"
    if search.lost is not None:
        return f"loses in {count(search.lost.plies, 'ply', 'plies')}"
    if search.never_loses:
        return f"no line loses: {numbers}"
    if search.is_complete:
        return f"no line loses: {numbers}; in {search.strayed:,} others it changed its moves"
    plies = count(search.plies, "ply", "plies")
    return f"no loss in the first {plies}: {numbers}"


def unbeatable_text(
    report: UnbeatableReport, mistake: JudgedMove | None, program: str = "noughts"
) -> RenderableType:
    """Return the report in words, with the shortest lost game.

    Args:
        report: the report.
        mistake: the move that lost this game, if it is known.
        program: the command line up to the name of a command.
    """
    start = report.searches[0].asker.start
    verb = VERDICTS.get(report.verdict, report.verdict)
    sides = "\n".join(f"  as {each.side}  {side_text(each)}" for each in report.searches)
    parts = [Text(f"{report.bot} {verb} at {short_text(start)}.", "bold"), Text(sides)]
    if report.lost is not None:
        parts += _lost_game(report.lost, mistake, program)
    return Group(
        *(Padding(part, (0, 0, 1, 0), expand=False) for part in parts), Text(_method(report))
    )


def _lost_game(lost: LostGame, mistake: JudgedMove | None, program: str) -> Iterator[Text]:
    """Yield the moves of a lost game, its last position, and its mistake."""
    line = " ".join(move_texts(lost.start, lost.moves))
    yield Text(f"The shortest lost game, with the bot as {lost.side}: {line or 'no moves'}")
    last = cell_of(lost.start.after(lost.moves[:-1]), lost.moves[-1]) if lost.moves else None
    yield text.board(lost.end, last)
    if lost.illegal:
        yield Text(f"Then it makes an illegal move: {lost.illegal}")
        return
    said = [outcome_sentence(lost.end)]
    if mistake is not None and mistake.move is not None:
        before = " ".join(move_texts(lost.start, mistake.moves))
        move = mistake.position.move_text(mistake.move)
        if mistake.is_wrong:
            place = f"After {before}" if before else "At the start"
            said.append(f"The mistake: {place.lower()} it plays {move}. {_better(mistake)}")
        else:
            said.append(f"No move could help: {lost.side} is lost from its first move on.")
        start = shlex.quote(short_text(lost.start))
        moves = f" --moves {shlex.quote(before)}" if before else ""
        said.append(f"See why: {program} explain {start} {move}{moves}")
    yield Text("\n".join(said))


def _better(judged: JudgedMove) -> str:
    """Return the moves that are better than a wrong one, as a sentence."""
    texts = [judged.position.move_text(move) for move in judged.better]
    worth = _RESULTS[(judged.points or 0.0) + (judged.regret or 0.0)]
    return f"{', '.join(texts)} would {worth}."


def _method(report: UnbeatableReport) -> str:
    """Return how the bot was asked, and the doubt that this leaves."""
    whole = [each for each in report.searches if each.asker.whole_games]
    place = "line was played as a separate game" if whole else "position was asked in a new game"
    often = f", {count(report.answers, 'time')}" if report.answers > 1 else ""
    said = [f"Every {place}{often}."]
    if 0 < len(whole) < len(report.searches):
        side = whole[0].side
        said = [f"As {side.other}, every position was asked in a new game{often}."]
        said.append(f"As {side}, every {place}, because the bot remembers earlier moves.")
    if report.varied:
        asked = sum(each.questions for each in report.searches)
        places = "turns" if whole else "positions"
        said.append(f"In {report.varied:,} of {asked:,} {places} the answers differ.")
    elif report.answers > 1:
        said.append("Its answers never differed.")
    if report.verdict == "no loss found":
        said.append("Chance remains: other answers could lose.")
    if report.nature is Nature.UNKNOWN and not whole:
        said.append("If it remembers earlier moves of a game, add --every-line.")
    return " ".join(said)


def early_moves_text(bot: str, early: EarlyMoves) -> RenderableType:
    """Return the judgement of the moves of the first plies in words, with a table by ply."""
    wrong = sum(each.wrong for each in early.by_ply)
    judged = count(sum(each.positions for each in early.by_ply), "position")
    place = f"{short_text(early.start)} after 0 to {count(len(early.by_ply) - 1, 'ply', 'plies')}"
    if wrong:
        said = f"{bot} errs in {wrong:,} of {judged} of {place}."
    elif early.is_right:
        said = f"{bot} never errs in {judged} of {place}."
    else:
        said = f"{bot} is undecided in {judged} of {place}."
    parts: list[RenderableType] = [Text(said, "bold"), _plies_table(early)]
    if (worst := early.worst) is not None:
        parts.append(Text("\n".join(_worst(worst))))
    notes = ["Regret is the mean of the points that a move gives away: 1 for a win, ½ for a draw."]
    if not early.is_complete:
        notes.append(f"The limit came before ply {len(early.by_ply)} was finished.")
    if early.unproven:
        notes.append(f"The values of {count(early.unproven, 'move')} are not proven.")
    if early.varied:
        notes.append(f"In {count(early.varied, 'position')} its answers differ: chance remains.")
    return Group(
        *(Padding(part, (0, 0, 1, 0), expand=False) for part in parts), Text(" ".join(notes))
    )


def _plies_table(early: EarlyMoves) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for header in ("ply", "positions", "wrong", "regret"):
        table.add_column(header, justify="right")
    for ply, each in enumerate(early.by_ply):
        mean = each.regret.mean
        shown = "–" if mean is None else f"{mean:.3f}"
        table.add_row(f"{ply}", f"{each.positions:,}", f"{each.wrong:,}", shown)
    return table


def _worst(worst: JudgedMove) -> Iterator[str]:
    yield f"The worst, in {worst.position}:"
    if worst.move is None:
        yield f"an illegal move: {worst.illegal}"
        return
    move = worst.position.move_text(worst.move)
    yield f"it plays {move}, which {_RESULTS[worst.points or 0.0]}s. {_better(worst)}"
