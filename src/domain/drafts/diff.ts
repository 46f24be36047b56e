import type { AgentConfiguration } from '../versions/configuration.ts';
import { type LineBudget, type LineChange, lineChanges, oneTextOfLines } from '../versions/line-changes.ts';
import { type DraftPart, type DraftTexts, partsOf } from './parts.ts';

/** A part that a draft changes, whole and by line. */
export interface PartDiff extends Omit<DraftPart, 'text'> {
  before: string;
  after: string;
  /** Lines that went, came or were rewritten; none where only blanks differ. */
  lines: LineChange[];
}

/** What a draft changes, in the order in which a person reads the agent's text. */
export function diffOf(
  base: AgentConfiguration,
  texts: DraftTexts,
  compare: (before: string, after: string, budget: LineBudget) => LineChange[] = lineChanges,
): PartDiff[] {
  const budget = oneTextOfLines();
  return partsOf(base).flatMap(({ text: before, ...part }): PartDiff[] => {
    const after = texts[part.path];
    if (after === undefined || after === before) return [];
    return [{ ...part, before, after, lines: compare(before, after, budget) }];
  });
}

/** Lines that a draft brings: new ones and those that it rewrites. */
export function linesBrought(diff: readonly PartDiff[]): { path: string; line: number; text: string }[] {
  return diff.flatMap(({ path, lines }) =>
    lines.flatMap(({ after }) => (after === null ? [] : [{ path, line: after.line, text: after.text }])),
  );
}
