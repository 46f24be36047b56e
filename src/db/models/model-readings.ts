import { sql } from 'kysely';
import type { NormalisedCall } from '../../domain/calls/call.ts';
import { withModel } from '../../domain/signals/lay-model.ts';
import type { ModelReading, ReadByRules } from '../../domain/signals/model-reading.ts';
import type { CallAnalysis } from '../../domain/signals/signal.ts';
import type { ModelReadingState, Outcome } from '../../domain/vocabulary.ts';
import { lockAgent } from '../agents/lock-agent.ts';
import { storeAnalyses } from '../analysis/store-analyses.ts';
import { canonicalJson, storable } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import { asAnalysis, standingReadings } from '../reanalyses/shadow-readings.ts';
import { policyOf, readModelPolicy } from './lay-model-readings.ts';

/**
 * Notes that these calls were read by rules and are a model's turn. A call whose record and model are those of the
 * reading that it has is not asked about again: that reading is laid beside the rules' new one.
 */
export async function queueModelReadings(
  em: EntityManager,
  owner: { workspaceId: string; agentId: string },
  callIds: string[],
  model: string,
): Promise<void> {
  await sql`
    insert into model_readings as r (call_id, workspace_id, agent_id, payload_digest, model)
    select id, ${owner.workspaceId}, ${owner.agentId}, payload_digest, ${model}
    from calls where agent_id = ${owner.agentId} and id = any(${callIds}::uuid[]) and state = 'analysed'
      and not reanalyse and caller_spoke
    on conflict (call_id) do update set
      state = case when r.payload_digest = excluded.payload_digest and r.model = excluded.model
        then case r.state when 'done' then 'read' else r.state end else 'waiting' end,
      asks = case when r.payload_digest = excluded.payload_digest and r.model = excluded.model then r.asks else 0 end,
      note = case when r.payload_digest = excluded.payload_digest and r.model = excluded.model then r.note end,
      reading = case when r.payload_digest = excluded.payload_digest and r.model = excluded.model then r.reading end,
      payload_digest = excluded.payload_digest, model = excluded.model, updated_at = now()
  `.execute(em.getKysely());
}

/**
 * Calls whose reading by a model is open, newest first.
 * @param asks whether a model can be asked; what was answered is laid without one.
 */
export async function openModelReadings(
  em: EntityManager,
  agentId: string,
  limit: number,
  asks: boolean,
): Promise<string[]> {
  const { rows } = await sql<{ call_id: string }>`
    select r.call_id from model_readings r
    join calls c on c.id = r.call_id and c.payload_digest = r.payload_digest and c.state = 'analysed' and not c.reanalyse
    join agents g on g.id = r.agent_id
    where r.agent_id = ${agentId} and (r.state = 'read' or (r.state = 'waiting' and ${asks} and g.model_reading <> 'off'))
    order by r.call_id desc limit ${limit}
  `.execute(em.getKysely());
  return rows.map((row) => row.call_id);
}

export async function countOpenModelReadings(em: EntityManager, agentId: string): Promise<number> {
  const { rows } = await sql<{ calls: number }>`
    select count(*)::int as calls from model_readings where agent_id = ${agentId} and state in ('waiting', 'read')
  `.execute(em.getKysely());
  return rows[0]?.calls ?? 0;
}

export interface OpenReading {
  state: ModelReadingState;
  asks: number;
  workspaceId: string;
  payloadDigest: string;
  model: string;
  reading: ModelReading | null;
  call: NormalisedCall;
  analysis: ReadByRules & { outcome: Outcome | null; outcomeConfidence: number };
}

/** A call as a model is to read it. Null where there is nothing to read any more, or its record changed and waits for the rules. */
export async function loadOpenReading(em: EntityManager, agentId: string, callId: string): Promise<OpenReading | null> {
  const { rows } = await sql<OpenReading>`
    select r.state, r.asks, r.workspace_id as "workspaceId", r.payload_digest as "payloadDigest", r.model, r.reading, t.call,
      jsonb_build_object('callerSpoke', c.caller_spoke, 'outcome', coalesce(a.analysis -> 'byRules', a.analysis) -> 'outcome',
        'outcomeConfidence', coalesce(a.analysis -> 'byRules', a.analysis) -> 'outcomeConfidence',
        'observations', a.analysis -> 'observations',
        'signals', coalesce((
          select jsonb_agg(jsonb_build_object('code', code, 'klass', klass, 'turnIndex', turn_index, 'detail', detail,
            'cause', cause_code) order by ordinal)
          from call_signals s where s.call_id = c.id and s.basis = 'rules'), '[]')) as analysis
    from model_readings r
    join calls c on c.id = r.call_id and c.payload_digest = r.payload_digest and c.state = 'analysed' and not c.reanalyse
    join transcripts t on t.call_id = r.call_id
    join call_analyses a on a.call_id = r.call_id
    where r.call_id = ${callId} and r.agent_id = ${agentId}
  `.execute(em.getKysely());
  return rows[0] ?? null;
}

/** Notes that a question is begun, so that no process asks a fourth time whatever happened to the three before. */
export async function beginAsk(em: EntityManager, callId: string, ask: number): Promise<void> {
  await sql`update model_readings set asks = greatest(asks, ${ask}), updated_at = now() where call_id = ${callId}`.execute(
    em.getKysely(),
  );
}

/** @param of the record that it was read from (another that came meanwhile is not closed by it), and the model that read it. */
export async function keepReading(
  em: EntityManager,
  callId: string,
  of: { payloadDigest: string; model: string },
  reading: ModelReading,
): Promise<void> {
  await sql`
    update model_readings set state = 'read', model = ${of.model}, reading = ${JSON.stringify(storable(reading))}::jsonb, note = null,
      updated_at = now()
    where call_id = ${callId} and payload_digest = ${of.payloadDigest} and state = 'waiting'
  `.execute(em.getKysely());
}

/** Given up, with the reason. What the rules said stands. */
export async function dropReading(
  em: EntityManager,
  callId: string,
  payloadDigest: string,
  note: string,
): Promise<void> {
  await sql`
    update model_readings set state = 'dropped', note = ${note}, updated_at = now()
    where call_id = ${callId} and payload_digest = ${payloadDigest} and state = 'waiting'
  `.execute(em.getKysely());
}

/** Given up by whoever does not know the record that it was to be read from. */
export async function dropOpenReading(em: EntityManager, callId: string, note: string): Promise<void> {
  await sql`
    update model_readings set state = 'dropped', note = ${note}, updated_at = now()
    where call_id = ${callId} and state in ('waiting', 'read')
  `.execute(em.getKysely());
}

/**
 * Lays a kept reading beside what the rules say now, as the agent's setting has it; doing it again changes nothing.
 * Observations and the objective are written where they stand; signals and outcomes go through storing, so that every sum
 * follows by difference.
 */
export async function applyReading(em: EntityManager, agentId: string, callId: string): Promise<void> {
  await em.transactional(async (tx) => {
    await lockAgent(tx, agentId);
    const db = tx.getKysely();
    const open = await loadOpenReading(tx, agentId, callId);
    const [standing] = await standingReadings(
      tx,
      sql`select id, payload_digest, profile_id, visit_set_id from calls where id = ${callId}`,
    );
    if (open?.reading == null || standing === undefined) return;
    const policy = policyOf(await readModelPolicy(tx, agentId));
    const before = asAnalysis(standing);
    const after = withModel(before, open.reading, policy);
    if (countsOtherwise(before, after)) {
      const { payloadDigest, workspaceId } = open;
      await storeAnalyses(tx, { workspaceId, agentId, analyses: [{ callId, payloadDigest, analysis: before }] });
    } else {
      await sql`
        update call_analyses set analysis = jsonb_set(analysis, '{observations}', ${JSON.stringify(storable(after.observations))}::jsonb)
        where call_id = ${callId}
      `.execute(db);
    }
    const objective = policy.mode === 'off' || !open.analysis.callerSpoke ? null : open.reading.objective;
    await sql`
      update calls c set objective = coalesce(${objective}, a.analysis ->> 'objective'), updated_at = now()
      from call_analyses a where c.id = ${callId} and a.call_id = c.id
    `.execute(db);
    await sql`update model_readings set state = 'done', updated_at = now() where call_id = ${callId}`.execute(db);
  });
}

/** Whether a sum would change: observations alone are in none. */
function countsOtherwise(before: CallAnalysis, after: CallAnalysis): boolean {
  const counted = ({ signals, outcome, outcomeConfidence }: CallAnalysis) =>
    canonicalJson(storable({ signals, outcome, outcomeConfidence }));
  return counted(before) !== counted(after);
}
