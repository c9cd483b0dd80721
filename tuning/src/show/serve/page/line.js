// A line of play: where it began, its plays, and the ply that is shown.

import { ask } from "./server.js";
import { coordinates, ends, squares, written } from "./board.js";

/** The squares of Black's and of White's pieces in `rows`. */
export function placesOf(rows) {
  const found = letter => rows.flatMap((row, y) => [...row].flatMap((at, x) => at === letter ? [`${x},${y}`] : []));
  return [found("B"), found("W")];
}

/** Rows in short, for addresses: "BBBBB11" is five pieces and eleven empty squares. */
const packed = rows => rows.map(row => row.replace(/\.+/g, dots => dots.length)).join("/");
const unpacked = text => text.split("/").map(row => row.replace(/\d+/g, count => ".".repeat(Math.min(16, count))));

/** The parameters as part of an address, in which commas, slashes and semicolons stay readable. */
export const addressOf = parameters =>
  new URLSearchParams(parameters).toString().replace(/%2C/g, ",").replace(/%2F/g, "/").replace(/%3B/g, ";");

/** Plays in an address: "2,0 4,2;13,15 11,13". */
export const playsInAddress = plays => plays.map(written).join(";");

export class Line {
  /** `time` is the mode and the seconds of the input.txt that the line began with. */
  constructor({ rules = "addendum", first = "BLACK", rows = null, plays = [], ply, time } = {}) {
    Object.assign(this, { rules, first, rows, plays, ply: ply ?? plays.length, time });
  }

  /** The side to move after `ply` plies. */
  mover(ply = this.ply) { return (ply % 2 === 0) === (this.first === "BLACK") ? "BLACK" : "WHITE"; }

  get isAtEnd() { return this.ply === this.plays.length; }

  /** The position shown, in the form of a request to the server. */
  get request() {
    const { rules, first, rows, plays, ply } = this;
    return { rules, first, rows, plays: plays.map(written), ply };
  }

  /** Adds a play to the position shown, in place of the plays that followed. */
  push(chain) {
    this.plays = [...this.plays.slice(0, this.ply), chain];
    this.ply = this.plays.length;
  }

  /** A copy of the line up to the ply shown. */
  copy() { return new Line({ ...this, plays: this.plays.slice(0, this.ply), ply: this.ply }); }

  /**
   * The server's ruling on the position shown, which also extends each play to all the squares it touches. It belongs to
   * `generation`.
   */
  async check(generation) {
    const answer = await ask("position", this.request, generation);
    this.plays = answer.plays;
    return answer;
  }

  /** The server's `text` of an input.txt, with the line's own mode and seconds. */
  input(text) {
    if (!this.time) return text;
    const [, side, , ...rows] = text.split("\n");
    return [this.time.mode, side, this.time.seconds, ...rows].join("\n");
  }

  /** The line as parameters of the page's address. */
  get address() {
    const { rules, first, rows, plays, ply, time } = this;
    const parameters = { rules, first, ply, ...time };
    if (rows) parameters.board = packed(rows);
    if (plays.length) parameters.plays = playsInAddress(plays);
    return parameters;
  }

  /** The line with these parameters of an address. */
  static of(address) {
    const get = name => address.get(name) ?? undefined;
    const plays = (get("plays") ?? "").split(";").filter(play => /^\d+,\d+ \d+,\d+$/.test(play)), board = get("board");
    const ply = Math.max(0, Math.min(plays.length, Number.parseInt(get("ply"), 10)));
    const mode = get("mode"), seconds = Number(get("seconds"));
    const time = ["SINGLE", "GAME"].includes(mode) && seconds > 0 ? { mode, seconds } : undefined;
    return new Line({ rules: get("rules"), first: get("first"), rows: board ? unpacked(board) : null, plays,
      ply: Number.isNaN(ply) ? undefined : ply, time });
  }
}

/** A play in words: "9,9 to 13,13, 2 jumps". */
export function inWords(chain) {
  const [from, to] = ends(chain), jumps = squares(chain).length - 1;
  const [[x, y], [toX, toY]] = [from, to].map(coordinates);
  const isStep = jumps === 1 && Math.max(Math.abs(x - toX), Math.abs(y - toY)) === 1;
  return `${from} to ${to}, ${isStep ? "a step" : jumps === 1 ? "a jump" : jumps + " jumps"}`;
}

/** "BLACK" as people write it. */
export const sideName = side => side === "BLACK" ? "Black" : "White";

/** The contents of a square in words, given its letter "B", "W" or ".". */
export const contents = letter => ({ B: "black piece", W: "white piece", ".": "empty" }[letter]);
