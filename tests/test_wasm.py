"""core.wasm in browsers, question by question beside the native core and the Python rules."""

from __future__ import annotations

import importlib
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from needs import needs_browser, needs_firefox, needs_threads, needs_wasm
from playwright.sync_api import Page
from samples import RULES_IDS, data, random_game, random_position
from wasm_core import (
    Ask,
    Question,
    in_chromium,
    in_firefox,
    native,
    served,
    without_clock,
)

import noughts
from noughts.games.registry import parse_start
from noughts.search import Limit

pytestmark = [needs_wasm, needs_browser]

METHODS = ("alphabeta", "selective", "mcts", "mcts_random", "solve", "solve_weakly", "assisted")
IDS = [each for each in RULES_IDS if each.partition(":")[0] in noughts.GAMES]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served() as found:
        yield found


@pytest.fixture(scope="module")
def page(address: str) -> Iterator[Page]:
    with in_chromium(address) as found:
        yield found


@pytest.fixture(scope="module")
def ask(page: Page) -> Ask:
    return lambda questions: page.evaluate("questions => ask(questions)", list(questions))


@pytest.fixture(scope="module")
def ask_firefox(address: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    with in_firefox(address, tmp_path_factory.mktemp("firefox")) as found:
        yield found


def searches(number: int) -> Iterator[Question]:
    """Yield searches of random positions, over all rules and methods."""
    rng = random.Random(17)
    for index in range(number):
        rules = IDS[index % len(IDS)]
        method = METHODS[index // len(IDS) % len(METHODS)]
        family = rules.partition(":")[0]
        nested = family in ("advanced", "ultimate")
        large = rules == "mnk:19,19,5"
        limits: dict[str, Any] = {"method": method}
        if method.startswith("mcts"):
            limits["simulations"] = rng.randrange(20, 60 if large else 1500)
        elif index % 5 == 0 and method in ("alphabeta", "selective"):
            limits["depth"] = rng.randrange(1, 3 if large else 5)
        else:
            limits["nodes"] = rng.randrange(20, 300 if large else 4000)
        net = family if nested and rng.random() < 0.5 else None
        evaluation = "report" if nested and not net and rng.random() < 0.2 else ""
        values = method not in ("mcts", "mcts_random") and rng.random() < 0.2
        yield (
            "scores" if values else "search",
            {
                "rules": rules,
                "options": {"tableMib": 2, "seed": rng.getrandbits(32), "evaluation": evaluation},
                "net": net,
                "position": str(random_position(noughts.game(rules), rng)),
                "limits": limits,
                "reported": rng.random() < 0.2,
            },
        )


def facts_of_the_core(number: int) -> Iterator[Question]:
    """Yield questions about the core that need no search by an engine."""
    won = noughts.game("mnk:15,15,5").after("h6 f8 j6 h8 j8 f6 i9 h10")
    for place, loses in ((won, False), (won.play(won.parse_move("i7")), True)):
        for size in (10, 1_000):
            yield (
                "threat_tree",
                {"position": str(place), "loses": loses, "size": size, "nodes": 2_000},
            )
    rng = random.Random(18)
    for index in range(number):
        rules = IDS[index % len(IDS)]
        start = noughts.game(rules)
        position = str(random_position(start, rng))
        yield "perft", {"position": position, "depth": rng.randrange(3)}
        yield "random_game", {"position": position, "seed": str(rng.getrandbits(64))}
        if rules.startswith("connect4"):
            yield "book_place", {"position": position}
        yield "estimate", {"net": rng.choice(("ultimate", "advanced")), "position": position}
        yield "count", {"position": str(start), "limits": {"plies": 2, "bytes": 2**26}}


# Tables that grow, with places of more than 32 bits.
LONG: Question = (
    "search",
    {
        "rules": "connect4:6,5",
        "options": {"tableMib": 16},
        "net": None,
        "position": str(noughts.game("connect4:6,5")),
        "limits": {"method": "solve"},
        "reported": False,
    },
)
BAD: tuple[Question, ...] = (
    ("perft", {"position": "nothing", "depth": 1}),
    ("perft", {"position": "basic~3.3.3~X", "depth": -1}),
    ("random_game", {"position": "basic~3.3.4~X", "seed": "1"}),
    ("threat_tree", {"position": "basic~3.3.3~X", "loses": False, "size": 10, "nodes": 10}),
    ("book_place", {"position": "basic~3.3.3~X"}),
    ("estimate", {"net": "ultimate", "position": "basic~3.3.3~X"}),
    *(
        (
            "search",
            {
                "rules": rules,
                "options": {"tableMib": 1, "evaluation": evaluation},
                "net": None,
                "position": position,
                "limits": {"method": "alphabeta", "depth": 1},
                "reported": False,
            },
        )
        for rules, evaluation, position in (
            ("chess", "", "basic~3.3.3~X"),
            ("basic", "report", "basic~3.3.3~X"),
            ("basic", "", "connect4~7.7.7.7.7.7~X"),
        )
    ),
)


def compare(ask: Ask, questions: list[Question]) -> None:
    """Ask both cores, and check that each answers the same."""
    assert questions
    for question, answer in zip(questions, ask(questions), strict=True):
        assert without_clock(answer) == without_clock(native(question)), question


def test_answers_equal_those_of_the_native_core(ask: Ask) -> None:
    compare(ask, [*searches(3 * len(IDS)), *facts_of_the_core(len(IDS)), *BAD, LONG])


@pytest.mark.soak
def test_2000_searches_equal_those_of_the_native_core(ask: Ask) -> None:
    compare(ask, list(searches(2000)))
    compare(ask, list(facts_of_the_core(500)))


@pytest.mark.soak
def test_node_signature(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parents[1] / "bench")
    searches = importlib.import_module("engine").SEARCHES
    names, questions = [], []
    for what, text, work in searches:
        start = parse_start(text)
        told = getattr(work, "keywords", {"method": "solve", "limit": Limit()})
        limits = {"depth": told["limit"].depth, "simulations": told["limit"].simulations}
        names.append(f"{what}, {start.rules_id}, ply {start.ply}")
        question: dict[str, Any] = {
            "rules": start.rules_id,
            "options": {"tableMib": 4, "seed": 1},
            "net": None,
            "position": str(start),
            "limits": {"method": told["method"], **limits},
            "reported": False,
        }
        questions.append(("search", question))
    nodes = [answer["found"]["nodes"] for answer in ask(questions)]
    assert dict(zip(names, nodes, strict=True)) == data("signature")["nodes"]


@pytest.mark.soak
@needs_firefox
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_answers_in_firefox(ask_firefox: Ask) -> None:
    compare(ask_firefox, [*searches(2000), *facts_of_the_core(500), *BAD])


def test_call_in_a_report(ask: Ask) -> None:
    position = "ultimate~9.9.9.9.9.9.9.9.9~X~-"
    questions: list[Question] = [
        ("interrupted", {"how": how, "position": position}) for how in ("stop", "throw")
    ]
    stopped, thrown = ask(questions)
    assert stopped["said"] == ["busy", "busy", "720", "true", "2"]
    assert stopped["reports"] < 10
    assert thrown == {"said": ["thrown in a report", "2"], "reports": 1}


@pytest.mark.parametrize("threads", [0, pytest.param(2, marks=needs_threads)])
def test_another_thread_stops_a_search(page: Page, threads: int) -> None:
    question = next(searches(1))
    question[1].update(rules="ultimate", position="ultimate~9.9.9.9.9.9.9.9.9~X~-", net=None)
    question[1]["options"].update(evaluation="", threads=max(threads, 1))
    question[1]["limits"] = {"method": "alphabeta"}
    for _ in range(3):  # without the stop no search would end
        asked = [list(question), threads]
        answer = page.evaluate("([question, threads]) => stopped(question, 100, threads)", asked)
        assert answer["found"]["found"]["depth"] > 1


# Threads


def asked_with(page: Page, threads: int) -> Ask:
    """Ask core-threads.wasm."""
    script = "([questions, threads]) => ask(questions, threads)"
    return lambda questions: page.evaluate(script, [list(questions), threads])


def with_threads(question: Question, threads: int) -> Question:
    name, told = question
    return name, told | {"options": told["options"] | {"threads": threads}}


@needs_threads
def test_one_thread_in_shared_memory_answers_as_the_native_core(page: Page) -> None:
    compare(asked_with(page, 2), [*searches(len(IDS)), *facts_of_the_core(3), *BAD])


def solved(rng: random.Random) -> Iterator[tuple[Question, int]]:
    """Yield searches of late positions to the end of the game, and the score of the native core."""
    for rules in ("mnk:4,4,3", "connect4:5,4", "ultimate", "advanced", "mnk:5,5,4"):
        line = list(random_game(noughts.game(rules), rng))
        position = line[-min(len(line), 8)]
        told = {
            "rules": rules,
            "options": {"tableMib": 4, "seed": 1},
            "net": None,
            "position": str(position),
            "limits": {"method": "alphabeta", "depth": 90},
            "reported": False,
        }
        question: Question = ("search", told)
        yield question, native(question)["found"]["score"]


@needs_threads
@pytest.mark.parametrize("number", [1, pytest.param(200, marks=pytest.mark.soak)])
def test_two_threads_find_exact_scores(page: Page, number: int) -> None:
    rng = random.Random(23)
    compared = 0
    for _ in range(number):
        found = [*solved(rng)]
        for name in ("search", "scores"):
            questions = [(name, with_threads(each, 2)[1]) for each, _ in found]
            answers = asked_with(page, 2)(questions)
            for (question, score), answer in zip(found, answers, strict=True):
                best = answer["found"] if name == "search" else answer["found"][0][1]
                assert best["exact"], question
                assert best["score"] == score, question
                compared += 1
    assert compared == 10 * number


@needs_threads
def test_the_second_thread_searches(page: Page) -> None:
    told: dict[str, Any] = {
        "rules": "ultimate",
        "options": {"tableMib": 4, "seed": 1},
        "net": None,
        "position": str(noughts.game("ultimate")),
        "limits": {"method": "alphabeta", "nodes": 400_000},
        "reported": False,
    }
    questions = [with_threads(("search", told), threads) for threads in (1, 2, 9)]
    one, two, many = [each["found"] for each in asked_with(page, 2)(questions)]
    # Each thread has its share of the nodes.
    assert one["nodes"] == 400_000
    assert 200_000 < two["nodes"] <= 400_000
    assert two["depth"] > 3
    # The helper that is there may take the share of one that is not, while the main thread waits.
    assert many["nodes"] < 200_000
