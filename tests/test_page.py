"""The local page in headless Chromium: from set-up to answer, and hands played, by mouse and by keyboard."""

import json
import random
import re
import threading
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("waitress", reason="waitress is not installed")
pytest.importorskip("selenium", reason="selenium is not installed")

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException, WebDriverException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from santase import Position, SantaseError, solve
from santase.web import make_server, opponent
from santase.web.server import Server

pytestmark = pytest.mark.thread_unsafe(reason="one browser")

VIEW = "santase .T9.AT.AT +6 ?3 AS TQJ.KQJ.9.9 0 29/15 2/2 0/0 -"
FULL = "santase A...T .T..A - C TKQJ9.AKQJ9.ATKQJ9.KQJ9 0 55/43 5/5 0/0 -"
SIZES = {"phone": (390, 844), "desktop": (1280, 900)}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    # what a test leaves running ends only when the server next writes to it: with room for both,
    # the next test is never asked to wait
    running = make_server(0, key=b"k" * 32, most=8)
    thread = threading.Thread(target=running.run, daemon=True)
    thread.start()
    yield running
    running.stop()
    thread.join(20)


class Page:
    """The page, and how one waits for it and looks at it."""

    def __init__(self, driver: webdriver.Chrome, server: Server) -> None:
        self.driver = driver
        self.server = server

    def open(self) -> "Page":
        self.driver.get(self.server.url)
        return self.ready()

    def ready(self) -> "Page":
        self.until(
            lambda: self.driver.execute_script("return document.body.dataset.ready") == "yes", "the page"
        )
        return self

    def reload(self) -> "Page":
        self.driver.refresh()
        return self.ready()

    def size(self, name: str) -> None:
        width, height = SIZES[name]
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": name == "phone"}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def dark(self, wanted: bool) -> None:
        value = "dark" if wanted else "light"
        features = [{"name": "prefers-color-scheme", "value": value}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def until(self, holds: Callable[[], Any], what: str, seconds: float = 60) -> Any:
        end = time.monotonic() + seconds
        while True:
            try:
                found = holds()
            except StaleElementReferenceException:
                found = None
            if found:
                return found
            assert time.monotonic() < end, f"waited for {what}; the page shows: {self.text('body')}"
            time.sleep(0.03)

    def all(self, selector: str) -> list[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector: str) -> WebElement:
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector: str) -> str:
        return "\n".join(element.text for element in self.all(selector))

    def button(self, text: str, within: str = "main") -> WebElement:
        return next(b for b in self.all(f"{within} button") if b.text == text and b.is_displayed())

    def keys(self, *pressed: str) -> None:
        ActionChains(self.driver).send_keys(*pressed).perform()

    def focus(self) -> str:
        """What has the focus, as a screen reader would call it."""
        name: str = self.driver.execute_script(
            "const e = document.activeElement; return e.ariaLabel || e.textContent || e.id || e.tagName"
        )
        return name

    def tab_to(self, wanted: str) -> None:
        """Press Tab until something of that name has the focus."""
        for _ in range(80):
            if re.match(wanted, self.focus()):
                return
            self.keys(Keys.TAB)
        raise AssertionError(f"Tab does not come to {wanted}; it is at {self.focus()}")

    def line(self) -> str:
        return str(self.one("#line").get_property("value"))

    def waits_for_line(self, line: str) -> None:
        self.until(lambda: self.line() == line and self.all("#status .good"), line)


@pytest.fixture
def page(browser: webdriver.Chrome, server: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[Page]:
    # the same deals in every run
    monkeypatch.setattr(opponent, "os", SimpleNamespace(urandom=random.Random(1).randbytes))
    shown = Page(browser, server)
    browser.get(f"{server.url}icon.svg")  # of the same origin, and no script that writes there
    browser.execute_script("localStorage.clear()")
    browser.get_log("browser")
    shown.size("desktop")
    shown.dark(False)
    yield shown.open()
    # no script failed, and nothing was refused by the page's own policy; what the server refuses
    # (400) Chromium counts among the errors
    faults = [entry for entry in browser.get_log("browser") if "status of 400" not in entry["message"]]
    assert faults == []


def put(page: Page, place: str, cards: str) -> None:
    page.one(f".place-{place}").click()
    for card in cards.split():
        page.one(f"[data-card='{card}']").click()


# ---------------------------------------------------------------- setting up, and answers


def test_from_set_up_to_answer_by_mouse(page: Page) -> None:
    put(page, "mine", "TH 9H AD TD AC TC")
    put(page, "turned", "AS")
    put(page, "won", "TS QS KH QH")
    put(page, "lost", "JS JH 9D 9C")
    # 10 + 3 + 4 + 3 = 20 of mine and 2 + 2 of the other's, found from the tricks
    page.waits_for_line("santase .T9.AT.AT +6 ?3 AS TQJ.KQJ.9.9 0 20/4 2/2 0/0 -")
    assert page.one("#points-0").get_attribute("placeholder") == "20"
    page.button("What should I play?").click()
    page.until(
        lambda: "worlds tried" in page.text(".answer") and "tried …" not in page.text(".answer"), "an answer"
    )
    rows = page.all(".answer tbody tr")
    assert len(rows) == len(Position.parse(page.line()).legal_actions())
    assert page.one(".answer tr.best").text.split()[0] in ("10♥", "Close")
    assert re.search(r"[Cc]los", page.text(".answer .closing"))
    assert page.one("#said").text or page.driver.execute_script(
        "return document.getElementById('said').textContent"
    )


def test_from_set_up_to_answer_by_keyboard(page: Page) -> None:
    page.driver.execute_script("document.activeElement.blur()")
    page.tab_to("ace of spades")
    # 1 is "your hand": ♠ A Q, ♥ Q, ♦ A T, ♣ J, then 3 "turned" for J♦; a card of the wrong place goes again
    page.keys("1", Keys.ARROW_RIGHT, "2", "2", Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, "1")
    assert page.focus() == "queen of spades: Your hand"
    page.keys(Keys.ARROW_DOWN, Keys.ENTER, Keys.ARROW_DOWN, Keys.HOME)
    page.keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.SPACE, Keys.ARROW_RIGHT, Keys.SPACE)
    page.keys(Keys.ARROW_DOWN, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ENTER)
    page.keys(Keys.ARROW_UP, "3")
    page.waits_for_line("santase AQ.Q.AT.J +6 ?11 JD ... 0 0/0 0/0 0/0 -")
    page.tab_to("What should I play")
    page.keys(Keys.ENTER)
    page.until(lambda: page.all(".answer tr.best"), "an answer")


def test_an_error_stands_at_its_field(page: Page) -> None:
    put(page, "mine", "TH 9H AD TD AC TC")
    put(page, "turned", "AS")
    put(page, "won", "TS QS")
    page.one("#points-0").send_keys("50")
    page.one("#points-1").send_keys("0")
    with pytest.raises(SantaseError) as refused:
        Position.parse("santase .T9.AT.AT +6 ?9 AS TQ... 0 50/0 1/0 0/0 -")
    message = str(refused.value).removeprefix("points: ")
    page.until(lambda: page.text("#problem-points") == message, message)
    assert page.one("#points-0").get_attribute("aria-describedby") == "problem-points"
    assert page.one("#points-0").get_attribute("aria-invalid") == "true"
    assert not page.button("What should I play?").is_enabled()
    # one of the offers, and it is right
    page.until(lambda: page.all(".offers button"), "offers")
    page.all(".offers button")[0].click()
    page.waits_for_line("santase .T9.AT.AT +6 ?9 AS TQ... 0 13/0 1/0 0/0 -")
    assert page.text("#problem-points") == "" and not page.all("[aria-invalid]")


def test_an_empty_table_is_no_mistake(page: Page) -> None:
    page.until(lambda: page.all("#status span"), "a status")
    assert page.text("#status") == "Lay the cards that you see, or have a hand dealt."
    assert not page.all("#status .bad") and not page.all("[aria-invalid]")
    assert not [line.text for line in page.all(".problem") if line.is_displayed()]
    put(page, "mine", "TH")
    page.until(lambda: page.all("#status .bad"), "what is missing")
    # the place is named, and no instruction
    assert page.text("#status").startswith("Turned card: choose the turned card")
    page.button("Clear").click()
    page.until(lambda: not page.all("#status .bad"), "an empty table")


def test_digits_lay_the_card_where_they_say(page: Page) -> None:
    page.driver.execute_script("document.querySelector('[data-card=TS]').focus()")
    page.keys("5")
    page.until(lambda: page.one("[data-place=won] .place-count").text == "1", "the card in a trick")
    assert "1 to 8 put it to the place of that number" in page.text("[data-field=cards]")


def test_a_wrong_line_leaves_no_answer_to_another(page: Page) -> None:
    page.one("#line").send_keys(FULL, Keys.ENTER)
    page.waits_for_line(FULL)
    page.button("Exact values").click()
    page.until(lambda: page.all(".answer tr.best"), "exact values")
    page.one("#line").clear()
    page.one("#line").send_keys("nonsense", Keys.ENTER)
    page.until(lambda: "11 or 12 fields" in page.text("#problem-line"), "an error")
    assert not page.all("#setup .answer tr")


def test_the_closing_is_weighed_against_the_next_in_the_table(page: Page) -> None:
    page.one("#line").send_keys("santase .T9.AT.AT +6 ?3 AS TQJ.KQJ.9.9 0 29/15 2/2 0/0 -", Keys.ENTER)
    page.until(lambda: page.all("#status .good"), "the position")
    page.button("What should I play?").click()
    page.until(
        lambda: "worlds tried" in page.text(".answer") and "tried …" not in page.text(".answer"), "an answer"
    )
    rows = [row.text.split() for row in page.all(".answer tbody tr")]
    assert rows[0][:3] == ["Close", "the", "talon"]
    assert f"{rows[1][0]} {rows[1][1]}" in page.text(".answer .closing") or "too close" in page.text(
        ".closing"
    )


def test_a_line_is_read_and_exact_values_come(page: Page) -> None:
    page.one("#line").send_keys("nonsense")
    page.button("Read").click()
    page.until(lambda: "11 or 12 fields" in page.text("#problem-line"), "an error")
    page.one("#line").clear()
    page.one("#line").send_keys(FULL, Keys.ENTER)
    page.waits_for_line(FULL)
    page.button("Exact values").click()
    page.until(lambda: page.all(".answer tr.best"), "exact values")
    found = {row.text.split()[-2]: row.text.split()[-1] for row in page.all(".answer tbody tr")}
    expected = solve(Position.parse(FULL)).actions
    assert {name: int(value.replace("−", "-")) for name, value in found.items()} == {
        "A♠": expected["AS"], "10♣": expected["TC"], "66": expected["call"]
    }  # fmt: skip
    # go on from there
    page.all(".answer button.plain")[0].click()
    page.waits_for_line(str(Position.parse(FULL).play("AS")))


def test_fractions_are_written_as_the_language_does(page: Page) -> None:
    numbers = """const done = arguments[arguments.length - 1];
    import(document.querySelector("script[type=module]").src.replace("main.js", "words.js")).then(async (words) => {
      await words.loadWords();
      done([words.valueText(-1.694), words.valueText(0.001), words.valueText(2, 0), words.numberText(0.5, 2)]);
    });"""
    for language, expected in (
        ("en", ["−1.69", "0.00", "+2", "0.50"]),
        ("bg", ["−1,69", "0,00", "+2", "0,50"]),
    ):
        page.driver.execute_script("localStorage.setItem('santase.language', arguments[0])", language)
        assert page.driver.execute_async_script(numbers) == expected


def test_a_reload_keeps_what_was_set_up(page: Page) -> None:
    page.one("#line").send_keys(VIEW, Keys.ENTER)
    page.waits_for_line(VIEW)
    page.reload()
    page.waits_for_line(VIEW)


def test_what_was_kept_becomes_no_markup(page: Page) -> None:
    evil = "<img src=x onerror=document.title='taken'>"
    for draft in (
        {"rules": evil},
        {"known": evil, "trump": "S"},
        {"rules": {"a": evil}},
        [evil],
        {"talon": [evil]},
    ):
        page.driver.execute_script("localStorage.setItem('santase.draft', arguments[0])", json.dumps(draft))
        page.driver.execute_script("localStorage.setItem('santase.game', arguments[0])", evil)
        page.driver.execute_script(
            "localStorage.setItem('santase.game-choices', arguments[0])", json.dumps({"level": evil})
        )
        page.driver.refresh()
        page.until(lambda: page.all("#status") or page.all("main .problem"), "the page")
        time.sleep(0.3)
        assert page.all("img[src='x']") == [] and page.driver.title != "taken"
    page.driver.get(f"{page.server.url}icon.svg")
    page.driver.execute_script("localStorage.clear()")
    page.open()


# ---------------------------------------------------------------- playing


def begin(page: Page, *, level: str = "easy", match: str = "hand", first: str = "0") -> None:
    page.one("#tab-play").click()
    for name, value in (("level", level), ("match", match), ("first", first)):
        page.one(f"#game-{name} option[value='{value}']").click()
    page.one("#game-start").click()
    page.until(lambda: page.all(".own button"), "the hand")


def my_turn(page: Page) -> bool:
    """Waits until the person is to act; false when the hand is over."""
    page.until(lambda: page.all(".next-hand") or page.all(".own button:not([aria-disabled])"), "a turn")
    return not page.all(".next-hand")


def test_a_hand_by_mouse(page: Page) -> None:
    begin(page)
    number = 0
    while my_turn(page):
        before = page.text(".table")
        if number == 2:
            page.reload()
            assert page.text(".table") == before
        page.all(".own button:not([aria-disabled])")[0].click()
        page.until(lambda before=before: page.text(".table") != before, "a change")
        number += 1
    assert number >= 6
    assert re.search(r"(You|Computer): \d game points?, ", page.text(".table .message"))
    assert re.search(r"have won|has won|Nobody", page.text(".table .verdict"))
    before = page.text(".table")
    page.reload()
    assert page.text(".table") == before
    page.button("Take back").click()
    page.until(lambda: not page.all(".next-hand"), "the hand going on")


def test_a_match_by_keyboard_alone(page: Page) -> None:
    """Two hands: only Tab, arrows and Enter."""
    page.driver.execute_script("document.activeElement.blur()")
    page.tab_to("Analyse")
    page.keys(Keys.ARROW_RIGHT, Keys.ENTER)
    page.tab_to("Start")
    page.keys(Keys.ENTER)
    page.until(lambda: page.all(".own button"), "the hand")
    hands = 0
    while hands < 2:
        if my_turn(page):
            tricks = page.text(".history tbody")
            page.tab_to(r"(nine|jack|queen|king|ten|ace) of")
            cards = page.all(".own button")
            for _ in range(len(cards)):
                if (
                    page.driver.execute_script("return document.activeElement.getAttribute('aria-disabled')")
                    is None
                ):
                    break
                page.keys(Keys.ARROW_RIGHT)
            page.keys(Keys.ENTER)
            page.until(lambda tricks=tricks: page.text(".history tbody") != tricks, "a card played")
        else:
            hands += 1
            page.tab_to("Next hand|New game")
            page.keys(Keys.ENTER)
            page.until(lambda: page.all(".own button"), "the next hand")
    assert "hand 3" in page.text(".side")


def test_an_illegal_card_explains_itself(page: Page) -> None:
    """Whenever a card may not be played: clicked, it says why, and nothing is changed."""
    seen = 0
    for _ in range(10):
        begin(page)
        while my_turn(page):
            forbidden = page.all(".own button[aria-disabled]")
            if forbidden:
                seen += 1
                before = page.text(".table")
                forbidden[0].click()
                page.until(lambda: re.search(r"You |you ", page.text("#play > .problem")), "the reason")
                assert page.text(".table") == before
            before = page.text(".table")
            page.all(".own button:not([aria-disabled])")[0].click()
            page.until(lambda before=before: page.text(".table") != before, "a change")
            assert page.text("#play > .problem") == ""
        if seen:
            return
        page.button("New game").click()
    raise AssertionError("in ten hands every card could be played")


def test_a_wrong_call_asks_first(page: Page) -> None:
    begin(page)
    my_turn(page)
    page.one("[data-key='call']").click()
    page.until(lambda: "Really?" in page.text(".deeds"), "the question")
    page.one("[data-key='call']").click()
    page.until(lambda: "Computer: 3 game points" in page.text(".message"), "the end")


def test_hint_and_analysis_of_the_table(page: Page) -> None:
    begin(page)
    my_turn(page)
    page.button("Hint").click()
    page.until(lambda: page.all("#play .answer tr.best"), "a hint")
    page.button("Analyse this").click()
    page.until(lambda: page.one("#setup").is_displayed() and page.all("#status .good"), "the position")
    assert Position.parse(page.line()).to_move == 0


def test_hint_and_analysis_take_the_game_along(page: Page) -> None:
    """What the computer has played so far tells of its cards, so the server is told which game it is."""
    page.driver.execute_script(
        "window.asked = []; const send = window.fetch;"
        "window.fetch = (path, options) => { window.asked.push([path, options.body]); return send(path, options); };"
    )

    def last() -> dict[str, Any]:
        asked = page.driver.execute_script("return window.asked")
        found: dict[str, Any] = json.loads([body for path, body in asked if path == "/api/analyse"][-1])
        return found

    begin(page)
    my_turn(page)
    state = page.driver.execute_script("return localStorage.getItem('santase.game')")
    page.button("Hint").click()
    page.until(lambda: page.all("#play .answer tr.best"), "a hint")
    assert last()["state"] == state
    page.button("Analyse this").click()
    page.until(lambda: page.one("#setup").is_displayed() and page.all("#status .good"), "the position")
    page.button("What should I play?").click()
    page.until(lambda: page.all("#setup .answer tr.best"), "an answer")
    assert last()["state"] == state and last()["line"] == page.line()
    # another position is of no game
    page.one("#line").clear()
    page.one("#line").send_keys("santase AQ.Q.AT.J +6 ?11 JD ... 0 0/0 0/0 0/0 -", Keys.ENTER)
    page.until(
        lambda: page.line().startswith("santase AQ.Q.AT.J") and page.all("#status .good"), "the position"
    )
    page.button("What should I play?").click()
    page.until(lambda: page.all("#setup .answer tr.best"), "an answer")
    assert last()["state"] is None


def test_a_server_that_is_gone_is_told(page: Page) -> None:
    begin(page)
    my_turn(page)
    before = page.text(".table")
    page.driver.execute_cdp_cmd("Network.enable", {})
    offline = {"offline": True, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    page.driver.execute_cdp_cmd("Network.emulateNetworkConditions", offline)
    page.all(".own button:not([aria-disabled])")[0].click()
    page.until(lambda: "cannot be reached" in page.text("#play > .problem"), "the problem")
    page.driver.execute_cdp_cmd("Network.emulateNetworkConditions", offline | {"offline": False})
    assert page.text(".table") == before
    page.all(".own button:not([aria-disabled])")[0].click()
    page.until(lambda: page.text(".table") != before, "a change")
    page.driver.get_log("browser")  # of the failed request


# ---------------------------------------------------------------- how it looks


@pytest.mark.parametrize("language", ["en", "bg"])
@pytest.mark.parametrize("size", SIZES)
def test_everything_fits_and_has_a_name(page: Page, size: str, language: str) -> None:
    page.size(size)
    page.driver.execute_script("localStorage.setItem('santase.language', arguments[0])", language)
    page.reload()
    assert page.driver.execute_script("return document.documentElement.lang") == language

    def looks_right() -> None:
        width = SIZES[size][0]
        assert page.driver.execute_script("return document.documentElement.scrollWidth") <= width
        nameless = page.driver.execute_script(
            """return [...document.querySelectorAll('button, select, input, textarea, img, [role]')].filter((e) =>
            e.offsetParent && !(e.ariaLabel || e.textContent.trim() || e.hasAttribute('alt') || e.labels?.length
            || e.getAttribute('aria-labelledby') || e.closest('fieldset')?.querySelector('legend')
            || e.id === 'said')).map((e) => e.outerHTML)"""
        )
        assert nameless == []
        small = page.driver.execute_script(
            """return [...document.querySelectorAll('button, select, input')].filter((e) => e.offsetParent
            && (e.offsetHeight < 24 || e.offsetWidth < 24)).map((e) => e.outerHTML)"""
        )
        assert small == []

    for details in page.all("details"):
        page.driver.execute_script("arguments[0].open = true", details)
    page.one("#line").send_keys(VIEW, Keys.ENTER)
    page.waits_for_line(VIEW)
    page.all(".answers button.main")[0].click()
    page.until(lambda: page.all(".answer tr.best"), "an answer")
    looks_right()
    begin(page, match="match")
    my_turn(page)
    looks_right()
    page.one("[data-key='hint']").click()
    page.until(lambda: page.all("#play .answer tr.best"), "a hint")
    looks_right()


def contrast(one: list[int], other: list[int]) -> float:
    """The ratio of two colours by WCAG 2."""

    def light(colour: list[int]) -> float:
        parts = [value / 255 for value in colour[:3]]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("dark", [False, True])
def test_text_can_be_read_on_what_lies_behind(page: Page, dark: bool) -> None:
    page.dark(dark)
    page.one("#line").send_keys(VIEW, Keys.ENTER)
    page.waits_for_line(VIEW)
    put(page, "other", "KS")
    begin(page)
    my_turn(page)
    pairs = page.driver.execute_script(
        """document.querySelectorAll('section').forEach((e) => { e.hidden = false; });
        const numbers = (text) => (text.match(/[0-9.]+/g) || []).map(Number);
        const behind = (e) => { for (; e; e = e.parentElement) { const c = numbers(getComputedStyle(e).backgroundColor);
        if (c.length === 3 || c[3] === 1) return c; } return [255, 255, 255]; };
        return [...document.querySelectorAll('main *')].filter((e) => e.offsetParent && !e.disabled
        && [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()) && !e.closest('option, meter'))
        .map((e) => [e.outerHTML.slice(0, 90), numbers(getComputedStyle(e).color), behind(e)])"""
    )
    assert len(pairs) > 80
    poor = [
        (html, round(contrast(ink, ground), 2)) for html, ink, ground in pairs if contrast(ink, ground) < 4.5
    ]
    assert poor == []


def test_no_other_page_can_ask(page: Page, server: Server) -> None:
    """A page of another origin in the same browser: it gets nothing, and nothing is done for it."""
    other = make_server(0)
    thread = threading.Thread(target=other.run, daemon=True)
    thread.start()
    try:
        page.driver.get(other.url)
        for mode in ("cors", "no-cors"):
            told = page.driver.execute_async_script(
                "const [url, mode, done] = arguments; fetch(url, {method: 'POST', mode, headers: "
                "{'Content-Type': 'application/json', 'X-Santase': 'en'}, body: '{}'})"
                ".then((answer) => done(answer.type), (error) => done('refused'))",
                f"{server.url}api/deal",
                mode,
            )
            assert told in ("refused", "opaque")
    finally:
        page.driver.get_log("browser")  # the refusals
        page.open()
        other.stop()
        thread.join(20)


def test_no_element_is_lost_while_pages_change(page: Page) -> None:
    """Both tabs in turn by keyboard; what has been chosen is shown and the other hidden."""
    for name, other in (("play", "setup"), ("setup", "play")):
        page.one(f"#tab-{name}").click()
        assert page.one(f"#{name}").is_displayed() and not page.one(f"#{other}").is_displayed()
        assert page.one(f"#tab-{name}").get_attribute("aria-selected") == "true"
    with pytest.raises(WebDriverException):
        page.one("#none")
