// Requests to the server. If it does not answer, the page says so and tries again until it does.

/** The server refused a request; the message says why. */
export class Refused extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

const RETRY_DELAY = 1000;
const NOT_FOUND = 404;

const banner = document.getElementById("gone");

const pause = milliseconds => new Promise(done => setTimeout(done, milliseconds));

/** The server's answer to a request at `path`, with `body` if given. An aborted `signal` throws. */
export async function ask(path, body, { method = body === undefined ? "GET" : "POST", signal } = {}) {
  const request = { method, signal };
  if (body !== undefined) Object.assign(request, { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } });
  for (;;) {
    let response, answer;
    try {
      response = await fetch("/api/" + path, request);
      answer = await response.json();
    } catch (error) {
      if (signal?.aborted) throw error;
      banner.hidden = false;
      await pause(RETRY_DELAY);
      continue;
    }
    banner.hidden = true;
    if (!response.ok) throw new Refused(answer.error, response.status);
    return answer;
  }
}

function end(search) { ask("searches/" + search, undefined, { method: "DELETE" }).catch(() => {}); }

/** Checks that the server can make an agent for `position`. Returns the reason if it can't. */
export async function tryAgent(agent, position) {
  try {
    const { search } = await ask("searches", { position, agent, seed: 1, limit: { iterations: 1 }, replaces: [] });
    if (search) end(search);
  } catch (error) {
    return error.message;
  }
}

/** Runs one search at a time. A page has one of these for each agent that searches. */
export class Search {
  /**
   * Calls `on.begun(position)` with the ruling on the position, `on.report(report, done)` with each report, and
   * `on.failed(message)` if the search can't continue.
   */
  constructor(on) { this.on = on; }

  /** Starts the search in `request`, which replaces the previous one. */
  async start(request) {
    const before = this.name;
    this.forget();
    const { signal } = this.control = new AbortController();
    try {
      const { search, position } = await ask("searches", { ...request, replaces: before ? [before] : [] }, { signal });
      if (signal.aborted) return search && end(search);
      this.name = search;
      this.on.begun?.(position);
      for (let seen = 0, done = !search; !done;) {
        const news = await ask(`searches/${search}?seen=${seen}`, undefined, { signal });
        if (signal.aborted) return;
        if (news.error) throw new Refused(news.error);
        ({ done } = news);
        if (news.version > seen) this.on.report(news.report, done);
        seen = news.version;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Refused)) throw error;
      // A restarted server does not know the search.
      if (this.name && error.status === NOT_FOUND) return this.start(request);
      this.on.failed(error.message);
    }
  }

  /** Stops asking for news. */
  forget() {
    this.control?.abort();
    this.control = undefined;
    this.name = undefined;
  }

  stop() {
    const { name } = this;
    this.forget();
    if (name) end(name);
  }
}
