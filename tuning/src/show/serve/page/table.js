// The board that one plays on: by mouse, by touch, by keyboard, by text. Where pieces may go the server has said.

import { Board, MARGIN, SIDE, named, squares, svg, written } from "./board.js";
import { placesOf, told } from "./line.js";

/** So far a pointer moves before a click becomes a drag, in pixels. */
const DRAG = 6;

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const TURNS = { Home: "first", End: "last", PageUp: "back", PageDown: "next" };

export class Table {
  /**
   * `box` has the board. `on.play(hops)` is called with the play that is chosen, `on.why(from, to)` with one that is
   * not legal, `on.step(what)` where a key asks for another ply, `on.edit(square)` with a square while pieces are put
   * on the board; `say(text)` is read aloud.
   */
  constructor(box, camps, on, say) {
    Object.assign(this, { box, camps, on, say, legal: new Map(), cursor: "77" });
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
      box.classList.toggle("by-keys", box.matches(":focus-visible"));
      this.point(this.cursor, false);
    });
  }

  /** Shows `line`, about whose position the server has said `answer`; `animated` if its last play is new. */
  show(line, answer, animated) {
    const start = JSON.stringify(line.rows);
    if (start !== this.start) this.board.begin(line.rows ? placesOf(line.rows) : this.camps);
    this.start = start;
    this.board.show(line.plays, line.ply, animated);
    this.answer = answer;
    this.legal = new Map();
    for (const hops of answer?.legal ?? []) {
      const from = hops.slice(0, 2);
      this.legal.set(from, [...this.legal.get(from) ?? [], hops]);
    }
    this.select(undefined);
  }

  /** Whether plays can be made on it now. */
  set open(open) {
    this.isOpen = open;
    this.box.classList.toggle("open", open);
    this.select(undefined);
  }

  /** Who stands on `square`: "B", "W" or ".". */
  at(square) { return this.answer?.rows[parseInt(square[1], 16)][parseInt(square[0], 16)] ?? "."; }

  /** Marks a piece, and where it may go. */
  select(square) {
    this.selected = square;
    this.targets.replaceChildren();
    if (!square) return;
    const place = digit => MARGIN + SIDE * parseInt(digit, 16);
    svg("rect", { class: "chosen", x: place(square[0]), y: place(square[1]), width: SIDE, height: SIDE }, this.targets);
    for (const hops of this.legal.get(square) ?? []) {
      const [x, y] = hops.slice(-2);
      svg("circle", { class: "target", cx: place(x) + SIDE / 2, cy: place(y) + SIDE / 2, r: 8,
        "data-target": named(hops.slice(-2)) }, this.targets);
    }
  }

  /** What a click or a key on `square` does. */
  choose(square) {
    if (this.editing) return this.on.edit(square);
    if (!this.isOpen) return;
    const play = this.legal.get(this.selected)?.find(hops => hops.slice(-2) === square);
    const own = this.at(square) === this.answer?.to_move[0];
    if (play) {
      this.select(undefined);
      this.on.play(play);
    } else if (square === this.selected) {
      this.select(undefined);
    } else if (own) {
      const plays = this.legal.get(square);
      this.select(plays && square);
      if (plays) this.say(`${named(square)} chosen; it may go to ${plays.map(hops => named(hops.slice(-2))).join(", ")}`);
      else this.on.why(named(square), undefined);
    } else if (this.selected) {
      this.on.why(named(this.selected), named(square));
    } else {
      this.on.why(named(square), undefined);
    }
  }

  /** The square under a pointer. */
  under(event) {
    const box = this.root.getBoundingClientRect();
    const at = [event.clientX - box.left, event.clientY - box.top].map(place => (place * 692 / box.width - MARGIN) / SIDE);
    return at.every(place => place >= 0 && place < 16) ? at.map(place => Math.floor(place).toString(16)).join("") : undefined;
  }

  down(event) {
    this.box.focus({ preventScroll: true });
    this.box.classList.remove("by-keys");
    const square = this.under(event);
    if (!square || event.button) return;
    const drags = this.isOpen && !this.editing && event.pointerType !== "touch" && this.legal.has(square);
    this.held = { square, x: event.clientX, y: event.clientY, was: this.selected,
      piece: drags ? this.root.querySelector(`.piece[data-square="${named(square)}"]`) : undefined };
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
    const scale = 692 / this.root.getBoundingClientRect().width;
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

  /** Puts a piece that is dragged back where it was. */
  drop() {
    if (this.held?.dragged) this.held.piece.setAttribute("transform", this.held.home);
    this.held = undefined;
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const { key } = event;
    this.box.classList.add("by-keys");
    if (STEPS[key]) this.point(moved(this.cursor, STEPS[key]), true);
    else if (key === "Enter" || key === " ") this.choose(this.cursor);
    else if (key === "Escape") this.select(undefined);
    else if (TURNS[key]) this.on.step(TURNS[key]);
    else return;
    event.preventDefault();
  }

  /** Moves the keyboard's cursor, and says what is there. */
  point(square, aloud) {
    this.cursor = square;
    this.frame.setAttribute("x", MARGIN + SIDE * parseInt(square[0], 16));
    this.frame.setAttribute("y", MARGIN + SIDE * parseInt(square[1], 16));
    this.root.dataset.cursor = named(square);
    if (!aloud) return;
    const way = this.legal.get(this.selected)?.find(hops => hops.slice(-2) === square);
    const plays = this.legal.get(square)?.length;
    const what = { B: "black piece", W: "white piece", ".": "empty" }[this.at(square)];
    this.say(`${named(square)}: ${way ? "can go here: " + told(way) : what}${plays ? `, ${plays} plays` : ""}`);
  }

  /** The legal play that is written as `text`. */
  find(text) {
    const numbers = text.match(/\d+/g)?.map(Number) ?? [];
    const wanted = numbers.length === 4 ? `${numbers[0]},${numbers[1]} ${numbers[2]},${numbers[3]}` : "";
    return (this.answer?.legal ?? []).find(hops => written(hops) === wanted);
  }
}

const moved = (square, step) => squares(square)[0].split("").map((digit, i) =>
  Math.max(0, Math.min(15, parseInt(digit, 16) + step[i])).toString(16)).join("");
