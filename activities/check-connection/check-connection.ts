import { findConnection, noteConnection, storeLook } from '../../src/db/connections/connections.ts';
import { connectionKeyPlace } from '../../src/db/secrets/sealed-places.ts';
import type { PlatformConnection } from '../../src/platforms/platform-connection.ts';
import { PlatformError } from '../../src/platforms/port.ts';
import type { ActivityDeps } from '../deps.ts';
import { openKey } from '../shared/agent-platform.ts';
import { withHeartbeat } from '../shared/with-heartbeat.ts';

interface ConnectionOwner {
  workspaceId: string;
  connectionId: string;
  check: number;
}

const LOOK_WITHIN_MS = 60_000;

/** Looks at the platform with the key of a connection, for a minute at most. An older look ends without one once another was ordered. */
export function createLookAtPlatform(deps: ActivityDeps) {
  return async function lookAtPlatform(owner: ConnectionOwner): Promise<{ agents: number }> {
    return withHeartbeat(
      () => ({}),
      async () => {
        const em = deps.database.within(owner.workspaceId);
        const row = await findConnection(em, owner.connectionId);
        if (row === null) throw new PlatformError('not_found', 'The connection was deleted.');
        if (row.checks !== owner.check) return { agents: row.agents.length };
        const adapter = deps.platforms.adapter(row.platform);
        const baseUrl = row.baseUrl ?? adapter.defaultBaseUrl;
        if (baseUrl === null) throw new PlatformError('rejected', 'The connection has no address. Give it one.');
        const place = connectionKeyPlace(owner.workspaceId, owner.connectionId);
        const connection: PlatformConnection = { baseUrl, apiKey: openKey(deps, row.sealedKey, place) };
        const agents = await withinTime(async () => {
          await adapter.checkKey(connection);
          return adapter.listAgents(connection);
        });
        await storeLook(em, owner, agents);
        return { agents: agents.length };
      },
    );
  };
}

async function withinTime<Result>(look: () => Promise<Result>): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new PlatformError('unavailable', 'The platform did not show its agents within a minute.')),
    LOOK_WITHIN_MS,
  );
  try {
    return await Promise.race([look(), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** What the look comes to, in the connection's row; safe to repeat. */
export function createNoteConnection({ database }: ActivityDeps) {
  return async function writeNote({
    workspaceId,
    ...note
  }: ConnectionOwner & { status: 'checking' | 'refused'; message: string }): Promise<void> {
    await noteConnection(database.within(workspaceId), note);
  };
}
