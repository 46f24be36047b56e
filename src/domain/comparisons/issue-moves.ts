import type { Place } from '../signals/signal.ts';
import { newcombe } from '../statistics.ts';
import { benjaminiHochberg } from '../statistics-tables.ts';
import { FEWEST_CALLS } from './checkpoint.ts';
import { directionOf, type MoveDirection, newcombeP, type Verdict } from './verdict.ts';

/** How one issue showed on the calls of both versions on which it could be computed. */
export interface IssueSides {
  issueId: string;
  title: string;
  place: Place;
  before: { k: number; n: number };
  after: { k: number; n: number };
}

export interface IssueMove {
  issueId: string;
  title: string;
  place: string;
  before: { value: number | null; n: number };
  after: { value: number | null; n: number };
  callsBefore: number;
  callsAfter: number;
  delta: number | null;
  verdict: Verdict;
  direction: MoveDirection;
  atChangedPlace: boolean;
}

const MINIMUM = 0.02;
const LEVEL = 0.05;

/**
 * Which issues came, went or moved. Changed is what the false discovery rate holds at 5 % over all issues of the two
 * versions (Benjamini and Hochberg) and moved at least 2 points. Largest changes first; an issue on neither side is left out.
 */
export function issueMoves(issues: readonly IssueSides[], isChangedPlace: (place: Place) => boolean): IssueMove[] {
  const shown = issues.filter(({ before, after }) => before.k + after.k > 0);
  const enough = (issue: IssueSides) => Math.min(issue.before.n, issue.after.n) >= FEWEST_CALLS;
  const judged = shown.filter(enough);
  const adjusted = benjaminiHochberg(judged.map(({ before, after }) => newcombeP(after, before)));
  const adjustedOf = new Map(judged.map(({ issueId }, index) => [issueId, adjusted[index] ?? 1]));
  return shown
    .map((issue): IssueMove => {
      const { before, after } = issue;
      const was = before.n === 0 ? null : before.k / before.n;
      const is = after.n === 0 ? null : after.k / after.n;
      const delta = was === null || is === null ? null : is - was;
      const verdict =
        delta === null || !enough(issue)
          ? 'not_enough_calls'
          : verdictOf(issue, delta, adjustedOf.get(issue.issueId) ?? 1);
      return {
        issueId: issue.issueId,
        title: issue.title,
        place: issue.place.label,
        before: { value: was, n: before.n },
        after: { value: is, n: after.n },
        callsBefore: before.k,
        callsAfter: after.k,
        delta,
        verdict,
        direction: directionOf('lower', verdict, delta ?? 0),
        atChangedPlace: isChangedPlace(issue.place),
      };
    })
    .sort(byWeight);
}

function verdictOf({ before, after }: IssueSides, delta: number, adjusted: number): Verdict {
  if (adjusted <= LEVEL && Math.abs(delta) >= MINIMUM) return 'changed';
  const { lower, upper } = newcombe(after, before);
  return lower >= -MINIMUM && upper <= MINIMUM ? 'unchanged' : 'unclear';
}

function byWeight(a: IssueMove, b: IssueMove): number {
  const changed = Number(b.verdict === 'changed') - Number(a.verdict === 'changed');
  const size = Math.abs(b.delta ?? 0) - Math.abs(a.delta ?? 0);
  return changed || size || (a.issueId < b.issueId ? -1 : 1);
}
