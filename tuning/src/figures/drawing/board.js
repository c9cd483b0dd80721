"use strict";
// The board: pieces that move, the last play's way, arrows for the search's best plays.

const SIDE = 40, MARGIN = 26, HEAD = 13, LABEL = 0.62, BESIDE = 15, STEP = 70;

/** An SVG element with attributes. */
function svg(name, attributes, parent) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (parent) parent.append(element);
  return element;
}

/** An HTML element with text. */
function html(name, className, text, parent) {
  const element = document.createElement(name);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  if (parent) parent.append(element);
  return element;
}

/** "2042" to ["20", "42"]. */
const squares = hops => hops.match(/../g) || [];
/** "a3" to "10,3". */
const named = square => `${parseInt(square[0], 16)},${parseInt(square[1], 16)}`;
/** A play as it is written: its first and its last square. */
const written = hops => `${named(hops.slice(0, 2))} ${named(hops.slice(-2))}`;
const middle = digit => MARGIN + SIDE * (parseInt(digit, 16) + 0.5);
const centre = square => [middle(square[0]), middle(square[1])];

/** The board in the SVG element `root`; `places` are the squares where Black's and White's pieces start. */
class Board {
  constructor(root, places) {
    this.root = root;
    const layer = name => root.querySelector("." + name);
    [this.last, this.layer, this.trail, this.arrows] = ["last", "pieces", "trail", "arrows"].map(layer);
    this.begin(places);
  }

  /** Lets Black's and White's pieces start from `places`. */
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

  /** Shows the position after the first `ply` of `plays`, the last of which may be seen moving. */
  show(plays, ply, animated) {
    const places = [...this.home];
    const at = new Map(places.map((square, piece) => [square, piece]));
    let moved;
    for (const hops of plays.slice(0, ply)) {
      const from = hops.slice(0, 2), to = hops.slice(-2);
      moved = at.get(from);
      at.delete(from);
      at.set(to, moved);
      places[moved] = to;
    }
    places.forEach((square, number) => {
      const piece = this.pieces[number], [x, y] = centre(square);
      piece.setAttribute("transform", `translate(${x} ${y})`);
      piece.dataset.square = named(square);
      piece.getAnimations().forEach(animation => animation.cancel());
    });
    this.root.dataset.ply = ply;
    const way = ply > 0 ? squares(plays[ply - 1]) : [];
    this.root.setAttribute("aria-label", this.told(places, way));
    this.showWay(way);
    if (animated && moved !== undefined) this.move(this.pieces[moved], way);
  }

  /** The board in words: the last play, and where the pieces stand. */
  told(places, way) {
    const last = way.length ? `last play ${way.map(named).join(" to ")}` : "no play yet";
    const of = (name, pieces) => `${name} on ${pieces.map(named).join(" ")}`;
    return `Board, ${last}. ${of("Black", places.slice(0, this.black))}. ${of("White", places.slice(this.black))}.`;
  }

  /** Lets a piece jump along its way. */
  move(piece, way) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    piece.parentNode.append(piece);
    const frames = way.map(square => {
      const [x, y] = centre(square);
      return { transform: `translate(${x}px, ${y}px)`, easing: "ease-in-out" };
    });
    piece.animate(frames, { duration: Math.min(120 + 110 * (way.length - 1), 900) });
  }

  /** Marks the last play: its two ends, and the jumps between them. */
  showWay(way) {
    this.last.replaceChildren();
    this.trail.replaceChildren();
    if (way.length < 2) return;
    const ends = [[way[0], "from", 2], [way[way.length - 1], "to", 0]];
    for (const [square, name, inset] of ends) {
      const [x, y] = centre(square), side = SIDE - 2 * inset;
      svg("rect", { class: name, x: x - side / 2, y: y - side / 2, width: side, height: side, rx: 3 }, this.last);
    }
    const { shaft } = arrow(way, 17);
    svg("path", { d: shaft }, this.trail);
    for (const square of way.slice(0, -1)) {
      const [cx, cy] = centre(square);
      svg("circle", { cx, cy, r: 5 }, this.trail);
    }
  }

  /** Draws arrows for `[hops, share, value, kind]`, the best play first; the kind is a further class, if there is one. */
  showArrows(candidates) {
    this.arrows.replaceChildren();
    const labels = [];
    candidates.forEach(([hops, share, , kind = ""], rank) => {
      const { shaft, neck, unit, to, label } = arrow(squares(hops), HEAD);
      const width = 3 + 6 * share, half = 5 + width * 0.7;
      const opacity = rank === 0 ? 0.88 : 0.45 + 0.4 * share;
      const group = svg("g", { class: `arrow rank${rank} ${kind}`, opacity });
      svg("path", { d: shaft, "stroke-width": width }, group);
      const side = sign => [neck[0] - sign * unit[1] * half, neck[1] + sign * unit[0] * half];
      svg("polygon", { points: [to, side(1), side(-1)].map(point => point.join()).join(" ") }, group);
      this.arrows.prepend(group);
      labels.unshift([rank, share, label, kind]);
    });
    for (const [rank, share, [x, y], kind] of labels) {
      const group = svg("g", { class: `share rank${rank} ${kind}`, transform: `translate(${x} ${y})` }, this.arrows);
      svg("rect", { x: -17, y: -9, width: 34, height: 18, rx: 9 }, group);
      svg("text", { y: 4 }, group).textContent = Math.round(share * 100) + " %";
    }
  }
}

/** An arrow along `way` that stops `short` of the last square's middle. */
function arrow(way, short) {
  const points = way.map(centre), to = points[points.length - 1], from = points[points.length - 2];
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
  const unit = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  const neck = [to[0] - unit[0] * short, to[1] - unit[1] * short];
  const shaft = "M" + [...points.slice(0, -1), neck].map(point => point.join(" ")).join("L");
  const beside = length < STEP ? BESIDE : 0;
  const up = unit[0] > 0 ? [unit[1], -unit[0]] : [-unit[1], unit[0]];
  const label = [0, 1].map(i => from[i] + unit[i] * length * LABEL + up[i] * beside);
  return { shaft, neck, unit, to, label };
}
