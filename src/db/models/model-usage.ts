import { sql } from 'kysely';
import type { Tokens } from '../../domain/limits/model-cost.ts';
import { newId } from '../../ids.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { ago, listed } from '../expressions.ts';
import { executePlanned } from '../planned.ts';
import { together } from '../together.ts';

/** What the AI allowance of a workspace is counted over. */
const AI_WINDOW_DAYS = 30;

export interface UsageKey {
  workspaceId: string;
  purpose: string;
  subject: string;
  /** From 1. */
  ask: number;
}

export interface UsageToReserve extends UsageKey {
  agentId: string | null;
  model: string;
  accountId: string;
  priced: boolean;
  /** What the question may cost at most. */
  nanoUsd: number;
  /** The workspace asks a model of its own. */
  isOwn: boolean;
}

/** What a question may not pass: what AI may cost the workspace over 30 days, or reading the agent's calls in a month. */
export type SpendingBound = 'allowance' | 'agent';

export type Reservation =
  /** `isRested`: the account has not lately asked to wait without saying for how long. */
  | { state: 'reserved'; isRested: boolean }
  /** This very question was begun before, by whoever died over it. */
  | { state: 'begun' }
  /** The account wants no questions before that time. */
  | { state: 'held'; freeAt: string }
  /** A bound is reached. `freeAt` null: it never covers such a question. */
  | { state: 'exhausted'; bound: SpendingBound; freeAt: string | null };

/** What counts for what reading an agent's calls may cost. */
const isReading = ({ purpose }: UsageKey) => purpose === 'call_reading';

/** Holds back what a question may cost, or says why it may not be asked now: one statement on database time. */
export const reserveUsage = together(reserveAll);

async function reserveAll(em: EntityManager, wanted: readonly UsageToReserve[]): Promise<Reservation[]> {
  const rows = wanted.map((one, nth) => ({ ...one, id: newId(), nth, isReading: isReading(one) }));
  const statement = sql<Made>`
    select made.state, made.free_at, made.bound, made.is_rested
    from ${listed(rows, {
      nth: 'integer',
      id: 'uuid',
      workspaceId: 'uuid',
      agentId: 'uuid',
      purpose: 'text',
      subject: 'text',
      ask: 'integer',
      model: 'text',
      priced: 'boolean',
      nanoUsd: 'bigint',
      accountId: 'text',
      isReading: 'boolean',
      isOwn: 'boolean',
    })},
      lateral reserve_model_question(listed.id, listed.workspace_id, listed.agent_id, listed.purpose, listed.subject,
        listed.ask, listed.model, listed.priced, listed.nano_usd, listed.account_id, listed.is_reading, listed.is_own) made
    order by listed.nth
  `;
  return (await executePlanned(em, statement)).rows.map(reservationOf);
}

interface Made {
  state: Reservation['state'];
  freeAt: string | null;
  bound: SpendingBound | null;
  isRested: boolean;
}

function reservationOf({ state, freeAt, bound, isRested }: Made): Reservation {
  switch (state) {
    case 'reserved':
      return { state, isRested };
    case 'begun':
      return { state };
    case 'held':
      return { state, freeAt: freeAt ?? '' };
    case 'exhausted':
      return { state, bound: bound ?? 'allowance', freeAt };
    default:
      return state satisfies never;
  }
}

export interface UsageToSettle extends UsageKey, Tokens {
  nanoUsd: number;
}

/** Puts what a question cost in the place of what was held back, once. */
export const settleUsage = together(settleAll);

async function settleAll(em: EntityManager, costs: readonly UsageToSettle[]): Promise<undefined[]> {
  const rows = costs.map((one) => ({ ...one, isReading: isReading(one) }));
  const statement = sql`
    with told as materialized (
      select u.id, u.agent_id, date_trunc('month', u.created_at at time zone 'UTC')::date as month,
        coalesce(u.own_nano_usd, u.charged_nano_usd) as held, listed.input_tokens as input,
        listed.cached_input_tokens as cached, listed.cache_write_tokens as written, listed.output_tokens as output,
        listed.nano_usd as nano, listed.is_reading
      from model_usage u, ${listed(rows, {
        workspaceId: 'uuid',
        purpose: 'text',
        subject: 'text',
        ask: 'integer',
        inputTokens: 'integer',
        cachedInputTokens: 'integer',
        cacheWriteTokens: 'integer',
        outputTokens: 'integer',
        nanoUsd: 'bigint',
        isReading: 'boolean',
      })}
      where u.workspace_id = listed.workspace_id and u.purpose = listed.purpose and u.subject = listed.subject
        and u.ask = listed.ask and u.settled_at is null
      for update of u
    ), settled as (
      update model_usage u set input_tokens = told.input, cached_input_tokens = told.cached,
        cache_write_tokens = told.written, output_tokens = told.output, settled_at = clock_timestamp(),
        charged_nano_usd = case when u.own_nano_usd is null then told.nano else 0 end,
        own_nano_usd = case when u.own_nano_usd is null then null else told.nano end
      from told where u.id = told.id
    )
    update model_reading_months m set input_tokens = m.input_tokens + sums.input,
      cached_input_tokens = m.cached_input_tokens + sums.cached, cache_write_tokens = m.cache_write_tokens + sums.written,
      output_tokens = m.output_tokens + sums.output, charged_nano_usd = m.charged_nano_usd + sums.nano
    from (
      select agent_id, month, sum(input) as input, sum(cached) as cached, sum(written) as written,
        sum(output) as output, sum(nano - held) as nano
      from told where is_reading group by agent_id, month
    ) sums
    where m.agent_id = sums.agent_id and m.month = sums.month
  `;
  await executePlanned(em, statement);
  return costs.map(() => undefined);
}

/** What all asks of one question are charged with, in billionths of a dollar. */
export async function chargedFor(em: EntityManager, of: Omit<UsageKey, 'ask'>): Promise<number> {
  const { nanoUsd } = await db(em)
    .selectFrom('model_usage')
    .where('workspaceId', '=', of.workspaceId)
    .where('purpose', '=', of.purpose)
    .where('subject', '=', of.subject)
    .select(({ fn, val }) => fn.coalesce(fn.sum<number>('chargedNanoUsd'), val(0)).as('nanoUsd'))
    .executeTakeFirstOrThrow();
  return nanoUsd;
}

export interface AiUsage {
  /** Over the last 30 days, in billionths of a dollar. */
  nanoUsd: number;
  questions: number;
  /** Models that were asked and have no price: their questions count 0. */
  unpriced: string[];
}

export function readAiUsage(em: EntityManager, workspaceId: string): Promise<AiUsage> {
  return db(em)
    .selectFrom('model_usage')
    .where('workspaceId', '=', workspaceId)
    .where('ownNanoUsd', 'is', null)
    .where('createdAt', '>', ago(AI_WINDOW_DAYS, 'days'))
    .select(({ fn, val }) => [
      fn.coalesce(fn.sum<number>('chargedNanoUsd'), val(0)).as('nanoUsd'),
      fn.countAll<number>().as('questions'),
      fn
        .coalesce(
          fn.agg<string[]>('array_agg', ['model']).distinct().filterWhere('priced', '=', false),
          sql<string[]>`'{}'`,
        )
        .as('unpriced'),
    ])
    .executeTakeFirstOrThrow();
}
