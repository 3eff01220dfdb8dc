"""The answers of the tools as text, for models and people.

answers ──text_of_…()──► a few lines each
"""

from __future__ import annotations

from noughts.games.words import count
from noughts.mcp.answers import (
    ChoiceAnswer,
    GamesAnswer,
    PlaceAnswer,
    PlayedAnswer,
    ReasonsAnswer,
    ReviewAnswer,
    ValuesAnswer,
)


def text_of_games(answer: GamesAnswer) -> str:
    lines = []
    for each in answer["games"]:
        lines.append(f"{each['title']}: {' '.join(each['rules'])}")
        lines.append(f"  {each['about']} {each['moves']}".rstrip())
        lines += [f"  {size}" for size in each["sizes"]]
        lines += [f"  option {o['text']}: {o['about']}" for o in each["options"] if o["text"]]
    lines.append("Levels of play for choose_move:")
    lines += [f"  {each['level']}: {each['sentence']}" for each in answer["levels"]]
    return "\n".join(lines)


def text_of_place(place: PlaceAnswer) -> str:
    legal = " ".join(place["legal_moves"])
    over = place["outcome"] is not None
    return "\n".join(
        [
            place["diagram"],
            "",
            place["situation"] if over else f"{place['situation']} Legal moves: {legal}",
            f"position: {place['position']}",
        ]
    )


def text_of_played(answer: PlayedAnswer) -> str:
    said = ", ".join(f"{each['player']} {each['move']}" for each in answer["played"])
    return f"Played: {said}.\n\n{text_of_place(answer['place'])}"


def text_of_values(answer: ValuesAnswer) -> str:
    lines = [f"Values for {answer['turn']}, to move, the best first:"]
    for each in answer["moves"]:
        how = "proven" if each["exact"] else "estimate"
        line = f"; line {' '.join(each['line'])}" if len(each["line"]) > 1 else ""
        lines.append(f"  {each['move']}: {each['text']} ({each['words']}, {how}){line}")
    lines.append(f"{count(answer['nodes'], 'position')} searched, to depth {answer['depth']}.")
    return "\n".join(lines)


def text_of_choice(answer: ChoiceAnswer) -> str:
    return f"{answer['by']} plays {answer['move']}.\n\n{text_of_place(answer['place'])}"


def text_of_reasons(answer: ReasonsAnswer) -> str:
    lines = []
    for each in answer["reasons"]:
        lines.append(each["text"] if each["exact"] else f"{each['text']} (estimate)")
        lines += [f"  line: {' '.join(line)}" for line in each["lines"] if line]
    return "\n".join(lines) or "Nothing is known that sets it apart."


def text_of_review(answer: ReviewAnswer) -> str:
    lines = []
    for each in answer["remarks"]:
        better = f" (better: {each['best']})" if each["reasons"] else ""
        said = f"{each['ply']}. {each['player']} {each['move']}: {each['label']}{better}"
        lines.append(" ".join([said.rstrip(": "), *each["reasons"]]))
    for player, tally in answer["summary"].items():
        of = tally["accuracy"]
        labels = ", ".join(f"{many} {label}" for label, many in tally["labels"].items())
        accuracy = "" if of is None else f"accuracy {of:.0f}; "
        lines.append(f"{player}: {accuracy}{labels or 'no moves'}")
    if answer["decided"] is not None:
        lines.append(f"Move {answer['decided']} decided the game.")
    return "\n".join([*lines, *answer["wins"]])
