import { createHash } from 'node:crypto';
import type { Json } from '../../domain/json.ts';
import { idOf } from '../lenient.ts';
import type { PlatformClient } from '../platform-client.ts';
import type { PlatformConnection } from '../platform-connection.ts';
import { listVoiceAgents } from './pages.ts';
import { readAllBindings } from './versions.ts';

/**
 * What changes when another version of an agent goes live: when it was last edited, what its tags name, and what its
 * numbers are bound to. Two requests for all agents of an account.
 */
export async function listRetellMarks(
  client: PlatformClient,
  connection: PlatformConnection,
): Promise<Map<string, string>> {
  const agents = await listVoiceAgents(client, connection);
  const bindings = await readAllBindings(client, connection);
  return new Map(
    agents.flatMap((item): [string, string][] => {
      const id = idOf(item.agent_id);
      const { user_modified_timestamp: editedAt = null, tags = null } = item;
      return id === null ? [] : [[id, digest([editedAt, tags, bindings.get(id) ?? []])]];
    }),
  );
}

const digest = (shown: Json) => createHash('sha256').update(JSON.stringify(shown)).digest('base64url').slice(0, 22);
