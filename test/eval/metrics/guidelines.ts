import type { Analysed } from '../analysed.ts';
import { share } from '../figures.ts';
import type { GuidelineLine } from '../guideline-sets.ts';
import { numberOf, rowsOf } from '../labels.ts';
import { linesOf, type Metric } from '../line.ts';

/** Codes that say that a line of the agent's text was broken; any other one counts where it names the line. */
const OF_A_LINE = new Set([
  'instruction_not_followed',
  'step_skipped',
  'required_phrase_missing',
  'forbidden_phrase_said',
  'disclosed_before_verified',
  'closing_missing',
  'human_request_ignored',
  'transfer_avoidable',
  'wrong_transition',
]);
/** Lines that hold in every dialogue, on which nothing is labelled. */
const UNLABELLED = 'universal:';
/** Share of an answer's words that a line has to hold to be the one that is meant. */
const SHARED_WORDS = 0.5;
/** What marking every turn reaches that shares under a third of its words with each line. */
const FLOORS = { clean: 0.671, found: 0.76, whole: 0.1 };

interface Counts {
  group: string;
  dialogues: number;
  clean: number;
  cleanRight: number;
  broken: number;
  found: number;
  foundExactly: number;
  whole: number;
  named: number;
  namedRight: number;
}

/** M20: which of the agent's turns break a line of its guideline, and which don't. */
export const guidelineLines: Metric = (set, calls) => {
  const rows = calls.map(countsOf);
  const { of } = linesOf('M20 guideline', set);
  const sum = (some: readonly Counts[], key: Total) => some.reduce((all, row) => all + row[key], 0);
  const shareOf = (figure: string, part: Total, whole: Total, floor: number | null) =>
    of(figure, rows, (some) => (sum(some, whole) === 0 ? Number.NaN : sum(some, part) / sum(some, whole)), {
      floor,
      count: sum(rows, whole),
    });
  return [
    shareOf('clean turns right', 'cleanRight', 'clean', FLOORS.clean),
    shareOf('violations found', 'found', 'broken', FLOORS.found),
    shareOf('violations found on the exact turn', 'foundExactly', 'broken', null),
    shareOf('whole dialogue right', 'whole', 'dialogues', FLOORS.whole),
    shareOf('guideline line right, where given', 'namedRight', 'named', null),
  ];
};

type Total = Exclude<keyof Counts, 'group'>;

interface Finding {
  turn: number;
  ofLine: boolean;
  /** The cited line's id; undefined where none is cited, null where it is none of the guideline. */
  line: string | null | undefined;
  /** The agent's turns that it can speak of: its own, or those beside a caller's turn, the one before first. */
  beside: number[];
}

function countsOf({ analysis, call, labels, group }: Analysed): Counts {
  const lines = rowsOf(labels['lines']).map(({ id, text }) => ({ id: String(id), text: String(text) }));
  const broken = new Map(rowsOf(labels['faults']).map((one) => [numberOf(one['turn']) ?? -1, String(one['lineId'])]));
  const clean = rowsOf(labels['cleanTurns']).map((one) => numberOf(one['turn']) ?? -1);
  const isAgents = (turn: number) => call.turns[turn]?.role === 'agent';
  const besideOf = (turn: number) => (isAgents(turn) ? [turn] : [turn - 1, turn + 1].filter(isAgents));
  const findings = analysis.signals
    .filter(({ klass }) => klass !== 'behaviour')
    .map(({ code, turnIndex, proof }): Finding => {
      const cited = proof?.find((one) => one.in === 'prompt')?.quote;
      const line = cited === undefined ? undefined : lineOf(cited, lines);
      return {
        turn: turnIndex,
        ofLine: OF_A_LINE.has(code) || typeof line === 'string',
        line,
        beside: besideOf(turnIndex),
      };
    })
    .filter(({ ofLine, beside, line }) => ofLine && beside.length > 0 && !line?.startsWith(UNLABELLED))
    .toSorted((a, b) => a.beside.length - b.beside.length || a.turn - b.turn);
  const at = new Map<number, { lines: (string | null)[]; exactly: boolean }>();
  for (const { turn, line, beside } of findings) {
    const spot = spotOf(beside, line, broken, at);
    const stands = at.get(spot) ?? { lines: [], exactly: false };
    if (line !== undefined) stands.lines.push(line);
    at.set(spot, { ...stands, exactly: stands.exactly || turn === spot });
  }
  const found = [...broken.keys()].filter((turn) => at.has(turn));
  const named = found.filter((turn) => (at.get(turn)?.lines.length ?? 0) > 0);
  const cleanRight = clean.filter((turn) => !at.has(turn)).length;
  return {
    group,
    dialogues: 1,
    clean: clean.length,
    cleanRight,
    broken: broken.size,
    found: found.length,
    foundExactly: found.filter((turn) => at.get(turn)?.exactly).length,
    whole: cleanRight === clean.length && found.length === broken.size ? 1 : 0,
    named: named.length,
    namedRight: named.filter((turn) => at.get(turn)?.lines.includes(broken.get(turn) ?? '')).length,
  };
}

/** Beside a caller's turn: a broken turn, first one whose line is named, first one on which nothing stands; else the one before. */
function spotOf(
  beside: readonly number[],
  line: string | null | undefined,
  broken: ReadonlyMap<number, string>,
  at: ReadonlyMap<number, unknown>,
): number {
  const rank = (turn: number) => (broken.get(turn) === line ? 0 : 2) + (at.has(turn) ? 1 : 0);
  const candidates = beside.filter((turn) => broken.has(turn)).toSorted((a, b) => rank(a) - rank(b));
  return candidates[0] ?? beside[0] ?? 0;
}

/** By its words or a part of them, else the one with the most of them, half at least. */
function lineOf(said: string, lines: readonly GuidelineLine[]): string | null {
  const own = squashed(said);
  const parts = lines.filter(({ text }) => squashed(text).includes(own) || own.includes(squashed(text)));
  if (parts.length === 1) return parts[0]?.id ?? null;
  const words = new Set(own.split(' '));
  const shares = lines.map(({ id, text }) => {
    const held = new Set(squashed(text).split(' '));
    return { id, shared: share([...words].filter((word) => held.has(word)).length, words.size) };
  });
  const best = shares.reduce((one, other) => (other.shared > one.shared ? other : one), { id: '', shared: -1 });
  return best.shared >= SHARED_WORDS ? best.id : null;
}

const squashed = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim();
