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
  priced: boolean;
  /** What the question may cost at most. */
  nanoUsd: number;
}

export type Reservation =
  | { state: 'reserved' }
  /** This very question was begun before, by whoever died over it. */
  | { state: 'begun' }
  /** The allowance is used up. Null: it never covers such a question. */
  | { state: 'exhausted'; freeAt: string | null };

/** Holds back what a question may cost, or says that the allowance does not cover it: one statement on database time. */
export const reserveUsage = together(reserveAll);

async function reserveAll(em: EntityManager, wanted: readonly UsageToReserve[]): Promise<Reservation[]> {
  const rows = wanted.map((one, nth) => ({ ...one, id: newId(), nth }));
  const statement = sql<{ state: Reservation['state']; freeAt: string | null }>`
    select made.state, made.free_at
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
    })},
      lateral reserve_model_usage(listed.id, listed.workspace_id, listed.agent_id, listed.purpose, listed.subject,
        listed.ask, listed.model, listed.priced, listed.nano_usd) made
    order by listed.nth
  `;
  const made = await executePlanned(em, statement);
  return made.rows.map(({ state, freeAt }) => (state === 'exhausted' ? { state, freeAt } : { state }));
}

export interface UsageToSettle extends UsageKey, Tokens {
  nanoUsd: number;
}

/** Puts what a question cost in the place of what was held back, once. */
export const settleUsage = together(settleAll);

async function settleAll(em: EntityManager, costs: readonly UsageToSettle[]): Promise<undefined[]> {
  const statement = sql`
    update model_usage u set input_tokens = listed.input_tokens,
      cached_input_tokens = listed.cached_input_tokens, cache_write_tokens = listed.cache_write_tokens, output_tokens = listed.output_tokens,
      charged_nano_usd = listed.nano_usd, settled_at = clock_timestamp()
    from ${listed(costs, {
      workspaceId: 'uuid',
      purpose: 'text',
      subject: 'text',
      ask: 'integer',
      inputTokens: 'integer',
      cachedInputTokens: 'integer',
      cacheWriteTokens: 'integer',
      outputTokens: 'integer',
      nanoUsd: 'bigint',
    })}
    where u.workspace_id = listed.workspace_id and u.purpose = listed.purpose and u.subject = listed.subject
      and u.ask = listed.ask and u.settled_at is null
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
