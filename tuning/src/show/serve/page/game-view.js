// The common part of the Play and Analyse views: a line of play on an interactive board, with its curve and its lists.

import { Generation, ask } from "./server.js";
import { InteractiveBoard } from "./interactive-board.js";
import { Curve } from "./curve.js";
import { listPlays, markPlay } from "./lists.js";
import { byId } from "./player.js";

export class GameView {
  /** A view of the elements whose ids begin with `name`; `sides` are the names of the two curves. */
  constructor(name, sides, camps, say) {
    // `current` is the position shown, to which most answers belong.
    Object.assign(this, { name, say, current: new Generation() });
    this.table = new InteractiveBoard(this.part("board"), camps, {
      play: chain => this.play(chain), why: (from, to) => this.why(from, to), step: what => this.step(what),
      edit: square => this.put(square), note: text => this.note(text),
    }, say);
    this.curve = new Curve(this.part("curve"), ply => this.look(ply), sides);
    this.part("plays").addEventListener("click", event => {
      const play = event.target.closest("[data-ply]");
      if (play) this.look(Number(play.dataset.ply));
    });
    this.part("say").addEventListener("submit", event => {
      event.preventDefault();
      this.table.enter(this.part("text"));
    });
  }

  part(name) { return byId(`${this.name}-${name}`); }

  /** Another position is shown: drops answers about the one before, and takes down what they showed. */
  changed() {
    this.current.next();
    this.table.board.showArrows([]);
    this.note("");
  }

  note(text, isError = false) {
    const note = this.part("note");
    note.textContent = text;
    note.classList.toggle("warning", isError && text !== "");
    if (isError) note.scrollIntoView({ block: "nearest" });
  }

  /** Shows another ply of the line. */
  step(what) {
    const { ply, plays } = this.line;
    this.look({ first: 0, last: plays.length, back: ply - 1, next: ply + 1 }[what]);
  }

  /** Shows why the piece on `from` may not go to `to`, or why it can't move. */
  async why(from, to = null) {
    try {
      this.note((await ask("why", { position: this.line.request, from, to }, this.current)).why);
    } catch (error) {
      this.note(error.message, true);
    }
  }

  showPlays() {
    const { line } = this;
    listPlays(this.part("plays"), line.plays, line.first === "BLACK");
    markPlay(this.part("plays"), line.ply);
  }

  showCurve() {
    this.curve.draw(Math.max(this.line.plays.length, 1), this.values.map(values => values ?? undefined));
    this.curve.point(this.line.ply);
  }
}
