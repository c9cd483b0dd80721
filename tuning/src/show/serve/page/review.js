// The analysis of a whole game: an agent searches each position in turn, in the background.

import { Generation, search } from "./server.js";

/** The last report of a search, or `{ end }` if the game is over in its position. */
const report = (request, generation) => new Promise((done, failed) => search(request, {
  begun: ({ end }) => end && done({ end }), report: (report, isLast) => isLast && done(report), failed,
}, generation));

export class Review {
  /** Calls `on.report(node, report)` for each position and `on.changed()` after that and at the end. */
  constructor(on) { Object.assign(this, { on, generation: new Generation(), isRunning: false, progress: "" }); }

  stop() {
    this.generation.next();
    this.isRunning = false;
  }

  /**
   * Has `agent` search all positions of `tree` that it has not searched with these `iterations`, including those added
   * meanwhile.
   */
  async run(tree, agent, iterations) {
    this.stop();
    this.isRunning = true;
    const { generation } = this, { signal } = generation, name = `${agent} ${iterations}`;
    try {
      for (;;) {
        const all = [tree.root, ...tree.nodes], node = all.find(({ review }) => review?.name !== name);
        this.progress = `${all.filter(({ review }) => review?.name === name).length} of ${all.length} positions analysed`;
        this.on.changed();
        if (!node) break;
        const request = { position: tree.request(node), agent, limit: { iterations }, seed: 1 };
        const news = await report(request, generation);
        if (signal.aborted) return;
        node.review = { name, ...news };
        this.on.report(node, news);
      }
    } catch (error) {
      this.progress = `The analysis of the game stopped: ${error.message}`;
    }
    this.isRunning = false;
    this.on.changed();
  }
}
