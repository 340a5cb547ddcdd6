"""The catalogues of what people read: collect the marked texts, compile the translations.

``python tools/translations.py`` goes through the package, brings every
``santase/locale/*/LC_MESSAGES/santase.po`` up to date and compiles it; then it
lists what has no translation yet. With ``--check`` it writes nothing, and its
exit status is 1 if a catalogue is not up to date, a text is not translated, or
a translation has other placeholders than the text. Needs Babel.

A new language: ``python tools/translations.py --new LANGUAGE``.
"""

from __future__ import annotations

import argparse
import ast
import io
import string
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "santase"
LOCALE = PACKAGE / "locale"
HEADER = "# Texts of santase; tools/translations.py keeps them up to date."
KEYWORDS = {"_": None, "N_": None, "NP_": ((1, "c"), 2), "ngettext": (1, 2), "pgettext": ((1, "c"), 2)}


class QuietCatalog(Catalog):
    """A catalogue without dates, names and versions in its header, which git knows better."""

    def _get_mime_headers(self) -> list[tuple[str, str]]:
        return [
            ("Language", str(self.locale)),
            ("Plural-Forms", self.plural_forms),
            ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", "8bit"),
        ]

    mime_headers = property(_get_mime_headers)


def help_texts() -> Iterator[tuple[str, str]]:
    """Where a text of the commands' help belongs, and the text."""
    import typer

    from santase.cli._app import app
    from santase.cli._language import help_texts as texts

    for owner, attribute, text in texts(typer.main.get_command(app)):
        yield f"{attribute} of {owner.name}", text


def misplaced_marks() -> Iterator[str]:
    """Marks that are not found in the source, within an f-string or around one."""
    for path in sorted(PACKAGE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        within = {
            id(node) for text in ast.walk(tree) if isinstance(text, ast.JoinedStr) for node in ast.walk(text)
        }
        for node in ast.walk(tree):
            if not (
                isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in KEYWORDS
            ):
                continue
            if id(node) in within or any(isinstance(part, ast.JoinedStr) for part in node.args):
                yield f"{path.relative_to(ROOT).as_posix()}:{node.lineno}: {node.func.id}() and an f-string"


def collect() -> Catalog:
    """All texts that are to be translated."""
    catalog = Catalog(project="santase", charset="utf-8", fuzzy=False)
    kinds = [("**.py", "python"), ("**.js", "javascript")]
    found = extract_from_dir(PACKAGE, method_map=kinds, keywords=KEYWORDS, comment_tags=("Translators:",))
    # in the order of the files' names, so that the catalogue does not change by itself
    for name, _line, message, comments, context in sorted(found, key=lambda text: (text[0], text[1])):
        # line numbers would change with every edit
        catalog.add(message, None, [(f"santase/{name}", None)], auto_comments=comments, context=context)  # type: ignore[list-item]
    for where, text in help_texts():
        if text not in catalog:
            catalog.add(text, None, auto_comments=[where])
    return catalog


def catalogues() -> list[Path]:
    return sorted(LOCALE.glob("*/LC_MESSAGES/santase.po"))


def read(path: Path) -> Catalog:
    """The catalogue in a file, ``.po`` or ``.mo``."""
    with path.open("rb") as file:
        locale = path.parts[-3]
        return read_po(file, locale=locale, charset="utf-8") if path.suffix == ".po" else read_mo(file)


def translations(catalog: Catalog, *, said_only: bool = False) -> dict[tuple[str, ...], tuple[str, ...]]:
    """What a catalogue says: the translations by context and text, those that are missing empty."""
    return {
        (message.context or "", *sides(message)[0]): sides(message)[1]
        for message in catalog
        if message.id and (all(sides(message)[1]) or not said_only)
    }


def po_bytes(catalog: Catalog) -> bytes:
    buffer = io.BytesIO()
    write_po(buffer, catalog, width=100, include_lineno=False)
    return buffer.getvalue()


def mo_bytes(catalog: Catalog) -> bytes:
    buffer = io.BytesIO()
    write_mo(buffer, catalog)
    return buffer.getvalue()


def updated(path: Path, template: Catalog) -> Catalog:
    """The catalogue of a file with the texts that there are now, in their order."""
    before = read(path)
    catalog = QuietCatalog(locale=path.parts[-3], charset="utf-8", fuzzy=False, header_comment=HEADER)
    for message in template:
        if not message.id:
            continue
        old = before.get(message.id, message.context)
        # no guessing: a text that changed is translated again
        if old is not None and (old.id != message.id or old.fuzzy):
            old = None
        catalog.add(
            message.id,
            None if old is None else old.string,
            message.locations,
            auto_comments=message.auto_comments,
            user_comments=() if old is None else old.user_comments,
            context=message.context,
        )
    return catalog


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def sides(message: Message) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The English forms of a message and the translated ones."""
    source, target = message.id, message.string or ""
    return (
        (source,) if isinstance(source, str) else tuple(source),
        (target,) if isinstance(target, str) else tuple(target),
    )


def faults(catalog: Catalog) -> Iterator[str]:
    """What is wrong with the translations."""
    for message in catalog:
        if not message.id:
            continue
        english, translated = sides(message)
        if not translated or not all(translated):
            yield f"not translated: {english[0]!r}"
        elif message.fuzzy:
            yield f"fuzzy: {english[0]!r}"
        else:
            # the singular may do without its number: "one trick"
            least = set.intersection(*map(placeholders, english))
            most = set.union(*map(placeholders, english))
            for text in translated:
                if not least <= placeholders(text) <= most:
                    yield f"other placeholders: {english[0]!r}: {text!r}"


def main() -> int:
    parser = argparse.ArgumentParser(description="Bring the catalogues of translations up to date.")
    parser.add_argument("--check", action="store_true", help="write nothing, fail if anything is missing")
    parser.add_argument("--new", metavar="LANGUAGE", help="begin a catalogue")
    chosen = parser.parse_args()
    template = collect()
    if chosen.new:
        begun = LOCALE / chosen.new / "LC_MESSAGES" / "santase.po"
        begun.parent.mkdir(parents=True)
        begun.touch()
    wrong = 0
    for mark in misplaced_marks():
        print(mark)
        wrong += 1
    for path in catalogues():
        name = path.relative_to(ROOT).as_posix()
        catalog = updated(path, template)
        compiled = path.with_suffix(".mo")
        if not chosen.check:
            path.write_bytes(po_bytes(catalog))
            compiled.write_bytes(mo_bytes(catalog))
        for file in (path, compiled):
            said = file == compiled  # what is missing is not in it
            if translations(read(file), said_only=said) != translations(catalog, said_only=said):
                print(f"{file.relative_to(ROOT).as_posix()}: not up to date, run tools/translations.py")
                wrong += 1
        for fault in faults(catalog):
            print(f"{name}: {fault}")
            wrong += 1
    return 1 if wrong and chosen.check else 0


if __name__ == "__main__":
    sys.exit(main())
