"""The report of a match, and the regret of its moves."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from needs import needs_axe, needs_browser
from page import faults
from playwright.sync_api import Browser, Locator, Page, Route, expect
from samples import RULES_IDS

import noughts
from noughts import Player, Position
from noughts.arena.bot import Builtin, Fault, Reply, Turn, Verdict
from noughts.arena.control import Control
from noughts.arena.referee import play_game
from noughts.arena.regret import Solver, audit, regrets
from noughts.arena.standings import standings
from noughts.arena.statistics import Sprt
from noughts.engine import Engine
from noughts.games.nested import NestedPosition
from noughts.games.record import Record
from noughts.views import replay
from noughts.views.board import board_data, lines, owners
from noughts.views.match_report import STATIC, match_report, words
from noughts.views.match_report.games import games_data

SHARP = "</script><b>&amp;"
"""Text of a bot that a careless page would interpret as HTML."""


class Scripted(Builtin):
    """A bot that plays as `random`, and fails at its third move."""

    def __init__(self) -> None:
        super().__init__("random")
        self.asked = 0

    def choose(self, turn: Turn) -> Reply:
        self.asked += 1
        if self.asked == 3:
            raise Fault(Verdict.GARBAGE, SHARP)
        return super().choose(turn)


def played(rules: Sequence[str], pairs: int = 1, fault: bool = False) -> list[Record]:
    """Return the games of a match of random bots, with openings of one move."""
    games: list[Record] = []
    for pair in range(pairs * len(rules)):
        start = noughts.game(rules[pair % len(rules)])
        opening = [random.Random(pair).choice(start.legal_moves())]
        for x, o in (("one", "two"), ("two", "one")):
            bots = {
                player: Scripted() if fault and name == "two" else Builtin("random")
                for player, name in zip(Player, (x, o), strict=True)
            }
            tags = {
                "Event": f"A cup {SHARP}",
                "Round": str(len(games) + 1),
                "Pair": str(pair + 1),
                "X": x,
                "O": o,
                "XBot": "random",
                "OBot": "random",
                "Date": "2026-05-01T12:00:00+00:00",
            }
            games.append(play_game(start, opening, bots, Control(nodes=9), len(games), tags))
    return games


# Regret -------------------------------------------------------------------------------------------


def test_regret_is_the_engine_s_loss_for_each_move() -> None:
    engine = Engine("basic")
    worth = {"win": 1.0, "draw": 0.5, "loss": 0.0}
    for record in played(["basic"], 10):
        expected: list[float | None] = [None]
        for position, move in list(zip(record.positions(), record.moves, strict=False))[1:]:
            scores = engine.best_move(position, moves=True).moves
            points = {each: worth[value.kind] for each, value in scores.items()}
            expected.append(max(points.values()) - points[move])
        assert regrets(record, Solver()) == expected


def test_regret_in_a_registered_game_and_for_both_players(nim: Position) -> None:
    # From 3 4 5 only taking two from the first pile wins: 1, 4 and 5 cancel out (Bouton).
    record = Record.from_moves(nim, [2, 25], {"X": "good", "O": "bad"})
    assert regrets(record, Solver()) == [0.0, 0.0]
    record = Record.from_moves(nim, [1, 1], {"X": "bad", "O": "good"})
    assert regrets(record, Solver())[0] == 1.0
    found = audit([record]).bots["bad"]
    assert (found.moves, found.solved, found.points, found.whole_points) == (1, 1, 1.0, 1)
    assert (found.mean, found.half_points) == (1.0, 0)


def test_unsolved_positions_are_not_counted() -> None:
    records = played(["mnk:7,7,5"])
    within_nothing = audit(records, Solver(nodes=1))
    assert within_nothing.untried == 0
    for name, own in within_nothing.bots.items():
        wanted = sum(
            len([0 for turn in turns_of(record)[1:] if record.tags[str(turn)] == name])
            for record in records
        )
        assert own.moves == wanted
        # The last move's win is known without a search; the position before it is not solved.
        assert own.solved <= 1
    spent = audit(records, Solver(total=1))
    assert spent.untried == len(records)
    assert sum(own.solved for own in spent.bots.values()) <= len(records)


def turns_of(record: Record) -> list[Player]:
    return [position.turn for position in record.positions()][:-1]


def test_total_work_is_bounded_and_known_positions_are_not_searched_again() -> None:
    records = played(["connect4"])
    solver = Solver(nodes=2000, total=10_000)
    audit(records, solver)
    left = solver.left
    assert left < 10_000
    assert left > -2000
    first = audit(records, Solver(nodes=2000))
    solver = Solver(nodes=2000)
    audit(records, solver)
    left = solver.left
    assert audit(records, solver).lost == first.lost
    assert solver.left == left


# Data ---------------------------------------------------------------------------------------------


def test_points_over_time_follow_the_order_of_the_pairs() -> None:
    def game(number: int, x: str, result: str) -> Record:
        o = "two" if x == "one" else "one"
        tags = {"Round": str(number), "Pair": str((number + 1) // 2), "X": x, "O": o}
        return Record(noughts.game("basic"), tags, result=result, termination="crash")

    results = [("one", "1-0"), ("two", "0-1"), ("one", "1/2-1/2"), ("two", "1-0"), ("one", "0-1")]
    games = [game(number, *each) for number, each in enumerate(results, 1)]
    shuffled = [games[at] for at in (3, 4, 0, 2, 1)]
    assert words.pair_scores(shuffled, "one") == [1.0, 0.25]
    assert words.in_order(shuffled) == games
    test = Sprt(0, 10)
    course = words.course_of(games, standings(games), test)
    ratios = [0.0, test.ratio([0, 0, 0, 0, 1]), test.ratio([0, 1, 0, 0, 1])]
    assert (course.ratios, course.decided, course.passed) == (ratios, None, None)
    assert "Not decided after 2 pairs" in course.sentence


def test_points_end_where_the_test_is_decided() -> None:
    won = words.Course("one", "two", Sprt(0, 10), [0.0, 1.0, 3.0, 2.0])
    assert (won.decided, won.passed) == (2, True)
    lost = words.Course("one", "two", Sprt(0, 10), [0.0, -3.5, 3.0])
    assert (lost.decided, lost.passed) == (1, False)
    assert "failed at pair 1" in lost.sentence


def test_report_without_a_game_or_a_result() -> None:
    assert "No game has a result." in match_report([], standings([]), sprt=Sprt(0, 10))
    unfinished = [Record(noughts.game("basic"))]
    page = match_report(unfinished, standings(unfinished))
    assert "No game has a result." in page
    assert '"result":"*"' in page


def test_sequential_test_has_two_bots() -> None:
    records = played(["basic"])
    records[0].tags["X"] = "three"
    with pytest.raises(ValueError, match="3"):
        match_report(records, standings(records), sprt=Sprt(0, 10))


# The page -----------------------------------------------------------------------------------------

Open = Callable[..., Page]


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """Return a function that opens a report from disk, offline, and allows no browser error."""
    wrong: list[str] = []
    contexts = []

    def open_(records: Sequence[Record], fragment: str = "", **settings: Any) -> Page:
        options = {key: settings.pop(key) for key in ("audit", "sprt") if key in settings}
        file = tmp_path / "report.html"
        file.write_text(match_report(records, standings(records), **options), encoding="utf-8")
        settings.setdefault("viewport", {"width": 1240, "height": 860})
        context = browser.new_context(offline=True, **settings)
        context.set_default_timeout(60_000)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: wrong.append(message.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda request: wrong.append(request.url))
        page.goto(file.as_uri() + fragment)
        wrong[:] = [each for each in wrong if not each.startswith(file.as_uri())]
        return page

    yield open_
    for context in contexts:
        context.close()
    assert wrong == []


def rows(page: Page) -> Locator:
    return page.get_by_role("option").filter(has=page.locator(".names"))


def choose(page: Page, name: str, label: str) -> None:
    page.get_by_role("combobox", name=name, exact=True).select_option(label=label)


@needs_browser
def test_every_position_equals_that_of_the_rules(browser: Browser, nim: Position) -> None:
    records = played([*RULES_IDS, nim.rules_id])[::2]
    context = browser.new_context()
    page = context.new_page()

    def serve(route: Route) -> None:
        name = route.request.url.rpartition("/")[2]
        folder = STATIC if (STATIC / name).is_file() else replay.STATIC
        body = (folder / name).read_text(encoding="utf-8") if name else "<!doctype html>"
        kind = "text/javascript" if name else "text/html"
        route.fulfill(body=body, content_type=kind)

    page.route("http://report.test/**", serve)
    page.goto("http://report.test/")
    shown = page.evaluate(
        """async (report) => {
          const { gameAt, moveText } = await import("/game.js");
          return report.games.map((game) => ({
            moves: Array.from({ length: game.moves }, (_, at) => moveText(report, game, at)),
            positions: Array.from({ length: game.moves + 1 }, (_, at) => gameAt(report, game, at)),
          }));
        }""",
        games_data(records, None),
    )
    context.close()
    for record, game in zip(records, shown, strict=True):
        assert game["moves"] == noughts.move_texts(record.start, record.moves)
        for position, drawn in zip(record.positions(), game["positions"], strict=True):
            board = drawn["board"]
            assert drawn["turn"] == str(position.turn)
            if board["kind"] == "text":
                assert board["text"] == position.diagram()
                continue
            assert "".join(board["cells"]) == board_data(position)["cells"]
            if position.outcome() is not None:
                assert [board["lines"], board["board_lines"]] == [*lines(position)]
            if isinstance(position, NestedPosition):
                assert board["owners"] == owners(position)
                assert drawn["open"] == sorted({move // 9 for move in position.legal_moves()})


@needs_browser
def test_page_shows_the_winner_and_the_game_of_its_address(opened: Open) -> None:
    records = played(["basic", "connect4", "ultimate"], 2)
    page = opened(records, "#3.4")
    table = standings(records)
    for tally in table.bots.values():
        row = page.get_by_role("region", name="Standings").get_by_role("row", name=tally.name)
        numbers = [tally.wins, tally.draws, tally.losses]
        expect(row.get_by_role("cell").nth(4)).to_have_text(str(numbers[0]))
        expect(row.get_by_role("cell").nth(5)).to_have_text(str(numbers[1]))
        expect(row.get_by_role("cell").nth(6)).to_have_text(str(numbers[2]))
    pairs = table.meetings()[0].pairs
    assert page.locator(".bars span:first-child").all_inner_texts() == [str(n) for n in pairs]
    expect(page.locator(".place")).to_have_text(f"4 of {len(records[2].moves)}")
    expect(page.locator(".how")).to_contain_text("Game 3 · connect4")
    expect(page.locator(".large svg.rack")).to_be_visible()
    assert page.url.endswith("#3.4")


@needs_browser
def test_games_are_browsed_by_keyboard(opened: Open) -> None:
    records = played(["basic", "ultimate"])
    page = opened(records)
    place, how = page.locator(".place"), page.locator(".how")
    expect(how).to_contain_text("Game 1 ·")
    page.get_by_role("listbox").focus()
    page.keyboard.press("ArrowDown")
    expect(how).to_contain_text("Game 2 ·")
    length = len(records[1].moves)
    expect(place).to_have_text(f"{length} of {length}")
    for key, ply in (("ArrowLeft", length - 1), ("Home", 0), ("ArrowRight", 1), ("End", length)):
        page.keyboard.press(key)
        expect(place).to_have_text(f"{ply} of {length}")
    page.get_by_role("button", name="Step back").focus()
    page.keyboard.press("Enter")
    expect(place).to_have_text(f"{length - 1} of {length}")
    expect(page.get_by_role("status").last).to_contain_text(f"Move {length - 1}:")
    moves = page.get_by_role("list", name="Moves").get_by_role("button")
    expect(moves).to_have_count(length)
    moves.nth(2).click()
    expect(place).to_have_text(f"3 of {length}")
    expect(moves.nth(2)).to_have_attribute("aria-current", "step")
    # An empty list has no next game.
    page.get_by_role("listbox").focus()
    page.keyboard.press("PageDown")
    expect(how).to_contain_text("Game 4 ·")


@needs_browser
def test_games_are_filtered(opened: Open) -> None:
    records = played(["basic", "connect4"], 8, fault=True)
    records += played(["mnk:5,4,4"])
    for number, record in enumerate(records, 1):
        record.tags["Round"] = str(number)
    page = opened(records)

    def expected(fits: Callable[[Record], bool]) -> None:
        numbers = [record.tags["Round"] for record in records if fits(record)]
        shown = rows(page).locator("> :first-child")
        expect(shown).to_have_text(numbers)

    expected(lambda _: True)
    choose(page, "Fault", "garbage")
    at_fault = [record for record in records if "Fault" in record.tags]
    assert 0 < len(at_fault) < len(records)
    expected(lambda record: "Fault" in record.tags)
    choose(page, "Bot", "one")
    expect(rows(page)).to_have_count(0)
    choose(page, "Bot", "two")
    expected(lambda record: "Fault" in record.tags)
    choose(page, "Fault", "any")
    choose(page, "Result", "won")
    expected(lambda record: record.result == ("1-0" if record.tags["X"] == "two" else "0-1"))
    choose(page, "Game", "basic")
    expected(
        lambda record: (
            record.result == ("1-0" if record.tags["X"] == "two" else "0-1")
            and record.start.rules_id == "basic"
        )
    )
    choose(page, "Bot", "any")
    choose(page, "Result", "O won")
    expected(lambda record: record.result == "0-1" and record.start.rules_id == "basic")


@needs_browser
def test_text_of_a_bot_stays_text(opened: Open) -> None:
    records = played(["basic"], fault=True)
    records[0].tags["X"] = records[1].tags["O"] = f"one {SHARP}"
    page = opened(records)
    expect(page.get_by_role("heading", level=1)).to_have_text(f"A cup {SHARP}")
    expect(page.locator(".how .fault")).to_have_text(f"O: {SHARP}")
    expect(page.locator(".who b").first).to_have_text(f"one {SHARP}")
    expect(rows(page).first).to_contain_text(f"one {SHARP}")


@needs_browser
def test_regret_is_shown_beside_the_moves(opened: Open) -> None:
    records = played(["basic"], 6)
    found = audit(records)
    number, lost = next((i, each) for i, each in enumerate(found.lost) if 1.0 in each)
    page = opened(records, f"#{number + 1}.{lost.index(1.0) + 1}", audit=found)
    signs = {0.5: "−½", 1.0: "−1"}
    wanted = [signs[each] for each in lost if each]
    assert page.locator(".moves .chip").all_inner_texts() == wanted
    expect(page.locator(".note")).to_contain_text("1 point")
    choose(page, "Regret", "a whole point")
    blundered = sum(1.0 in each for each in found.lost)
    expect(rows(page)).to_have_count(blundered)
    region = page.get_by_role("region", name="Regret", exact=True).last
    for name, own in found.bots.items():
        expect(region.get_by_role("row", name=name)).to_contain_text(f"{own.mean:.4f}")


@needs_browser
def test_of_two_thousand_games_only_the_visible_are_drawn(opened: Open) -> None:
    records = played(["basic"]) * 1000
    page = opened(records)
    drawn = rows(page)
    expect(page.get_by_text("2,000 games", exact=True)).to_be_visible()
    assert drawn.count() < 200
    page.get_by_role("listbox").evaluate("list => { list.scrollTop = list.scrollHeight }")
    expect(drawn.nth(100)).to_be_attached()
    assert drawn.count() < 400
    page.evaluate("location.hash = '#1999'")
    expect(page.locator("[aria-selected=true]")).to_be_in_viewport()


@needs_browser
def test_nothing_is_wider_than_a_phone(opened: Open) -> None:
    page = opened(played(["ultimate"]), viewport={"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    rows(page).nth(1).click()
    expect(page.locator(".how")).to_be_in_viewport()


@needs_browser
def test_light_and_dark(opened: Open) -> None:
    page = opened(played(["basic"]), color_scheme="dark")
    paper = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(paper) == "rgb(19, 21, 24)"
    page.get_by_role("button", name="Light").click()
    assert page.evaluate(paper) == "rgb(251, 250, 248)"


@needs_browser
@needs_axe
def test_accessibility(opened: Open) -> None:
    records = played(["basic", "ultimate", "connect4"], 2, fault=True)
    full = opened(records, audit=audit(records, Solver(nodes=500)), sprt=Sprt(0, 10))
    records[0].tags["X"] = "three"
    for page in (full, opened(records)):
        for width in (1240, 390):
            page.set_viewport_size({"width": width, "height": 800})
            assert faults(page) == []
