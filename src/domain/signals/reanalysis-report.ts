import type { Outcome, Section } from '../vocabulary.ts';
import type { CallAnalysis } from './call-analysis.ts';

/** What switching the new readings on would do, told before anybody does. */
export interface ReanalysisReport {
  calls: { read: number; failed: number; changed: number; unchanged: number };
  /** Codes that would show on other calls than now, the most changed first. */
  codes: CodeChange[];
  /** Only outcomes that would change. */
  outcomes: { from: Outcome | null; to: Outcome | null; calls: number }[];
  /** Null where it was not worked out; `boardNote` says why. */
  board: BoardChange | null;
  boardNote: string | null;
}

export interface CodeChange {
  code: string;
  /** Calls that show it now and would not, would and do not, do and would. */
  removed: number;
  added: number;
  kept: number;
  /** At most three calls each. */
  examples: { added: string[]; removed: string[] };
}

export interface BoardRow {
  key: string;
  title: string;
  section: Section;
  calls: number;
}

export interface BoardChange {
  appear: (BoardRow & { rank: number })[];
  disappear: (BoardRow & { rank: number })[];
  move: { key: string; title: string; from: BoardPlace; to: BoardPlace }[];
  unchanged: number;
}

export interface BoardPlace {
  rank: number;
  section: Section;
  calls: number;
}

/** What would change on the board, each issue by its key. @param before, after rows in the order of the board. */
export function compareBoards(before: readonly BoardRow[], after: readonly BoardRow[]): BoardChange {
  const ranked = (rows: readonly BoardRow[]) => new Map(rows.map((row, at) => [row.key, { ...row, rank: at + 1 }]));
  const [was, is] = [ranked(before), ranked(after)];
  const move: BoardChange['move'] = [];
  let unchanged = 0;
  for (const [key, { title, ...to }] of is) {
    const from = was.get(key);
    if (from === undefined) continue;
    if (from.rank === to.rank && from.section === to.section && from.calls === to.calls) unchanged += 1;
    else move.push({ key, title, from: placeOf(from), to: placeOf(to) });
  }
  return {
    appear: [...is.values()].filter(({ key }) => !was.has(key)),
    disappear: [...was.values()].filter(({ key }) => !is.has(key)),
    move,
    unchanged,
  };
}

const placeOf = ({ rank, section, calls }: BoardPlace): BoardPlace => ({ rank, section, calls });

/** Parts of a reading by which two are told apart: everything that is stored but the version, and what a model added. */
export type ComparedReading = Omit<CallAnalysis, 'analyserVersion' | 'visits'> & {
  places: { kind: string; id: string }[];
};

/** Places that a reading reached, as they are stored: those of its visits, and the tools and steps of its signals. */
export function comparedReading(analysis: CallAnalysis): ComparedReading {
  const { analyserVersion: _, visits, ...rest } = analysis;
  const noticed = analysis.signals.map(({ place }) => place).filter(({ kind }) => kind === 'tool' || kind === 'node');
  const places = new Map(
    [...noticed, ...visits.map(({ place }) => place)].map(({ kind, id }) => [`${kind}/${id}`, { kind, id }]),
  );
  return {
    ...rest,
    observations: analysis.observations.filter(({ basis }) => basis !== 'model'),
    places: [...places].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, place]) => place),
  };
}
