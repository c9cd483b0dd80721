// A game as a tree: the position it began with, its plays, and the variations that branch off.

import { ask } from "./server.js";
import { coordinates, ends, squares, written } from "./shared.js";

/** The squares of Black's and of White's pieces in `rows`. */
export function placesOf(rows) {
  const found = letter => rows.flatMap((row, y) => [...row].flatMap((at, x) => at === letter ? [`${x},${y}`] : []));
  return [found("B"), found("W")];
}

/** Rows in short: "BBBBB11" is five pieces and eleven empty squares. */
const packed = rows => rows.map(row => row.replace(/\.+/g, dots => dots.length)).join("/");

/** The parameters as part of an address, in which most punctuation stays readable. */
export const addressOf = parameters => new URLSearchParams(parameters).toString()
  .replace(/%(2C|2F|3B|28|29)/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));

/** A square in the notation of game files: "4,2" is "e3". */
const inLetters = square => {
  const [x, y] = coordinates(square);
  return String.fromCharCode(97 + x) + (y + 1);
};

export const today = () => new Date().toLocaleDateString("sv");

/** The two squares of a play in either notation, "2,0 4,2" or "c1-e3"; none if `text` is anything else. */
export function squaresIn(text) {
  const words = text.trim().toLowerCase().split(/ *- *| +/).map(word =>
    word.replace(/^([a-p])(\d+)$/, (_, letter, number) => `${letter.charCodeAt(0) - 97},${number - 1}`));
  return words.length === 2 && words.every(word => /^(\d|1[0-5]),(\d|1[0-5])$/.test(word)) ? words : [];
}

/**
 * A game. Each node is the position after a play: its `chain` is the play, `parent` the node before, `children` the
 * nodes after it, the main line first, and `ply` its distance from the root, which has no play. `value` is the value for
 * Black that the game came with, from the engine that played it or from a file. The views add what they know.
 */
export class Tree {
  /** `time` is the mode and the seconds of the input.txt that the game began with; `names` are the players, first mover first. */
  constructor({ rules = "addendum", first = "BLACK", rows = null, time, names } = {}) {
    Object.assign(this, { rules, first, rows, time, names });
    this.root = { ply: 0, children: [] };
    // The position shown.
    this.node = this.root;
  }

  mover(node = this.node) { return (node.ply % 2 === 0) === (this.first === "BLACK") ? "BLACK" : "WHITE"; }

  path(node = this.node) {
    const path = [];
    for (; node; node = node.parent) path.push(node);
    return path.reverse();
  }

  /** The nodes of the line through `node`, which continues with the main plays after `node`. */
  line(node = this.node) {
    const line = this.path(node);
    for (let next = node; (next = next.children[0]);) line.push(next);
    return line;
  }

  isMain(node) { return this.path(node).every(({ parent }, at, path) => !parent || parent.children[0] === path[at]); }

  /**
   * The nodes after `node` in the order of the text: each variation stands in "(" and ")" after the play it replaces.
   */
  *words(node = this.root) {
    for (; node.children.length; [node] = node.children) {
      const [main, ...others] = node.children;
      yield main;
      for (const other of others) {
        yield "(";
        yield other;
        yield* this.words(other);
        yield ")";
      }
    }
  }

  /** All nodes but the root, in the order of the text. */
  get nodes() { return [...this.words()].filter(word => word.ply); }

  /** The position at `node`, in the form of a request to the server. */
  request(node = this.node) {
    const { rules, first, rows } = this;
    return { rules, first, rows, plays: this.path(node).slice(1).map(({ chain }) => written(chain)) };
  }

  /** Shows the node after `chain`, which becomes a new line unless it has been played here before. */
  play(chain) {
    const { node } = this;
    const known = node.children.find(child => written(child.chain) === written(chain));
    this.node = known ?? { chain, ply: node.ply + 1, parent: node, children: [] };
    if (!known) node.children.push(this.node);
  }

  promote() {
    for (const node of this.path().slice(1)) {
      const { children } = node.parent;
      children.unshift(...children.splice(children.indexOf(node), 1));
    }
  }

  remove() {
    const { node } = this;
    this.node = node.parent;
    this.node.children.splice(this.node.children.indexOf(node), 1);
  }

  /**
   * The server's ruling on the node shown. It also extends each play before that node to all the squares that its piece
   * touches. The request belongs to `generation`.
   */
  async check(generation) {
    const path = this.path(), answer = await ask("position", this.request(), generation);
    answer.plays.forEach((chain, at) => { path[at + 1].chain = chain; });
    return answer;
  }

  /** The server's `text` of an input.txt, with the game's own mode and seconds. */
  input(text) {
    if (!this.time) return text;
    const [, side, , ...rows] = text.split("\n");
    return [this.time.mode, side, this.time.seconds, ...rows].join("\n");
  }

  /** The plays, as in a game file: "c1-e3"; `after(node)` follows each. */
  plays(after = () => "") {
    const word = node => node.ply ? ends(node.chain).map(inLetters).join("-") + after(node) : node;
    return [...this.words()].map(word).join(" ");
  }

  /** The game as a file, with the known values, and the `result` as in PGN. */
  text(result = "*") {
    const { rules, first, rows } = this, [white, black] = (this.names ?? ["?", "?"]).map(name => name.replaceAll("\n", " ").replace(/["\\]/g, "\\$&"));
    const tags = { Event: "halma", Site: "?", Date: today().replaceAll("-", "."), Round: "?", White: white, Black: black,
      Result: result, Variant: "Halma; White moves first here and has the black pieces", Rules: rules, First: first };
    if (rows) tags.Board = packed(rows);
    const value = ({ value, analysed }) => {
      const known = value ?? analysed?.[0]?.value;
      return known === undefined ? "" : ` {${(known < 0 ? "" : "+") + known.toFixed(3)}}`;
    };
    const lines = Object.entries(tags).map(([name, text]) => `[${name} "${text}"]\n`).join("");
    return `${lines}\n${`${this.plays(value)} ${result}`.trim().replace(/(.{1,79})( |$)/g, "$1\n")}`;
  }

  /** The game as parameters of the page's address. The number of plays shows whether a link has been cut short. */
  get address() {
    const { rules, first, rows, node, nodes, time } = this;
    const parameters = { rules, first, at: nodes.indexOf(node) + 1, of: nodes.length, ...time };
    if (rows) parameters.board = packed(rows);
    if (nodes.length) parameters.plays = this.plays();
    return parameters;
  }

  /** Game number `game` in the `text` of a file or an input.txt. `rules` apply if the text names none. */
  static async read(text, rules, generation, game = 0) {
    const { nodes, games, ...beginning } = await ask("game", { text, rules, game }, generation);
    const tree = new Tree(beginning), all = [];
    for (const { parent, chain, value } of nodes) {
      tree.node = all[parent] ?? tree.root;
      tree.play(chain);
      all.push(tree.node);
      tree.node.value ??= value ?? undefined;
    }
    tree.node = tree.root;
    return Object.assign(tree, { games, game });
  }

  /** The game with these parameters of an address. */
  static async of(address, generation) {
    const get = name => address.get(name) ?? "";
    const number = name => /^\d{1,5}$/.test(get(name)) ? Number(get(name)) : undefined;
    const rules = get("rules"), plays = get("plays").replaceAll(";", " ");
    if (!["", "addendum", "original"].includes(rules)) throw new Error(`The link names unknown rules, "${rules}": expected addendum or original.`);
    const tags = { Rules: rules, First: get("first"), Board: get("board") };
    const text = Object.entries(tags).map(([name, text]) => text && `[${name} "${text}"]\n`).join("");
    const tree = await Tree.read(`${text}\n${plays} *`, "addendum", generation).catch(error => {
      error.message = "The link: " + error.message.replace(/^line \d+, column/, "its plays, character");
      throw error;
    });
    const { nodes } = tree, of = number("of") ?? nodes.length;
    const at = number("at") ?? nodes.length;
    if (of !== nodes.length || at > of) {
      throw new Error(`The link is cut short: it has ${nodes.length} of ${Math.max(of, at)} plays.`);
    }
    tree.node = [tree.root, ...nodes][at];
    const mode = get("mode"), seconds = Number(get("seconds"));
    if (["SINGLE", "GAME"].includes(mode) && seconds > 0) tree.time = { mode, seconds };
    return tree;
  }

  /** The game as plain data, without the agents' reports. */
  toJSON() {
    const all = [this.root, ...this.nodes], { rules, first, rows, time, names } = this;
    const plain = ({ parent, children, reports, review, ...rest }) => ({ ...rest, parent: all.indexOf(parent) });
    return { rules, first, rows, time, names, at: all.indexOf(this.node), nodes: all.map(plain) };
  }

  /** The game in the plain `data` of `toJSON`. */
  static from(data) {
    const tree = new Tree(data), all = [];
    for (const { parent, ...rest } of data.nodes) {
      const node = Object.assign(all.length ? { parent: all[parent] } : tree.root, rest, { children: [] });
      node.parent?.children.push(node);
      all.push(node);
    }
    tree.node = all[data.at];
    return tree;
  }

  copy() {
    const copy = new Tree(this);
    for (const { parent, children, ply, ...rest } of this.path()) {
      if (parent) copy.play(rest.chain);
      Object.assign(copy.node, rest);
    }
    return copy;
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
