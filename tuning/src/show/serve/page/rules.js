// How to play: small boards on which each rule can be tried.

import { Generation, ask } from "./server.js";
import { InteractiveBoard, corner } from "./interactive-board.js";
import { Tree } from "./tree.js";
import { SIDE, ends, svg } from "./shared.js";

/** A board with a task: to win, to play to the `goal`, or to make any play. */
class Lesson {
  constructor(box, camps, say) {
    Object.assign(this, { box, current: new Generation() });
    this.table = new InteractiveBoard(box.querySelector(".board-box"), camps, {
      play: chain => this.play(chain), why: (from, to = null) => this.why(from, to), step() {},
      selected: () => this.note(""),
    }, say);
    const { view, goal } = box.dataset;
    const { root } = this.table;
    root.setAttribute("viewBox", view);
    if (goal) svg("rect", { class: "lesson-goal", ...corner(goal), width: SIDE, height: SIDE }, root);
    box.querySelector(".again").addEventListener("click", () => this.begin());
  }

  note(text) { this.box.querySelector(".note").textContent = text; }

  async begin() {
    this.current.next();
    this.note("");
    const { board, rules } = this.box.dataset;
    this.tree = await Tree.of(new URLSearchParams({ board, rules }), this.current);
    this.table.show(this.tree);
    this.table.rule(await this.tree.check(this.current), true);
  }

  async play(chain) {
    const { goal, wins, praise, blame } = this.box.dataset;
    this.tree.play(chain);
    this.table.show(this.tree, true);
    const { end } = await this.tree.check(this.current);
    this.note((wins ? end : !goal || ends(chain)[1] === goal) ? praise : blame);
  }

  async why(from, to) {
    this.note((await ask("why", { position: this.tree.request(), from, to }, this.current)).why);
  }
}

export class RulesView {
  constructor(about, say) {
    const boxes = [...document.querySelectorAll(".lesson")];
    this.lessons = boxes.map(box => new Lesson(box, about.camps, say));
  }

  enter() { for (const lesson of this.lessons) if (!lesson.tree) lesson.begin(); }
  leave() {}
}
