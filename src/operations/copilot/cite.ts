import type { Mark } from '../../domain/copilot/citation-marks.ts';
import type { CitationKind } from '../../domain/vocabulary.ts';
import type { Cite } from '../../services/copilot/cited-text.ts';
import { Failure } from '../failure.ts';
import type { Operation } from '../operation.ts';
import type { PersonRunner } from './as-person.ts';

/** How what a citation names is read, and what it is called. */
const KINDS: Record<CitationKind, { operation: string; param: string; page: string; label(found: Found): string }> = {
  call: { operation: 'getCall', param: 'callId', page: 'calls', label: ({ startedAt }) => callLabel(startedAt) },
  issue: { operation: 'getIssue', param: 'issueId', page: 'issues', label: ({ title }) => title ?? 'Issue' },
  test: { operation: 'getTest', param: 'testId', page: 'tests', label: ({ title }) => title ?? 'Test' },
  watch: { operation: 'getWatch', param: 'watchId', page: 'watches', label: ({ name }) => name ?? 'Watch' },
  run: { operation: 'getRun', param: 'runId', page: 'runs', label: ({ createdAt }) => `Run of ${minute(createdAt)}` },
};

/** What is looked at of the documents. */
interface Found {
  title?: string;
  name?: string;
  startedAt?: string | null;
  createdAt?: string;
  transcript?: { index: number }[] | null;
}

/** Finds what a mark names by reading it as the person may: what they can't read does not exist. */
export function createCite(operations: readonly Operation[], runner: PersonRunner, agentId: string): Cite {
  return async (mark) => {
    const kind = KINDS[mark.kind];
    const operation = operations.find(({ id }) => id === kind.operation);
    if (!operation) return null;
    const path = { agentId, [kind.param]: mark.id };
    try {
      const { body } = await runner.perform({
        operation,
        tool: 'cite',
        path,
        query: () => ({}),
        body: { kind: 'none' },
      });
      // By the schema that the operation answers with, whose type the runner no longer shows.
      return citationOf(mark, body as Found, agentId);
    } catch (error) {
      if (error instanceof Failure) return null;
      throw error;
    }
  };
}

function citationOf({ kind, id, turn }: Mark, found: Found, agentId: string) {
  if (turn !== null && !found.transcript?.some(({ index }) => index === turn)) return null;
  const { page, label } = KINDS[kind];
  const at = turn === null ? '' : `#turn-${turn}`;
  return { kind, id, turn, label: label(found), href: `/a/${agentId}/${page}/${id}${at}` };
}

const callLabel = (startedAt: string | null | undefined) => (startedAt ? `Call of ${minute(startedAt)}` : 'Call');

/** `2026-03-02 09:12` */
const minute = (at: string | undefined) => (at ?? '').slice(0, 16).replace('T', ' ');
