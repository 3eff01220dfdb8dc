"""`play_match`: a match between texts and Python functions in one call."""

from __future__ import annotations

import pytest

import noughts
from noughts import Position, play_match


def first(position: Position) -> int:
    return position.legal_moves()[0]


def last(position: Position) -> str:
    return position.move_text(position.legal_moves()[-1])


def test_functions_play_by_number_and_by_text() -> None:
    match = play_match([first, last], game="Connect Four", pairs=3, seed=1)
    assert match.names == ("first", "last")
    assert len(match.games) == match.table.games == 6
    assert [record.tags["X"] for record in match.games] == ["first", "last"] * 3
    assert match.games[0].moves[:2] == match.games[1].moves[:2]
    again = play_match([first, last], game="connect4", pairs=3, seed=1)
    assert [record.moves for record in again.games] == [record.moves for record in match.games]


def test_the_table_and_the_statistics() -> None:
    match = play_match(["perfect", "random"], pairs=4, seconds=5)
    lines = str(match.table).splitlines()
    assert lines[0].split() == ["bot", "games", "won", "drawn", "lost", "points", "score"]
    assert lines[1].split()[:2] == ["perfect", "8"]
    assert match.statistics.wins + match.statistics.draws + match.statistics.losses == 8
    assert match.statistics.losses == 0
    assert lines[3].startswith("Elo of perfect over random: ")


def test_a_match_begins_at_a_position() -> None:
    start = noughts.game("connect4").after("4455")
    match = play_match([first, last], game=start, plies=0)
    assert {str(record.start) for record in match.games} == {str(start)}
    assert (
        play_match([first, last], game=str(start), plies=0).games[0].moves == match.games[0].moves
    )


def test_three_bots_meet_each_other() -> None:
    match = play_match([first, last, "random"])
    assert len(match.games) == 6
    assert len(match.table.ranking()) == 3
    assert "Elo" not in str(match.table)


def test_a_match_without_a_pair_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one pair, not 0"):
        play_match([first, "random"], pairs=0)


@pytest.mark.parametrize(
    ("bots", "game", "message"),
    [
        (["random"], "basic", "at least two bots"),
        (["random", "random"], "basic", 'Rename one: "other=random"'),
        (["random", "human"], "basic", "person"),
        (["random", "stockfish"], "basic", "stockfish"),
        (["random", first], "chess", "chess"),
        (["random", first], "basic", "after 9 plies every game is over"),
    ],
)
def test_a_match_that_cannot_be_played_is_refused(
    bots: list[object], game: str, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        play_match(bots, game, plies=9)  # type: ignore[arg-type]


def test_errors_of_a_function_name_the_position() -> None:
    def broken(position: Position) -> int:
        raise ZeroDivisionError(str(position))

    with pytest.raises(ZeroDivisionError) as caught:
        play_match([broken, "random"], plies=0)
    assert caught.value.__notes__ == ["The bot was asked for a move in basic~3.3.3~X."]
    with pytest.raises(noughts.IllegalMove):
        play_match([lambda _: "10", "random"])
