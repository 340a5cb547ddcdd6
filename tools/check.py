"""All checks but the tests: style, types, stubs, the sdist, the C headers, the documentation.

``python tools/check.py`` runs them all, ``python tools/check.py types stubs`` some; those whose
tool is not installed fail. The package must be built and importable (``pip install ".[dev]"``, or
in place). Prints what is wrong; exit status 1 if anything is.
"""

from __future__ import annotations

import argparse
import ast
import re
import runpy
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
TOOLS = tuple(
    f"tools/{name}.py" for name in ("check", "check_dist", "docs_site", "griffe_signatures", "translations")
)
WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Wvla", "-Wno-unused-function", "-Werror")
MICROSOFT = ("-fms-compatibility", "-fms-extensions", "-ffreestanding")


def run(*command: str) -> bool:
    """Run a command in the checkout; its output goes to the terminal."""
    return subprocess.run(command, cwd=ROOT, check=False).returncode == 0


def tool(name: str, *arguments: str) -> bool:
    return run(sys.executable, "-m", name, *arguments)


def compiled_modules() -> list[str]:
    """The names of the extension modules that setup.py builds."""
    names = [str(extension.name) for extension in runpy.run_path(str(ROOT / "setup.py"))["extensions"]()]
    assert names
    return names


def unsaid_encodings() -> list[str]:
    """Where text is read or written in the locale's encoding, not UTF-8 on Windows; ``open`` is ruff's."""
    listed = subprocess.run(["git", "ls-files", "*.py"], cwd=ROOT, check=True, capture_output=True, text=True)
    found = []
    for name in listed.stdout.splitlines():
        if not (ROOT / name).is_file():
            continue
        for node in ast.walk(ast.parse((ROOT / name).read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                before = {"read_text": 0, "write_text": 1}.get(node.func.attr)
                named = any(keyword.arg == "encoding" for keyword in node.keywords)
                if before is not None and len(node.args) <= before and not named:
                    found.append(f"{name}:{node.lineno}: {node.func.attr} without an encoding")
    return found


def check_style() -> bool:
    """ruff: rules and format; and text files in a known encoding."""
    unsaid = unsaid_encodings()
    print("".join(f"{place}\n" for place in unsaid), end="")
    return all([tool("ruff", "check", "."), tool("ruff", "format", "--check", "."), not unsaid])


def check_types() -> bool:
    """mypy and pyright on the package, mypy on the tools; the settings are in pyproject.toml."""
    return all([tool("mypy"), tool("mypy", *TOOLS), tool("pyright")])


def cached_functions() -> list[str]:
    """Functions behind a cache of functools: it shows stubtest another signature than mypy."""
    found = []
    for path in sorted((ROOT / "santase").rglob("*.py")):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and any(
                "cache" in ast.unparse(decorator) for decorator in node.decorator_list
            ):
                found.append(f"{module}.{node.name}")
    return found


def check_stubs() -> bool:
    """Each compiled module has a stub, and stubtest finds it right."""
    missing = [name for name in compiled_modules() if not (ROOT / f"{name.replace('.', '/')}.pyi").is_file()]
    for name in missing:
        print(f"{name}: setup.py builds it, but it has no .pyi")
    with tempfile.TemporaryDirectory() as folder:
        cached = Path(folder, "cached")
        cached.write_text("".join(f"{re.escape(name)}\n" for name in cached_functions()), encoding="utf-8")
        settings = ["--mypy-config-file", "pyproject.toml", "--concise"]
        # libraries and versions differ in what the allowlist is needed for
        settings += ["--allowlist", "tools/stubtest-allowlist.txt", "--ignore-unused-allowlist"]
        right = tool("mypy.stubtest", "santase", *settings, "--allowlist", str(cached))
    return right and not missing


def check_sdist() -> bool:
    """The sdist holds every file that git does, and nothing else."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True)
    tracked = {name for name in listed.stdout.split("\0") if name and (ROOT / name).exists()}
    with tempfile.TemporaryDirectory() as folder:
        if not run(sys.executable, "setup.py", "--quiet", "sdist", "--dist-dir", folder):
            return False
        (archive,) = Path(folder).glob("*.tar.gz")
        with tarfile.open(archive) as tar:
            names = {member.name.partition("/")[2] for member in tar if member.isfile()}
    made = {name for name in names if name in ("PKG-INFO", "setup.cfg") or ".egg-info/" in name}
    for name in sorted(tracked - names):
        print(f"{name}: not in the sdist, see MANIFEST.in")
    for name in sorted(names - tracked - made):
        print(f"{name}: in the sdist, but not in git")
    return tracked == names - made


def compilers() -> Iterator[tuple[str, ...]]:
    """Those that are here, as native compilers and in the role of Microsoft's."""
    for name in ("gcc", "clang"):
        if shutil.which(name):
            yield name, "-std=gnu11"  # Python itself asks for POSIX, too
    if shutil.which("x86_64-w64-mingw32-gcc"):
        yield "x86_64-w64-mingw32-gcc", "-std=c11"
    if shutil.which("clang"):
        for machine in ("x86_64", "aarch64"):
            yield "clang", f"--target={machine}-pc-windows-msvc", "-std=c11", *MICROSOFT


def check_headers() -> bool:
    """Each header compiles alone, without a warning, and as far as clang can tell with Microsoft's compiler.

    That compiler has no ``__builtin_`` functions, so there these names are given no meaning.
    """
    tried = list(compilers())
    right = bool(tried)
    if not tried:
        print("no C compiler found")
    for header in sorted((ROOT / "santase").rglob("*.h")):
        text = header.read_text(encoding="utf-8")
        poison = "".join(
            f"#define {word} gnu_only\n" for word in sorted(set(re.findall(r"__builtin_\w+", text)))
        )
        for compiler in tried:
            as_microsoft = any("windows-msvc" in word for word in compiler)
            if as_microsoft and "<windows.h>" in text:
                continue  # clang brings no such header along, MinGW does
            source = f'#include <intrin.h>\n{poison}#include "{header.name}"\n' if as_microsoft else ""
            done = subprocess.run(
                [*compiler, *WARNINGS, "-fsyntax-only", f"-I{header.parent}", "-x", "c", "-"],
                input=source or f'#include "{header.name}"\n',
                text=True,
                check=False,
            )
            if done.returncode:
                print(f"{header.relative_to(ROOT)}: {' '.join(compiler)}")
                right = False
    return right


def check_docs() -> bool:
    """The site builds without a warning, and its links and anchors lead somewhere."""
    with tempfile.TemporaryDirectory() as folder:
        return run(sys.executable, "tools/docs_site.py", "--site", folder)


CHECKS: dict[str, Callable[[], bool]] = {
    "style": check_style,
    "types": check_types,
    "stubs": check_stubs,
    "sdist": check_sdist,
    "headers": check_headers,
    "docs": check_docs,
}


def main() -> int:
    parser = argparse.ArgumentParser(description="Run the checks of this project that are not tests.")
    parser.add_argument("checks", nargs="*", metavar="CHECK", help=f"some of: {', '.join(CHECKS)}")
    chosen = parser.parse_args().checks or list(CHECKS)
    if unknown := set(chosen) - CHECKS.keys():
        parser.error(f"no such check: {', '.join(sorted(unknown))}")
    failed = []
    for name in chosen:
        print(f"== {name}", flush=True)
        if not CHECKS[name]():
            failed.append(name)
    print(f"failed: {', '.join(failed)}" if failed else "all checks passed", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
