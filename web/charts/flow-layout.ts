/** What a flow map is drawn from. */
export interface FlowFigures {
  steps: { id: string; label: string; calls: number; drops: number; loops: number }[];
  transitions: { from: string; to: string; calls: number }[];
}

export interface PlacedStep {
  id: string;
  label: string;
  /** The label, in lines that fit between one layer and the next. */
  lines: string[];
  calls: number;
  drops: number;
  loops: number;
  x: number;
  y: number;
  height: number;
}

export interface PlacedFlow {
  steps: PlacedStep[];
  edges: { from: PlacedStep; to: PlacedStep; calls: number; width: number }[];
  /** Steps that too few calls reached to be drawn. */
  folded: number;
  stepWidth: number;
  width: number;
  height: number;
}

/** From the left of a layer to the left of the next, where there is room. */
const PITCH = 184;
/** Narrower than this, a label says nothing any more. */
const NARROWEST_PITCH = 108;
/** Of the pitch; the rest is for what goes on. */
const STEP_SHARE = 2 / 3;
/** Between two steps: figures of the one, and the lines of the label of the other. */
const FIGURES_GAP = 30;
export const LINE_HEIGHT = 14;
/** Of a label, at most. */
const PIXELS_A_LETTER = 7;

const TALLEST = 84;
const FLATTEST = 14;
const WIDEST = 18;
const MARGIN = 16;
/** Steps under this share of the calls are folded. */
const SHOWN_FROM = 0.01;

/**
 * Steps in layers from left to right, by the way that most calls took to them.
 * @param room pixels that there are; a map of many layers is wider.
 */
export function layOut({ steps, transitions }: FlowFigures, room: number): PlacedFlow {
  const most = Math.max(1, ...steps.map(({ calls }) => calls));
  const shown = steps.filter(({ calls }) => calls >= most * SHOWN_FROM);
  const ids = new Set(shown.map(({ id }) => id));
  const edges = transitions.filter(({ from, to }) => from !== to && ids.has(from) && ids.has(to));
  const layers = layersOf(shown, edges);
  const pitch = Math.min(PITCH, Math.max(NARROWEST_PITCH, (room - 2 * MARGIN) / layers.length));
  const stepWidth = pitch * STEP_SHARE;
  const lettersAtMost = Math.floor((pitch - 8) / PIXELS_A_LETTER);
  const placed = new Map(
    layers.flatMap((layer, at) => place(layer, at * pitch, most, lettersAtMost)).map((step) => [step.id, step]),
  );
  const bottoms = [...placed.values()].map(({ y, height }) => y + height);
  return {
    steps: [...placed.values()],
    edges: edges.flatMap(({ from, to, calls }) => {
      const [start, end] = [placed.get(from), placed.get(to)];
      return start && end ? [{ from: start, to: end, calls, width: Math.max(1, (calls / most) * WIDEST) }] : [];
    }),
    folded: steps.length - shown.length,
    stepWidth,
    width: 2 * MARGIN + layers.length * pitch,
    height: Math.max(0, ...bottoms) + FIGURES_GAP,
  };
}

type Step = FlowFigures['steps'][number];
type Edge = FlowFigures['transitions'][number];

function layersOf(steps: Step[], edges: Edge[]): Step[][] {
  const depths = depthsOf(steps, edges);
  const layers: Step[][] = [];
  for (const step of steps.toSorted((a, b) => b.calls - a.calls)) {
    const depth = depths.get(step.id) ?? 0;
    layers[depth] = [...(layers[depth] ?? []), step];
  }
  return layers.filter((layer) => layer !== undefined);
}

/** One more than the step that most calls came from; where that goes round in a circle, the circle begins anew. */
function depthsOf(steps: Step[], edges: Edge[]): Map<string, number> {
  const cameFrom = new Map(steps.map(({ id }) => [id, heaviestInto(id, edges)]));
  return new Map(steps.map(({ id }) => [id, depthOf(id, cameFrom)]));
}

function heaviestInto(id: string, edges: Edge[]): string | null {
  return edges.filter(({ to }) => to === id).toSorted((a, b) => b.calls - a.calls)[0]?.from ?? null;
}

function depthOf(id: string, cameFrom: Map<string, string | null>): number {
  const passed = new Set([id]);
  let before = cameFrom.get(id) ?? null;
  while (before !== null && !passed.has(before)) {
    passed.add(before);
    before = cameFrom.get(before) ?? null;
  }
  return passed.size - 1;
}

function place(layer: Step[], left: number, most: number, lettersAtMost: number): PlacedStep[] {
  let y = 0;
  return layer.map((step) => {
    const lines = linesOf(step.label, lettersAtMost);
    const height = Math.max(FLATTEST, (step.calls / most) * TALLEST);
    y += FIGURES_GAP / 2 + lines.length * LINE_HEIGHT;
    const placed = { ...step, lines, x: MARGIN + left, y, height };
    y += height + FIGURES_GAP / 2;
    return placed;
  });
}

/** Whole, in lines of so many letters at most: broken after blanks and underscores, else where the line is full. */
function linesOf(label: string, lettersAtMost: number): string[] {
  const lines = [''];
  for (const part of label.match(/[^\s_]*[\s_]?/gu)?.filter((each) => each !== '') ?? []) {
    let rest = part;
    if ((lines.at(-1) + rest).trimEnd().length > lettersAtMost && lines.at(-1) !== '') lines.push('');
    while (rest.length > lettersAtMost) {
      lines[lines.length - 1] = rest.slice(0, lettersAtMost);
      lines.push('');
      rest = rest.slice(lettersAtMost);
    }
    lines[lines.length - 1] += rest;
  }
  return lines.map((line) => line.trimEnd()).filter((line) => line !== '');
}
