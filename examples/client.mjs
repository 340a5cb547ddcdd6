// Ask santase from JavaScript: one process is started and answers for as long as it is wanted.
//
//     node examples/client.mjs                        with `santase` on the PATH
//     node examples/client.mjs python -m santase      with that command
//
// Needs Node 18 or later and nothing else. Copy the class.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

/** What santase said of a position that it could not answer for. */
export class SantaseError extends Error {}

/**
 * A conversation with `santase best --json -` or `santase solve --json -`.
 *
 * Each position is a line, and gets its answer as a line, in order; so the first
 * who asked is the first to be answered, and any number may ask at a time.
 */
export class Santase {
  #process;
  #waiting = []; // { resolve, reject } of those who have asked, the first first
  #ended = null; // why there are no more answers

  /**
   * @param {"best" | "solve"} command  what to play in a view, or the exact value with all cards known
   * @param {string[]} options          such as ["--time", "0.2"]; see `santase best --help`
   * @param {string[]} program          how santase is started
   */
  constructor(command, options = [], program = ["santase"]) {
    const [name, ...first] = program;
    this.#process = spawn(name, [...first, command, "--json", ...options, "-"], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    createInterface({ input: this.#process.stdout }).on("line", (line) => this.#answer(line));
    this.#process.stdin.on("error", () => {}); // it has ended, and "close" says so below
    this.#process.on("error", (error) => this.#end(`santase does not start: ${error.message}`));
    this.#process.on("close", (status) => this.#end(`santase has ended with status ${status}`));
  }

  /** The answer for a position's line: the object that `--json` prints. Rejects with SantaseError. */
  ask(position) {
    return new Promise((resolve, reject) => {
      if (this.#ended) {
        reject(new Error(this.#ended));
      } else if (/[\r\n]/.test(position)) {
        reject(new SantaseError("a position is one line")); // else it would be answered twice
      } else {
        this.#waiting.push({ resolve, reject });
        this.#process.stdin.write(`${position}\n`);
      }
    });
  }

  /** Ask no more; what has been asked is still answered. Resolves when santase has ended. */
  close() {
    this.#process.stdin.end();
    return new Promise((resolve) => {
      if (this.#ended) resolve();
      else this.#process.on("close", () => resolve());
    });
  }

  #answer(line) {
    const { resolve, reject } = this.#waiting.shift();
    const answer = JSON.parse(line);
    if ("error" in answer) reject(new SantaseError(answer.error));
    else resolve(answer);
  }

  #end(reason) {
    this.#ended ??= reason;
    for (const { reject } of this.#waiting.splice(0)) reject(new Error(this.#ended));
  }
}

// ---------------------------------------------------------------- an example of its use

async function main(program) {
  const adviser = new Santase("best", ["--worlds", "2000", "--seed", "1"], program);
  const solver = new Santase("solve", [], program);
  try {
    const view = "santase .T9.AT.AT +6 ?3 AS TQJ.KQJ.9.9 0 29/15 2/2 0/0 -";
    const advice = await adviser.ask(view);
    console.log(`play ${advice.best}, worth ${advice.actions[advice.best].mean.toFixed(2)} game points`);

    // many at once, answered in order
    const endings = [
      "santase A...T .T..A - C TKQJ9.AKQJ9.ATKQJ9.KQJ9 0 55/43 5/5 0/0 -",
      "santase A...T .T..A - C TKQJ9.AKQJ9.ATKQJ9.KQJ9 1 55/43 5/5 0/0 -",
    ];
    for (const { value, line } of await Promise.all(endings.map((ending) => solver.ask(ending)))) {
      console.log(`worth ${value} with all cards seen: ${line.join(" ")}`);
    }

    // an error concerns its own question alone
    await adviser.ask("not a position").catch((error) => console.log(`error: ${error.message}`));
    console.log(`and again: ${(await adviser.ask(view)).best}`);
  } finally {
    await Promise.all([adviser.close(), solver.close()]);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const program = process.argv.slice(2);
  await main(program.length ? program : ["santase"]);
}
