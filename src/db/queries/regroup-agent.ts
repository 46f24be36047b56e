import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { CATALOGUE } from '../../domain/signals/catalogue.ts';
import type { CatalogueEntry } from '../../domain/signals/catalogue-entry.ts';
import { type NewEvent, noteEvents } from './events.ts';
import { liveIssues } from './live-issues.ts';
import { lockAgent } from './lock-agent.ts';
import { type RegroupMode, type RegroupResult, regroup } from './regroup.ts';
import { noteSpikes } from './spikes.ts';

const ISSUES_CHANGED: NewEvent = { kind: 'issues.changed', ref: null };

/** Brings an agent's issues to what its analysed calls and the time say, under the product's own catalogue. */
export async function regroupAgent(em: EntityManager, agentId: string, mode: RegroupMode): Promise<RegroupResult> {
  return regroupAndLive(em, CATALOGUE, agentId, mode);
}

/**
 * Groups, lets time and evidence act on what came out, and says what is new, in one transaction. A second run changes
 * nothing.
 * @param told see `liveIssues`.
 */
export async function regroupAndLive(
  em: EntityManager,
  catalogue: ReadonlyMap<string, CatalogueEntry>,
  agentId: string,
  mode: RegroupMode,
  told = false,
): Promise<RegroupResult> {
  return em.transactional(async (tx) => {
    const grouped = await regroup(tx, catalogue, agentId, mode, false);
    const lived = await liveIssues(tx, agentId, told);
    // A resolved issue leads nothing, and its fix reads otherwise: ranks and folds follow the statuses.
    const again = lived.changed > 0 ? await regroup(tx, catalogue, agentId, 'incremental', false) : null;
    const changed = grouped.changed + lived.changed + (again?.changed ?? 0);
    const news = changed > 0 ? [...(await noteListed(tx, agentId)), ...(await noteSpikes(tx, agentId))] : [];
    await noteEvents(tx, agentId, [...news, ...lived.events, ...(changed > 0 ? [ISSUES_CHANGED] : [])]);
    return { issues: grouped.issues, changed, withdrawn: grouped.withdrawn };
  });
}

/**
 * A look at an agent's issues because time has passed. What was stored and not grouped yet is grouped first, so that
 * nothing counts as resolved while evidence against it lies in the record.
 */
export async function lookAtDueIssues(
  em: EntityManager,
  catalogue: ReadonlyMap<string, CatalogueEntry>,
  agentId: string,
): Promise<{ changed: number }> {
  return em.transactional(async (tx) => {
    await lockAgent(tx, agentId);
    const { rows } = await sql<{ grouped: boolean }>`
      select evidence_revision = grouped_revision as grouped from agents where id = ${agentId}`.execute(tx.getKysely());
    if (rows[0]?.grouped !== true) return regroupAndLive(tx, catalogue, agentId, 'incremental', true);
    const lived = await liveIssues(tx, agentId, true);
    if (lived.changed === 0) {
      await noteEvents(tx, agentId, lived.events);
      return { changed: 0 };
    }
    await regroup(tx, catalogue, agentId, 'incremental', false);
    const listed = await noteListed(tx, agentId);
    await noteEvents(tx, agentId, [...listed, ...lived.events, ISSUES_CHANGED]);
    return { changed: lived.changed };
  });
}

/** Issues that stand on the board for the first time: said once, whatever becomes of them. */
async function noteListed(em: EntityManager, agentId: string): Promise<NewEvent[]> {
  const { rows } = await sql<{ id: string }>`
    update issues i set listed_at = now() from agents a
    where i.agent_id = ${agentId} and a.id = i.agent_id and i.listed_at is null and i.section <> 'hidden'
      and i.withdrawn_at is null and i.status <> 'resolved' and i.klass <> 'behaviour' and i.source = a.board_source
    returning i.id`.execute(em.getKysely());
  return rows
    .map(({ id }): NewEvent => ({ kind: 'issue.opened', ref: id }))
    .sort((a, b) => ((a.ref ?? '') < (b.ref ?? '') ? -1 : 1));
}
