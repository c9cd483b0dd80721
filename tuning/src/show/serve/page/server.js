// Questions to the server. If it does not answer, the page says so, and asks again until it does.

/** Something was asked that the server refuses; the message says why. */
export class Refused extends Error {}

const AGAIN = 1000;

const banner = document.getElementById("gone");

const pause = milliseconds => new Promise(done => setTimeout(done, milliseconds));

/** What the server answers at `path`, to `body` if there is one. `signal` gives up; then there is no answer. */
export async function ask(path, body, { method = body === undefined ? "GET" : "POST", signal } = {}) {
  const order = { method, signal };
  if (body !== undefined) Object.assign(order, { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } });
  for (;;) {
    let response, answer;
    try {
      response = await fetch("/api/" + path, order);
      answer = await response.json();
    } catch (error) {
      if (signal?.aborted) throw error;
      banner.hidden = false;
      await pause(AGAIN);
      continue;
    }
    banner.hidden = true;
    if (!response.ok) throw new Refused(answer.error);
    return answer;
  }
}

/** Has the server make an agent for `position`: why it can't, or nothing. */
export async function tryAgent(agent, position) {
  try {
    const { search } = await ask("searches", { position, agent, seed: 1, limit: { iterations: 1 }, replaces: [] });
    ask("searches/" + search, undefined, { method: "DELETE" }).catch(() => {});
  } catch (error) {
    return error.message;
  }
}

/** Searches, of which one page has as many as it compares agents. */
export class Search {
  /** Calls `tell(report, done)` with each report, and `fail(message)` if there is none. */
  constructor(tell, fail) {
    this.tell = tell;
    this.fail = fail;
  }

  /** Searches as `order` says, instead of whatever it did before. */
  async start(order) {
    const before = this.name;
    this.forget();
    const control = this.control = new AbortController();
    const { signal } = control;
    try {
      const { search } = await ask("searches", { ...order, replaces: before ? [before] : [] }, { signal });
      if (signal.aborted) return void ask("searches/" + search, undefined, { method: "DELETE" });
      this.name = search;
      let seen = 0;
      for (;;) {
        const { version, done, report, error } = await ask(`searches/${search}?seen=${seen}`, undefined, { signal });
        if (signal.aborted) return;
        if (error) throw new Refused(error);
        if (version > seen) this.tell(report, done);
        if (done) return;
        seen = version;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Refused)) throw error;
      // A server that was started again knows nothing of it.
      if (this.name && error.message.startsWith("there is no such search")) return this.start(order);
      this.fail(error.message);
    }
  }

  /** Asks for it no more. */
  forget() {
    this.control?.abort();
    this.control = undefined;
    this.name = undefined;
  }

  /** Ends it. */
  stop() {
    const { name } = this;
    this.forget();
    if (name) ask("searches/" + name, undefined, { method: "DELETE" }).catch(() => {});
  }
}
