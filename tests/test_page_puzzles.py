"""Puzzles on the page, in a real browser: the list, the puzzle of the day, solving."""

from __future__ import annotations

import datetime
import re

import pytest
from needs import needs_axe, needs_browser
from page import Visit, button, faults, playable
from playwright.sync_api import Page, expect

from noughts.games.position import move_texts
from noughts.puzzles.puzzle import (
    GAMES,
    Puzzle,
    all_puzzles,
    puzzle_of_day,
    puzzles_of,
)

pytestmark = needs_browser


def puzzle_in(rules: str, moves: int) -> Puzzle:
    return next(each for each in puzzles_of(rules) if each.moves == moves and each.rating > 1)


def solve(page: Page, puzzle: Puzzle) -> None:
    """Type the own moves of the solution, and wait for each reply."""
    texts = move_texts(puzzle.position, puzzle.line)
    for own, reply in zip(texts[::2], [*texts[1::2], None], strict=True):
        page.keyboard.type(own)
        if reply is not None:
            expect(page.locator(".verdict")).to_have_text(re.compile(rf"replies {reply}\.$"))
    expect(page.locator(".verdict")).to_have_text("Solved!")


@needs_axe
def test_the_list_has_filters(visit: Visit) -> None:
    visitor = visit()
    page = visitor.go("/puzzles")
    expect(page).to_have_title("Puzzles · noughts")
    expect(page.locator(".puzzle-card svg.board")).to_have_count(12)
    expect(page.locator(".puzzle-today svg.board")).to_have_count(1)
    expect(page.get_by_text(f"{len(all_puzzles()):,} puzzles")).to_be_visible()
    assert faults(page) == []
    button(page, "Show more").click()
    expect(page.locator(".puzzle-card")).to_have_count(24)
    page.get_by_role("combobox", name="Game").select_option("connect4")
    page.get_by_role("combobox", name="Difficulty").select_option("medium")
    medium = [each for each in puzzles_of("connect4") if each.level == "medium"]
    expect(page.get_by_text(f"{len(medium)} puzzles")).to_be_visible()
    expect(page.locator(".puzzle-card")).to_have_count(12)
    expect(page.locator(".puzzle-card[data-level='medium']")).to_have_count(12)
    expect(page).to_have_url(re.compile(r"rules=connect4&level=medium$"))
    page.reload()
    expect(page.get_by_role("combobox", name="Game")).to_have_value("connect4")
    expect(page.get_by_text(f"{len(medium)} puzzles")).to_be_visible()
    page.locator(".puzzle-card").first.click()
    expect(page.locator(".situation")).to_have_text(medium[0].task)


@needs_axe
def test_a_puzzle_is_solved_by_keyboard(visit: Visit) -> None:
    puzzle = puzzle_in("mnk:5,5,4", 3)
    page = visit().go(f"/puzzles/{puzzle.id}")
    expect(page.locator(".situation")).to_have_text(puzzle.task)
    expect(page.locator(".verdict")).to_have_text("Find the 3 moves. The machine defends.")
    assert faults(page) == []
    solve(page, puzzle)
    expect(page.locator("#said")).to_have_text(re.compile("^Solved!"))
    expect(page.locator(".solution")).to_have_text(
        "Solution: " + "·".join(move_texts(puzzle.position, puzzle.line))
    )
    expect(page.locator(".reasons .said").first).to_be_visible()
    expect(playable(page)).to_have_count(0)
    assert faults(page) == []
    link = page.get_by_role("link", name="Next puzzle")
    expect(link).to_be_visible()
    page.locator(".solution a").first.focus()
    expect(page.locator(".step-number")).to_have_count(1)
    page.goto(page.url.partition("/puzzles")[0] + "/puzzles?rules=mnk:5,5,4&level=" + puzzle.level)
    expect(page.locator(".puzzle-card").first).to_be_visible()
    while page.locator(f"a[href='/puzzles/{puzzle.id}'] .solved").count() == 0:
        shown = page.locator(".puzzle-card").count()
        button(page, "Show more").click()
        expect(page.locator(".puzzle-card").nth(shown)).to_be_visible()


def test_a_wrong_move_is_explained_and_can_be_tried_again(visit: Visit) -> None:
    puzzle = puzzle_in("connect4", 2)
    page = visit().go(f"/puzzles/{puzzle.id}")
    position = puzzle.position
    wrong = next(move for move in position.legal_moves() if move != puzzle.line[0])
    expect(playable(page).first).to_be_visible()
    page.locator(f"[data-cell='{wrong}']").click()
    expect(page.locator(".verdict.bad")).to_have_text(re.compile(r"Try again\.$"))
    expect(page.locator(".reasons .said").first).to_be_visible()
    expect(playable(page).first).to_be_visible()
    solve(page, puzzle)


def test_a_move_that_gives_up_a_win_is_wrong(visit: Visit) -> None:
    puzzle = next(each for each in puzzles_of("advanced") if each.kind == "keep")
    position = puzzle.position
    page = visit().go(f"/puzzles/{puzzle.id}")
    expect(page.locator(".situation")).to_have_text(puzzle.task)
    wrong = next(move for move in position.legal_moves() if move != puzzle.line[0])
    page.keyboard.type(position.move_text(wrong))
    said = "That does not keep the win. Try again."
    expect(page.locator(".verdict.bad")).to_have_text(said)
    expect(page.get_by_text("Not proven")).to_have_count(0)
    solve(page, puzzle)
    expect(page.locator(".reasons")).to_contain_text("is the only winning move.")


def test_hints_and_the_solution(visit: Visit) -> None:
    puzzle = puzzle_in("mnk:5,5,4", 2)
    page = visit().go(f"/puzzles/{puzzle.id}")
    hint = button(page, "Hint")
    while hint.is_enabled():
        hint.click()
    assert page.locator(".hints li").count() >= len(puzzle.themes)
    button(page, "Show solution").click()
    expect(page.locator(".verdict")).to_have_text("The solution:")
    expect(page.locator(".solution a")).to_have_text(move_texts(puzzle.position, puzzle.line))
    expect(button(page, "Show solution")).to_be_disabled()
    assert page.evaluate("localStorage.getItem('noughts.puzzles-solved')") is None


def test_the_puzzle_of_the_day_counts_days(visit: Visit) -> None:
    visitor = visit()
    page = visitor.go("/")
    today = page.evaluate("new Date().toLocaleDateString('sv')")
    puzzle = puzzle_of_day(datetime.date.fromisoformat(today))
    yesterday = datetime.date.fromisoformat(today) - datetime.timedelta(1)
    link = page.locator("a[href='/puzzles/today']")
    expect(link).to_contain_text(puzzle.task)
    expect(link.locator("svg.board")).to_have_count(1)
    page.evaluate(
        "day => localStorage.setItem('noughts.puzzle-days', JSON.stringify({day, days: 4}))",
        yesterday.isoformat(),
    )
    page.reload()
    expect(link).to_contain_text("4 days in a row")
    link.click()
    expect(page.locator("h1")).to_have_text("Today's puzzle")
    solve(page, puzzle)
    expect(page.get_by_text("Today's puzzle: 5 days in a row.")).to_be_visible()
    page.locator(".wordmark").click()
    expect(link).to_contain_text("5 days in a row")


@pytest.mark.parametrize(
    "rules",
    [
        pytest.param(rules, marks=pytest.mark.soak if number % 2 else ())
        for number, rules in enumerate(GAMES)
    ],
)
def test_every_game_shows_its_puzzles(visit: Visit, rules: str) -> None:
    puzzle = puzzles_of(rules)[len(puzzles_of(rules)) // 2]
    page = visit().go(f"/puzzles/{puzzle.id}")
    expect(page.locator(".situation")).to_have_text(puzzle.task)
    expect(playable(page).first).to_be_attached()
    solve(page, puzzle)


def test_an_unknown_puzzle_is_reported(visit: Visit) -> None:
    visitor = visit()
    for unknown in ("0123456789", "xyz"):
        page = visitor.go(f"/puzzles/{unknown}")
        expect(page.locator("h1")).to_have_text("There is no such puzzle.")
    visitor.expected(404)
