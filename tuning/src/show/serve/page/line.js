// A game so far, or a line that is looked at: where it began, its plays, and which of its plies is shown.

import { ask } from "./server.js";
import { named, written } from "./board.js";

/** The squares of the pieces in `rows`, as the board names them: Black's and White's. */
export function placesOf(rows) {
  const found = letter => rows.flatMap((row, y) =>
    [...row].flatMap((at, x) => at === letter ? [x.toString(16) + y.toString(16)] : []));
  return [found("B"), found("W")];
}

/** Rows in few letters, for addresses: "BBBBB11" is five pieces and eleven empty squares. */
const packed = rows => rows.map(row => row.replace(/\.+/g, dots => dots.length)).join("/");
const unpacked = text => text.split("/").map(row => row.replace(/\d+/g, count => ".".repeat(Math.min(16, count))));

export class Line {
  constructor({ rules = "addendum", first = "BLACK", rows = null, plays = [], ply } = {}) {
    Object.assign(this, { rules, first, rows, plays, ply: ply ?? plays.length });
  }

  /** The side to move after `ply` plies. */
  mover(ply = this.ply) { return (ply % 2 === 0) === (this.first === "BLACK") ? "BLACK" : "WHITE"; }

  /** The position shown, as the server is asked about it. */
  get question() {
    const { rules, first, rows, plays, ply } = this;
    return { rules, first, rows, plays: plays.slice(0, ply).map(written) };
  }

  /** Adds a play to the position shown; what came after it before goes. */
  push(hops) {
    this.plays = [...this.plays.slice(0, this.ply), hops];
    this.ply = this.plays.length;
  }

  /** A line of its own, up to the ply shown. */
  copy() { return new Line({ ...this, plays: this.plays.slice(0, this.ply), ply: this.ply }); }

  /** What the server says of the whole line; its plays then have all their squares. */
  async check() {
    const answer = await ask("position", { ...this.question, plays: this.plays.map(written) });
    this.plays = answer.plays;
    return answer;
  }

  /** As a part of the page's address. */
  get address() {
    const { rules, first, rows, plays, ply } = this;
    const parts = { rules, first, ply };
    if (rows) parts.board = packed(rows);
    if (plays.length) parts.plays = plays.map(hops => hops.slice(0, 2) + hops.slice(-2)).join("");
    return parts;
  }

  /** The line that such a part says. */
  static of(address) {
    const get = name => address.get(name) ?? undefined;
    const plays = (get("plays") ?? "").match(/[0-9a-f]{4}/g) ?? [], board = get("board");
    const ply = Math.max(0, Math.min(plays.length, Number.parseInt(get("ply"), 10)));
    return new Line({ rules: get("rules"), first: get("first"), rows: board ? unpacked(board) : null, plays,
      ply: Number.isNaN(ply) ? undefined : ply });
  }
}

/** A play in words: "9,9 13,13, 2 jumps". */
export function told(hops) {
  const jumps = hops.length / 2 - 1;
  const from = hops.slice(0, 2), to = hops.slice(-2);
  const step = jumps === 1 && Math.max(...[0, 1].map(i => Math.abs(parseInt(from[i], 16) - parseInt(to[i], 16)))) === 1;
  return `${named(from)} to ${named(to)}, ${step ? "a step" : jumps === 1 ? "a jump" : jumps + " jumps"}`;
}

/** "BLACK" as people write it. */
export const sideName = side => side === "BLACK" ? "Black" : "White";
