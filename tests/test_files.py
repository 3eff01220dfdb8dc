"""Games as files over HTTP: export, import, search and deletion."""

from __future__ import annotations

import random
import sqlite3
import struct
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from databases import provide
from fastapi.testclient import TestClient
from samples import SOME_RULES_IDS

import noughts
from noughts.answers.files import MAX_GAMES
from noughts.database.store import file_url
from noughts.games.record import parse_json_line, parse_text
from noughts.views.svg import DARK, LIGHT
from noughts.web import files_api
from noughts.web.app import create_app
from noughts.web.settings import DEFAULT

API = "/api/v1"


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(create_app(file_url(str(provide(tmp_path / "games.db"))))) as client:
        yield client


def opened(client: TestClient, start: str = "basic", moves: str = "", **wanted: str) -> Any:
    wanted = {"start": start, "moves": moves, "x": "me", "o": "me"} | wanted
    answer = client.post(f"{API}/games", json=wanted)
    assert answer.status_code == 201, answer.text
    return answer.json()


def export(client: TestClient, game: Any, **query: Any) -> Any:
    return client.get(f"{API}/games/{game['id']}/export", params=query)


def imported(client: TestClient, text: str) -> Any:
    return client.post(f"{API}/games/import", json={"text": text})


# Export


@pytest.mark.parametrize("rules", SOME_RULES_IDS)
def test_game_of_any_rules_survives_export_and_import(client: TestClient, rules: str) -> None:
    rng, end, moves = random.Random(1), noughts.game(rules), []
    while end.outcome() is None:
        moves.append(rng.choice(end.legal_moves()))
        end = end.play(moves[-1])
    game = opened(client, rules, " ".join(noughts.move_texts(noughts.game(rules), moves)))
    text, line = export(client, game).text, export(client, game, format="json").text
    (kept,) = parse_text(text)
    assert kept == parse_json_line(line)
    assert (kept.moves, kept.result) == (moves, game["result"])
    for form in (text, line, str(end), f"{rules} {' '.join(game['moves'])}"):
        (again,) = imported(client, form).json()["games"]
        assert (again["position"], again["result"]) == (str(end), game["result"])
        assert again["yours"] == ["X", "O"]


def test_record_names_the_players_and_the_day(client: TestClient) -> None:
    game = opened(client, "basic", o="engine:level=2")
    kept = parse_text(export(client, game).text)[0]
    assert kept.tags == {"X": "Guest", "O": "Engine, level 2", "Date": game["created"][:10]}


def test_file_names_are_distinct(client: TestClient) -> None:
    game = opened(client, "mnk:5,5,4", "a1 b1 a2")
    day = game["created"][:10]
    for form, ending, kind in (
        ("text", "txt", "text/plain; charset=utf-8"),
        ("json", "json", "application/json"),
        ("svg", "svg", "image/svg+xml"),
        ("png", "png", "image/png"),
    ):
        answer = export(client, game, format=form)
        assert answer.headers["content-type"] == kind
        name = f'filename="noughts-mnk-5-5-4-{day}.{ending}"'
        assert answer.headers["content-disposition"] == f"attachment; {name}"
    assert f"{day}-move-2.svg" in str(export(client, game, format="svg", ply=2).headers)


def test_game_is_exported_as_of_any_move(client: TestClient) -> None:
    game = opened(client, "basic", "5 1 3 2 7")
    for ply in range(6):
        kept = parse_text(export(client, game, ply=ply).text)[0]
        assert kept == parse_json_line(export(client, game, format="json", ply=ply).text)
        assert len(kept.moves) == ply
        assert kept.result == ("1-0" if ply == 5 else "*")
        picture = export(client, game, format="svg", ply=ply).text
        ElementTree.fromstring(picture)
        assert ('class="last"' in picture) == (ply > 0)
        assert ('class="won"' in picture) == (ply == 5)
    answer = export(client, game, ply=6)
    assert answer.status_code == 422
    assert answer.json()["detail"] == "The game has only 5 moves."
    assert answer.json()["field"] == "ply"


def test_pictures_are_light_dark_or_automatic(client: TestClient) -> None:
    game = opened(client, "ultimate", "51 15 55")
    light = export(client, game, format="svg", theme="light").text
    dark = export(client, game, format="svg", theme="dark").text
    auto = export(client, game, format="svg").text
    assert LIGHT.paper in light
    assert DARK.paper not in light
    assert DARK.paper in dark
    assert LIGHT.paper not in dark
    assert "prefers-color-scheme:dark" in auto
    answer = export(client, game, format="png", theme="auto")
    assert (answer.status_code, answer.json()["field"]) == (422, "theme")


def test_png_shows_the_board_in_its_theme(client: TestClient) -> None:
    game = opened(client, "connect4", "4455")
    light = export(client, game, format="png").content
    dark = export(client, game, format="png", theme="dark").content
    assert light != dark
    for picture in (light, dark):
        assert picture.startswith(b"\x89PNG")
        assert min(struct.unpack(">II", picture[16:24])) >= 600


def test_missing_extra_for_png_is_named(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files_api, "find_spec", lambda _: None)
    answer = export(client, opened(client), format="png")
    assert answer.status_code == 501
    assert "lacks resvg_py" in answer.json()["detail"]


def test_game_is_exported_only_with_seat_or_key(client: TestClient) -> None:
    game = opened(client)
    client.cookies.clear()
    assert export(client, game).status_code == 404
    link = {"noughts-key": game["keys"]["watch"]}
    answer = client.get(f"{API}/games/{game['id']}/export", headers=link)
    assert answer.status_code == 200


# Import


def test_several_games_are_imported_at_once(client: TestClient) -> None:
    text = "basic 5 1 9\n\nconnect4 4453\r\nultimate 51 15\n44\nbasic~3.3.3~X 5\n"
    answer = imported(client, text)
    assert answer.status_code == 201
    shown = [(game["rules"], game["plies"]) for game in answer.json()["games"]]
    assert shown == [
        ("basic", 3),
        ("connect4", 4),
        ("ultimate", 2),
        ("connect4", 2),
        ("basic", 1),
    ]
    records = "".join(export(client, game).text for game in answer.json()["games"])
    assert len(imported(client, "\ufeff" + records).json()["games"]) == 5
    lines = "".join(export(client, game, format="json").text for game in answer.json()["games"])
    assert len(imported(client, lines).json()["games"]) == 5


def test_comments_variations_and_names_are_imported_and_kept(client: TestClient) -> None:
    text = '[Game "basic"]\n[X "Ada"]\n[Event "a lesson"]\n\n1. 5 {good} 1 (1... 2 {bad}) 2. 9 *\n'
    (summary,) = imported(client, text).json()["games"]
    game = client.get(f"{API}/games/{summary['id']}").json()
    assert (summary["x"], summary["o"]) == ("Ada", "Guest")
    assert [game["players"][side]["name"] for side in "XO"] == ["Ada", "Guest"]
    assert game["comments"] == {"1": "good"}
    assert [(branch["path"], branch["comments"]) for branch in game["variations"]] == [
        (["5", "2"], {"2": "bad"})
    ]
    kept = parse_text(export(client, game).text)[0]
    assert (kept.tags["X"], kept.tags["Event"]) == ("Ada", "a lesson")
    (given,) = parse_text(text)
    given.tags, kept.tags = {}, {}
    assert kept == given
    assert client.get(f"{API}/games", params={"search": "ada lesson"}).json()["games"]


def test_imported_game_can_be_continued(client: TestClient) -> None:
    (summary,) = imported(client, "basic 5 1").json()["games"]
    game = client.get(f"{API}/games/{summary['id']}").json()
    answer = client.post(
        f"{API}/games/{game['id']}/moves", json={"move": "9", "version": game["version"]}
    )
    assert answer.json()["moves"] == ["5", "1", "9"]


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("\ufeffPiskvorky 15x15, 11:11, 0\r\n8,8,0\r\n9,8,3\r\na\r\nb\r\n-1\r\n", ["h8", "i8"]),
        ("(;GM[4]SZ[15]PB[a]RE[B+R];B[hh];W[h9](;B[aa])(;B[bb]))", ["h8", "h7", "a1"]),
        ("https://connect4.gamesolver.org/?pos=4453", ["4", "4", "5", "3"]),
        ("Connect Four 4453", ["4", "4", "5", "3"]),
    ],
)
def test_records_of_other_programs_are_imported(
    client: TestClient, text: str, moves: list[str]
) -> None:
    (found,) = imported(client, text).json()["games"]
    assert client.get(f"{API}/games/{found['id']}").json()["moves"] == moves


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("(;GM[1]SZ[19];B[pd])", "This is an SGF record of Go; noughts reads SGF of Gomoku"),
        ("(;GM[4]\n;B[hh]", "Line 2: the record is cut off"),
        ("", "No game found."),
        ("  \n ", "No game found."),
        ("basic 5 1\n\nbasic 5 5", "Line 3: move 2: "),
        ("basic 5\nchess e4", 'Line 2: no game called "chess"'),
        ("basic 5\nbasic~X9~O", "Line 2: "),
        ("connect4 4453\nconnect4 4453x", 'Line 2: "4453x" is not a move'),
        ("123", "Line 1: more than one game fits: write `basic 123` or `connect4 123`"),
        ("4444444", "Line 1: no game fits. As `basic`: Move 2: cell 4 is taken."),
        ("4 4 5", "Line 1: no game is named: write `connect4 4 4 5`."),
        ("51 15", "write `connect4 51 15` or `advanced 51 15` or `ultimate 51 15`."),
        ("1. 5 1 2. 9 *", "Line 1: '1.' is no game"),
        ('[Game "basic"]\n\n1. 5 1', "line 1"),
        ('[Game "basic"]\n\n1. 5 1 *\n\n[Game "basic"]\n\n1. 5 5 *', "Line 7"),
        ('{"schema": 1}', "Line 1: "),
        ("((3 12) (2 4))", "Line 1: '((3' is no game"),
        ("basic 5\n" * (MAX_GAMES + 1), f"More than {MAX_GAMES} games"),
    ],
)
def test_unreadable_import_names_its_line_and_keeps_nothing(
    client: TestClient, text: str, said: str
) -> None:
    answer = imported(client, text)
    assert answer.status_code == 422, answer.text
    assert said in answer.json()["detail"]
    assert client.get(f"{API}/games").json()["games"] == []


def test_large_import_is_refused(client: TestClient) -> None:
    opening = '{"schema": 1, "game": "basic", "tags": {}, "moves": ["5", "1"], "variations": ['
    branch = '{"line": 0, "after": 1, "moves": ["2"]}'
    ending = '], "result": "*"}'
    many = opening + ",".join([branch] * DEFAULT.moves_of_a_game) + ending
    answer = imported(client, many)
    assert "Game 1 has 2,002 moves; the limit is 2,000" in answer.json()["detail"]
    said = '{"schema": 1, "game": "basic", "comment": "%s", "moves": [], "result": "*"}'
    answer = imported(client, said % ("x" * (DEFAULT.comments_of_a_game + 1)))
    assert "100,001 characters in comments and tags" in answer.json()["detail"]
    assert imported(client, "x" * 1_000_001).status_code in (413, 422)


# The list


def test_games_are_found_by_words_in_any_order(client: TestClient) -> None:
    opened(client, "connect4", o="engine:level=4")
    opened(client, "ultimate:won=open", o="engine:level=4")
    opened(client, "basic", "5 1 3 2 7")

    def found(words: str) -> list[str]:
        games = client.get(f"{API}/games", params={"search": words}).json()["games"]
        return [game["rules"] for game in games]

    assert found("") == ["basic", "ultimate:won=open", "connect4"]
    assert found("LEVEL 4") == ["ultimate:won=open", "connect4"]
    assert found("four connect") == ["connect4"]
    assert found("won=open engine") == ["ultimate:won=open"]
    assert found("1-0") == ["basic"]
    assert found("%") == found("_x_") == found("nothing") == []


def test_list_pages_hold_every_game_once_while_others_change(client: TestClient) -> None:
    games = [opened(client, "basic") for _ in range(25)]
    seen: list[str] = []
    after = ""
    for changed in (3, 24, 12, None):
        page = client.get(f"{API}/games", params={"count": 7, "after": after}).json()
        seen += [game["id"] for game in page["games"]]
        after = page["next"]
        if changed is not None:
            path = f"{API}/games/{games[changed]['id']}/moves"
            assert client.post(path, json={"move": "5", "version": 0}).status_code == 200
            opened(client, "basic")
    assert after is None
    still = {game["id"] for number, game in enumerate(games) if number not in (3, 12)}
    assert len(seen) == len(set(seen))
    assert still <= set(seen)


@pytest.mark.parametrize("after", ["x", "~", "1~", "nan~a", "inf~a", "1e999~a", "1", "~a", "1,2~b"])
def test_invalid_place_in_the_list_is_refused(client: TestClient, after: str) -> None:
    answer = client.get(f"{API}/games", params={"after": after})
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["field"] == "after"


def test_deleted_game_is_gone(client: TestClient) -> None:
    game = opened(client)
    assert client.delete(f"{API}/games/{game['id']}").status_code == 204
    assert client.get(f"{API}/games/{game['id']}").status_code == 404
    assert client.get(f"{API}/games").json() == {"games": [], "next": None}


def test_deleted_game_is_not_listed_while_the_file_is_locked(
    client: TestClient, tmp_path: Path
) -> None:
    game = opened(client)
    with closing(sqlite3.connect(tmp_path / "games.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert client.delete(f"{API}/games/{game['id']}").status_code == 204
        assert other.execute("SELECT count(*) FROM games").fetchone() == (1,)
        assert client.get(f"{API}/games").json() == {"games": [], "next": None}
        other.execute("ROLLBACK")


def test_games_of_others_are_not_visible(client: TestClient) -> None:
    opened(client)
    client.cookies.clear()
    assert client.get(f"{API}/games").json()["games"] == []
    opened(client)
    assert len(client.get(f"{API}/games").json()["games"]) == 1
