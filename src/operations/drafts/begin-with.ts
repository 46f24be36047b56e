import { findComparison } from '../../db/comparisons/read-comparisons.ts';
import { findIssue } from '../../db/issues/read-issues.ts';
import { loadTestsForRun } from '../../db/tests/tests.ts';
import { pathOfTarget } from '../../domain/drafts/parts.ts';
import { touchedBy } from '../../domain/runs/touched.ts';
import { cutText } from '../../domain/text.ts';
import type { AgentConfiguration } from '../../domain/versions/configuration.ts';
import { Failure } from '../failure.ts';
import type { Context } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';

/** What a draft takes over from what it begins with. */
export interface Beginning {
  title: string;
  rationale: string;
  issueId: string | null;
  comparisonId: string | null;
  targetPath: string | null;
  newCaseIds: string[];
}

const TITLE_AT_MOST = 200;
const CASES_AT_MOST = 200;
const SCRATCH: Beginning = {
  title: 'Untitled draft',
  rationale: '',
  issueId: null,
  comparisonId: null,
  targetPath: null,
  newCaseIds: [],
};

interface Given {
  issueId?: string | undefined;
  comparisonId?: string | undefined;
}

/** @throws Failure where both are named, or what is named is not there. */
export async function beginWith(context: Context, given: Given, base: AgentConfiguration): Promise<Beginning> {
  const { issueId, comparisonId } = given;
  if (issueId !== undefined && comparisonId !== undefined) {
    const message = 'A draft begins from an issue or from a comparison: name one of the two.';
    throw new Failure('invalid_parameter', message, { param: 'comparisonId' });
  }
  if (issueId !== undefined) return fromIssue(context, issueId, base);
  return comparisonId === undefined ? SCRATCH : fromComparison(context, comparisonId);
}

async function fromIssue(context: Context, id: string, base: AgentConfiguration): Promise<Beginning> {
  const { em, agent } = context;
  const issue = await findIssue(em, scopeOf(agent), id.toLowerCase());
  if (!issue) throw new Failure('issue_not_found', 'There is no issue with this id here.', { param: 'issueId' });
  const { title, recommendation, targetKind, targetId, targetLabel, placeKind, placeId, placeLabel } = issue;
  const target = { kind: targetKind, id: targetId, label: targetLabel };
  const place = { kind: placeKind, id: placeId, label: placeLabel };
  const asChange = { kind: 'setting_changed', place, detail: title, before: recommendation, after: null } as const;
  return {
    ...SCRATCH,
    title: cutText(`Fix: ${title}`, TITLE_AT_MOST),
    rationale: recommendation ?? '',
    issueId: issue.id,
    targetPath: pathOfTarget(base, target) ?? pathOfTarget(base, place),
    newCaseIds: await testsTouching(context, [asChange]),
  };
}

async function fromComparison(context: Context, id: string): Promise<Beginning> {
  const { em, agent } = context;
  const found = await findComparison(em, scopeOf(agent), id.toLowerCase());
  if (!found) {
    throw new Failure('comparison_not_found', 'There is no comparison with this id here.', { param: 'comparisonId' });
  }
  return {
    ...SCRATCH,
    title: `After version ${found.toVersion}`,
    rationale: found.result.narrative,
    comparisonId: found.id,
    newCaseIds: await testsTouching(context, found.changes),
  };
}

async function testsTouching({ em, agent }: Context, changes: Parameters<typeof touchedBy>[1]): Promise<string[]> {
  const { tests } = await loadTestsForRun(em, agent.id, { all: true });
  return touchedBy(tests, changes)
    .slice(0, CASES_AT_MOST)
    .map(({ id }) => id);
}
