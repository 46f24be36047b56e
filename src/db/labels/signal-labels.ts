import { sql } from 'kysely';
import type { SignalLabel } from '../../domain/vocabulary.ts';
import { toIso } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';

/** A signal as a person names it: what a new analysis finds again counts as the same. */
export interface SignalName {
  agentId: string;
  callId: string;
  code: string;
  turnIndex: number;
}

export interface LabelView {
  callId: string;
  code: string;
  turnIndex: number;
  label: SignalLabel;
  note: string | null;
  personId: string;
  /** The present analysis still notices it. */
  detected: boolean;
  createdAt: string;
  updatedAt: string;
}

const detected = sql`exists (select 1 from call_signals s
  where s.call_id = l.call_id and s.code = l.code and s.turn_index = l.turn_index)`;
const columns = sql`l.call_id, l.code, l.turn_index, l.label, l.note,
  l.person_id, ${detected} as detected, l.created_at, l.updated_at`;

const toView = (row: LabelView): LabelView => ({
  ...row,
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
});

/** Of a model: its signal, or what it confirmed while the code was back at assist. */
const byModel = ({ agentId, callId, code, turnIndex }: SignalName) => sql`(
  exists (select 1 from call_signals where agent_id = ${agentId} and call_id = ${callId} and code = ${code}
    and turn_index = ${turnIndex} and basis = 'model')
  or exists (select 1 from call_analyses a, jsonb_array_elements(a.analysis -> 'observations') o
    where a.agent_id = ${agentId} and a.call_id = ${callId} and o ->> 'basis' = 'model' and o ->> 'kind' = 'candidate'
      and o ->> 'rule' = ${code} and (o ->> 'turnIndex')::int = ${turnIndex}))`;

/** A signal can be labelled while it stands, or where it was labelled before; so can what a model confirmed. */
export async function mayLabel(em: EntityManager, name: SignalName): Promise<boolean> {
  const { agentId, callId, code, turnIndex } = name;
  const { rows } = await sql<{ known: boolean }>`
    select exists (select 1 from call_signals where agent_id = ${agentId} and call_id = ${callId} and code = ${code}
        and turn_index = ${turnIndex})
      or exists (select 1 from signal_labels where agent_id = ${agentId} and call_id = ${callId} and code = ${code}
        and turn_index = ${turnIndex})
      or ${byModel(name)} as known`.execute(db(em));
  return rows[0]?.known === true;
}

/** The newest word on a signal is the one that stands. */
export async function upsertLabel(
  em: EntityManager,
  name: SignalName,
  said: { workspaceId: string; personId: string; label: SignalLabel; note: string | null },
): Promise<void> {
  await sql`
    insert into signal_labels (agent_id, call_id, code, turn_index, workspace_id, label, note, person_id, basis)
    values (${name.agentId}, ${name.callId}, ${name.code}, ${name.turnIndex}, ${said.workspaceId}, ${said.label},
      ${said.note}, ${said.personId}, case when ${byModel(name)} then 'model' else 'rules' end)
    on conflict (agent_id, call_id, code, turn_index) do update set label = excluded.label, note = excluded.note,
      person_id = excluded.person_id, updated_at = now(),
      basis = case when excluded.basis = 'model' then 'model' else signal_labels.basis end`.execute(db(em));
}

export async function deleteLabel(em: EntityManager, { agentId, callId, code, turnIndex }: SignalName): Promise<void> {
  await sql`
    delete from signal_labels where agent_id = ${agentId} and call_id = ${callId} and code = ${code}
      and turn_index = ${turnIndex}`.execute(db(em));
}

/** Labels of one call in the order of its turns, also those on signals that no longer stand. */
export async function readLabels(em: EntityManager, agentId: string, callId: string): Promise<LabelView[]> {
  const { rows } = await sql<LabelView>`
    select ${columns} from signal_labels l where l.agent_id = ${agentId} and l.call_id = ${callId}
    order by l.turn_index, l.code`.execute(db(em));
  return rows.map(toView);
}

export interface LabelCount {
  right: number;
  wrong: number;
}

const counts = sql`count(*) filter (where l.label = 'right')::int as "right",
  count(*) filter (where l.label = 'wrong')::int as "wrong"`;

/** Labels by code, of signals that the present analysis still notices. */
export async function countLabels(em: EntityManager, agentId: string): Promise<Map<string, LabelCount>> {
  const { rows } = await sql<LabelCount & { code: string }>`
    select l.code, ${counts} from signal_labels l where l.agent_id = ${agentId} and ${detected} group by l.code`.execute(
    db(em),
  );
  return new Map(rows.map(({ code, right, wrong }) => [code, { right, wrong }]));
}

/** Labels on the signals that stand behind one issue. */
export async function countIssueLabels(
  em: EntityManager,
  issue: { id: string; agentId: string },
  codes: readonly string[],
): Promise<LabelCount> {
  const { rows } = await sql<LabelCount>`
    select ${counts} from signal_labels l
    join issue_calls c on c.issue_id = ${issue.id} and c.call_id = l.call_id
    where l.agent_id = ${issue.agentId} and l.code = any(${[...codes]}::text[]) and ${detected}`.execute(db(em));
  return rows[0] ?? { right: 0, wrong: 0 };
}

/** What people said about signals of some codes on some calls. */
export async function labelsOfCalls(
  em: EntityManager,
  agentId: string,
  callIds: string[],
  codes: string[],
): Promise<(SignalName & { label: SignalLabel })[]> {
  const { rows } = await sql<SignalName & { label: SignalLabel }>`
    select agent_id, call_id, code, turn_index, label from signal_labels
    where agent_id = ${agentId} and call_id = any(${callIds}::uuid[]) and code = any(${codes}::text[])`.execute(db(em));
  return rows;
}
