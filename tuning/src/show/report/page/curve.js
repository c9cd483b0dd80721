"use strict";
// The value curves of a game: how each side valued the positions, from Black's point of view.

const LEFT = 26, RIGHT = 8, TOP = 8, BOTTOM = 18;

/** The value for Black according to `who` at `ply`, if there is one. */
const valueAt = (judged, ply, who) => judged[ply]?.find(one => one[0] === who)?.[1];

/**
 * A curve for each of up to three sides, called `names`. A click calls `go` with the ply. If the curve `fills` its box,
 * it takes the size of the box.
 */
class Curve {
  constructor(root, go, names = ["A", "B"], fills = false) {
    Object.assign(this, { root, names, fills, width: 360, height: 150 });
    const pick = event => {
      if (!this.plies || (event.type === "pointermove" && !event.buttons)) return;
      const box = this.root.getBoundingClientRect();
      const x = (event.clientX - box.left) / box.width * this.width;
      const ply = Math.round((x - LEFT) / (this.width - LEFT - RIGHT) * this.plies);
      go(Math.max(0, Math.min(this.plies, ply)));
    };
    root.addEventListener("pointerdown", pick);
    root.addEventListener("pointermove", pick);
  }

  x(ply) { return LEFT + (this.width - LEFT - RIGHT) * ply / Math.max(1, this.plies); }
  y(value) { return TOP + (this.height - TOP - BOTTOM) * (1 - value) / 2; }

  /**
   * Draws the curves of a game of `plies` plies; `judged[ply]` is a list of `[who, value for Black]`. Marks the plies
   * in `falls`, at which a value fell.
   */
  draw(plies, judged, falls = new Map()) {
    this.plies = plies;
    this.root.replaceChildren();
    if (this.fills && this.root.clientWidth) [this.width, this.height] = [this.root.clientWidth, this.root.clientHeight];
    const { width, height } = this;
    const drawing = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "curve", role: "img" }, this.root);
    svg("rect", { class: "ground", x: LEFT, y: TOP, width: width - LEFT - RIGHT, height: height - TOP - BOTTOM, rx: 4 }, drawing);
    for (const value of [-1, 0, 1]) {
      svg("line", { class: value ? "grid" : "even", x1: LEFT, x2: width - RIGHT, y1: this.y(value), y2: this.y(value) }, drawing);
      svg("text", { x: LEFT - 5, y: this.y(value) + 4, "text-anchor": "end" }, drawing).textContent = ["−1", "0", "+1"][value + 1];
    }
    for (const ply of [0, this.plies]) {
      svg("text", { x: this.x(ply), y: height - 4, "text-anchor": ply ? "end" : "start" }, drawing).textContent = ply;
    }
    let drawn = 0;
    for (const who of this.names.keys()) {
      const points = judged.map((_, ply) => [ply, valueAt(judged, ply, who)]).filter(point => point[1] !== undefined);
      drawn += points.length;
      const places = points.map(([ply, value]) => `${this.x(ply)},${this.y(value)}`);
      svg("polyline", { class: "abc"[who], points: places.join(" ") }, drawing);
      for (const [ply, value] of points.filter(([ply]) => falls.has(ply))) {
        svg("circle", { class: "fall " + "abc"[who], cx: this.x(ply), cy: this.y(value), r: 3.5 }, drawing);
      }
    }
    if (!drawn) {
      svg("text", { class: "none", x: width / 2, y: height / 2 - 10, "text-anchor": "middle" }, drawing).textContent = "no values";
    }
    drawing.setAttribute("aria-label", this.describe(judged));
    this.cursor = svg("line", { class: "cursor", y1: TOP, y2: height - BOTTOM }, drawing);
    this.dots = this.names.map((_, who) => svg("circle", { class: "dot " + "abc"[who], r: 4 }, drawing));
    this.judged = judged;
  }

  /** The curves in words: some values of each side. */
  describe(judged) {
    const of = who => {
      const plies = judged.map((_, ply) => ply).filter(ply => valueAt(judged, ply, who) !== undefined);
      const some = plies.filter((_, at) => at % Math.ceil(plies.length / 6) === 0);
      const word = ply => `${valueAt(judged, ply, who).toFixed(2).replace("-", "−")} at ply ${ply}`;
      return some.length ? [`${this.names[who]}: ${some.map(word).join(", ")}`] : [];
    };
    return "Value for Black. " + ([...this.names.keys()].flatMap(of).join("; ") || "No values") + ".";
  }

  /** Moves the cursor to `ply`; a dot on each curve marks that side's latest value. */
  point(ply) {
    this.cursor.setAttribute("x1", this.x(ply));
    this.cursor.setAttribute("x2", this.x(ply));
    this.dots.forEach((dot, who) => {
      let at = Math.min(ply, this.judged.length - 1);
      while (at >= 0 && valueAt(this.judged, at, who) === undefined) at--;
      dot.style.display = at < 0 ? "none" : "";
      if (at < 0) return;
      dot.setAttribute("cx", this.x(at));
      dot.setAttribute("cy", this.y(valueAt(this.judged, at, who)));
    });
  }
}
