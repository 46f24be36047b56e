import { sql } from 'kysely';
import type { CallerKind, Outcome } from '../../domain/vocabulary.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { ofAgents, type ReadScope } from '../read-scope.ts';
import type { StoredAnalysis } from './read-call-detail.ts';
import { type CallPosition, labels, standingSlug } from './read-calls.ts';

export interface ExportView {
  id: string;
  providerCallId: string;
  sortAt: string;
  outcome: Outcome | null;
  badEndingScore: number | null;
  intentSlug: string | null;
  /** For each request its own. */
  requestIntents: string[];
  turns: number;
  callerTurns: number;
  agentTurns: number;
  toolFailures: number;
  frictions: number;
  callerKind: CallerKind;
  callerNth: number;
  callerOf: number;
  callerKey: string | null;
  analysis: StoredAnalysis | null;
  notComputable: { code: string; reason: string }[];
}

/** Analysed calls in the order of the list, with all that their analysis says but the signals. */
export async function readExportPage(
  em: EntityManager,
  scope: ReadScope,
  after: CallPosition | null,
  limit: number,
): Promise<ExportView[]> {
  const beyond = after ? sql`and (c.sort_at, c.id) < (${after[0]}::timestamptz, ${after[1]}::uuid)` : sql``;
  const { rows } = await sql<ExportView>`
    with ${labels(scope)}
    select c.id, c.provider_call_id, c.sort_at, c.outcome,
      c.bad_ending_score, ${standingSlug('intent', sql`c.intent_slug`)} as intent_slug,
      array(select ${standingSlug('intent', sql`r.slug`)} from unnest(c.request_intents) with ordinality r(slug, n)
        order by r.n) as request_intents, c.turns, c.caller_turns,
      c.agent_turns, c.tool_failures, c.frictions, c.caller_kind,
      c.caller_nth, c.caller_of, c.caller_key, a.analysis,
      coalesce(p.not_computable, '[]') as not_computable
    from calls c
    left join call_analyses a on a.call_id = c.id
    left join computability_profiles p on p.id = c.profile_id and p.agent_id = c.agent_id
    where ${ofAgents('c.agent_id', scope)} and c.workspace_id = ${scope.workspaceId}
      and c.state = 'analysed' ${beyond}
    order by c.sort_at desc, c.id desc limit ${limit}
  `.execute(db(em));
  return rows;
}
