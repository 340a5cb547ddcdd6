// Questions to the server. It knows the rules; the page only asks.

import { _, language } from "./words.js";

/** An answer that says why not; `answer` is what the server sent. */
export class Refusal extends Error {
  constructor(status, answer) {
    super(answer.error || _("The server gave no answer."));
    this.status = status;
    this.answer = answer;
  }
}

const PATIENCE = 8; // questions asked again while the server is busy

async function send(path, body, signal) {
  for (let left = PATIENCE; ; left -= 1) {
    let answer;
    try {
      answer = await fetch(`/api/${path}`, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Santase": language() },
        body: JSON.stringify(body),
        signal,
      });
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new Refusal(0, { error: _("The server cannot be reached. Is it still running?") });
    }
    if (answer.ok) return answer;
    const said = await answer.json().catch(() => ({}));
    if (answer.status !== 503 || left === 0) throw new Refusal(answer.status, said);
    await new Promise((resolve) => setTimeout(resolve, 1000 * (Number(answer.headers.get("Retry-After")) || 1)));
    signal?.throwIfAborted();
  }
}

/** Ask, and get the answer as an object; throws a Refusal. */
export async function ask(path, body, signal) {
  return (await send(path, body, signal)).json();
}

/** Ask for what comes line by line; `take` gets each line as an object. */
export async function stream(path, body, take, signal) {
  const answer = await send(path, body, signal);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      const found = JSON.parse(line);
      if (found.error) throw new Refusal(200, found);
      take(found);
    }
  }
}
