"""The pages of docs/: their links, that none is lost, and that their tables say what is so."""

import json
import re
import runpy
from pathlib import Path
from types import SimpleNamespace

import pytest

import santase

ROOT = Path(__file__).parent.parent


def load(path: str) -> SimpleNamespace:
    return SimpleNamespace(**runpy.run_path(str(ROOT / path)))


site = load("tools/docs_site.py")


def test_every_link_leads_somewhere_and_no_page_is_lost():
    assert site.problems() == []


def test_every_page_is_once_in_the_navigation():
    listed = []
    for entry in site.navigation(site.pages()):
        listed += next(iter(entry.values())) if isinstance(entry, dict) else [entry]
    assert sorted(listed) == sorted(site.pages())


def test_a_page_that_no_section_names_is_in_the_navigation():
    names = dict.fromkeys(("index.md", "new.md", "bg/new.md"), Path())
    assert site.navigation(names) == ["index.md", {"More": ["new.md", "bg/new.md"]}]


@pytest.fixture
def root(tmp_path):
    """A small repository whose pages have nothing wrong with them."""
    (tmp_path / "docs" / "bg").mkdir(parents=True)
    (tmp_path / "README.md").write_text("# santase\n\n[docs](docs/index.md)\n", encoding="utf-8")
    text = "# Title\n\n" + "".join(f"[x](bg/{name})\n" for name in site.BULGARIAN)
    (tmp_path / "docs" / "index.md").write_text(text, encoding="utf-8")
    for name in site.BULGARIAN:
        (tmp_path / "docs" / "bg" / name).write_text(
            "# Заглавие едно\n\n[горе](#заглавие-едно)\n", encoding="utf-8"
        )
    assert site.problems(tmp_path) == []
    return tmp_path


@pytest.mark.thread_unsafe(reason="writes one folder")
@pytest.mark.parametrize(
    ("added", "found"),
    [
        ("[x](gone.md)", "docs/index.md: gone.md: no such file"),
        ("[x](bg/tour.md#заглавие)", "docs/index.md: bg/tour.md#заглавие: no such heading"),
        ("[x](#titel)", "docs/index.md: #titel: no such heading"),
        ("![x](gone.png)", "docs/index.md: gone.png: no such file"),
        ("[x](../tools/x.py)", "docs/index.md: ../tools/x.py: leads out of the site"),
        ("# Another", "docs/index.md: 2 titles, one is needed"),
    ],
)
def test_what_is_wrong_in_a_page_is_found(root, added, found):
    (root / "tools").mkdir()
    (root / "tools" / "x.py").write_text("", encoding="utf-8")
    with (root / "docs" / "index.md").open("a", encoding="utf-8") as page:
        page.write(f"\n{added}\n\n```text\n[x](not-a-link.md)\n```\n\n`[x](nor-this.md)`\n")
    assert site.problems(root) == [found]


@pytest.mark.thread_unsafe(reason="writes one folder")
def test_lost_and_missing_pages_are_found(root):
    (root / "docs" / "lost.md").write_text("# Lost\n\n[x](also-lost.md)\n", encoding="utf-8")
    (root / "docs" / "also-lost.md").write_text("# Lost\n\n[x](lost.md)\n", encoding="utf-8")
    assert site.problems(root) == [
        f"docs/{name}.md: no other page leads to it" for name in ("also-lost", "lost")
    ]
    (root / "docs" / "also-lost.md").unlink()
    (root / "docs" / "lost.md").unlink()
    (root / "docs" / "bg" / "rules.md").unlink()
    assert site.problems(root) == ["docs/index.md: bg/rules.md: no such file", "docs/bg/rules.md: missing"]


@pytest.mark.thread_unsafe(reason="writes one folder")
def test_pages_kept_elsewhere_are_moved_with_their_links(root, tmp_path_factory):
    (root / "training").mkdir()
    (root / "training" / "README.md").write_text(
        "# T\n\n[a](../docs/bg/tour.md#x) [b](../README.md) `[c](d.md)`\n",
        encoding="utf-8",
    )
    (root / "docs" / "bg" / "tour.md").write_text(
        "# X\n\n[t](../../training/README.md) [w](https://x.org/README.md)\n",
        encoding="utf-8",
    )
    folder = tmp_path_factory.mktemp("site")
    site.assemble(folder, root)
    assert (folder / "training.md").read_text(
        encoding="utf-8"
    ) == "# T\n\n[a](bg/tour.md#x) [b](index.md) `[c](d.md)`\n"
    assert (folder / "bg" / "tour.md").read_text(
        encoding="utf-8"
    ) == "# X\n\n[t](../training.md) [w](https://x.org/README.md)\n"


def test_what_is_wrong_in_the_built_site_is_found(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "index.html").write_text(
        '<a href="a/">a</a> <a href="a/#here">b</a> <a href="a/#there">c</a>',
        encoding="utf-8",
    )
    (tmp_path / "a" / "index.html").write_text(
        '<h1 id="here">x</h1><a href="../b/">x</a><script src="https://x.org/x.js"></script>',
        encoding="utf-8",
    )
    assert list(site.built_problems(tmp_path)) == [
        "a/index.html: loads https://x.org/x.js",
        "a/index.html: ../b/: no such file",
        "index.html: a/#there: no such anchor",
    ]


@pytest.mark.parametrize(
    ("heading", "anchor"),
    [
        ("hand0 and hand1", "hand0-and-hand1"),
        ("66 is *called*, `close` – not", "66-is-called-close--not"),
        ("[The arena](arena.md)", "the-arena"),
        ("Видовете правила", "видовете-правила"),
    ],
)
def test_anchors(heading, anchor):
    assert site.anchor(heading) == anchor


# ---------------------------------------------------------------- the reference


def test_the_reference_has_every_public_name():
    shown = set()
    for page in (ROOT / "docs" / "api").glob("*.md"):
        for name, heading in re.findall(
            r"^::: (\S+)\n(?:    options:\n      heading: (\S+))?", page.read_text(encoding="utf-8"), re.M
        ):
            shown.add(heading or name)
    names = {f"santase.{name}" for name in santase.__all__ if name != "__version__"}
    assert names - shown == set()


def test_signatures_are_cut_from_docstrings():
    pytest.importorskip("griffe", reason="needs the extra docs")
    cut = load("tools/griffe_signatures.py").without_signature
    assert cut("play", "Position.play(self, action)\n\nThe position after.") == "The position after."
    assert cut("play", "Position.play(self, action)\nThe position after.") == "The position after."
    assert cut("deal", "deal(seed, rules='santase', *, leader=0)\n\nA deal.") == "A deal."
    assert cut("deal", "deal(x)") == ""
    assert cut("deal", "play(x) comes first.\n\nMore.") == "play(x) comes first.\n\nMore."
    assert cut("deal", "A deal.") == "A deal."


# ---------------------------------------------------------------- the rules


@pytest.mark.parametrize(("page", "yes", "no"), [("rules.md", "yes", "no"), ("bg/rules.md", "да", "не")])
def test_the_presets_are_what_the_page_says(page, yes, no):
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    head = re.search(r"^\| \| (`santase`.*) \|$", text, re.M)
    assert head is not None
    presets = [name.strip("` ") for name in head[1].split("|")]
    assert presets == list(santase.RULES)
    rows = re.findall(r"^\| [^|]+ \(`(\w+)`\) \| (.*) \|$", text, re.M)
    for field, cells in rows:
        for preset, cell in zip(presets, cells.split(" | "), strict=True):
            rules = santase.RULES[preset]
            if cell == "–":  # what cannot come about
                assert (rules.automatic and "wrong_call" in field) or (
                    rules.last_trick_wins and field == "tie_void"
                )
            else:
                value = getattr(rules, field)
                assert cell == ({True: yes, False: no}[value] if isinstance(value, bool) else str(value)), (
                    field
                )
    fields = [field for field, _ in rows]
    assert sorted(fields) == sorted(
        field
        for field in santase.RULES["santase"].__dataclass_fields__
        if field not in ("name", "suits", "target", "schneider")  # the same in all presets
    )


# ---------------------------------------------------------------- strategy

strategy = load("benchmarks/strategy_statistics.py")
DATA = json.loads((ROOT / "benchmarks" / "strategy.json").read_text(encoding="utf-8"))
GROUPS = DATA["groups"]


@pytest.mark.parametrize("language", ["en", "bg"])
def test_the_tables_of_strategy_are_those_of_the_data(language):
    page = strategy.PAGES[language].read_text(encoding="utf-8")
    assert strategy.with_tables(page, DATA, language) == page
    assert set(re.findall(r"<!-- table: ([\w-]+) -->", page)) == set(strategy.tables(DATA, language))


def worth(*names):
    return [GROUPS[name]["mean"] for name in names]


def grid(kind, sights, trumps):
    return worth(*(f"{kind}/{sight}/{held}" for sight in sights for held in trumps))


LITTLE = ("0-35", "36-45")
# what the pages on strategy say about the tables; whoever measures anew rewrites what has changed
CLAIMS = {
    "leading first is worth next to nothing": lambda: abs(*worth("results/all")) < 0.15,
    "from no trump to two is more than a game point": lambda: (
        worth("results/trumps 2")[0] - worth("results/trumps 0")[0] > 1
    ),
    "below 46 closing loses": lambda: max(grid("closing", LITTLE, ("0-1", "2", "3+"))) < -0.3,
    "from 46 to 55 it loses without three trumps": lambda: (
        max(grid("closing", ("46-55",), ("0-1", "2"))) < -0.2
    ),
    "with them it is even": lambda: abs(*grid("closing", ("46-55",), ("3+",))) < 0.2,
    "from 56 on it takes two trumps": lambda: min(grid("closing", ("56-65", "66-250"), ("2", "3+"))) > -0.05,
    "with one trump it takes 66": lambda: (
        max(grid("closing", ("46-55", "56-65"), ("0-1",)))
        < -0.05
        < min(grid("closing", ("66-250",), ("0-1",)))
    ),
    "and even then a hand in four is lost": lambda: (
        0.7 < min(grid("closing wins", ("66-250",), ("0-1",))) < 0.8
    ),
    "with three and 56 it is won nearly always": lambda: (
        min(grid("closing wins", ("56-65", "66-250"), ("3+",))) > 0.95
    ),
    "and gains little": lambda: max(grid("closing", ("56-65", "66-250"), ("3+",))) < 0.4,
    "against one with a trick and under 33 it gains least": lambda: (
        worth("closing against/under 33")[0]
        < min(worth("closing against/no trick", "closing against/33 or more"))
    ),
    "with 33 points of his nothing is lost by closing": lambda: worth("closing against/33 or more")[0] > 0,
    "king and queen bring the nine as much as the ace": lambda: (
        min(worth("nine/K", "nine/Q")) > 0.85 * worth("nine/A")[0]
    ),
    "for a jack it is hardly more than a small trump": lambda: (
        abs(worth("nine/J")[0] - worth("jack/all")[0]) < 0.2
    ),
    "exchange at once": lambda: min(worth("exchange/A", "exchange/T", "exchange/K", "exchange/Q")) > 0.1,
    "only for the jack it makes no difference": lambda: abs(*worth("exchange/J")) < 0.1,
    "before closing always": lambda: worth("exchange/before closing")[0] > 0.4,
    "a plain marriage is a third of a game point": lambda: (
        0.25 < worth("marriage/plain")[0] - worth("marriage/plain, no king")[0] < 0.42
    ),
    "in trumps twice as much": lambda: (
        0.55 < worth("marriage/trump")[0] - worth("marriage/trump, no king")[0] < 0.85
    ),
    "declaring pays, also at the very first lead": lambda: min(m["mean"] for m in part("declaring")) > 0.2,
    "a trump led from one or two loses": lambda: max(worth("leading/open, 1", "leading/open, 2")) < -0.05,
    "from three on it gains": lambda: worth("leading/open, 3+")[0] > 0.05,
    "after closing it loses more than it gains": lambda: worth("leading/closed")[0] < -0.1,
    "with the talon exhausted it is oftener wrong": lambda: worth("leading/exhausted")[0] < -0.05,
    "when the call is missed it mostly costs nothing": lambda: GROUPS["counting/call missed"]["equal"] > 0.7,
    "rules of thumb cost something": lambda: (
        max(worth("counting/ending, leader", "counting/ending, other")) < -0.1
    ),
}


def part(kind):
    return [found for name, found in GROUPS.items() if name.startswith(f"{kind}/")]


@pytest.mark.parametrize("claim", CLAIMS)
def test_what_the_pages_say_is_in_the_tables(claim):
    assert CLAIMS[claim]()


def test_both_languages_name_the_same_things():
    english, bulgarian = strategy.LABELS.values()
    assert english.keys() == bulgarian.keys()


def test_points_in_sight():
    position = santase.Position.parse("santase .T9.AT.AT +6 ?3 AS TQJ.KQJ.9.9 0 29/15 2/2 0/0 -")
    assert strategy.in_sight(position) == 29 + 21 + 21  # the ten of hearts waits for its ace
    position = santase.Position.parse("santase .T9.KQ.AT +6 ?3 AS TQJ.AKQ.9.9 0 20/13 2/2 0/0 -")
    assert strategy.in_sight(position) == 20 + 10 + 21 + 20
    assert strategy.trumps(position) == 0


def test_two_cards_change_places():
    deal = santase.deal(7)  # santase T.TQJ.T.K K9.AK.AJ. JC9DQCACQDTCAS9HJS9CKD QS
    assert str(strategy.swapped(deal, "TS", "9S", 1)) == (
        "santase 9.TQJ.T.K TK.AK.AJ. JC9DQCACQDTCAS9HJS9CKD QS ... 1 0/0 0/0 0/0 -"
    )
    assert strategy.written(deal.hands, deal.talon, deal.turned, 0) == deal


def test_the_player_measured_is_the_policy():
    table = strategy.Table()
    decisions = [position for seed in range(20) for position in table.hand(seed)[0]]
    assert len(decisions) > 100
    for position in decisions:
        assert table.choose(position) == santase.analyze(position.view(), time=0).best


def test_measuring_again_gives_the_same_groups():
    few = strategy.measure(60)["groups"]
    assert few == strategy.measure(60)["groups"]
    assert few.keys() <= GROUPS.keys()
    assert few["results/all"]["n"] == 60
    values = [strategy.Table().value(santase.deal(seed)) for seed in range(60)]
    assert few["results/all"]["mean"] == pytest.approx(sum(values) / 60, abs=1e-4)
