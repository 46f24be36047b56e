import { noteBrief, storeBrief } from '../src/db/queries/briefs.ts';
import { findConnection, noteConnection, storeLook } from '../src/db/queries/connections.ts';
import { currentConfiguration } from '../src/db/queries/versions.ts';
import { readBrief } from '../src/domain/versions/brief.ts';
import { type PlatformConnection, PlatformError } from '../src/platforms/port.ts';
import { openKey } from './agent-platform.ts';
import type { ActivityDeps } from './deps.ts';
import { whileBeating } from './heart.ts';

interface ConnectionOwner {
  workspaceId: string;
  connectionId: string;
  check: number;
}

interface BriefOwner {
  workspaceId: string;
  agentId: string;
  read: number;
}

/** Looks at the platform with the key of a connection. */
export function createLookAtPlatform(deps: ActivityDeps) {
  return async function lookAtPlatform(owner: ConnectionOwner): Promise<{ agents: number }> {
    return whileBeating(
      () => ({}),
      async () => {
        const em = deps.database.within(owner.workspaceId);
        const row = await findConnection(em, owner.connectionId);
        if (row === null) throw new PlatformError('not_found', 'The connection was deleted.');
        const adapter = deps.platforms.adapter(row.platform);
        const baseUrl = row.baseUrl ?? adapter.defaultBaseUrl;
        if (baseUrl === null) throw new PlatformError('rejected', 'The connection has no address. Give it one.');
        const connection: PlatformConnection = { baseUrl, apiKey: openKey(deps, row.sealedKey) };
        await adapter.checkKey(connection);
        const agents = await adapter.listAgents(connection);
        await storeLook(em, owner, agents);
        return { agents: agents.length };
      },
    );
  };
}

/** Short statements about connecting, each safe to repeat. */
export function createConnectProgress({ database }: ActivityDeps) {
  return {
    async noteConnection({
      workspaceId,
      ...note
    }: ConnectionOwner & { status: 'checking' | 'refused'; message: string }): Promise<void> {
      await noteConnection(database.within(workspaceId), note);
    },
    async noteBrief({ workspaceId, ...note }: BriefOwner & { message: string }): Promise<void> {
      await noteBrief(database.within(workspaceId), note);
    },
    /** From the configuration of the version that is live, or of the newest one that could be read. */
    async draftBrief({ workspaceId, agentId, read }: BriefOwner): Promise<void> {
      const em = database.within(workspaceId);
      const configuration = await currentConfiguration(em, agentId);
      if (configuration === null) {
        const message =
          'The platform showed no configuration of this agent. Write the brief by hand, or approve it as it is.';
        await noteBrief(em, { agentId, read, message });
        return;
      }
      await storeBrief(em, { agentId, read, brief: readBrief(configuration) });
    },
  };
}
