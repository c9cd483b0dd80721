// The common part of the Play and Analyse views: a game on an interactive board, with its curve and its list of plays.

import { Generation, ask } from "./server.js";
import { InteractiveBoard } from "./interactive-board.js";
import { Curve, byId, html, mark, squares, written } from "./shared.js";
import { errorOf } from "./errors.js";
import { squaresIn, today } from "./tree.js";

/** Milliseconds after which a question is withdrawn. */
const QUESTION_TIME = 4000;

/** Asks `question` on `button`; a second click soon after calls `act`. */
export function askTwice(button, question, act) {
  if (button.withdraw) {
    button.withdraw();
    return act();
  }
  const { textContent } = button, timer = setTimeout(() => button.withdraw?.(), QUESTION_TIME);
  button.withdraw = () => {
    clearTimeout(timer);
    Object.assign(button, { textContent, withdraw: undefined });
  };
  button.onblur = () => button.withdraw?.();
  button.textContent = question;
}

export class GameView {
  /** A view of the elements whose ids begin with `name`; `curves` are the names of its curves. */
  constructor(name, curves, camps, say) {
    // `current` is the generation of the position shown: answers to its requests are dropped once another is shown.
    Object.assign(this, { name, say, current: new Generation() });
    this.table = new InteractiveBoard(this.part("board"), camps, {
      play: chain => this.play(chain), why: (from, to) => this.why(from, to), step: what => this.step(what),
      edit: square => this.put(square),
    }, say);
    this.curve = new Curve(this.part("curve"), ply => this.look(this.line[ply]), curves, true);
    this.part("plays").addEventListener("click", event => {
      const { node } = event.target.closest("button") ?? {};
      // The mark of a mistake leads to the position before it, which shows the better play.
      if (node) this.look(event.target.matches(".fell") ? node.parent : node);
    });
    this.part("say").addEventListener("submit", event => {
      event.preventDefault();
      this.typed();
    });
    this.part("text").addEventListener("input", () => this.refusePlay(""));
    byId("view-" + name).addEventListener("click", event => {
      const button = event.target.closest("[data-step]");
      if (button) this.step(button.dataset.step);
      if (event.target.closest(".flip")) this.table.flip();
    });
    const resized = new ResizeObserver(() => {
      this.showCurve();
      this.markPlay();
    });
    for (const name of ["curve", "plays"]) resized.observe(this.part(name));
  }

  part(name) { return byId(`${this.name}-${name}`); }

  /** The mistake or blunder that led to `node`, if it was one. */
  errorOf(node) { return errorOf(node); }

  get line() { return this.tree.line(); }

  /** The node that the button and the key for the end lead to. */
  get last() { return this.line.at(-1); }

  /** Another position is shown: drops answers about the previous one, and removes what they showed. */
  changed() {
    this.current.next();
    this.table.board.showArrows([]);
    this.note("");
    this.refusePlay("");
  }

  note(text, isError = false) {
    const note = this.part("note");
    note.textContent = text;
    note.classList.toggle("warning", isError && text !== "");
    if (isError) note.scrollIntoView({ block: "nearest" });
  }

  step(what) {
    const { tree } = this, { node } = tree;
    this.look({ first: tree.root, last: this.last, back: node.parent, next: node.children[0] }[what] ?? node);
  }

  /** Shows why the piece on `from` may not go to `to`, or why it can't move. */
  async why(from, to = null, show = text => this.note(text)) {
    try {
      show((await ask("why", { position: this.tree.request(), from, to }, this.current)).why);
    } catch (error) {
      this.note(error.message, true);
    }
  }

  /** Makes the play in the text field, or says why it is not possible. */
  typed() {
    const field = this.part("text"), [from, to] = squaresIn(field.value);
    if (!to) this.refusePlay("Write a play as two squares: 2,0 4,2 or c1-e3");
    else if (this.table.enter(from, to)) field.value = "";
    else this.why(from, to, text => this.refusePlay(text));
  }

  /** Says beside the text field what is wrong with the play in it. */
  refusePlay(text) {
    this.part("refused").textContent = text;
    this.part("text").ariaInvalid = String(text !== "");
  }

  /** Handles a key pressed outside the fields. Returns whether it is a shortcut. */
  shortcut(key) {
    const step = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" }[key];
    if (step) this.step(step);
    else if (key === "f") this.table.flip();
    else return false;
    return true;
  }

  showPlays() {
    const list = this.part("plays"), boxes = [list], { tree } = this;
    list.replaceChildren();
    for (const word of tree.words()) {
      if (word === "(") boxes.push(html("div", "side-line", undefined, boxes.at(-1)));
      else if (word === ")") boxes.pop();
      else this.listPlay(word, boxes.at(-1));
    }
    this.showCurve();
    this.markPlay();
  }

  listPlay(node, box) {
    const button = html("button", this.tree.mover(node.parent).toLowerCase(), written(node.chain), box);
    const jumps = squares(node.chain).length - 1, error = this.errorOf(node);
    button.node = node;
    button.dataset.number = node.ply;
    if (jumps > 1) html("small", "", ` ×${jumps}`, button).title = jumps + " jumps";
    if (error) html("b", "fell", " " + error.mark, button).title = error.text;
  }

  /** Marks the node shown in the list and on the curve. */
  markPlay() {
    const list = this.part("plays"), buttons = [...list.querySelectorAll("button")];
    mark(list.querySelector(".current"), false);
    const play = buttons.find(({ node }) => node === this.tree.node);
    mark(play, true);
    list.scrollTop = play ? play.offsetTop - list.offsetTop - list.clientHeight / 2 : 0;
    this.curve.point(this.tree.node.ply);
    const { node } = this.tree, isFirst = !node.parent;
    const leadsNowhere = { first: isFirst, back: isFirst, next: !node.children.length, last: node === this.last };
    for (const button of byId("view-" + this.name).querySelectorAll("[data-step]")) {
      button.disabled = leadsNowhere[button.dataset.step];
    }
  }

  showCurve() {
    const { line } = this;
    const falls = new Map(line.map(node => [node.ply, this.errorOf(node)]).filter(([, error]) => error));
    this.curve.draw(Math.max(line.length - 1, 1), line.map(node => this.values(node)), falls);
    this.curve.point(this.tree.node.ply);
  }

  save(text) { this.download(text, `halma-${today()}.pgn`); }

  download(text, name) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  async copy(text, what) {
    const { signal } = this.current;
    let note = `${what} was copied.`;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // The browser forbids it, or has no clipboard for a page from another machine without https.
      note = text;
    }
    if (!signal.aborted) this.note(note);
  }
}
