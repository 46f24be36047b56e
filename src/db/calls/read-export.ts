import { sql } from 'kysely';
import type { EntityManager } from '../database.ts';
import { json } from '../expressions.ts';
import type { ReadScope } from '../read-scope.ts';
import type { Row } from '../tables.ts';
import type { StoredAnalysis } from './read-call-detail.ts';
import { analysedCalls, type CallPosition, standingSlug } from './read-calls.ts';

const COLUMNS = [
  'id',
  'providerCallId',
  'sortAt',
  'outcome',
  'badEndingScore',
  'turns',
  'callerTurns',
  'agentTurns',
  'toolFailures',
  'frictions',
  'callerKind',
  'callerNth',
  'callerOf',
  'callerKey',
] as const;

export interface ExportView extends Pick<Row<'calls'>, (typeof COLUMNS)[number]> {
  intentSlug: string | null;
  /** For each request its own. */
  requestIntents: string[];
  analysis: StoredAnalysis | null;
  notComputable: { code: string; reason: string }[];
}

/** Analysed calls in the order of the list, with all that their analysis says but the signals. */
export function readExportPage(
  em: EntityManager,
  scope: ReadScope,
  after: CallPosition | null,
  limit: number,
): Promise<ExportView[]> {
  let calls = analysedCalls(em, scope);
  if (after) calls = calls.where((eb) => eb(eb.refTuple('c.sortAt', 'c.id'), '<', eb.tuple(after[0], after[1])));
  return calls
    .leftJoin('call_analyses as a', 'a.callId', 'c.id')
    .leftJoin('computability_profiles as p', (join) =>
      join.onRef('p.id', '=', 'c.profileId').onRef('p.agentId', '=', 'c.agentId'),
    )
    .select(COLUMNS.map((column) => `c.${column}` as const))
    .select(({ fn, ref }) => [
      standingSlug('intent', ref('c.intentSlug')).as('intentSlug'),
      requestIntents.as('requestIntents'),
      'a.analysis',
      fn.coalesce('p.notComputable', json<ExportView['notComputable']>([])).as('notComputable'),
    ])
    .orderBy('c.sortAt', 'desc')
    .orderBy('c.id', 'desc')
    .limit(limit)
    .execute();
}

const requestIntents = sql<string[]>`array(select ${standingSlug('intent', sql.ref('r.slug'))}
  from unnest(c.request_intents) with ordinality r(slug, n) order by r.n)`;
