"""The page of a review: self-contained, escaped, and in headless Chromium as people use it."""

import html.parser
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from remembered import random_game, remembered

from santase import Game
from santase.language import languages, use_language
from santase.review import Review, review
from santase.review_page import page

NASTY = ("<script>alert(1)</script>", "\"'&amp;<b>")
SIZES = {"phone": (390, 844), "desktop": (1280, 900)}


@pytest.fixture(scope="module")
def game() -> Game:
    played = random_game(14, "santase")
    named = Game("santase", seed=14, players=("Ana", "Борис"))
    for action in played.actions:
        named.play(action)
    return named


@pytest.fixture(scope="module")
def found(game: Game) -> Review:
    return review(game, worlds=60, seed=1)


class _Reader(html.parser.HTMLParser):
    """Tags that are balanced, ids, links, and what would be loaded."""

    VOID = frozenset({"meta", "link", "img", "br", "hr", "input"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in self.VOID:
            self.open.append(tag)
        for name, value in attrs:
            assert not name.startswith("on")
            assert name not in ("src", "srcset", "action", "data")
            if name == "id":
                self.ids.append(value or "")
            elif name == "href":
                self.links.append(value or "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def read(text: str) -> _Reader:
    reader = _Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == []
    return reader


def test_one_file_and_nothing_from_outside(found: Review) -> None:
    text = page(found)
    reader = read(text)
    assert reader.tags.count("script") == 1 and not {"link", "img", "iframe", "object"} & set(reader.tags)
    assert all(link.startswith("#") and link[1:] in reader.ids for link in reader.links)
    assert len(set(reader.ids)) == len(reader.ids)
    rest = text.replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?:|url\(|@import", rest)
    assert "default-src 'none'" in text
    assert reader.tags.count("details") == len(found.decisions)


def test_names_cannot_become_markup() -> None:
    played = random_game(14, "santase")
    game = Game("santase", seed=14, players=NASTY)
    for action in played.actions[:4]:
        game.play(action)
    text = page(review(game, worlds=4))
    reader = read(text)
    assert reader.tags.count("script") == 1
    assert NASTY[0] not in text and "&lt;script&gt;alert(1)&lt;/script&gt;" in text


def test_the_language_is_said(found: Review) -> None:
    assert '<html lang="en">' in page(found)
    with use_language("bg"):
        text = page(found)
    assert '<html lang="bg">' in text and "Обобщение" in text
    english = re.sub(r"<style>.*?</style>|<script>.*?</script>|<[^>]*>", " ", text, flags=re.S)
    assert not re.search(r"\b(talon|mistake|points|trick|best|player)\b", english)


def test_a_record_with_gaps_makes_a_page(game: Game) -> None:
    text = page(review(remembered(game, 0, draws="none", forgotten=[2], points=False), worlds=4))
    assert "does not tell" in text and "nan" not in text.lower().replace("ana", "")


def test_a_match_has_a_section_for_each_hand() -> None:
    game = Game("santase", seed=167, match=True)
    for action in ("marriage-S", "QS", "QH", "exchange", "marriage-D", "call"):
        game.play(action)
    game.next_hand()
    reader = read(page(review(game, worlds=4)))
    assert {"hand-1", "hand-2", "d1-1"} <= set(reader.ids)


# ---------------------------------------------------------------- in the browser

pytestmark = pytest.mark.thread_unsafe


class _Page:
    """The page in the browser, at some size."""

    def __init__(self, driver: Any, file: Path) -> None:
        self.driver = driver
        self.file = file

    def show(self, size: str, *, dark: bool = False, fragment: str = "") -> "_Page":
        width, height = SIZES[size]
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": size == "phone"}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        # without gliding: a click aims at where something is now
        still = {"name": "prefers-reduced-motion", "value": "reduce"}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme, still]})
        self.driver.get("about:blank")
        self.driver.get(self.file.as_uri() + fragment)
        return self

    def js(self, script: str) -> Any:
        return self.driver.execute_script(script)

    def count_open(self) -> int:
        return int(self.js("return document.querySelectorAll('details[open]').length"))

    def press(self, *keys: str) -> None:
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.driver).send_keys(*keys).perform()


@pytest.fixture
def shown(browser: Any, found: Review, tmp_path: Path) -> Iterator[_Page]:
    file = tmp_path / "review.html"
    file.write_text(page(found), "utf-8")
    browser.get_log("browser")
    yield _Page(browser, file)
    # neither the page's own policy nor its script has complained
    assert browser.get_log("browser") == []
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("dark", [False, True])
def test_it_fits_and_can_be_read(shown: _Page, size: str, dark: bool) -> None:
    shown.show(size, dark=dark)
    shown.js("for (const d of document.querySelectorAll('details')) d.open = true")
    width = shown.js("return document.documentElement.scrollWidth")
    assert width <= SIZES[size][0]
    # every table is drawn, as wide as its place, its letters not too small to read
    for box in shown.js("""return [...document.querySelectorAll('.inside svg')].map(svg => {
        const text = svg.querySelector('text').getBoundingClientRect();
        return [svg.getBoundingClientRect().width, text.height]})"""):
        assert 250 <= box[0] <= SIZES[size][0] and box[1] >= 11
    for _hand, height in shown.js("""return [...document.querySelectorAll('svg.chart text')]
            .map(text => [0, text.getBoundingClientRect().height])"""):
        assert height >= 10
    # the contrast of text and page (WCAG 2.2, 1.4.3)
    pairs = shown.js("""
        const pairs = [];
        for (const one of document.querySelectorAll('p, td, th, summary span, h1, h2, a, button')) {
            let behind = one;
            while (behind && getComputedStyle(behind).backgroundColor === 'rgba(0, 0, 0, 0)')
                behind = behind.parentElement;
            pairs.push([getComputedStyle(one).color, getComputedStyle(behind || document.body).backgroundColor]);
        }
        return [...new Set(pairs.map(p => p.join('|')))]""")
    for pair in pairs:
        assert _contrast(*pair.split("|")) >= 4.5, pair


@pytest.mark.parametrize("code", languages())
def test_no_table_is_cut_off_on_a_phone(browser: Any, found: Review, tmp_path: Path, code: str) -> None:
    file = tmp_path / "review.html"
    with use_language(code):
        file.write_text(page(found), "utf-8")
    shown = _Page(browser, file).show("phone")
    shown.js("for (const d of document.querySelectorAll('details')) d.open = true")
    cut = shown.js("""return [...document.querySelectorAll('.scroll')]
        .filter(box => box.scrollWidth > box.clientWidth + 1).map(box => box.innerText)""")
    assert cut == []
    # what would have been better stands on a line
    for height in (
        shown.js("""return [...document.querySelectorAll('.better')]
            .map(one => one.getBoundingClientRect().height / parseFloat(getComputedStyle(one).lineHeight))""")
    ):
        assert height < 1.5
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def _contrast(*colours: str) -> float:
    def light(colour: str) -> float:
        channels = [int(c) / 255 for c in re.findall(r"\d+", colour)[:3]]
        linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    dim, bright = sorted(map(light, colours))
    return (bright + 0.05) / (dim + 0.05)


def test_decisions_unfold_by_mouse_and_all_at_once(shown: _Page, found: Review) -> None:
    shown.show("desktop")
    assert shown.count_open() == 0
    shown.driver.find_element("css selector", "#d1-2 summary").click()
    assert shown.count_open() == 1
    assert shown.driver.find_element("css selector", "#d1-2 .inside svg").is_displayed()
    for which, number in (
        ("all", len(found.decisions)),
        ("mistake", len(found.mistakes())),
        ("none", 0),
    ):
        shown.driver.find_element("css selector", f"button[data-open={which}]").click()
        assert shown.count_open() == number


def test_decisions_unfold_by_keyboard(shown: _Page) -> None:
    shown.show("desktop")
    for _step in range(40):
        shown.press("\ue004")  # Tab
        if shown.js("return document.activeElement.tagName") == "SUMMARY":
            break
    assert shown.js("return document.activeElement.parentElement.id") == "d1-1"
    outline = shown.js("return getComputedStyle(document.activeElement).outlineStyle")
    assert outline != "none"
    shown.press("\ue007")  # Enter
    assert shown.js("return document.querySelector('#d1-1').open") is True
    shown.press(" ")
    assert shown.js("return document.querySelector('#d1-1').open") is False


def test_links_lead_to_the_decision_and_unfold_it(shown: _Page, found: Review) -> None:
    worst = found.mistakes()[0]
    name = f"d{worst.hand}-{worst.number}"
    shown.show("phone")
    shown.driver.find_element("css selector", f'a[href="#{name}"]').click()
    shown.driver.implicitly_wait(2)
    assert shown.driver.find_element("css selector", f"#{name}[open]").is_displayed()
    assert shown.show("phone", fragment=f"#{name}").count_open() == 1


def test_every_picture_has_a_description(shown: _Page) -> None:
    shown.show("desktop")
    labels = shown.js("""return [...document.querySelectorAll('svg[role=img]')]
        .map(svg => svg.getAttribute('aria-label'))""")
    assert labels and all(label and len(label) > 10 for label in labels)
    bare = shown.js("""return document.querySelectorAll('svg:not([role=img]):not([aria-hidden])').length""")
    assert bare == 0


def test_without_its_script_everything_is_still_there(browser: Any, found: Review, tmp_path: Path) -> None:
    file = tmp_path / "plain.html"
    file.write_text(page(found), "utf-8")
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.get(file.as_uri())
        assert not browser.find_element("css selector", "button[data-open]").is_displayed()
        browser.find_element("css selector", "#d1-1 summary").click()
        assert browser.find_element("css selector", "#d1-1[open] .inside").is_displayed()
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
