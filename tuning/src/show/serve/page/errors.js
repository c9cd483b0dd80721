// Plays that the analysis of the game calls mistakes, "?", or blunders, "??".

import { written } from "./shared.js";

/** The losses of expected score that make a mistake and a blunder. */
const MISTAKE = 0.1, BLUNDER = 0.2;
/** A search's value of a play is trusted if the play has at least this share of the best play's visits. */
const MIN_VISITS = 0.02;

/**
 * The value of `node` for the mover of the report `like`, if it was found in the same way: the race solver's values can't
 * be compared with those of a search.
 */
function valueAt(node, like) {
  const { value, decided_by, to_move } = node?.review ?? {};
  if (typeof value !== "number" || (decided_by === "race") !== (like.decided_by === "race")) return [];
  return [to_move === like.to_move ? value : -value];
}

/** How far below its best play one search valued the play `made`; an empty list if it hardly looked at `made`. */
function lossInSearch({ best, search }, made) {
  const [one, other] = [best, made].map(play => search?.candidates.find(row => row.play === play));
  const isTrusted = typeof one?.value === "number" && typeof other?.value === "number"
    && (other.proof || other.visits >= MIN_VISITS * one.visits);
  return isTrusted ? [one.value - other.value] : [];
}

/**
 * The mark and the description of the play that led to `node`, and the arrow of the better play; `undefined` if the
 * play was neither a mistake nor a blunder. All that the analysis knows must show the loss: the search before the play,
 * and the values around it. A play that only gives back what the previous play gained is not a mistake.
 */
export function errorOf(node) {
  const before = node.parent?.review, made = node.parent && written(node.chain);
  if (!before?.best || before.best === made) return undefined;
  const at = node => valueAt(node, before), earlier = at(node.parent.parent);
  const losses = lossInSearch(before, made), next = losses.length ? [] : at(node.children[0]);
  if (at(node).length) losses.push(Math.min(...at(node.parent), ...earlier) - Math.max(...at(node), ...next));
  const loss = Math.min(...losses) / 2;
  if (!losses.length || !(loss >= MISTAKE) || !earlier.length && errorOf(node.parent)) return undefined;
  const [mark, name] = loss < BLUNDER ? ["?", "a mistake"] : ["??", "a blunder"];
  const text = `${made} is ${name}: it costs ${Math.round(loss * 100)} percentage points of expected score; better: ${before.best}.`;
  return { mark, text, better: before.arrows[0] };
}
