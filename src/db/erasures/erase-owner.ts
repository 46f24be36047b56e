import { sql } from 'kysely';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { ROWS } from '../entities.ts';
import { json, now, ofAgent } from '../expressions.ts';
import { advanceErasure } from './erasures.ts';

const ROWS_AT_ONCE = 5_000;

/** What stays when an agent goes: who did what, what was paid for, what keys spent of their budgets, and the reports. */
const OUTLIVE_AGENTS = ['audit_entries', 'model_usage', 'budget_reservations', 'erasures'];

/** Tables without an agent's id whose rows go with those of another one that has it. */
const THROUGH: Record<string, { column: string; parent: string }> = {
  uploaded_records: { column: 'import_id', parent: 'imports' },
  copilot_events: { column: 'conversation_id', parent: 'copilot_conversations' },
  webhook_tries: { column: 'delivery_id', parent: 'webhook_deliveries' },
  message_threads: { column: 'root_delivery_id', parent: 'webhook_deliveries' },
};

/** Tables behind row security that have a column; the others belong to `src/db/system`. */
const tablesWith = (property: string, kept: readonly string[]): string[] =>
  ROWS.map(({ meta }) => meta)
    .filter(({ rowLevelSecurity, properties }) => Boolean(rowLevelSecurity) && property in properties)
    .map(({ tableName }) => tableName)
    .filter((table) => !kept.includes(table));

interface Erased {
  erasureId: string;
}

/** All rows of an agent but its own, in batches that each count once, so that it goes on wherever it was broken off. */
export async function eraseRowsOfAgent(em: EntityManager, of: Erased & { agentId: string }): Promise<void> {
  const { agentId } = of;
  for (const [table, { column, parent }] of Object.entries(THROUGH)) {
    const parents = sql`(select p.id from ${sql.table(parent)} p where p.agent_id = ${agentId})`;
    await eraseRows(em, of, table, sql`t.${sql.ref(column)} in ${parents}`);
  }
  for (const table of tablesWith('agentId', OUTLIVE_AGENTS)) await eraseRows(em, of, table, ofAgent('t', agentId));
}

/** All rows of a workspace, once its agents have none. */
export async function eraseRowsOfWorkspace(em: EntityManager, of: Erased & { workspaceId: string }): Promise<void> {
  const { erasureId, workspaceId } = of;
  for (const table of tablesWith('workspaceId', [])) {
    const spared = table === 'erasures' ? sql`and t.id <> ${erasureId}` : sql``;
    await eraseRows(em, of, table, sql`t.workspace_id = ${workspaceId} ${spared}`);
  }
}

/** The agent itself, at last: with it goes the right to touch what is known by its id alone. */
export async function eraseAgentItself(em: EntityManager, of: Erased & { agentId: string }): Promise<void> {
  await giveBackHeld(em, of.agentId);
  await eraseRows(em, of, 'agents', sql`t.id = ${of.agentId}`);
}

/** What its runs spent counts on; what they hold back for plays that will never be is free again. */
async function giveBackHeld(em: EntityManager, agentId: string): Promise<void> {
  await db(em)
    .updateTable('budget_reservations')
    .where('agentId', '=', agentId)
    .where('settledAt', 'is', null)
    .set({ settledAt: now })
    .execute();
}

/** Earlier reports of an agent stay, without what they were about. */
export async function forgetSelections(em: EntityManager, agentId: string): Promise<void> {
  await db(em)
    .updateTable('erasures')
    .where('agentId', '=', agentId)
    .set({ callIds: json<string[]>([]), callerKey: null, sealedNumber: null })
    .execute();
}

async function eraseRows(
  em: EntityManager,
  { erasureId }: Erased,
  table: string,
  which: ReturnType<typeof sql>,
): Promise<void> {
  for (let removed = ROWS_AT_ONCE; removed === ROWS_AT_ONCE; ) {
    removed = await em.transactional(async (tx) => {
      const some = sql`select t.ctid from ${sql.table(table)} t where ${which} limit ${ROWS_AT_ONCE}`;
      const { numAffectedRows } = await sql`
        delete from ${sql.table(table)} where ctid = any(array(${some}))`.execute(db(tx));
      const many = Number(numAffectedRows ?? 0);
      if (many > 0) await advanceErasure(tx, erasureId, table === 'calls' ? many : 0, { [table]: many });
      return many;
    });
  }
}

/** Takes agents out of reach at once, and lets their platform's ids be connected anew. @returns how many calls they have. */
export async function hideAgents(
  em: EntityManager,
  { workspaceId, agentId }: { workspaceId: string; agentId: string | null },
): Promise<number> {
  let agents = db(em)
    .updateTable('agents')
    .where('workspaceId', '=', workspaceId)
    .set((eb) => ({ erasing: true, providerAgentId: eb.cast<string>('id', 'text'), updatedAt: now }));
  if (agentId !== null) agents = agents.where('id', '=', agentId);
  const rows = await agents.returning('callCount').execute();
  return rows.reduce((calls, { callCount }) => calls + callCount, 0);
}

export async function agentsOfWorkspace(em: EntityManager, workspaceId: string): Promise<string[]> {
  const rows = await db(em).selectFrom('agents').where('workspaceId', '=', workspaceId).select('id').execute();
  return rows.map(({ id }) => id);
}
