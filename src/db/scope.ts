/**
 * The second fence between workspaces: PostgreSQL's row security, for a role that owns nothing. The first is that every
 * query names its workspace or agent; this one holds where a query forgets to.
 */

/** The role that every connection of the pool takes on; a migration makes it. */
export const APPLICATION_ROLE = 'earshot_app';

/** The setting that the policies read. It lasts as long as one transaction, and unset means no rows. */
export const SCOPE_SETTING = 'earshot.workspace';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The statement that sets the scope of the running transaction. */
export const scopeStatement = (workspaceId: string) =>
  `select set_config('${SCOPE_SETTING}', '${requireId(workspaceId)}', true)`;

/** @throws when the id is none: it becomes part of a statement. */
export function requireId(workspaceId: string): string {
  if (!UUID.test(workspaceId)) throw new Error('The scope of a transaction must be the id of a workspace.');
  return workspaceId;
}
