import { sql } from 'kysely';
import type { TokensOfACall } from '../../domain/limits/reading-estimate.ts';
import type { ModelReadingMode, ModelReadingState } from '../../domain/vocabulary.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { thisMonth } from '../expressions.ts';
import { executePlanned } from '../planned.ts';
import type { Row } from '../tables.ts';

/** What reading an agent's calls took in a UTC month. */
export type ReadingMonth = Omit<Row<'model_reading_months'>, 'agentId' | 'workspaceId'>;

/** How many calls of an agent stand in each state. */
export async function readReadingProgress(
  em: EntityManager,
  agentId: string,
): Promise<Record<ModelReadingState, number>> {
  const rows = await db(em)
    .selectFrom('model_readings')
    .where('agentId', '=', agentId)
    .groupBy('state')
    .select('state')
    .select(({ fn }) => fn.countAll<number>().as('calls'))
    .execute();
  const calls = { waiting: 0, read: 0, done: 0, dropped: 0, left: 0 };
  for (const row of rows) calls[row.state] = row.calls;
  return calls;
}

/** Null: nothing was asked in this month yet. */
export async function readReadingMonth(em: EntityManager, agentId: string): Promise<ReadingMonth | null> {
  const row = await db(em)
    .selectFrom('model_reading_months')
    .where('agentId', '=', agentId)
    .where('month', '=', thisMonth)
    .select(['month', 'questions', 'inputTokens', 'cachedInputTokens', 'cacheWriteTokens', 'outputTokens'])
    .select('chargedNanoUsd')
    .executeTakeFirst();
  return row ?? null;
}

export interface WorkspaceReading {
  agents: { agentId: string; name: string; waiting: number; read: number; nanoUsd: number }[];
  questions: number;
  inputTokens: number;
  cachedInputTokens: number;
}

/** How far reading by a model is in all agents of a workspace, and what it took in the present UTC month. */
export async function readWorkspaceReading(em: EntityManager, workspaceId: string): Promise<WorkspaceReading> {
  const { rows } = await sql<WorkspaceReading['agents'][number] & Omit<WorkspaceReading, 'agents'>>`
    select a.id as agent_id, a.name, coalesce(r.waiting, 0)::int as waiting, coalesce(r.read, 0)::int as read,
      coalesce(m.charged_nano_usd, 0)::float8 as nano_usd, coalesce(m.questions, 0)::int as questions,
      coalesce(m.input_tokens, 0)::float8 as input_tokens, coalesce(m.cached_input_tokens, 0)::float8 as cached_input_tokens
    from agents a
    left join model_reading_months m on m.agent_id = a.id and m.month = ${thisMonth}
    left join lateral (
      select count(*) filter (where state = 'waiting') as waiting, count(*) filter (where state in ('read', 'done')) as read
      from model_readings where agent_id = a.id
    ) r on true
    where a.workspace_id = ${workspaceId} and (m.agent_id is not null or r.waiting > 0 or r.read > 0)
    order by nano_usd desc, a.name, a.id`.execute(db(em));
  const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + of(row), 0);
  return {
    agents: rows.map(({ agentId, name, waiting, read, nanoUsd }) => ({ agentId, name, waiting, read, nanoUsd })),
    questions: sum((row) => row.questions),
    inputTokens: sum((row) => row.inputTokens),
    cachedInputTokens: sum((row) => row.cachedInputTokens),
  };
}

/** Of so many calls an average is taken. */
const NEWEST_READ = 200;
/** Of fewer it would be chance. */
const FEWEST_READ = 10;

/** What reading the newest calls took on average; null where too few were read. */
export async function averageOfReadings(em: EntityManager, agentId: string): Promise<TokensOfACall | null> {
  const { rows } = await sql<TokensOfACall & { calls: number }>`
    select count(*)::int as calls, avg(input_tokens)::float8 as input_tokens,
      avg(cached_input_tokens)::float8 as cached_input_tokens, avg(output_tokens)::float8 as output_tokens
    from (
      select input_tokens, cached_input_tokens, output_tokens from model_readings
      where agent_id = ${agentId} and state in ('read', 'done') and input_tokens > 0
      order by updated_at desc limit ${NEWEST_READ}
    ) newest`.execute(db(em));
  const [row] = rows;
  if (row === undefined || row.calls < FEWEST_READ) return null;
  const { inputTokens, cachedInputTokens, outputTokens } = row;
  return { inputTokens, cachedInputTokens, outputTokens };
}

/** What a reading of the agent's calls cost on average, in billionths of a US dollar; 0 where none was. */
export async function averageCost(em: EntityManager, agentId: string): Promise<number> {
  const { rows } = await sql<{ nanoUsd: number }>`
    select coalesce(avg(charged_nano_usd), 0)::float8 as nano_usd from (
      select charged_nano_usd from model_readings where agent_id = ${agentId} and state in ('read', 'done')
      order by updated_at desc limit ${NEWEST_READ}
    ) newest`.execute(db(em));
  return rows[0]?.nanoUsd ?? 0;
}

/** How a model's reading of one call stands, and what it cost. */
export type CallReading = Pick<Row<'model_readings'>, 'state' | 'model' | 'note' | 'chargedNanoUsd'>;

export async function readCallReading(em: EntityManager, agentId: string, callId: string): Promise<CallReading | null> {
  const row = await db(em)
    .selectFrom('model_readings')
    .where('callId', '=', callId)
    .where('agentId', '=', agentId)
    .select(['state', 'model', 'note', 'chargedNanoUsd'])
    .executeTakeFirst();
  return row ?? null;
}

/** How reading an agent's calls is set, and whether it has begun. */
export interface ReadingStart {
  mode: ModelReadingMode;
  budgetUsd: number | null;
  /** No question was asked about its calls yet. */
  isFirst: boolean;
  /** Why it pauses, in a sentence; null: it does not. */
  pause: string | null;
}

export async function readReadingStart(em: EntityManager, agentId: string): Promise<ReadingStart> {
  const { rows } = await executePlanned(
    em,
    sql<ReadingStart>`
    select a.model_reading as mode, a.model_budget_usd::float8 as budget_usd,
      not exists (select from model_reading_months m where m.agent_id = a.id) as is_first,
      (select r.reason from model_readers r where r.agent_id = a.id and r.trouble is not null) as pause
    from agents a where a.id = ${agentId}`,
  );
  return rows[0] ?? { mode: 'off', budgetUsd: null, isFirst: false, pause: null };
}
