import { sql } from 'kysely';
import type { AttemptScore } from '../../domain/runs/attempt.ts';
import type { AttemptResult } from '../../domain/vocabulary.ts';
import { toNumber } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import { ofAgents, type ReadScope } from './read-scope.ts';

/** An attempt without its words; times are ISO 8601. */
export interface AttemptView {
  id: string;
  runId: string;
  testId: string;
  testRevision: number;
  persona: string;
  attempt: number;
  version: number;
  result: AttemptResult | null;
  /** Why it broke off, where it did. */
  trouble: string | null;
  noFixture: string[];
  score: Pick<AttemptScore, 'reason' | 'epoch'> | null;
  providerGraderStatus: string | null;
  providerGraderExplanation: string | null;
  platformNanoUsd: number;
  serviceNanoUsd: number;
  rescoredAt: string | null;
  startedAt: string;
  finishedAt: string | null;
}

const iso = (column: string) =>
  sql<string | null>`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const columns = sql`
  id, run_id as "runId", test_id as "testId", test_revision as "testRevision", persona, attempt, version, result,
  trouble, no_fixture as "noFixture",
  case when score is not null then jsonb_build_object('reason', score -> 'reason', 'epoch', score -> 'epoch') end as score,
  provider_grader_status as "providerGraderStatus", provider_grader_explanation as "providerGraderExplanation",
  platform_nano_usd as "platformNanoUsd", service_nano_usd as "serviceNanoUsd",
  ${iso('rescored_at')} as "rescoredAt", ${iso('started_at')} as "startedAt", ${iso('finished_at')} as "finishedAt"
`;

const toView = (row: AttemptView): AttemptView => ({
  ...row,
  platformNanoUsd: toNumber(row.platformNanoUsd),
  serviceNanoUsd: toNumber(row.serviceNanoUsd),
});

export async function findAttempt(em: EntityManager, scope: ReadScope, attemptId: string): Promise<AttemptView | null> {
  const { rows } = await sql<AttemptView>`
    select ${columns} from attempts where id = ${attemptId} and ${ofAgents('agent_id', scope)}
  `.execute(em.getKysely());
  return rows[0] ? toView(rows[0]) : null;
}

/** In the order in which they began. Null: of every run of the agent. */
export async function listAttempts(
  em: EntityManager,
  scope: ReadScope,
  runId: string | null,
  page: { after: readonly [id: string] | null; limit: number },
): Promise<AttemptView[]> {
  const { rows } = await sql<AttemptView>`
    select ${columns} from attempts where ${ofAgents('agent_id', scope)}
      ${runId === null ? sql`` : sql`and run_id = ${runId}`}
      ${page.after === null ? sql`` : sql`and id > ${page.after[0]}::uuid`}
    order by id limit ${page.limit + 1}
  `.execute(em.getKysely());
  return rows.map(toView);
}
