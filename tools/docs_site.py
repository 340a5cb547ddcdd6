"""The site: ``python tools/docs_site.py`` checks the pages and builds it into ``build/site``.

The pages are those of ``docs/``, and some files that are kept elsewhere because people look for them
there (``CONTRIBUTING.md``, ...). Where each stands in the navigation is said by ``SECTIONS``; a page that
is not named there comes under "More". ``problems`` finds links that lead nowhere, in the pages as they
are written, and needs no library; ``build`` needs the extra ``docs``, treats every warning as an error
and then goes over the links and anchors of what was built.
"""

from __future__ import annotations

import argparse
import functools
import html.parser
import logging
import os
import posixpath
import re
import shutil
import sys
import tempfile
import unicodedata
import urllib.parse
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
SITE = ROOT / "build" / "site"

# files of the repository that are pages of the site
ELSEWHERE = {
    "contributing.md": "CONTRIBUTING.md",
    "changelog.md": "CHANGELOG.md",
    "training.md": "training/README.md",
}
# what links to this file means on the site
INSTEAD = {"README.md": "index.md"}
SECTIONS: Mapping[str, tuple[str, ...]] = {
    "": ("index.md",),
    "Learn": ("tour.md", "rules.md", "positions.md", "analysis.md", "strategy.md", "deals.md"),
    "Play": ("play.md", "review.md", "serve.md", "notebooks.md", "plots.md"),
    "Program": ("arrays.md", "programs.md", "arena.md", "learning.md", "packaging.md"),
    "How it works": (
        "solver.md",
        "player.md",
        "closing.md",
        "exploitability.md",
        "determinism.md",
        "robustness.md",
        "training.md",
    ),
    "Reference": (
        "api/positions.md",
        "api/analysis.md",
        "api/solving.md",
        "api/arrays.md",
        "api/records.md",
        "api/review.md",
        "api/rules.md",
        "api/arena.md",
        "api/drawing.md",
        "api/environments.md",
    ),
    "Project": ("contributing.md", "changelog.md"),
    "More": (),
    "На български": (
        "bg/index.md",
        "bg/tour.md",
        "bg/rules.md",
        "bg/strategy.md",
        "bg/play.md",
        "bg/review.md",
        "bg/serve.md",
    ),
}
BULGARIAN = ("index.md", "tour.md", "rules.md", "strategy.md", "play.md", "review.md", "serve.md")
"""The pages that there must be in Bulgarian too, under ``bg/``."""

# a fence may be indented, as in a list
FENCED = re.compile(r"^ *```.*?^ *```$", re.M | re.S)
CODE = re.compile(rf"({FENCED.pattern}|`+[^`\n]*`+)", re.M | re.S)
LINK = re.compile(r"(!?\[(?:[^\[\]]|\[[^\]]*\])*\])\(([^()\s]+)\)")
HEADING = re.compile(r"^#{1,6} +(.+?) *#*$", re.M)
OUTSIDE = re.compile(r"[a-z]+:|//")

# ---------------------------------------------------------------- the pages


def pages(root: Path = ROOT) -> dict[str, Path]:
    """The pages by their place on the site, and where each is kept."""
    found = {
        path.relative_to(root / "docs").as_posix(): path for path in sorted((root / "docs").rglob("*.md"))
    }
    return found | {name: root / kept for name, kept in ELSEWHERE.items() if (root / kept).is_file()}


def navigation(names: Mapping[str, Path]) -> list[Any]:
    """The navigation as MkDocs takes it: the sections, of each the pages that there are."""
    placed = {name for section in SECTIONS.values() for name in section}
    nav: list[Any] = []
    for title, section in SECTIONS.items():
        if title == "More":
            section = tuple(name for name in names if name not in placed)
        here = [name for name in section if name in names]
        if not title:
            nav += here
        elif here:
            nav.append({title: here})
    return nav


def without_code(text: str) -> str:
    """A page without its blocks of code and its code within lines, which hold no links."""
    return CODE.sub("", text)


def anchor(heading: str) -> str:
    """The anchor of a heading, as GitHub makes it and the site does."""
    text = re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    kept = "".join(
        c
        for c in unicodedata.normalize("NFC", text).lower()
        if c.isalnum() or c in " -_" or unicodedata.combining(c)
    )
    return kept.strip().replace(" ", "-")


def anchors(text: str) -> set[str]:
    """All anchors of a page; a heading that comes again gets a number."""
    found: dict[str, int] = {}
    names = set()
    for heading in HEADING.findall(FENCED.sub("", text)):
        name = anchor(heading)
        times = found.get(name, 0)
        found[name] = times + 1
        names.add(f"{name}-{times}" if times else name)
    return names | set(re.findall(r'<a (?:id|name)="([^"]+)"', text))


def links(text: str) -> list[str]:
    """The targets of a page's links and pictures within the repository."""
    return [target for _, target in LINK.findall(without_code(text)) if not OUTSIDE.match(target)]


def problems(root: Path = ROOT) -> list[str]:
    """What is wrong with the links of the pages and of README.md, a line each; and what is missing."""
    kept = pages(root)
    sources = {path.relative_to(root).as_posix(): path for path in [*kept.values(), root / "README.md"]}
    texts = {name: path.read_text(encoding="utf-8") for name, path in sources.items()}
    found = []
    for name, text in texts.items():
        for target in links(text):
            path, _, fragment = target.partition("#")
            to = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
            if not (root / to).is_file():
                found.append(f"{name}: {target}: no such file")
            elif to in texts:
                if fragment and urllib.parse.unquote(fragment) not in anchors(texts[to]):
                    found.append(f"{name}: {target}: no such heading")
            elif to.endswith(".md") or (name != "README.md" and not to.startswith("docs/")):
                found.append(f"{name}: {target}: leads out of the site")
        titles = re.findall(r"^# ", FENCED.sub("", text), re.M)
        if len(titles) != 1:
            found.append(f"{name}: {len(titles)} titles, one is needed")
    reached = linked_to = {"docs/index.md", "README.md"}
    while linked_to:
        linked_to = {
            posixpath.normpath(posixpath.join(posixpath.dirname(name), target.partition("#")[0]))
            for name in linked_to & texts.keys()
            for target in links(texts[name])
            if not target.startswith("#")
        } - reached
        reached = reached | linked_to
    found += [
        f"{name}: no other page leads to it" for name in texts if name not in reached and name != "README.md"
    ]
    found += [f"docs/bg/{name}: missing" for name in BULGARIAN if f"bg/{name}" not in kept]
    return found


# ---------------------------------------------------------------- the site


def assemble(folder: Path, root: Path = ROOT) -> None:
    """Put the pages as the site needs them, with all they show, into an empty folder."""
    places = {path.relative_to(root).as_posix(): name for name, path in pages(root).items()} | INSTEAD

    shutil.copytree(root / "docs", folder, dirs_exist_ok=True)
    for name, path in pages(root).items():
        move = functools.partial(_moved, places=places, page=name, source=path.relative_to(root).as_posix())
        parts = CODE.split(path.read_text(encoding="utf-8"))
        parts[::2] = [LINK.sub(move, part) for part in parts[::2]]
        (folder / name).write_text("".join(parts), encoding="utf-8")


def _moved(match: re.Match[str], *, places: Mapping[str, str], page: str, source: str) -> str:
    """A link of a file of the repository as it is on its page of the site."""
    shown, target = match.groups()
    path, mark, fragment = target.partition("#")
    if not path or OUTSIDE.match(target):
        return match[0]
    to = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
    to = places.get(to, to.removeprefix("docs/"))
    return f"{shown}({posixpath.relpath(to, posixpath.dirname(page) or '.')}{mark}{fragment})"


class _Anchors(html.parser.HTMLParser):
    """The ids of a built page and where its links lead."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.targets: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for key, value in attrs:
            if key == "id" and value:
                self.ids.add(value)
            elif key in ("href", "src") and value:
                self.targets.add(value)


def built_problems(site: Path) -> Iterator[str]:
    """What is wrong with the links of the built pages: files and anchors that are not there, or addresses
    from which something is loaded."""
    parsed: dict[Path, _Anchors] = {}
    for path in sorted(site.rglob("*.html")):
        text = path.read_text(encoding="utf-8")
        parsed[path] = _Anchors()
        parsed[path].feed(text)
        for loaded in re.findall(r"<(?:script|img|link)[^>]+(?:src|href)=\"?((?:https?:)?//[^\s\">]+)", text):
            yield f"{path.relative_to(site)}: loads {loaded}"
    for path, page in parsed.items():
        if path.name == "404.html":
            continue  # its links are absolute, to wherever the site will be
        for target in sorted(page.targets):
            if OUTSIDE.match(target):
                continue
            place, _, fragment = target.partition("#")
            to = (path.parent / urllib.parse.unquote(place.partition("?")[0])).resolve() if place else path
            if to.is_dir():
                to = to / "index.html"
            if not to.is_file():
                yield f"{path.relative_to(site)}: {target}: no such file"
            elif fragment and to in parsed and urllib.parse.unquote(fragment) not in parsed[to].ids:
                yield f"{path.relative_to(site)}: {target}: no such anchor"


def build(site: Path = SITE) -> list[str]:
    """Build the site into a folder; what is wrong, a line each."""
    # the theme announces its successor on the terminal otherwise
    os.environ.setdefault("NO_MKDOCS_2_WARNING", "1")
    from mkdocs.commands.build import build as build_site
    from mkdocs.config import load_config
    from mkdocs.exceptions import Abort, ConfigurationError

    logging.basicConfig(level=logging.WARNING, format="%(levelname)s: %(message)s")
    with tempfile.TemporaryDirectory() as folder:
        assemble(Path(folder))
        nav = navigation(pages())
        try:
            config = load_config(
                str(ROOT / "mkdocs.yml"), docs_dir=folder, site_dir=str(site), nav=nav, strict=True
            )
            build_site(config)
        except (Abort, ConfigurationError) as error:
            return [str(error) or "mkdocs: warnings"]
    for path in (site / "bg").rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace('<html lang="en"', '<html lang="bg"', 1), encoding="utf-8")
    return list(built_problems(site))


def main() -> int:
    parser = argparse.ArgumentParser(description="Check the pages of the documentation and build its site.")
    parser.add_argument("--site", type=Path, default=SITE, help="folder to build into")
    options = parser.parse_args()
    wrong = problems() or build(options.site.resolve())
    print(*(wrong or [f"built: {options.site}"]), sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
