import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { NormalisedCall } from '../../domain/calls/call.ts';
import type { CallerHistory } from '../../domain/calls/caller-history.ts';
import type { AgentConfiguration } from '../../domain/versions/configuration.ts';
import { loadHistories } from '../calls/caller-histories.ts';
import { noteLateCalls } from '../limits/allowance.ts';

export interface CallToAnalyse {
  callId: string;
  call: NormalisedCall;
  /** Null where no configuration holds for the call's version. Shared by the calls of one version. */
  configuration: AgentConfiguration | null;
  /** Of the caller's calls that are analysed by now; null where nobody knows who called. */
  callerHistory: CallerHistory | null;
  /** Hand it back to `storeAnalyses`: an analysis of a record that changed meanwhile is not stored. */
  payloadDigest: string;
}

/** The records to read, in the order asked for; calls that are gone are left out. A changed record comes in its new form. */
export async function loadForAnalysis(em: EntityManager, agentId: string, callIds: string[]): Promise<CallToAnalyse[]> {
  const { rows } = await sql<LoadedRow>`
    select c.id as call_id, c.payload_digest, coalesce(t.pending -> 'call', t.call) as call, c.intent_slug as intent,
      c.objective as request,
      case when t.pending is null then c.caller_key else t.pending ->> 'callerKey' end as caller_key
    from calls c join transcripts t on t.call_id = c.id
    where c.agent_id = ${agentId} and c.id = any(${callIds}::uuid[])`.execute(em.getKysely());
  const versions = [...new Set(rows.map((row) => row.call.version))];
  const configurations = await loadConfigurations(em, agentId, versions);
  const histories = await loadHistories(
    em,
    agentId,
    rows.map(({ caller_key, intent, request, call: { startedAt, direction } }) => ({
      callerKey: caller_key,
      startedAt,
      direction,
      intent,
      request,
    })),
  );
  const found = new Map(rows.map((row, at) => [row.call_id, { ...row, history: histories[at] ?? null }]));
  return callIds.flatMap((callId) => {
    const row = found.get(callId);
    if (!row) return [];
    const configuration = configurations.get(row.call.version) ?? null;
    const { call, history: callerHistory, payload_digest: payloadDigest } = row;
    return [{ callId, call, configuration, callerHistory, payloadDigest }];
  });
}

interface LoadedRow {
  call_id: string;
  payload_digest: string;
  call: NormalisedCall;
  intent: string | null;
  request: string | null;
  caller_key: string | null;
}

/**
 * By version. Nobody captures what a file agent is told: what was uploaded for a version holds for the later ones too, until
 * there is an upload of their own.
 */
async function loadConfigurations(em: EntityManager, agentId: string, versions: number[]) {
  const { rows } = await sql<{ version: number; configuration: AgentConfiguration }>`
    select wanted.version, captured.configuration
    from unnest(${versions}::int[]) as wanted(version)
    join agents a on a.id = ${agentId}
    cross join lateral (
      select v.configuration from agent_versions v
      where v.agent_id = a.id and v.configuration is not null
        and (v.version = wanted.version or (a.provider = 'file' and v.version < wanted.version))
      order by v.version desc limit 1
    ) captured`.execute(em.getKysely());
  return new Map(rows.map((row) => [row.version, row.configuration]));
}

/** Calls that wait for their analysis, new or changed, oldest first. */
export async function waitingCallIds(em: EntityManager, agentId: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from calls
    where agent_id = ${agentId} and (state <> 'analysed' or reanalyse) and (state = 'waiting' or reanalyse)
    order by sort_at, id limit ${limit}`.execute(em.getKysely());
  return rows.map((row) => row.id);
}

/** Of the waiting calls, those that have a reading already: they draw nothing from the plan's allowance. */
export async function waitingAgainIds(em: EntityManager, agentId: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from calls where agent_id = ${agentId} and (state <> 'analysed' or reanalyse) and state = 'analysed'
    order by sort_at, id limit ${limit}`.execute(em.getKysely());
  return rows.map((row) => row.id);
}

/** These calls could not be analysed: shown with the reason until somebody asks for another try. An earlier reading stays. */
export async function markCallsFailed(em: EntityManager, callIds: string[], reason: string): Promise<void> {
  if (callIds.length === 0) return;
  await em.transactional(async (tx) => {
    const { rows } = await sql<{ id: string }>`
      select id from calls where id = any(${callIds}::uuid[]) and state = 'waiting' order by id for no key update
    `.execute(tx.getKysely());
    await sql`
      update calls set state = case when state = 'analysed' then state else 'failed' end, reanalyse = false,
        state_reason = ${reason}, analysis_tries = analysis_tries + 1, updated_at = now()
      where id = any(${callIds}::uuid[])`.execute(tx.getKysely());
    await noteLateCalls(
      tx,
      rows.map(({ id }) => id),
      'failed',
    );
  });
}

/** The newest analysed calls, newest first. */
export async function newestAnalysedCallIds(em: EntityManager, agentId: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from calls where agent_id = ${agentId} and state = 'analysed'
    order by sort_at desc, id desc limit ${limit}`.execute(em.getKysely());
  return rows.map((row) => row.id);
}
