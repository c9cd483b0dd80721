"use strict";
// The board: pieces that move, the last play, and arrows for the best plays of a search.

const SIDE = 40, MARGIN = 26, HEAD = 13;

function svg(name, attributes, parent) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (parent) parent.append(element);
  return element;
}

function html(name, className, text, parent) {
  const element = document.createElement(name);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  if (parent) parent.append(element);
  return element;
}

// A square is the text "4,2", and a play the squares that its piece touches: "2,0 4,2 6,4".
const squares = chain => chain.split(" ");
const ends = chain => { const all = squares(chain); return [all[0], all[all.length - 1]]; };
/** A play as people write it: its first and last squares. */
const written = chain => ends(chain).join(" ");
const coordinates = square => square.split(",").map(Number);
const centre = square => coordinates(square).map(place => MARGIN + SIDE * (place + 0.5));

/** The board in the SVG element `root`; `places` are the squares on which Black's and White's pieces start. */
class Board {
  constructor(root, places) {
    this.root = root;
    const layer = name => root.querySelector("." + name);
    [this.last, this.layer, this.trail, this.arrows] = ["last", "pieces", "trail", "arrows"].map(layer);
    this.begin(places);
  }

  begin(places) {
    this.layer.replaceChildren();
    this.pieces = ["black", "white"].flatMap((colour, side) => places[side].map(() => this.piece(colour, this.layer)));
    this.home = places.flat();
    this.black = places[0].length;
  }

  piece(colour, parent) {
    const piece = svg("g", { class: "piece " + colour }, parent);
    svg("circle", { class: "shadow", cx: 1, cy: 2.2, r: 15.5 }, piece);
    svg("circle", { class: "body", r: 15.5 }, piece);
    svg("circle", { class: "ring", r: 10 }, piece);
    return piece;
  }

  /** Shows the position after the first `ply` of `plays`, and animates the last play if `animated`. */
  show(plays, ply, animated) {
    const places = [...this.home];
    const at = new Map(places.map((square, piece) => [square, piece]));
    let moved;
    for (const chain of plays.slice(0, ply)) {
      const [from, to] = ends(chain);
      moved = at.get(from);
      at.delete(from);
      at.set(to, moved);
      places[moved] = to;
    }
    places.forEach((square, number) => {
      const piece = this.pieces[number], [x, y] = centre(square);
      piece.setAttribute("transform", `translate(${x} ${y})`);
      piece.dataset.square = square;
      piece.getAnimations().forEach(animation => animation.cancel());
    });
    this.root.dataset.ply = ply;
    const chain = ply > 0 ? squares(plays[ply - 1]) : [];
    this.root.setAttribute("aria-label", this.describe(places, chain));
    this.showChain(chain);
    if (animated && moved !== undefined) this.move(this.pieces[moved], chain);
  }

  /** The board in words: the last play, and the squares of the pieces. */
  describe(places, chain) {
    const last = chain.length ? `last play ${chain.join(" to ")}` : "no play yet";
    const of = (name, pieces) => `${name} on ${pieces.join(" ")}`;
    return `Board, ${last}. ${of("Black", places.slice(0, this.black))}. ${of("White", places.slice(this.black))}.`;
  }

  move(piece, chain) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    piece.parentNode.append(piece);
    const frames = chain.map(square => {
      const [x, y] = centre(square);
      return { transform: `translate(${x}px, ${y}px)`, easing: "ease-in-out" };
    });
    piece.animate(frames, { duration: Math.min(120 + 110 * (chain.length - 1), 900) });
  }

  /** Marks the last play: its first and last squares, and the jumps between them. */
  showChain(chain) {
    this.last.replaceChildren();
    this.trail.replaceChildren();
    if (chain.length < 2) return;
    for (const [square, name, inset] of [[chain[0], "from", 2], [chain[chain.length - 1], "to", 0]]) {
      const [x, y] = centre(square), side = SIDE - 2 * inset;
      svg("rect", { class: name, x: x - side / 2, y: y - side / 2, width: side, height: side, rx: 3 }, this.last);
    }
    const { shaft } = arrow(chain, 17);
    svg("path", { d: shaft }, this.trail);
    for (const square of chain.slice(0, -1)) {
      const [cx, cy] = centre(square);
      svg("circle", { cx, cy, r: 5 }, this.trail);
    }
  }

  /** Draws an arrow for each `[chain, share, value, kind]`, the best play first; `kind` is an optional class. */
  showArrows(candidates) {
    this.arrows.replaceChildren();
    const labels = [], taken = [], ways = candidates.flatMap(([chain]) => points(squares(chain).map(centre)));
    candidates.forEach(([chain, share, , kind = ""], rank) => {
      const { shaft, neck, unit, to } = arrow(squares(chain), HEAD);
      const width = 3 + 6 * share, half = 5 + width * 0.7;
      const opacity = rank === 0 ? 0.88 : 0.45 + 0.4 * share;
      const group = svg("g", { class: `arrow rank${rank} ${kind}`, opacity });
      svg("path", { d: shaft, "stroke-width": width }, group);
      const side = sign => [neck[0] - sign * unit[1] * half, neck[1] + sign * unit[0] * half];
      svg("polygon", { points: [to, side(1), side(-1)].map(point => point.join()).join(" ") }, group);
      this.arrows.prepend(group);
      const label = freePlace(squares(chain).map(centre), ways, taken);
      taken.push(label);
      labels.unshift([rank, share, label, kind]);
    });
    for (const [rank, share, [x, y], kind] of labels) {
      const group = svg("g", { class: `share rank${rank} ${kind}`, transform: `translate(${x} ${y})` }, this.arrows);
      svg("rect", { x: -17, y: -9, width: 34, height: 18, rx: 9 }, group);
      svg("text", { y: 4 }, group).textContent = Math.round(share * 100) + " %";
    }
  }
}

/** An arrow along `chain` that ends `short` units before the middle of the last square. */
function arrow(chain, short) {
  const points = chain.map(centre), to = points[points.length - 1], from = points[points.length - 2];
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
  const unit = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  const neck = [to[0] - unit[0] * short, to[1] - unit[1] * short];
  const shaft = "M" + [...points.slice(0, -1), neck].map(point => point.join(" ")).join("L");
  return { shaft, neck, unit, to };
}

/** Closely spaced points along the way through `corners`. */
function points(corners) {
  const eighth = (from, to, at) => [0, 1].map(i => from[i] + (to[i] - from[i]) * at / 8);
  return corners.slice(1).flatMap((to, at) => Array.from({ length: 9 }, (_, part) => eighth(corners[at], to, part)));
}

/** A place beside a hop of `corners` where a label covers few points of `ways` and few of the labels in `taken`. */
function freePlace(corners, ways, taken) {
  const covers = (place, point, wide, high) =>
    Math.abs(place[0] - point[0]) < wide && Math.abs(place[1] - point[1]) < high;
  const places = corners.slice(1).flatMap((to, at) => {
    const from = corners[at], length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
    const [x, y] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
    // The distance from the hop: half the size of a label, and a little more.
    const beside = 8 + 17 * Math.abs(y) + 9 * Math.abs(x);
    return [0.62, 0.3, 0.9].flatMap(along => [1, -1].map(side => {
      const way = length * along, out = beside * (x > 0 ? side : -side);
      const place = [from[0] + x * way + y * out, from[1] + y * way - x * out];
      // The last hop is the best, and a label must be on the board.
      const cost = corners.length - at + (covers(place, [346, 346], 320, 330) ? 0 : 50)
        + ways.filter(point => covers(place, point, 20, 12)).length
        + 20 * taken.filter(label => covers(place, label, 40, 22)).length;
      return { place, cost };
    }));
  });
  return places.reduce((best, one) => one.cost < best.cost ? one : best).place;
}
