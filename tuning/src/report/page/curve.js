"use strict";
// The value curve of a game: what each side thought the position was worth, seen by Black.

const WIDTH = 360, HEIGHT = 150, LEFT = 26, RIGHT = 8, TOP = 8, BOTTOM = 18;

class Curve {
  constructor(root, go) {
    this.root = root;
    const pick = event => {
      if (!this.plies || (event.type === "pointermove" && !event.buttons)) return;
      const box = this.root.getBoundingClientRect();
      const x = (event.clientX - box.left) / box.width * WIDTH;
      const ply = Math.round((x - LEFT) / (WIDTH - LEFT - RIGHT) * this.plies);
      go(Math.max(0, Math.min(this.plies, ply)));
    };
    root.addEventListener("pointerdown", pick);
    root.addEventListener("pointermove", pick);
  }

  x(ply) { return LEFT + (WIDTH - LEFT - RIGHT) * ply / Math.max(1, this.plies); }
  y(value) { return TOP + (HEIGHT - TOP - BOTTOM) * (1 - value) / 2; }

  /** Draws the curve of `game`; `judged[ply]` is [who, value for Black] or nothing. */
  draw(game, judged) {
    this.plies = game.plies;
    this.root.replaceChildren();
    const drawing = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "curve", role: "img" }, this.root);
    svg("rect", { class: "ground", x: LEFT, y: TOP, width: WIDTH - LEFT - RIGHT, height: HEIGHT - TOP - BOTTOM, rx: 4 }, drawing);
    for (const value of [-1, 0, 1]) {
      svg("line", { class: value ? "grid" : "even", x1: LEFT, x2: WIDTH - RIGHT, y1: this.y(value), y2: this.y(value) }, drawing);
      svg("text", { x: LEFT - 5, y: this.y(value) + 4, "text-anchor": "end" }, drawing).textContent = ["−1", "0", "+1"][value + 1];
    }
    for (const ply of [0, this.plies]) {
      svg("text", { x: this.x(ply), y: HEIGHT - 4, "text-anchor": ply ? "end" : "start" }, drawing).textContent = ply;
    }
    let drawn = 0;
    for (const who of [0, 1]) {
      const points = judged.map((one, ply) => one && one[0] === who ? `${this.x(ply)},${this.y(one[1])}` : "").filter(Boolean);
      drawn += points.length;
      svg("polyline", { class: "ab"[who], points: points.join(" ") }, drawing);
    }
    if (!drawn) {
      svg("text", { class: "none", x: WIDTH / 2, y: HEIGHT / 2 - 10, "text-anchor": "middle" }, drawing).textContent = "these agents tell no values";
    }
    drawing.setAttribute("aria-label", this.told(judged));
    this.cursor = svg("line", { class: "cursor", y1: TOP, y2: HEIGHT - BOTTOM }, drawing);
    this.dots = [0, 1].map(who => svg("circle", { class: "dot " + "ab"[who], r: 4 }, drawing));
    this.judged = judged;
  }

  /** The curve in words: some values of each side. */
  told(judged) {
    const of = who => {
      const plies = judged.map((one, ply) => ply).filter(ply => judged[ply]?.[0] === who);
      const some = plies.filter((_, at) => at % Math.ceil(plies.length / 6) === 0);
      const value = ply => `${judged[ply][1].toFixed(2).replace("-", "−")} at ply ${ply}`;
      return some.length ? [`${"AB"[who]}: ${some.map(value).join(", ")}`] : [];
    };
    return "Value for Black. " + ([0, 1].flatMap(of).join("; ") || "These agents tell no values") + ".";
  }

  /** Moves the cursor; a dot shows what each side thought last. */
  point(ply) {
    this.cursor.setAttribute("x1", this.x(ply));
    this.cursor.setAttribute("x2", this.x(ply));
    this.dots.forEach((dot, who) => {
      let at = Math.min(ply, this.judged.length - 1);
      while (at >= 0 && !(this.judged[at] && this.judged[at][0] === who)) at--;
      dot.style.display = at < 0 ? "none" : "";
      if (at < 0) return;
      dot.setAttribute("cx", this.x(at));
      dot.setAttribute("cy", this.y(this.judged[at][1]));
    });
  }
}
