// A board that takes plays by mouse, touch, keyboard or text. It knows the legal plays from the server.

import { Board, MARGIN, SIDE, centre, coordinates, ends, svg, written } from "./shared.js";
import { contents, inWords, placesOf } from "./tree.js";

/** A click becomes a drag once the pointer has moved this many pixels. */
const DRAG = 6;

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const TURNS = { Home: "first", End: "last", PageUp: "back", PageDown: "next" };

export class InteractiveBoard {
  /**
   * The board in `box`. Calls `on.play(chain)` with a legal play, `on.why(from, to)` with any other, `on.step(what)`
   * when a key asks for another ply, `on.selected()` when a piece is selected, and `on.edit(square)` while the position
   * is edited. `say(text)` is for screen readers.
   */
  constructor(box, camps, on, say) {
    Object.assign(this, { box, camps, on, say, legal: new Map(), cursor: "7,7" });
    this.root = box.querySelector("svg");
    this.board = new Board(this.root, camps);
    this.targets = svg("g", { class: "targets" });
    this.root.querySelector(".pieces").before(this.targets);
    this.frame = svg("rect", { class: "cursor", width: SIDE, height: SIDE, rx: 4 }, this.root);
    box.addEventListener("pointerdown", event => this.down(event));
    box.addEventListener("pointermove", event => this.move(event));
    box.addEventListener("pointerup", event => this.up(event));
    box.addEventListener("pointercancel", () => this.drop());
    box.addEventListener("keydown", event => this.key(event));
    box.addEventListener("focus", () => {
      box.classList.toggle("by-keys", !this.isPointing);
      this.point(this.cursor, false);
    });
  }

  /** Shows the current node of `tree`. It takes no plays until `rule` is called. */
  show(tree, animated) {
    const start = JSON.stringify(tree.rows), plays = tree.path().slice(1).map(({ chain }) => chain);
    if (start !== this.start) this.board.begin(tree.rows ? placesOf(tree.rows) : this.camps);
    this.start = start;
    this.board.show(plays, plays.length, animated);
    this.rule(undefined, false);
  }

  /** Takes the server's ruling on the position shown. The board takes plays if it `isOpen`. */
  rule(answer, isOpen) {
    this.answer = answer;
    this.legal = new Map();
    for (const chain of answer?.legal ?? []) {
      const [from] = ends(chain);
      this.legal.set(from, [...this.legal.get(from) ?? [], chain]);
    }
    this.isOpen = isOpen;
    this.box.classList.toggle("open", isOpen);
    this.select(undefined);
  }

  /** The contents of `square`: "B", "W" or ".". */
  at(square) {
    const [x, y] = coordinates(square);
    return this.answer?.rows[y][x] ?? ".";
  }

  legalPlay(from, to) { return this.legal.get(from)?.find(chain => ends(chain)[1] === to); }

  select(square) {
    this.selected = square;
    this.targets.replaceChildren();
    if (!square) return;
    svg("rect", { class: "chosen", ...corner(square), width: SIDE, height: SIDE }, this.targets);
    for (const chain of this.legal.get(square) ?? []) {
      const [, to] = ends(chain), [cx, cy] = centre(to);
      svg("circle", { class: "target", cx, cy, r: 8, "data-target": to }, this.targets);
    }
  }

  choose(square) {
    if (this.editing) return this.on.edit(square);
    if (!this.isOpen) return;
    const play = this.legalPlay(this.selected, square);
    const plays = this.legal.get(square);
    const own = this.at(square) === this.answer?.to_move[0];
    if (play) {
      this.select(undefined);
      this.on.play(play);
    } else if (square === this.selected) {
      this.select(undefined);
    } else if (own && plays) {
      this.select(square);
      this.on.selected?.();
      this.say(`${square} selected; it may go to ${plays.map(chain => ends(chain)[1]).join(", ")}`);
    } else if (this.selected && !own) {
      this.on.why(this.selected, square);
    } else {
      this.select(undefined);
      this.on.why(square);
    }
  }

  /** Makes the play from one square to another, if it is legal. Returns whether it is. */
  enter(from, to) {
    const play = this.isOpen ? this.legalPlay(from, to) : undefined;
    if (play) this.on.play(play);
    return Boolean(play);
  }

  under(event) {
    const box = this.root.getBoundingClientRect(), { x, y } = this.root.viewBox.baseVal;
    const way = this.isFlipped ? [box.right - event.clientX, box.bottom - event.clientY]
      : [event.clientX - box.left, event.clientY - box.top];
    const at = way.map((pixels, i) => ([x, y][i] + this.scale * pixels - MARGIN) / SIDE);
    return at.every(place => place >= 0 && place < 16) ? at.map(Math.floor).join(",") : undefined;
  }

  /** The board's own units per pixel. */
  get scale() { return this.root.viewBox.baseVal.width / this.root.getBoundingClientRect().width; }

  flip() {
    this.isFlipped = this.box.classList.toggle("flipped");
  }

  down(event) {
    this.isPointing = true;
    this.box.focus({ preventScroll: true });
    this.isPointing = false;
    this.box.classList.remove("by-keys");
    const square = this.under(event);
    if (!square || event.button) return;
    const drags = this.isOpen && !this.editing && event.pointerType !== "touch" && this.legal.has(square);
    this.held = { square, x: event.clientX, y: event.clientY,
      piece: drags ? this.root.querySelector(`.piece[data-square="${square}"]`) : undefined };
    if (drags) this.box.setPointerCapture(event.pointerId);
  }

  move(event) {
    const { held } = this;
    if (!held?.piece) return;
    const way = [event.clientX - held.x, event.clientY - held.y];
    if (!held.dragged && Math.hypot(...way) < DRAG) return;
    if (!held.dragged) {
      held.dragged = true;
      held.home = held.piece.getAttribute("transform");
      this.select(held.square);
      held.piece.parentNode.append(held.piece);
    }
    const scale = this.isFlipped ? -this.scale : this.scale;
    held.piece.setAttribute("transform", `${held.home} translate(${way.map(part => part * scale).join(" ")})`);
  }

  up(event) {
    const { held } = this;
    const square = this.under(event);
    this.drop();
    if (!held || !square) return;
    if (held.dragged && square !== held.square) this.choose(square);
    else if (!held.dragged && square === held.square) {
      this.cursor = square;
      this.choose(square);
    }
  }

  drop() {
    if (this.held?.dragged) this.held.piece.setAttribute("transform", this.held.home);
    this.held = undefined;
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const { key } = event;
    // After a click, the arrow keys are left to the page.
    if (STEPS[key] && !this.box.classList.contains("by-keys")) return;
    if (key === "Enter" || key === " ") this.box.classList.add("by-keys");
    if (STEPS[key]) this.point(moved(this.cursor, STEPS[key].map(way => this.isFlipped ? -way : way)), true);
    else if (key === "Enter" || key === " ") this.choose(this.cursor);
    else if (key === "Escape") this.select(undefined);
    else if (TURNS[key]) this.on.step(TURNS[key]);
    else return;
    event.preventDefault();
  }

  /** Moves the keyboard's cursor, and says what is on its square. */
  point(square, aloud) {
    this.cursor = square;
    for (const [name, place] of Object.entries(corner(square))) this.frame.setAttribute(name, place);
    this.root.dataset.cursor = square;
    if (!aloud) return;
    const play = this.legalPlay(this.selected, square);
    const plays = this.legal.get(square)?.length;
    const what = play ? "can go here: " + inWords(play) : contents(this.at(square));
    this.say(`${square}: ${what}${plays ? `, ${plays} plays` : ""}`);
  }

  suggest(list) {
    const option = chain => Object.assign(document.createElement("option"), { value: written(chain) });
    list.replaceChildren(...[...this.legal.values()].flat().map(option));
  }
}

export function corner(square) {
  const [x, y] = coordinates(square).map(place => MARGIN + SIDE * place);
  return { x, y };
}

const moved = (square, step) =>
  coordinates(square).map((place, i) => Math.max(0, Math.min(15, place + step[i]))).join(",");
