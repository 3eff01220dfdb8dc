"""Exercises on the page and in its API."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from needs import needs_axe, needs_browser
from page import Visit, button, faults
from playwright.sync_api import Page, expect
from web import Person, people, problem

from noughts.exercises.exercise import Exercise, ExerciseEntry
from noughts.exercises.make import KINDS, exercises


def made(kind: str, seed: int) -> Exercise:
    """Return the exercise of a kind and a seed."""
    (found,) = exercises(kind, 1, seed)
    return found


def wrong_answer(entry: ExerciseEntry) -> str:
    """Return an answer that can be read and is wrong."""
    if entry.kind == "number":
        return "977"
    right = (entry.answer, *entry.answer.split())
    others = [each for each in entry.choices if each not in right]
    return others[0] if others else "none"


# The API


@pytest.fixture(scope="module")
def person(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    with people(tmp_path_factory.mktemp("exercises")) as (anna,):
        yield anna


@pytest.mark.parametrize("kind", KINDS)
def test_answers_are_marked_and_told_on_request_only(person: Person, kind: str) -> None:
    exercise, query = made(kind, 5), {"seed": 5}
    view = person.get_json(f"/exercises/{kind}", params=query)
    assert view["task"] == exercise.task
    assert [each["label"] for each in view["entries"]] == [each.label for each in exercise.entries]
    assert not {"answer", "why", "mistakes"} & view["entries"][0].keys()
    assert "style" not in view["figure"]["body"], "the policy of the page forbids it"

    right = {entry.name: entry.answer or "none" for entry in exercise.entries}
    wrong = {entry.name: wrong_answer(entry) for entry in exercise.entries}
    for answers, is_right in ((right, True), (wrong, False)):
        path = f"/exercises/{kind}/marks"
        marks = person.ask("POST", path, {"answers": answers}, params=query).json()["marks"]
        assert [each["name"] for each in marks] == [entry.name for entry in exercise.entries]
        assert {each["right"] for each in marks} == {is_right}
        assert all(each["says"].endswith((".", "?")) for each in marks)

    told = person.get_json(f"/exercises/{kind}/answers", params=query)
    assert [each["answer"] for each in told["answers"]] == [each.shown for each in exercise.entries]


def test_bad_requests_are_refused(person: Person) -> None:
    assert problem(person.ask("GET", "/exercises/sums?seed=1")) == (404, "not-found")
    assert problem(person.ask("GET", "/exercises/count?seed=-1")) == (422, "request")
    wanted = person.ask("POST", "/exercises/count/marks?seed=1", {"answers": {"Z": "1"}})
    assert problem(wanted)[0] == 422
    assert "no entry 'Z'" in wanted.json()["detail"]


def test_difficulty_is_kept(person: Person) -> None:
    for difficulty in ("easy", "medium", "hard"):
        query = {"seed": 3, "difficulty": difficulty}
        view = person.get_json("/exercises/minimax", params=query)
        assert view["difficulty"] == difficulty


# The page


def answer(page: Page, entry: ExerciseEntry, text: str) -> None:
    """Give an answer to an entry on the page, as a person does."""
    if entry.kind == "number":
        name = entry.label
        page.get_by_role("textbox", name=name, exact=True).fill(text)
        page.keyboard.press("Enter")
        return
    group = page.get_by_role("group", name=entry.label)
    if entry.kind == "choice":
        group.get_by_label(text, exact=True).check()
        return
    for choice in text.split():
        group.get_by_label(choice, exact=True).check()
    group.get_by_role("button", name="Check").click()


@needs_browser
@pytest.mark.parametrize("kind", ["alphabeta", "move"])
def test_exercise_is_solved_step_by_step(visit: Visit, kind: str) -> None:
    exercise = made(kind, 5)
    page = visit().go(f"/exercises/{kind}?seed=5")
    says, total = page.locator(".exercise-says"), len(exercise.entries)
    first = exercise.entries[0]
    answer(page, first, wrong_answer(first))
    expect(says).to_contain_text(f"{first.label}: wrong.")
    expect(page.locator("[data-mark=wrong]")).to_have_count(1)
    for number, entry in enumerate(exercise.entries, 1):
        answer(page, entry, entry.answer)
        expect(says).to_contain_text(f"{entry.label}: right.")
        expect(page.locator("[data-mark=right]")).to_have_count(number)
        expect(page.locator(".exercise-score")).to_have_text(f"{number} of {total} right")
    expect(page.locator("[data-mark=wrong]")).to_have_count(0)
    expect(says).to_contain_text("The exercise is solved.")
    button(page, "Next exercise").click()
    expect(page).not_to_have_url(re.compile("seed=5$"))
    expect(page.locator(".exercise-score")).to_contain_text("0 of ")


@needs_browser
@needs_axe
def test_clue_and_answers_are_shown(visit: Visit) -> None:
    page = visit().go("/exercises")
    page.get_by_role("link", name="Minimax").first.click()
    expect(page.locator(".exercise-figure svg")).to_be_visible()
    assert faults(page) == []
    button(page, "Clue").click()
    expect(page.locator(".exercise-says")).not_to_be_empty()
    before = page.locator(".exercise-figure").inner_html()
    button(page, "Show answers").click()
    expect(page.locator(".exercise-says")).to_have_text("These are the answers.")
    assert page.locator(".exercise-figure").inner_html() != before
    expect(page.locator("[data-mark=shown]").first).to_be_visible()
    assert all(
        page.locator(".exercise-field input").evaluate_all("all => all.map((each) => each.value)")
    )
