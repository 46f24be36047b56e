import type { GroupFacts } from './facts.ts';
import type { Named } from './outcome-cause.ts';
import { sameChangeNote } from './outcome-sentences.ts';
import type { IssueState } from './state.ts';

/** The issue of one step, with what names it. */
export interface ScoredOutcome {
  group: Pick<GroupFacts, 'issueId' | 'key'>;
  named: Named | null;
  state: IssueState;
}

/** One change, one issue: of steps whose calls fail of one cause at one place, the largest stands for all. */
export function foldSameChange(scored: readonly ScoredOutcome[]): IssueState[] {
  const leaders = new Map<string, ScoredOutcome>();
  const changeOf = ({ named, state }: ScoredOutcome) =>
    named?.cause ? JSON.stringify([state.causeCode, state.target.kind, state.target.id]) : null;
  for (const one of scored) {
    const change = changeOf(one);
    const leader = change === null ? undefined : leaders.get(change);
    if (change !== null && (!leader || isLarger(one, leader))) leaders.set(change, one);
  }
  return scored.map((one) => {
    const leader = leaders.get(changeOf(one) ?? '');
    if (!leader || leader === one) return one.state;
    const sectionNote = sameChangeNote(leader.state.title);
    return { ...one.state, section: 'hidden', sectionNote, downstreamOfId: leader.group.issueId };
  });
}

function isLarger(a: ScoredOutcome, b: ScoredOutcome): boolean {
  return a.state.volume === b.state.volume ? a.group.key < b.group.key : a.state.volume > b.state.volume;
}
