"""The replay in a real browser: step, rewind, fold, compare, by keyboard too."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from needs import needs_browser
from page import drawn, wait_for
from playwright.sync_api import Browser, Locator, Page, expect
from recordings import MIDDLE, SMALL, long_recording, recorded

import noughts
from noughts.search.recording import Recording
from noughts.search.trace import Cut, Enter, Expand, Leaf, Leave, Rollout
from noughts.views.narrate import sentence
from noughts.views.replay import replay

pytestmark = needs_browser
REST = ".counts, .code, .said, .variables, .events, .which, .standing"
Open = Callable[..., Page]


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """Return a function that opens recordings from disk, offline, without browser errors."""
    wrong: list[str] = []
    contexts = []

    def open_(
        *recordings: Recording, width: int = 1280, height: int = 900, **settings: Any
    ) -> Page:
        file = tmp_path / "see.html"
        file.write_text(replay(recordings), encoding="utf-8")
        context = browser.new_context(
            viewport={"width": width, "height": height}, offline=True, **settings
        )
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: wrong.append(message.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda request: wrong.append(request.url))
        page.goto(file.as_uri())
        wrong.remove(file.as_uri())
        return page

    yield open_
    for context in contexts:
        context.close()
    assert wrong == []


def small(search: str = "alphabeta") -> Recording:
    return recorded(noughts.position(SMALL), search)


def middle(search: str = "alphabeta") -> Recording:
    return recorded(noughts.position(MIDDLE), search)


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def said(page: Page) -> Locator:
    return page.get_by_role("status")


def go(page: Page, number: int) -> None:
    """Go to an event, counted from 1, with the slider."""
    page.get_by_role("slider", name="Event").fill(str(number - 1))


def items(page: Page) -> list[str]:
    """Return the texts of the tree's items."""
    labels: list[str] = page.get_by_role("treeitem").evaluate_all(
        "items => items.map(item => item.getAttribute('aria-label'))"
    )
    return labels


# Step and rewind


def test_every_step_has_its_sentence(opened: Open) -> None:
    recording = small()
    page = opened(recording)
    page.keyboard.press("Home")
    for number in range(1, len(recording) + 1):
        expect(said(page)).to_have_text(sentence(recording.at(number)))
        expect(page.locator(".place")).to_have_text(f"event {number} of {len(recording)}")
        if number < len(recording):
            button(page, "Step forward").click()
    expect(button(page, "Step forward")).to_be_disabled()
    button(page, "Step back").click()
    expect(said(page)).to_have_text(sentence(recording.at(len(recording) - 1)))
    button(page, "To the start").click()
    expect(said(page)).to_have_text(sentence(recording.at(1)))
    expect(button(page, "Step back")).to_be_disabled()


@pytest.mark.parametrize(
    "search",
    [
        *("alphabeta", "mcts"),
        *(
            pytest.param(each, marks=pytest.mark.soak)
            for each in ("minimax", "hminimax", "negamax")
        ),
    ],
)
def test_going_back_restores_the_view(opened: Open, search: str) -> None:
    """An event looks the same when reached from either side."""
    recording = recorded(noughts.position(SMALL), search)
    page = opened(recording)
    forward = []
    for number in range(1, len(recording) + 1):
        go(page, number)
        forward.append(
            (items(page), page.locator(REST).all_inner_texts(), page.locator(".large").inner_html())
        )
    for number in range(len(recording), 0, -1):
        go(page, number)
        again = (
            items(page),
            page.locator(REST).all_inner_texts(),
            page.locator(".large").inner_html(),
        )
        assert again == forward[number - 1], number


@pytest.mark.parametrize("search", ["minimax", "alphabeta", "negamax", "mcts"])
def test_tree_values_and_counts_equal_the_recording(opened: Open, search: str) -> None:
    recording = middle(search)
    page = opened(recording)
    for number in range(1, len(recording) + 1, len(recording) // 12):
        go(page, number)
        moment = recording.at(number)
        shown = {
            name: int(page.locator(f"[data-count={name}]").inner_text().replace(",", ""))
            for name in (["simulations"] if search == "mcts" else ["nodes", "leaves", "cutoffs"])
        }
        if search == "mcts":
            assert shown == {"simulations": recording.counted(Rollout, number)}
        else:
            counted = {"nodes": Enter, "leaves": Leaf, "cutoffs": Cut}
            assert shown == {name: recording.counted(counted[name], number) for name in shown}
        root = recording.root(number)
        if root is None:
            assert items(page) == []
            continue
        entries = [event.node for event in recording.events if isinstance(event, Enter | Expand)]
        page_nodes = page.get_by_role("treeitem").evaluate_all(
            "items => items.map(item => [Number(item.dataset.node),"
            " item.querySelector('.value').innerText, Number(item.getAttribute('aria-level'))])"
        )
        path = {seen.node for seen in moment.path}
        wanted = {root, *path}
        for node in {root, *path}:
            wanted |= set(recording.children(node, number))
        assert {entries[place] for place, _, _ in page_nodes} == wanted
        for place, value, level in page_nodes:
            seen = recording.seen(entries[place], number)
            depth, above = 1, recording.parent(seen.node)
            while above is not None:
                depth, above = depth + 1, recording.parent(above)
            assert level == depth
            if search == "mcts":
                assert value.endswith(f"· {seen.visits}" if seen.visits else "")
            elif seen.score is None:
                assert value == ""
            else:
                text = recording.start.scale.text(seen.score, seen.bound)
                assert value == (text if seen.done else f"{text} …")


def test_play_and_pause(opened: Open) -> None:
    recording = small()
    page = opened(recording)
    page.get_by_label("Speed").select_option("250/s")
    button(page, "Play").click()
    expect(page.locator(".place")).to_have_text(f"event {len(recording)} of {len(recording)}")
    expect(said(page)).to_have_text(sentence(recording.at(len(recording))))
    page.get_by_label("Speed").select_option("1/s")
    button(page, "Play").click()
    button(page, "Pause").click()
    expect(button(page, "Play")).to_be_visible()
    expect(page.locator(".place")).not_to_have_text(re.compile(f"^event {len(recording)} "))


def test_opens_at_the_first_cutoff(opened: Open) -> None:
    recording = middle()
    cut = next(number for number, event in enumerate(recording.events, 1) if isinstance(event, Cut))
    expect(opened(recording).locator(".place")).to_contain_text(f"event {cut} of")


def test_pseudocode_and_variables_follow(opened: Open) -> None:
    recording = middle()
    page = opened(recording)
    cut = next(
        number
        for number, event in enumerate(recording.events, 1)
        if isinstance(event, Cut) and event.reason == "alpha" and event.moves
    )
    go(page, cut)
    expect(page.locator(".code [aria-current]")).to_have_text("if v ≤ α then return v")
    node = recording.at(cut).path[-1]
    assert node.alpha is not None
    assert node.score is not None
    told = dict(row.inner_text().split("\n", 1) for row in page.locator(".variables > div").all())
    text = recording.start.scale.text
    assert told["α alpha"] == text(node.alpha)
    assert told["v"] == f"{text(node.score, node.bound)} …"
    assert told["cutoffs"] == str(recording.counted(Cut, cut))
    expect(page.locator(".gap")).to_contain_text(f"{text(node.score)} ≤ alpha {text(node.alpha)}")
    button(page, "Step forward").click()
    assert isinstance(recording.events[cut], Leave)
    expect(page.locator(".code [aria-current]")).to_have_text("if v ≤ α then return v")


def test_jump_to_the_next_cutoff(opened: Open) -> None:
    recording = middle()
    page = opened(recording)
    cuts = [
        number
        for number, event in enumerate(recording.events, 1)
        if isinstance(event, Cut) and event.moves
    ]
    page.keyboard.press("Home")
    for number in cuts[:3]:
        button(page, "Next cutoff").click()
        expect(page.locator(".place")).to_have_text(f"event {number} of {len(recording):,}")
    page.keyboard.press("Shift+C")
    expect(page.locator(".place")).to_have_text(f"event {cuts[1]} of {len(recording):,}")


# The tree


def test_node_is_opened_folded_and_inspected(opened: Open) -> None:
    recording = middle()
    page = opened(recording)
    button(page, "To the end").click()
    expect(page.get_by_role("treeitem").nth(1)).to_have_attribute("aria-expanded", "true")
    first = page.get_by_role("treeitem", name=re.compile("^O 3, "), level=2)
    expect(first).to_have_accessible_name(re.compile("nodes folded"))
    expect(first).to_have_attribute("aria-expanded", "false")
    before = items(page)
    first.locator(".fold b").click()
    expect(first).to_have_attribute("aria-expanded", "true")
    assert len(items(page)) > len(before)
    below = first.locator("xpath=following-sibling::*[1]")
    below.locator(".frame").click()
    expect(below).to_have_attribute("aria-selected", "true")
    expect(page.locator(".which")).to_contain_text("Kept: O 3 · X")
    board = page.locator(".large").get_attribute("aria-label")
    assert board
    assert re.search(r"Board, O 3 · X .*: X (empty|X) O; ", board)
    first.locator(".fold b").click()
    expect(first).to_have_attribute("aria-expanded", "false")
    assert items(page) == before
    button(page, "Follow the search").click()
    expect(page.locator(".which")).to_have_text("The root")
    root = page.get_by_role("treeitem").first
    button(page, "Fold it").click()
    assert len(items(page)) == 1
    expect(root).to_have_attribute("aria-expanded", "false")


def test_events_of_a_node_lead_there(opened: Open) -> None:
    recording = small()
    page = opened(recording)
    button(page, "To the end").click()
    page.get_by_role("treeitem").nth(1).locator(".frame").click()
    events = page.get_by_role("list", name="Events of the node").get_by_role("button")
    own = [
        number
        for number, event in enumerate(recording.events, 1)
        if getattr(event, "node", None) == 2
    ]
    assert [int(text.split("\n")[0]) for text in events.all_inner_texts()] == own
    events.nth(1).click()
    expect(said(page)).to_have_text(sentence(recording.at(own[1])))
    expect(page.locator(".which")).to_contain_text("Kept")


def test_many_moves_are_shown_in_parts(opened: Open) -> None:
    recording = recorded(noughts.game("ultimate"), "minimax:depth=1")
    page = opened(recording)
    go(page, 100)
    assert len(items(page)) < 20
    more = page.get_by_role("treeitem", name=re.compile("more before"))
    hidden = int(re.findall(r"\d+", more.get_attribute("aria-label") or "")[0])
    shown = len(items(page))
    more.click()
    assert len(items(page)) > shown
    again = page.get_by_role("treeitem", name=re.compile("more before"))
    assert int(re.findall(r"\d+", again.get_attribute("aria-label") or "")[0]) == hidden - 12


def test_iterative_deepening_starts_a_new_tree(opened: Open) -> None:
    recording = middle("negamax")
    page = opened(recording)
    second = [
        number
        for number, event in enumerate(recording.events, 1)
        if isinstance(event, Enter) and event.parent is None
    ][1]
    go(page, second - 2)
    assert len(items(page)) > 1
    go(page, second)
    assert items(page) == ["root, MAX to move, no value yet"]


# Side by side


def test_side_by_side(opened: Open) -> None:
    both = middle("minimax"), middle("alphabeta")
    page = opened(*both)
    panes = page.locator(".pane")
    expect(panes).to_have_count(2)
    for number in (50, 400, len(both[0])):
        go(page, number)
        for place, recording in enumerate(both):
            own = min(number, len(recording))
            shown = panes.nth(place).locator("[data-count=nodes]").inner_text()
            assert int(shown.replace(",", "")) == recording.counted(Enter, own)
            expect(panes.nth(place).locator(".said")).to_have_text(sentence(recording.at(own)))
    left, right = (panes.nth(place).bounding_box() for place in (0, 1))
    assert left
    assert right
    assert left["y"] == right["y"]
    assert left["x"] + left["width"] <= right["x"]
    expect(said(page)).to_contain_text("Minimax: The search is over")
    expect(said(page)).to_contain_text("Alpha-beta: The search is over")


# Keyboard, screen reader, settings of the user


def test_keyboard_alone(opened: Open) -> None:
    recording = middle()
    page = opened(recording)
    place = page.locator(".place")

    def at(number: int) -> None:
        expect(place).to_have_text(f"event {number:,} of {len(recording):,}")

    for key, number in (
        ("Home", 1),
        ("ArrowRight", 2),
        (".", 3),
        ("ArrowLeft", 2),
        (",", 1),
        ("End", len(recording)),
    ):
        page.keyboard.press(key)
        at(number)
    page.keyboard.press("Home")
    at(1)
    page.keyboard.press("Space")
    expect(button(page, "Pause")).to_be_visible()
    page.keyboard.press("Space")
    expect(button(page, "Play")).to_be_visible()
    page.keyboard.press("End")
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.getAttribute('role')") == "treeitem":
            break

    def here() -> str:
        label: str = page.evaluate("document.activeElement.getAttribute('aria-label')")
        return label.split(",")[0]

    assert here() == "root"
    page.keyboard.press("ArrowDown")
    assert here() == "O 2"
    page.keyboard.press("ArrowRight")
    assert here() == "O 3"
    page.keyboard.press("ArrowLeft")
    assert here() == "O 2"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    assert here() == "O 3"
    expect(page.locator(":focus")).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("ArrowDown")
    assert here().startswith("X ")
    page.keyboard.press("Enter")
    expect(page.locator(".which")).to_have_text(f"Kept: O 3 · {here()}")
    page.keyboard.press(",")
    at(len(recording) - 1)
    assert here().startswith("X ")
    page.keyboard.press("ArrowUp")
    assert here() == "O 3"
    page.keyboard.press("ArrowUp")
    expect(page.locator(":focus")).to_have_attribute("aria-expanded", "false")
    page.keyboard.press("ArrowUp")
    assert here() == "root"
    page.keyboard.press("Escape")
    expect(page.locator(".which")).to_have_text("The root")


def test_focus_is_visible(opened: Open) -> None:
    page = opened(small())
    button(page, "To the end").click()
    seen = set()
    for _ in range(25):
        page.keyboard.press("Tab")
        style = page.evaluate(
            "(() => { const e = document.activeElement;"
            " const s = getComputedStyle(e.querySelector('.frame') || e);"
            " return [e.tagName, s.outlineStyle, s.outlineWidth]; })()"
        )
        if style[0] == "BODY":
            break
        seen.add(style[0])
        assert style[1] != "none", style
        assert float(style[2].removesuffix("px")) >= 2, style
    assert {"BUTTON", "SELECT", "INPUT", "DIV"} <= seen


def test_names_and_roles(opened: Open) -> None:
    page = opened(middle("minimax"), middle())
    go(page, 60)
    for tree in ("Tree of Minimax", "Tree of Alpha-beta"):
        expect(page.get_by_role("tree", name=tree)).to_be_visible()
    unnamed = page.evaluate(
        "[...document.querySelectorAll('button, input, select, [role]')].filter(e =>"
        " !(e.innerText || '').trim() && !e.getAttribute('aria-label') && e.role !== 'status')"
        ".map(e => e.outerHTML)"
    )
    assert unnamed == []
    levels = (
        page.get_by_role("tree")
        .first.get_by_role("treeitem")
        .evaluate_all(
            "items => items.map(item => ['level', 'posinset', 'setsize'].map(name =>"
            " Number(item.getAttribute('aria-' + name))))"
        )
    )
    assert levels[0] == [1, 1, 1]
    assert all(0 < place <= size for _, place, size in levels)
    assert page.locator("[role=tree] [tabindex='0']").count() == 2


def test_controls_are_large_enough(opened: Open) -> None:
    page = opened(middle(), width=390, height=844)
    sizes = page.evaluate(
        "[...document.querySelectorAll('button, select, input')]"
        ".map(e => e.getBoundingClientRect())"
        ".filter(box => box.width).map(box => [box.width, box.height])"
    )
    assert min(height for _, height in sizes) >= 40
    assert min(width for width, _ in sizes) >= 40


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_light_and_dark(opened: Open, scheme: str) -> None:
    page = opened(small(), color_scheme=scheme)
    paper = {"light": "rgb(251, 250, 248)", "dark": "rgb(19, 21, 24)"}
    body, other = page.locator("body"), {"light": "dark", "dark": "light"}[scheme]
    expect(body).to_have_css("background-color", paper[scheme])
    button(page, other.capitalize()).click()
    expect(body).to_have_css("background-color", paper[other])
    button(page, scheme.capitalize()).click()
    expect(body).to_have_css("background-color", paper[scheme])


def contrast(page: Page) -> dict[str, float]:
    """Return the contrast of each kind of text with its background."""
    found: dict[str, float] = page.evaluate(
        """() => {
          const parse = (c) => c.match(/[\\d.]+/g).map(
            (v, i) => (c.startsWith("color(") && i < 3 ? v * 255 : Number(v)));
          const light = (c) => { const [r, g, b] = c.map((v) => { v /= 255;
            return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
            return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
          const behind = (e) => { for (; e; e = e.parentElement) {
            const c = parse(getComputedStyle(e).backgroundColor);
            if (c.length < 4 || c[3] === 1) return c.slice(0, 3); }
            return [255, 255, 255]; };
          const found = {};
          for (const e of document.querySelectorAll("h1,h2,h3,p,button,dt,dd,li,span,b,i,div")) {
            if (![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) continue;
            if (e.disabled || !e.getClientRects().length) continue;
            const [a, b] = [light(parse(getComputedStyle(e).color).slice(0, 3)), light(behind(e))];
            const name = `${e.tagName} ${e.className} in ${e.parentElement.className}`;
            const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
            found[name] = Math.min(found[name] || 99, ratio);
          }
          return found;
        }"""
    )
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast(opened: Open, scheme: str) -> None:
    page = opened(middle(), color_scheme=scheme)
    go(page, 300)
    assert {name: ratio for name, ratio in contrast(page).items() if ratio < 4.5} == {}


def test_reduced_motion_is_respected(opened: Open) -> None:
    moving = "getComputedStyle(document.querySelector('.node')).transitionDuration"
    counting = """() => {
      window.moved = 0;
      for (const kind of ["animationstart", "transitionrun"])
        document.addEventListener(kind, () => { window.moved += 1; });
    }"""
    page = opened(small(), reduced_motion="reduce")
    page.evaluate(counting)
    go(page, 5)
    assert page.evaluate(moving) == "0s"
    drawn(page, 10)
    assert page.evaluate("window.moved") == 0
    page = opened(small(), reduced_motion="no-preference")
    page.evaluate(counting)
    go(page, 5)
    assert page.evaluate(moving) == "0.16s"
    assert wait_for(page, lambda: page.evaluate("window.moved") > 0)


@pytest.mark.parametrize(
    ("position", "searches"),
    [
        (MIDDLE, ("minimax", "alphabeta")),
        ("ultimate~9.9.9.9.X8.9.9.9.9~O~1", ("alphabeta:depth=2",)),
        ("connect4", ("mcts:simulations=40",)),
        ("mnk:19,19,5", ("alphabeta:depth=1",)),
    ],
)
def test_phone_does_not_scroll_sideways(
    opened: Open, position: str, searches: tuple[str, ...]
) -> None:
    start = noughts.position(position) if "~" in position else noughts.game(position)
    page = opened(*(recorded(start, search) for search in searches), width=390, height=844)
    last = int(page.locator(".slider").get_attribute("max") or 0)
    for number in (1, last // 2, last):
        go(page, number)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        for control in page.locator(".controls button:visible, .controls select").all():
            box = control.bounding_box()
            assert box
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= 390
            assert box["y"] + box["height"] <= 844


# Speed


def test_step_changes_few_elements_in_20_000_events(opened: Open) -> None:
    """A step changes about 70 elements, a jump 100: those that are seen, not those of the tree."""
    recording = long_recording()
    page = opened(recording)

    def changed(times: list[int]) -> float:
        """Return the mean number of elements that are made, removed or given another text."""
        found: int = page.evaluate(
            """times => {
              const observer = new MutationObserver(() => {});
              const wanted = { childList: true, characterData: true, subtree: true };
              observer.observe(document.body, wanted);
              const slider = document.querySelector(".slider");
              let found = 0;
              for (const time of times) {
                slider.value = time;
                slider.dispatchEvent(new Event("input"));
                for (const each of observer.takeRecords())
                  found += Math.max(1, each.addedNodes.length + each.removedNodes.length);
              }
              return found;
            }""",
            times,
        )
        return found / len(times)

    step = changed(list(range(15_000, 15_060)))
    jump = changed([place * 7919 % 20_000 for place in range(60)])
    assert 0 < step < 300
    assert 0 < jump < 300
    go(page, 17_000)
    expect(said(page)).to_have_text(sentence(recording.at(17_000)))
    shown = page.locator("[data-count=nodes]").inner_text()
    left_out = sum(
        event.left_out for event in recording.events[:17_000] if isinstance(event, Leave)
    )
    assert int(shown.replace(",", "")) == recording.counted(Enter, 17_000) + left_out
