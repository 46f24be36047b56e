import { sql } from 'kysely';
import type { WordingTask } from '../../domain/signals/wording.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { publishEvent } from '../events/events.ts';
import { now } from '../expressions.ts';

/** An intent of fewer calls may be gone tomorrow. */
const FEWEST_CALLS = 5;
const SAMPLES = 8;
/** Questions about one wording: the first, and twice more. */
const ASKS_AT_MOST = 3;

/** The next thing that a model has not worded: intents that neither a person nor a reader of calls named, then recommendations of established causes. */
export async function nextWording(em: EntityManager, agentId: string): Promise<WordingTask | null> {
  const { rows } = await sql<WordingTask>`
    with tasks as (
      select 'intent' as kind, i.id as subject_id, md5(i.slug) as digest, i.label as words, null as must_name, 0 as place,
        (select coalesce(jsonb_agg(left(r.text, 300)), '[]') from (
          select a.analysis -> 'requests' -> 0 ->> 'text' as text from calls c join call_analyses a on a.call_id = c.id
          where c.agent_id = ${agentId} and c.state = 'analysed' and c.intent_slug = i.slug
          order by c.sort_at desc, c.id desc limit ${SAMPLES}) r where r.text is not null) as samples,
        '[]'::jsonb as facts
      from intents i
      where i.agent_id = ${agentId} and i.kind = 'intent' and i.kept_at is null and i.merged_into_id is null
        and i.slug <> 'other' and i.calls >= ${FEWEST_CALLS}
        and not exists (
          select from calls c join call_analyses a on a.call_id = c.id
          where c.agent_id = ${agentId} and c.state = 'analysed' and c.intent_slug = i.slug and a.analysis ? 'readIntent')
      union all
      select 'recommendation', i.id, md5(i.recommendation), i.recommendation, i.target_label, 1,
        (select coalesce(jsonb_agg(s.quote), '[]') from (
          select distinct left(s.quote, 300) as quote from call_signals s
          where s.agent_id = ${agentId} and s.code = i.code and s.place_kind = i.place_kind
            and md5(s.place_id) = md5(i.place_id) and s.quote <> '' limit ${SAMPLES}) s),
        jsonb_build_array(i.title, coalesce(i.cause_label, ''), coalesce(i.cause_detail, ''))
      from issues i
      where i.agent_id = ${agentId} and i.section in ('fix', 'improve') and i.cause_established
        and i.recommendation is not null and i.withdrawn_at is null and i.status <> 'resolved'
    )
    select t.kind, t.subject_id, t.digest, t.words, t.must_name, t.samples, t.facts,
      case when w.digest = t.digest then w.asks else 0 end as asks
    from tasks t left join model_wordings w on w.subject_id = t.subject_id
    where (w.subject_id is null or w.digest <> t.digest or (w.text is null and w.asks < ${ASKS_AT_MOST}))
      and jsonb_array_length(t.samples) > 0
    order by t.place, t.subject_id limit 1
  `.execute(db(em));
  return rows[0] ?? null;
}

interface Owner {
  workspaceId: string;
  agentId: string;
}

/** Notes that a question is begun. */
export async function beginWording(em: EntityManager, owner: Owner, task: WordingTask, ask: number): Promise<void> {
  const asked = { digest: task.digest, asks: ask };
  await db(em)
    .insertInto('model_wordings')
    .values({
      ...asked,
      subjectId: task.subjectId,
      kind: task.kind,
      workspaceId: owner.workspaceId,
      agentId: owner.agentId,
    })
    .onConflict((conflict) => conflict.column('subjectId').doUpdateSet({ ...asked, text: null, updatedAt: now }))
    .execute();
}

/** Keeps the words. An intent takes its name at once, unless a person named it meanwhile; its slug never changes. */
export async function keepWording(em: EntityManager, owner: Owner, task: WordingTask, text: string): Promise<void> {
  await db(em)
    .updateTable('model_wordings')
    .where('subjectId', '=', task.subjectId)
    .where('digest', '=', task.digest)
    .set({ text, updatedAt: now })
    .execute();
  if (task.kind === 'intent') {
    await db(em)
      .updateTable('intents')
      .where('id', '=', task.subjectId)
      .where('keptAt', 'is', null)
      .where('label', '=', task.words)
      .set({ label: text, updatedAt: now })
      .execute();
  }
  await publishEvent(em, { agentId: owner.agentId, kind: 'issues.changed', ref: null });
}
