// Requests to the server. If it does not answer, the page says so and tries again until it does.

/** The server refused a request; the message says why. */
export class Refused extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }

  /** Whether the same request may succeed later. */
  get isTemporary() { return this.status !== BAD_REQUEST; }
}

/**
 * A generation of some state: of a game, a position or a list. A request belongs to the generation in which it is made.
 * If the state changes before the answer arrives, the answer is dropped.
 */
export class Generation {
  constructor() { this.next(); }

  /** The state has changed: drops all answers that have not arrived, and ends the searches. */
  next() {
    this.control?.abort();
    this.control = new AbortController();
  }

  get signal() { return this.control.signal; }
}

const RETRY_DELAY = 1000;
const BAD_REQUEST = 400, NOT_FOUND = 404;

const banner = document.getElementById("gone");

const pause = milliseconds => new Promise(done => setTimeout(done, milliseconds));

/** A dropped answer: the code that awaits it does not continue. */
const dropped = () => new Promise(() => {});

/**
 * The server's answer to a request at `path`, with `body` if given. Once the `signal` of a `Generation` is aborted, the
 * promise never settles.
 */
export async function ask(path, body, { signal } = {}, method = body === undefined ? "GET" : "POST") {
  const request = { method, signal };
  if (body !== undefined) Object.assign(request, { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } });
  for (;;) {
    let response, answer;
    try {
      response = await fetch("/api/" + path, request);
      answer = await response.json();
    } catch {
      if (signal?.aborted) return dropped();
      banner.hidden = false;
      await pause(RETRY_DELAY);
      continue;
    }
    banner.hidden = true;
    if (signal?.aborted) return dropped();
    if (!response.ok) throw new Refused(answer.error, response.status);
    return answer;
  }
}

function end(name) { ask("searches/" + name, undefined, undefined, "DELETE").catch(() => {}); }

let starting = Promise.resolve();

/**
 * Starts the search in `request`. The answer is never dropped: it contains the search's name, without which an outdated
 * search could not be ended. Requests are sent one at a time, and one whose generation ends before its turn is not
 * sent, so quick clicks do not fill the server.
 */
function start(request, signal) {
  starting = starting.catch(() => {}).then(() => signal.aborted ? {} : ask("searches", request));
  return starting;
}

/**
 * Runs the search in `request` until it ends or `generation` does. Calls `on.begun(position)` with the ruling on the
 * position, `on.report(report, done)` with each report, and `on.failed(error)` if the search can't start or continue.
 */
export async function search(request, on, generation) {
  const { signal } = generation;
  let name;
  try {
    const answer = await start(request, signal);
    name = answer.search;
    if (signal.aborted) return name && end(name);
    signal.addEventListener("abort", () => name && end(name));
    on.begun?.(answer.position);
    for (let seen = 0, done = !name; !done;) {
      const news = await ask(`searches/${name}?seen=${seen}`, undefined, { signal });
      if (news.error) throw new Refused(news.error);
      ({ done } = news);
      if (news.version > seen) on.report(news.report, done);
      seen = news.version;
    }
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof Refused)) throw error;
    // A restarted server does not know the search.
    if (name && error.status === NOT_FOUND) return search(request, on, { signal });
    on.failed(error);
  }
}

/** Checks that the server can make an agent for `position`. Returns the reason if it can't. */
export const tryAgent = (agent, position, generation) => new Promise(done => {
  const request = { position, agent, seed: 1, limit: { iterations: 1 } };
  search(request, { begun: () => done(), report() {}, failed: error => done(error.message) }, generation);
});
