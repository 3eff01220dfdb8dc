"""Variations and comments: kept in the game, shown on the page, deleted, and stored."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from patience import PATIENCE
from service import until_saved

import noughts
from noughts import IllegalMove, Position
from noughts.database.store import file_url
from noughts.games.progress import GameInProgress
from noughts.games.record import Record, format_text
from noughts.web.app import create_app
from noughts.web.positions import comments_of, variations_of
from noughts.web.settings import Settings

API = "/api/v1"


def new_round(rules: str = "basic", moves: str = "") -> GameInProgress:
    start = noughts.game(rules)
    return GameInProgress(Record.from_moves(start, noughts.parse_moves(start, moves)))


def paths(played: GameInProgress) -> list[list[str]]:
    return [branch["path"] for branch in variations_of(played)]


def path(played: GameInProgress, text: str) -> list[int]:
    return noughts.parse_moves(played.record.start, text)


# The tree


def test_variation_leaves_the_game_unchanged() -> None:
    played = new_round("basic", "5 1 9")
    played.vary(path(played, "5 2 8"))
    played.vary(path(played, "5 2 1"))
    played.vary(path(played, "3"))
    assert played.moves == [4, 0, 8]
    assert [(branch["path"], branch["shared"]) for branch in variations_of(played)] == [
        (["5", "2", "8"], 1),
        (["5", "2", "1"], 2),
        (["3"], 0),
    ]
    text = format_text(played.record).splitlines()[-2]
    assert text == "1. 5 (1. 3) 1... 1 (1... 2 2. 8 (2. 1)) 2. 9 *"


def test_variation_may_begin_at_the_end_of_the_game() -> None:
    played = new_round("basic", "5 1")
    played.vary(path(played, "5 1 9 2"))
    assert played.moves == [4, 0]
    assert [(branch["path"], branch["shared"]) for branch in variations_of(played)] == [
        (["5", "1", "9", "2"], 2)
    ]
    played.play(2)
    assert paths(played) == [["5", "1", "9", "2"]]
    assert played.moves == [4, 0, 2]


def test_played_variation_becomes_the_game() -> None:
    played = new_round("basic", "5 1")
    played.vary(path(played, "5 1 9 2"))
    found = played.find(path(played, "5 1 9"))
    assert found is not None
    found.comment = "a corner"
    played.play(8)
    assert played.moves == [4, 0, 8]
    assert paths(played) == [["5", "1", "9", "2"]]
    assert comments_of(played.record) == {3: "a corner"}
    played.play(2)
    assert paths(played) == [["5", "1", "9", "2"]]


def test_undone_moves_kept_as_a_variation_appear_once_when_redone() -> None:
    played = new_round("basic", "5 1 9 2")
    played.undo()
    played.undo()
    played.vary(path(played, "5 1 9 3"))
    assert paths(played) == [["5", "1", "9", "3"]]
    played.redo()
    played.redo()
    assert played.moves == [4, 0, 8, 1]
    assert paths(played) == [["5", "1", "9", "3"]]


def test_illegal_variation_is_refused_whole() -> None:
    played = new_round("basic", "5 1")
    with pytest.raises(IllegalMove):
        played.vary([4, 1, 1])
    assert paths(played) == []


def test_deleting_keeps_other_lines() -> None:
    played = new_round("basic", "5 1 9")
    for text in ("5 2 8 4", "5 2 8 6", "5 3 7"):
        played.vary(path(played, text))
    assert played.forget(path(played, "5 2 8 4"))
    assert paths(played) == [["5", "2", "8", "6"], ["5", "3", "7"]]
    assert played.forget(path(played, "5 2 8 6"))
    assert paths(played) == [["5", "3", "7"]]
    assert played.forget(path(played, "5 3")), "the moves after it go too"
    assert paths(played) == []


@pytest.mark.parametrize("text", ["", "5", "5 1", "5 1 9", "7", "5 1 9 2"])
def test_played_moves_are_not_deleted(text: str) -> None:
    played = new_round("basic", "5 1 9")
    before = format_text(played.record)
    assert not played.forget(path(played, text))
    assert format_text(played.record) == before


def as_set(played: GameInProgress) -> set[tuple[str, ...]]:
    """Return every line known to the round, other than the game, from the start."""
    known = set()
    for each in variations_of(played):
        path = each["path"]
        known |= {tuple(path[:count]) for count in range(each["shared"] + 1, len(path) + 1)}
    return known


@pytest.mark.parametrize("rules", ["basic", "connect4", "mnk:3,3,3,misere", "ultimate"])
@pytest.mark.parametrize("seed", range(6))
def test_random_trees_match_a_plain_set_of_lines(rules: str, seed: int) -> None:
    """The page's tree equals a set of lines through random changes."""
    rng = random.Random(f"{rules} {seed}")
    played = new_round(rules)
    lines: set[tuple[str, ...]] = set()
    """Lines that were kept as variations and not deleted."""
    hidden: set[tuple[str, ...]] = set()
    """Those kept lines that return when undone moves are redone."""
    for _ in range(120):
        own = tuple(noughts.move_texts(played.record.start, played.moves))
        what = rng.choice(["vary", "vary", "play", "undo", "forget", "redo"])
        if what == "vary":
            line = random_line(played, rng, sorted(lines))
            played.vary(path(played, " ".join(line)))
            lines |= {line[:count] for count in range(1, len(line) + 1)}
        elif what == "play" and not played.is_over:
            played.play(rng.choice(list(played.position.legal_moves())))
        elif what == "undo" and rng.random() < 0.5:
            played.undo()
        elif what == "redo":
            played.redo()
        elif what == "forget" and lines:
            line = rng.choice(sorted(lines))
            before = as_set(played)
            if played.forget(path(played, " ".join(line))):
                gone = before - as_set(played)
                assert line in gone
                # Lines along the undone moves leave with them.
                assert all(each[: len(line)] == line[: len(each)] for each in gone)
                lines -= gone
        now = tuple(noughts.move_texts(played.record.start, played.moves))
        if what in ("vary", "forget"):
            assert now == own, "the game stays"
        if what == "play" and now != own:
            lines -= hidden  # A new move forgets undone moves.
        hidden = {line for line in lines if is_taken_back(played, line)}
        on_game = {now[:count] for count in range(len(now) + 1)}
        shown = as_set(played)
        assert lines - on_game - hidden <= shown
        for branch in variations_of(played):
            assert tuple(branch["path"]) not in on_game
            assert tuple(branch["path"][: branch["shared"]]) in shown | on_game
        assert len(paths(played)) == len({tuple(each) for each in paths(played)}), (
            "no move appears twice"
        )
        again = GameInProgress(Record(played.record.start, children=played.record.children))
        assert again.moves == played.moves, "the record's main line is the game"


def is_taken_back(played: GameInProgress, line: tuple[str, ...]) -> bool:
    """Return whether a line follows the undone moves."""
    own = tuple(noughts.move_texts(played.record.start, played.moves))
    if not played.undone or len(line) <= len(own) or line[: len(own)] != own:
        return False
    return line[len(own)] == played.position.move_text(played.undone[-1].move)


def place(start: Position, texts: list[str]) -> Position:
    for text in texts:
        start = start.play(start.parse_move(text))
    return start


def random_line(
    played: GameInProgress, rng: random.Random, known: list[tuple[str, ...]]
) -> tuple[str, ...]:
    """Return a short line that branches off the game or a known line."""
    own = tuple(noughts.move_texts(played.record.start, played.moves))
    base = rng.choice([own, *known])
    texts = list(base[: rng.randint(0, len(base))])
    position = place(played.record.start, texts)
    for _ in range(rng.randint(1, 3)):
        if position.outcome() is not None:
            break
        move = rng.choice(list(position.legal_moves()))
        texts.append(position.move_text(move))
        position = position.play(move)
    return tuple(texts)


# Over HTTP


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(create_app(file_url(str(tmp_path / "games.db")))) as client:
        yield client


def opened(client: TestClient, start: str = "basic", moves: str = "", **wanted: str) -> Any:
    wanted = {"start": start, "moves": moves, "x": "me", "o": "me"} | wanted
    answer = client.post(f"{API}/games", json=wanted)
    assert answer.status_code == 201, answer.text
    return until_saved(client, f"{API}/games/{answer.json()['id']}")


def ask(client: TestClient, method: str, game: Any, what: str, **wanted: Any) -> Any:
    body = {"version": game["version"]} | wanted
    return client.request(method, f"{API}/games/{game['id']}/{what}", json=body)


def test_variation_is_kept_commented_and_deleted(client: TestClient) -> None:
    game = opened(client, moves="5 1 9")
    answer = ask(client, "POST", game, "variations", path=["5", "2", "8"])
    assert answer.status_code == 200, answer.text
    game = answer.json()
    assert game["variations"] == [{"path": ["5", "2", "8"], "shared": 1, "comments": {}}]
    assert game["moves"] == ["5", "1", "9"]
    game = ask(client, "PUT", game, "comments", path=["5", "2"], comment="an edge").json()
    assert game["variations"][0]["comments"] == {"2": "an edge"}
    game = ask(client, "PUT", game, "comments", path=["5"], comment="the centre").json()
    game = ask(client, "PUT", game, "comments", path=[], comment="A game").json()
    assert game["comments"] == {"0": "A game", "1": "the centre"}
    text = client.get(f"{API}/games/{game['id']}/export").text
    assert "{A game} 1. 5 {the centre} 1 (1... 2 {an edge} 2. 8) 2. 9 *" in " ".join(text.split())
    game = ask(client, "DELETE", game, "variations", path=["5", "2", "8"]).json()
    assert game["variations"] == []
    game = ask(client, "PUT", game, "comments", path=["5"], comment="").json()
    assert game["comments"] == {"0": "A game"}


def test_variations_and_comments_are_stored(tmp_path: Path) -> None:
    url = file_url(str(tmp_path / "games.db"))
    with TestClient(create_app(url)) as client:
        game = opened(client, "ultimate", "55 51")
        game = ask(client, "POST", game, "variations", path=["55", "51", "15", "58"]).json()
        game = ask(client, "POST", game, "variations", path=["55", "52"]).json()
        game = ask(client, "PUT", game, "comments", path=["55", "52"], comment="«é» }").json()
        cookies = dict(client.cookies)
    with TestClient(create_app(url), cookies=cookies) as client:
        again = client.get(f"{API}/games/{game['id']}").json()
    for name in ("version", "moves", "variations", "comments"):
        assert again[name] == game[name]


def test_variation_does_not_disturb_a_thinking_machine(client: TestClient) -> None:
    game = opened(client, "ultimate", x="engine:seconds=30", o="me")
    assert game["thinking"]["side"] == "X"
    game = ask(client, "POST", game, "variations", path=["11", "12"]).json()
    game = ask(client, "PUT", game, "comments", path=[], comment="It thinks.").json()
    assert game["thinking"]["side"] == "X"
    assert ask(client, "POST", game, "stop").status_code == 200
    until = time.monotonic() + PATIENCE
    while not (game := client.get(f"{API}/games/{game['id']}").json())["moves"]:
        assert time.monotonic() < until, "the machine does not stop"
        time.sleep(0.02)
    assert len(game["moves"]) == 1
    assert game["variations"] == [{"path": ["11", "12"], "shared": 0, "comments": {}}] or (
        game["moves"] == ["11"]
    )


@pytest.mark.parametrize(
    ("method", "what", "wanted", "status", "kind"),
    [
        ("POST", "variations", {"path": ["5", "5"]}, 422, "illegal-move"),
        ("POST", "variations", {"path": ["x"]}, 422, "illegal-move"),
        ("POST", "variations", {"path": ["1"] * 401}, 422, "request"),
        ("POST", "variations", {"path": ["1"], "version": 99}, 409, "conflict"),
        ("POST", "variations", {}, 422, "request"),
        ("DELETE", "variations", {"path": ["5", "1"]}, 409, "no-variation"),
        ("DELETE", "variations", {"path": []}, 409, "no-variation"),
        ("DELETE", "variations", {"path": ["9", "8"]}, 409, "no-variation"),
        ("PUT", "comments", {"path": ["9"], "comment": "?"}, 409, "no-variation"),
        ("PUT", "comments", {"path": ["5"], "comment": "x" * 2001}, 422, "request"),
    ],
)
def test_invalid_variations_are_refused_and_change_nothing(
    client: TestClient, method: str, what: str, wanted: Any, status: int, kind: str
) -> None:
    game = opened(client, moves="5 1 9")
    answer = ask(client, method, game, what, **wanted)
    assert (answer.status_code, answer.json()["type"]) == (status, f"urn:noughts:{kind}")
    assert answer.json()["detail"].endswith(".")
    assert client.get(f"{API}/games/{game['id']}").json() == game


def test_unpaired_surrogate_is_refused(client: TestClient) -> None:
    game = opened(client, moves="5")
    body = f'{{"version": {game["version"]}, "path": ["5"], "comment": "\\ud800"}}'
    answer = client.put(f"{API}/games/{game['id']}/comments", content=body)
    assert answer.status_code == 422
    assert client.get(f"{API}/games/{game['id']}").json() == game


def test_spectators_keep_no_variations(client: TestClient) -> None:
    game = opened(client, moves="5 1")
    key = {"noughts-key": game["keys"]["watch"]}
    client.cookies.clear()
    body = {"version": game["version"], "path": ["9"]}
    answer = client.post(f"{API}/games/{game['id']}/variations", json=body, headers=key)
    assert (answer.status_code, answer.json()["type"]) == (403, "urn:noughts:not-yours")


def test_size_of_a_game_is_bounded(tmp_path: Path) -> None:
    settings = Settings(moves_of_a_game=4, comments_of_a_game=10)
    app = create_app(file_url(str(tmp_path / "games.db")), settings=settings)
    with TestClient(app) as client:
        check_sizes(client)


def check_sizes(client: TestClient) -> None:
    game = opened(client, moves="5 1")
    game = ask(client, "POST", game, "variations", path=["9", "8"]).json()
    answer = ask(client, "POST", game, "variations", path=["7"])
    assert (answer.status_code, answer.json()["type"]) == (422, "urn:noughts:too-large")
    game = ask(client, "PUT", game, "comments", path=["5"], comment="ten chars.").json()
    answer = ask(client, "PUT", game, "comments", path=["9"], comment="!")
    assert (answer.status_code, answer.json()["type"]) == (422, "urn:noughts:too-large")
    answer = ask(client, "PUT", game, "comments", path=["5"], comment="tenth char")
    assert answer.status_code == 200
