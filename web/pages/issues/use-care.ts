import { api, type Schemas } from '../../client/api.ts';
import type { IssueFilters } from './filters.ts';

type Issue = Schemas['Issue'];
type Care = Schemas['IssueCare'];

/** Who is signed in, and what people made of the issues of an agent. */
export interface BoardCare {
  personId: string | null;
  of: (issueId: string) => Care | undefined;
}

/** @returns null until it is known. */
export function useCare(agentId: string): BoardCare | null {
  const me = api.useQuery('get', '/app/me').data;
  const care = api.useQuery('get', '/app/agents/{agentId}/issue-care', { params: { path: { agentId } } });
  if (!care.data && !care.error) return null;
  const byIssue = new Map(care.data?.data.map((each) => [each.issueId, each]));
  return { personId: me?.id ?? null, of: (issueId) => byIssue.get(issueId) };
}

/** A snoozed issue is on its own tab, and on that of its status; nowhere else. */
export function isShown(issue: Issue, { status, care }: IssueFilters, { personId, of }: BoardCare): boolean {
  const { owner, snooze } = of(issue.id) ?? { owner: null, snooze: null };
  if (care === 'snoozed') return snooze !== null;
  if (status === undefined && snooze !== null) return false;
  return care !== 'mine' || (owner !== null && owner.id === personId);
}
