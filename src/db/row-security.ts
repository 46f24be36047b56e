import type { PolicyDef } from '@mikro-orm/core';

/**
 * The row security of tables that hold a workspace's data (`src/db/scope.ts`), written as PostgreSQL itself prints it, so
 * that the entities and a migrated database compare as equal. `select` around the scope makes PostgreSQL read the
 * setting once a statement and not once a row.
 */
const OWN = 'workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)';
const OWN_AGENT =
  'agent_id IN ( SELECT a.id\n   FROM agents a\n  WHERE (a.workspace_id = ( SELECT workspace_in_scope() AS workspace_in_scope)))';

const OWN_OR_NOBODYS = 'NOT (workspace_id IS DISTINCT FROM ( SELECT workspace_in_scope() AS workspace_in_scope))';

interface Fence {
  rowLevelSecurity: 'force';
  policies: PolicyDef[];
}

const own: PolicyDef = { name: 'own', command: 'all', using: OWN, check: OWN };

/** Everybody reads the shared demo agents; only their own workspace changes them. */
const demo: PolicyDef = {
  name: 'demo',
  command: 'select',
  using: 'workspace_id = ( SELECT demo_in_scope() AS demo_in_scope)',
};

/** For a table with `workspaceId` whose rows may belong to a shared demo agent: all that is read agent by agent. */
export const fenced: Fence = { rowLevelSecurity: 'force', policies: [own, demo] };

/** For a table with `workspaceId` that says what members of a workspace did or heard of, on shared agents too. */
export const fencedApart: Fence = { rowLevelSecurity: 'force', policies: [own] };

/**
 * For a table with `agentId` and no `workspaceId`: many narrow rows, which a workspace's id would make a third longer.
 * The agents that may be seen are looked up once a statement; those of the shared demo are among them.
 */
export const fencedByAgent: Fence = {
  rowLevelSecurity: 'force',
  policies: [
    { name: 'reads', command: 'select', using: 'agent_id IN ( SELECT a.id\n   FROM agents a)' },
    { name: 'adds', command: 'insert', check: OWN_AGENT },
    { name: 'changes', command: 'update', using: OWN_AGENT, check: OWN_AGENT },
    { name: 'removes', command: 'delete', using: OWN_AGENT },
  ],
};

/** For a table in which `workspaceId` is null where nobody acts: without a scope, exactly those rows. */
export const fencedOrNobodys: Fence = {
  rowLevelSecurity: 'force',
  policies: [{ name: 'own', command: 'all', using: OWN_OR_NOBODYS, check: OWN_OR_NOBODYS }],
};
