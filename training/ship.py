"""Round trained weights to whole numbers and write the file that the package ships.

python -m training.ship runs/first/average-016.00M.npz
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from santase._network import Network
from santase.errors import SantaseError

SHIPPED = Path(__file__).resolve().parent.parent / "santase" / "data" / "network.npz"


def rounded(arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Integer weights for ``Network`` from float weights, with the finest scales that cannot overflow."""
    w1, b1 = arrays["w1"], arrays["b1"]
    w2, b2 = arrays["w2"].T, arrays["b2"]
    w3, b3 = arrays["w3"].T[:31], arrays["b3"][:31]
    for first in range(11, 3, -1):
        for second in range(13, 3, -1):
            for third in range(11, 3, -1):
                if (
                    max(abs(w2).max() * 2**second, abs(w3).max() * 2**third, abs(w1).max() * 2**first)
                    >= 32767
                ):
                    continue
                whole = {
                    "w1": np.rint(w1 * 2**first).astype(np.int16),
                    "b1": np.rint(b1 * 2**first).astype(np.int16),
                    "w2": np.rint(w2 * 2**second).astype(np.int16),
                    "b2": np.rint(b2 * 2 ** (first + second)).astype(np.int32),
                    "w3": np.rint(w3 * 2**third).astype(np.int16),
                    "b3": np.rint(b3 * 2 ** (first + third)).astype(np.int32),
                    "first_scale": np.int32(first),
                    "second_scale": np.int32(second),
                    "third_scale": np.int32(third),
                }  # fmt: skip
                whole = {name: np.ascontiguousarray(a) if a.ndim else a for name, a in whole.items()}
                try:
                    Network(whole)
                except SantaseError:
                    continue
                return whole
    raise SystemExit("no scale fits these weights")


def unrounded(whole: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Float weights, as a run keeps them, from the integer weights of ``rounded``."""
    first, second, third = (int(whole[f"{layer}_scale"]) for layer in ("first", "second", "third"))
    arrays = {
        "w1": whole["w1"] / 2.0**first,
        "b1": whole["b1"] / 2.0**first,
        "w2": whole["w2"].T / 2.0**second,
        "b2": whole["b2"] / 2.0 ** (first + second),
        "w3": np.pad(whole["w3"].T / 2.0**third, ((0, 0), (0, 1))),
        "b3": np.pad(whole["b3"] / 2.0 ** (first + third), (0, 1)),
    }
    return {name: np.ascontiguousarray(array, dtype=np.float32) for name, array in arrays.items()}


def ship(arrays: dict[str, np.ndarray], about: dict[str, Any], out: Path) -> dict[str, int]:
    """Write float weights, rounded, as the package reads them; returns the exponents of the scales."""
    whole = rounded(arrays)
    side = out.with_name(out.name + ".new")
    out.parent.mkdir(parents=True, exist_ok=True)
    with open(side, "wb") as file:
        np.savez_compressed(file, **whole, about=np.array(json.dumps(about)))
    os.replace(side, out)
    return {name: int(value) for name, value in whole.items() if name.endswith("scale")}


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("weights", type=Path, help="kept by a run, in its folder")
    parser.add_argument("--out", type=Path, default=SHIPPED)
    parser.add_argument("--command", help="that made them; the run's own if nothing is said")
    parser.add_argument("--seed", type=int, help="the same")
    parser.add_argument("--commit", help="the same")
    parser.add_argument(
        "--before", type=float, nargs=2, default=(0, 0), help="hands and seconds of earlier runs"
    )
    options = parser.parse_args(words)
    config = options.weights.parent / "config.json"
    about = json.loads(config.read_text("utf-8")) if config.exists() else {}
    about = {name: about[name] for name in ("command", "seed", "commit") if name in about}
    for name in ("command", "seed", "commit"):
        if getattr(options, name) is not None:
            about[name] = getattr(options, name)
        elif name not in about:
            parser.error(f"{config} does not tell the {name}: give --{name}")
    with np.load(options.weights) as stored:
        arrays = dict(stored)
    about |= {
        "hands": int(arrays["hands"] + options.before[0]),
        "machine_hours": round((float(arrays["seconds"]) + options.before[1]) / 3600, 2),
        "weights": options.weights.stem,
    }
    scales = ship(arrays, about, options.out)
    print(f"{options.out}: {options.out.stat().st_size} bytes, {scales}, {about}")


if __name__ == "__main__":
    main()
