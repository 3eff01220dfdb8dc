"""The API of the explorer, and the counter of a server's games."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from databases import stored
from patience import PATIENCE
from web import Person, people, problem

import noughts
from noughts.answers.positions import value_data
from noughts.database.store import Store, StoreUnavailable, file_url
from noughts.explorer.counts import MAX_PLIES, steps
from noughts.explorer.explore import exact_values
from noughts.explorer.openings import openings_of
from noughts.games.record import Record, format_json_line
from noughts.web import counting


@pytest.fixture(scope="module")
def anna(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    with people(tmp_path_factory.mktemp("games")) as (found,):
        yield found


def explore(person: Person, start: str, moves: str = "", **options: Any) -> Any:
    wanted = {"start": start, "moves": moves, "source": "server", "values": False, **options}
    return person.get_json("/explorer", params=wanted)


def counted(person: Person, games: int) -> dict[str, tuple[int, int, int]]:
    """Return the outcomes of the first moves of basic, once a number of games is counted."""
    until = time.monotonic() + PATIENCE
    while (found := explore(person, "basic"))["outcomes"]["games"] != games:
        assert time.monotonic() < until, found["outcomes"]
        time.sleep(0.02)
    return {
        each["moves"][0]: (each["outcomes"]["x"], each["outcomes"]["draws"], each["outcomes"]["o"])
        for each in found["moves"]
    }


def test_values_are_those_of_the_library_and_of_the_analysis(anna: Person) -> None:
    asked = {"start": "basic", "moves": ["5", "2"]}
    position = noughts.game("basic").after("5 2")
    values = {
        position.move_text(move): value_data(value)
        for move, value in exact_values(position).items()
    }
    found = explore(anna, "basic", "5 2", values=True)
    assert found["position"]["position"] == str(position)
    assert found["line"] == ["5", "2"]
    assert sorted(move for each in found["moves"] for move in each["moves"]) == sorted(values)
    assert all(each["value"] in [values[move] for move in each["moves"]] for each in found["moves"])
    analysed = anna.ask("POST", "/analysis", asked | {"seconds": 10}).json()["values"]
    assert analysed == values


def test_finished_games_count_at_their_end(anna: Person) -> None:
    game = anna.play(anna.open("basic", o="me"), "5", "1", "3", "2")
    resigned = anna.play(anna.open("basic", o="me"), "1")
    assert explore(anna, "basic")["outcomes"]["games"] == 0
    game = anna.play(game, "7")
    assert counted(anna, 1)["5"] == (1, 0, 0)
    anna.change(resigned, "resign")
    assert counted(anna, 2) == {"5": (1, 0, 0), "1": (1, 0, 0), "2": (0, 0, 0)}
    anna.change(game, "undo")
    assert counted(anna, 1)["5"] == (0, 0, 0)
    assert anna.ask("DELETE", f"/games/{resigned['id']}").status_code == 204
    assert counted(anna, 0)["1"] == (0, 0, 0)


def test_games_that_were_stored_before_are_counted_at_the_start(tmp_path: Path) -> None:
    store = Store(file_url(str(tmp_path / "games.db")))
    game = Record.from_moves(noughts.game("basic"), "5 1 3 2 7")
    rows = [
        stored(f"game{number}", result=game.result, record=format_json_line(game))
        for number in range(50)
    ]
    store.save(rows)
    store.count_games(store.uncounted(10))
    store.close()
    with people(tmp_path) as (anna,):
        assert counted(anna, 50)["5"] == (50, 0, 0)
        after = explore(anna, "basic", "5 9")  # 1 and 9 are corners
        played = [each["moves"] for each in after["moves"] if each["outcomes"]["games"]]
        assert played == [["3", "7"]]


def test_the_source_is_chosen(anna: Person) -> None:
    openings = openings_of("ultimate")
    assert openings is not None
    engine = explore(anna, "ultimate", source="engine")
    both = explore(anna, "ultimate", source="both")
    server = explore(anna, "ultimate")
    assert engine["outcomes"] == both["outcomes"]
    assert server["outcomes"]["games"] == 0
    assert 0 < engine["outcomes"]["games"] <= openings.games == engine["engine"]
    games = [each["outcomes"]["games"] for each in engine["moves"]]
    assert games == sorted(games, reverse=True)
    assert sum(games) == engine["outcomes"]["games"]


def test_games_count_for_their_first_moves(anna: Person) -> None:
    line = ["55", "51", "11", "16", "68", "86", "62", "26", "66", "61", "14", "48"]
    assert explore(anna, "ultimate", " ".join(line[: MAX_PLIES - 1]))["counted"]
    assert not explore(anna, "ultimate", " ".join(line[:MAX_PLIES]))["counted"]


def test_a_finished_game_has_no_moves(anna: Person) -> None:
    found = explore(anna, "basic", "5 1 3 2 7", values=True)
    assert found["moves"] == []
    assert found["position"]["outcome"]["winner"] == "X"


@pytest.mark.parametrize(
    ("wanted", "kind"),
    [
        ({"start": "chess"}, "notation"),
        ({"start": "basic", "moves": "5 5"}, "illegal-move"),
        ({"start": "((3 12) (2 4))~-"}, "notation"),
        ({"start": "basic", "source": "all"}, "request"),
        ({"start": "basic", "values": "perhaps"}, "request"),
        ({}, "request"),
    ],
)
def test_bad_questions_are_refused(anna: Person, wanted: dict[str, str], kind: str) -> None:
    assert problem(anna.ask("GET", "/explorer", params=wanted)) == (422, kind)


def test_a_game_of_ones_own_has_values_from_a_worker(nim: noughts.Position, tmp_path: Path) -> None:
    with people(tmp_path) as (bert,):
        found = explore(bert, "nim", values=True)
    wanted = exact_values(nim)
    assert {each["moves"][0]: each["value"]["value"] for each in found["moves"]} == {
        nim.move_text(move): value.kind for move, value in wanted.items()
    }
    assert found["outcomes"]["games"] == 0


def test_the_counter_goes_on_after_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "RETRY", 0.01)
    store = Store(file_url(str(tmp_path / "games.db")))
    game = Record.from_moves(noughts.game("basic"), "5 1 3 2 7")
    row = stored(result=game.result, record=format_json_line(game))
    store.save([row])
    failures = [StoreUnavailable("it is locked"), RuntimeError("a fault")]
    whole = store.count_games

    def count_games(ids: Sequence[str]) -> None:
        if failures:
            raise failures.pop()
        whole(ids)

    monkeypatch.setattr(store, "count_games", count_games)
    counter = counting.Counter(store)
    until = time.monotonic() + PATIENCE
    while store.uncounted(1):
        assert time.monotonic() < until
        time.sleep(0.01)
    store.save([], [row.id])
    counter.note({row.id: None})
    while store.outcomes(list(steps(game.start))):
        assert time.monotonic() < until
        time.sleep(0.01)
    counter.close()
    store.close()
