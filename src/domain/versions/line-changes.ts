/** One line that came, went or was rewritten. Numbers count from 1 in the text that holds the line. */
export interface LineChange {
  before: { line: number; text: string } | null;
  after: { line: number; text: string } | null;
}

/** Beyond this many lines a side, a text is compared as a whole: the table of the comparison grows with their product. */
const LINES_AT_MOST = 2_000;
/** How many pairs of lines the texts that are compared together may have in such tables. */
export interface LineBudget {
  pairsLeft: number;
}
/** That of one text of the most lines. */
export const oneTextOfLines = (): LineBudget => ({ pairsLeft: LINES_AT_MOST ** 2 });
/** Beyond this many pairs a rewritten stretch is told as lines that went and lines that came. */
const PAIRS_AT_MOST = 10_000;
/** Two lines that share this part of their words are one line that was rewritten. */
const REWRITTEN_FROM = 0.4;

/**
 * The lines that differ between two texts, in the order of the later text. Blank lines and trailing spaces are no change.
 * @param budget of all texts that are compared with each other; a text for which too little is left is told as a whole.
 */
export function lineChanges(before: string, after: string, budget: LineBudget = oneTextOfLines()): LineChange[] {
  const old = linesOf(before);
  const now = linesOf(after);
  if (Math.max(old.length, now.length) > LINES_AT_MOST) return wholeText(before, after);
  const stretch = cutEqualEnds(old, now);
  const pairs = stretch.old.length * stretch.now.length;
  if (pairs > budget.pairsLeft) return wholeText(before, after);
  budget.pairsLeft -= pairs;
  const changes: LineChange[] = [];
  let gone: Line[] = [];
  let come: Line[] = [];
  const flush = () => {
    changes.push(...pairUp(gone, come));
    gone = [];
    come = [];
  };
  for (const step of walk(stretch)) {
    if (step.kind === 'same') flush();
    else if (step.kind === 'gone') gone.push(step.line);
    else come.push(step.line);
  }
  flush();
  return changes;
}

interface Line {
  line: number;
  text: string;
}

function linesOf(text: string): Line[] {
  return text
    .split('\n')
    .map((line, index) => ({ line: index + 1, text: line.trimEnd() }))
    .filter(({ text: line }) => line.trim() !== '');
}

export function wholeText(before: string, after: string): LineChange[] {
  return before === after ? [] : [{ before: { line: 1, text: before }, after: { line: 1, text: after } }];
}

interface Stretch {
  old: readonly Line[];
  now: readonly Line[];
}

/** Most edits touch a few lines. */
function cutEqualEnds(old: readonly Line[], now: readonly Line[]): Stretch {
  let head = 0;
  while (head < old.length && head < now.length && old[head]?.text === now[head]?.text) head += 1;
  let tail = 0;
  while (
    tail < old.length - head &&
    tail < now.length - head &&
    old[old.length - 1 - tail]?.text === now[now.length - 1 - tail]?.text
  ) {
    tail += 1;
  }
  return { old: old.slice(head, old.length - tail), now: now.slice(head, now.length - tail) };
}

type Step = { kind: 'same' | 'gone' | 'come'; line: Line };

/** The longest common subsequence, read forwards. */
function walk({ old: a, now: b }: Stretch): Step[] {
  // Numbers are compared much faster than texts.
  const numbers = new Map<string, number>();
  const numberOf = ({ text }: Line) => numbers.get(text) ?? numbers.set(text, numbers.size).size - 1;
  const [olds, news] = [a.map(numberOf), b.map(numberOf)];
  const width = b.length + 1;
  const longest = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      longest[i * width + j] =
        olds[i] === news[j]
          ? (longest[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(longest[(i + 1) * width + j] ?? 0, longest[i * width + j + 1] ?? 0);
    }
  }
  const steps: Step[] = [];
  let i = 0;
  let j = 0;
  for (;;) {
    const left = a[i];
    const right = b[j];
    if (!left && !right) return steps;
    if (left && right && left.text === right.text) {
      steps.push({ kind: 'same', line: right });
      i += 1;
      j += 1;
    } else if (left && (!right || (longest[(i + 1) * width + j] ?? 0) >= (longest[i * width + j + 1] ?? 0))) {
      steps.push({ kind: 'gone', line: left });
      i += 1;
    } else if (right) {
      steps.push({ kind: 'come', line: right });
      j += 1;
    }
  }
}

/**
 * Within one changed stretch, as many lines as before were rewritten one by one; otherwise a line that came takes the
 * place of the most similar one that went.
 */
function pairUp(gone: readonly Line[], come: readonly Line[]): LineChange[] {
  if (gone.length === come.length) return come.map((after, index) => ({ before: gone[index] ?? null, after }));
  if (gone.length * come.length > PAIRS_AT_MOST) return [...gone.map(went), ...come.map(came)];
  const left = new Set(gone);
  const words = new Map([...gone, ...come].map((line) => [line, wordsOf(line.text)]));
  const paired = come.map((after): LineChange => {
    const best = [...left]
      .map((before) => ({ before, likeness: likeness(words.get(before), words.get(after)) }))
      .reduce<{ before: Line | null; likeness: number }>((top, next) => (next.likeness > top.likeness ? next : top), {
        before: null,
        likeness: REWRITTEN_FROM,
      });
    if (best.before) left.delete(best.before);
    return { before: best.before, after };
  });
  return [...[...left].map(went), ...paired];
}

const went = (before: Line): LineChange => ({ before, after: null });
const came = (after: Line): LineChange => ({ before: null, after });

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));

/** Shared words out of all words, each counted once. */
function likeness(left: ReadonlySet<string> = new Set(), right: ReadonlySet<string> = new Set()): number {
  const shared = [...left].filter((word) => right.has(word)).length;
  const all = left.size + right.size - shared;
  return all === 0 ? 0 : shared / all;
}
