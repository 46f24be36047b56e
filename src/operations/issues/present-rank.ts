import type { AgentView } from '../../db/agents/read-agents.ts';
import type { IssueView } from '../../db/issues/read-issues.ts';
import { rankReason } from '../../domain/issues/rank-reason.ts';
import { isJsonObject, type Json } from '../../domain/json.ts';

const DAY_MS = 86_400_000;

/** Why an issue stands where it stands, from what the grouping stored with it. */
export function reasonOf(issue: IssueView, agent: Pick<AgentView, 'callCount' | 'newestCallAt'>): string {
  const { lastSeenAt, severity } = issue.priorityParts;
  const parts = {
    ...picked(issue.priorityParts, NUMBERS, (value) => typeof value === 'number'),
    ...picked(issue.priorityParts, WORDS, (value) => typeof value === 'string'),
    ...picked(issue.priorityParts, ['own'], isJsonObject),
  };
  return rankReason({
    section: issue.section,
    causeEstablished: issue.causeEstablished,
    fellOnLive: issue.fellOnLive,
    volume: issue.volume,
    allCalls: agent.callCount,
    failedShare: issue.failedOutcomeShare,
    severity: isSeverity(severity) ? severity : issue.severity,
    parts,
    daysSinceSeen: daysBetween(lastSeenAt, agent.newestCallAt),
  });
}

const NUMBERS = ['computableCalls', 'harm', 'harmFloor', 'harmDifference', 'harmDifferenceLower', 'confidence'];
const WORDS = ['harmBy', 'loss', 'through', 'near'];

const picked = (
  parts: IssueView['priorityParts'],
  names: readonly string[],
  fits: (value: Json | undefined) => boolean,
) => Object.fromEntries(names.flatMap((name) => (fits(parts[name]) ? [[name, parts[name]]] : [])));

const isSeverity = (value: Json | undefined): value is IssueView['severity'] =>
  value === 'critical' || value === 'high' || value === 'medium' || value === 'low';

function daysBetween(seen: Json | undefined, newest: string | null): number | null {
  if (typeof seen !== 'string' || newest === null) return null;
  return Math.max(0, (Date.parse(newest) - Date.parse(seen)) / DAY_MS);
}
