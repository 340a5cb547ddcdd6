"""For the site: docstrings of compiled modules without the signature that Cython puts before them.

The signature stands in the stub, with its types, and is shown from there.
"""

from __future__ import annotations

import re
from typing import Any

import griffe

_SIGNATURE = re.compile(r"(?:[A-Za-z_]\w*\.)?(\w+)\([^\n]*\)(?: -> [^\n]*)?(?:\n+|\Z)")

# what Python writes where nobody has written anything
EMPTY = ("Alias for field number", "Built-in immutable sequence", "Initialize self.")
# how things are made, which no reader need know
KINDS = {"method descriptor", "builtin", "class-attribute", "instance-attribute", "module-attribute"}
# the parameters of a compiled method whose stub does not mention it
UNKNOWN = ["self", "args", "kwargs"]


def without_signature(name: str, text: str) -> str:
    """A docstring without its first line, if that is a call of what it documents."""
    found = _SIGNATURE.match(text)
    return text[found.end() :] if found and found[1] == name else text


class Signatures(griffe.Extension):
    """Cleans all that was read from compiled modules, once a package has been read."""

    def on_package(self, *, pkg: griffe.Module, **_: Any) -> None:
        self._clean(pkg)

    def _clean(self, thing: griffe.Object) -> None:
        nameless = []
        for member in thing.members.values():
            if isinstance(member, griffe.Alias):
                continue
            member.labels -= KINDS
            if member.docstring is not None:
                text = without_signature(member.name, member.docstring.value)
                if text.strip() and not text.startswith(EMPTY):
                    member.docstring.value = text
                else:
                    member.docstring = None
            if isinstance(member, griffe.Attribute) and "_tuplegetter" in str(member.value):
                member.value = None
            if isinstance(member, griffe.Function) and [p.name for p in member.parameters] == UNKNOWN:
                nameless.append(member.name)
            self._clean(member)
        for name in nameless:
            del thing.members[name]
