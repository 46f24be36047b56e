import type { Place, Signal } from '../signals/signal.ts';

/** An issue as signals find their way to it. */
export interface RoutedIssue {
  issueId: string;
  /** Empty for the base group of (code, place). */
  splitCause: string;
  /** The issue that this one is merged into, or null. */
  parentId: string | null;
}

/** All issues of one (code, place). */
export type Routes = ReadonlyMap<string, readonly RoutedIssue[]>;

/** The part of a signal that decides where it counts. */
export type GroupedSignal = Pick<Signal, 'code' | 'turnIndex' | 'confidence'> & {
  place: Pick<Place, 'kind' | 'id'>;
  causeCode: string | null;
};

/** What one call says about one issue: a row of `issue_calls`. */
export interface Evidence {
  issueId: string;
  /** False when only a group merged into the issue shows on the call. */
  own: boolean;
  firstTurn: number;
  /** Highest confidence of the signals in thousandths. */
  confidenceMilli: number;
  /** Causes whose evidence is present, of the issue's own signals. */
  causes: string[];
  /** True for the issue of the step at which the call ended badly: it follows from everything, so it comes before or after nothing. */
  atEnd?: boolean;
}

export function routeKey(code: string, place: Pick<Place, 'kind' | 'id'>): string {
  return JSON.stringify([code, place.kind, place.id]);
}

/** Lays a call's signals beside the issues: one piece of evidence an issue, the parents of merged groups included. */
export function evidenceOf(signals: readonly GroupedSignal[], routes: Routes): Evidence[] {
  const own = new Map<string, Evidence & { parentId: string | null }>();
  for (const signal of signals) {
    const issues = routes.get(routeKey(signal.code, signal.place)) ?? [];
    const split = issues.find((issue) => issue.splitCause !== '' && issue.splitCause === signal.causeCode);
    const issue = split ?? issues.find((candidate) => candidate.splitCause === '');
    if (!issue) continue;
    const seen = own.get(issue.issueId);
    const confidenceMilli = Math.round(signal.confidence * 1000);
    if (!seen) {
      own.set(issue.issueId, {
        issueId: issue.issueId,
        parentId: issue.parentId,
        own: true,
        firstTurn: signal.turnIndex,
        confidenceMilli,
        causes: signal.causeCode === null ? [] : [signal.causeCode],
      });
      continue;
    }
    seen.firstTurn = Math.min(seen.firstTurn, signal.turnIndex);
    seen.confidenceMilli = Math.max(seen.confidenceMilli, confidenceMilli);
    if (signal.causeCode !== null && !seen.causes.includes(signal.causeCode)) seen.causes.push(signal.causeCode);
  }
  return withParents([...own.values()]);
}

function withParents(own: (Evidence & { parentId: string | null })[]): Evidence[] {
  const all = new Map<string, Evidence>();
  for (const { parentId: _, ...evidence } of own) all.set(evidence.issueId, evidence);
  const shown = new Set(all.keys());
  for (const { parentId, firstTurn, confidenceMilli } of own) {
    if (parentId === null) continue;
    const parent = all.get(parentId);
    if (!parent) {
      all.set(parentId, { issueId: parentId, own: false, firstTurn, confidenceMilli, causes: [] });
      continue;
    }
    parent.confidenceMilli = Math.max(parent.confidenceMilli, confidenceMilli);
    // The turn of a parent's own signals decides what came first; a child's turn stands in only where it has none.
    if (!shown.has(parentId)) parent.firstTurn = Math.min(parent.firstTurn, firstTurn);
  }
  return [...all.values()];
}
