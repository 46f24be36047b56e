import { sql } from 'kysely';
import { type Brief, EMPTY_BRIEF } from '../../domain/versions/brief.ts';
import type { EntityManager } from '../database.ts';

export interface BriefView {
  brief: Brief | null;
  /** Why there is none yet, or what it waits for. */
  message: string | null;
}

export async function findBrief(em: EntityManager, agentId: string): Promise<BriefView> {
  const { rows } = await sql<BriefView>`
    select brief, brief_message as message from agents where id = ${agentId}`.execute(em.getKysely());
  return rows[0] ?? { brief: null, message: null };
}

/** Begins a reading of the agent's configuration. @returns which reading it is. */
export async function beginBrief(em: EntityManager, agentId: string): Promise<number> {
  const { rows } = await sql<{ reads: number }>`
    update agents set brief_reads = brief_reads + 1, updated_at = now(),
      brief_message = 'The configuration is being read at the platform.'
    where id = ${agentId} returning brief_reads as reads`.execute(em.getKysely());
  return rows[0]?.reads ?? 0;
}

interface Reading {
  agentId: string;
  read: number;
}

/** What a reading of the configuration came to. Nothing, once a newer reading was ordered or a person has decided. */
export async function storeBrief(
  em: EntityManager,
  { agentId, read, brief }: Reading & { brief: Brief },
): Promise<void> {
  await sql`
    update agents set brief = ${JSON.stringify(brief)}::jsonb, brief_message = null, updated_at = now(),
      onboarding_step = case when onboarding_step = 'connect' then 'brief' else onboarding_step end
    where id = ${agentId} and brief_reads = ${read}`.execute(em.getKysely());
}

export async function noteBrief(
  em: EntityManager,
  { agentId, read, message }: Reading & { message: string },
): Promise<void> {
  await sql`
    update agents set brief_message = ${message}, updated_at = now(),
      onboarding_step = case when onboarding_step = 'connect' then 'brief' else onboarding_step end
    where id = ${agentId} and brief_reads = ${read}`.execute(em.getKysely());
}

/**
 * A person's own words; a reading that is still on its way no longer replaces them. Only the given parts change, so that
 * two people who edit different parts at once keep both.
 */
export async function editBrief(em: EntityManager, agentId: string, given: Partial<Brief>): Promise<void> {
  await sql`
    update agents set brief = coalesce(brief, ${JSON.stringify(EMPTY_BRIEF)}::jsonb) || ${JSON.stringify(given)}::jsonb,
      brief_message = null, brief_reads = brief_reads + 1, updated_at = now()
    where id = ${agentId}`.execute(em.getKysely());
}

/** @returns false where the brief was approved before. */
export async function rejectBrief(em: EntityManager, agentId: string): Promise<boolean> {
  const { rows } = await sql`
    update agents set setup_status = 'rejected', updated_at = now()
    where id = ${agentId} and setup_status <> 'approved' returning id`.execute(em.getKysely());
  return rows.length > 0;
}

/** @returns false where somebody has approved it already, perhaps at this very moment. */
export async function approveBrief(em: EntityManager, agentId: string): Promise<boolean> {
  const { rows } = await sql`
    update agents set setup_status = 'approved', updated_at = now()
    where id = ${agentId} and setup_status <> 'approved' returning id`.execute(em.getKysely());
  return rows.length > 0;
}
