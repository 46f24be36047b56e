import { sql } from 'kysely';
import type { Tokens } from '../../domain/limits/model-cost.ts';
import { newId } from '../../ids.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { ago } from '../expressions.ts';
import { executePlanned } from '../planned.ts';

/** What the AI allowance of a workspace is counted over. */
export const AI_WINDOW_DAYS = 30;

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
export async function reserveUsage(em: EntityManager, wanted: UsageToReserve): Promise<Reservation> {
  const statement = sql<{ state: Reservation['state']; freeAt: string | null }>`
    select state, free_at from reserve_model_usage(${newId()}, ${wanted.workspaceId}, ${wanted.agentId},
      ${wanted.purpose}, ${wanted.subject}, ${wanted.ask}, ${wanted.model}, ${wanted.priced}, ${wanted.nanoUsd})
  `;
  const { rows } = await executePlanned(em, statement);
  const [row] = rows;
  if (!row) throw new Error('A reservation was neither made nor refused.');
  return row.state === 'exhausted' ? { state: 'exhausted', freeAt: row.freeAt } : { state: row.state };
}

/** Puts what a question cost in the place of what was held back, once. */
export async function settleUsage(em: EntityManager, key: UsageKey, cost: Tokens & { nanoUsd: number }): Promise<void> {
  const statement = sql`
    update model_usage set input_tokens = ${cost.inputTokens}, output_tokens = ${cost.outputTokens},
      charged_nano_usd = ${cost.nanoUsd}, settled_at = clock_timestamp()
    where workspace_id = ${key.workspaceId} and purpose = ${key.purpose} and subject = ${key.subject}
      and ask = ${key.ask} and settled_at is null
  `;
  await executePlanned(em, statement);
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
