import type { AgentSource } from '../../src/db/agents/agent-source.ts';
import { noteKey } from '../../src/db/connections/connections.ts';
import type { EntityManager } from '../../src/db/database.ts';
import { PlatformError } from '../../src/platforms/port.ts';

/** Asks the platform, and notes at the agent's connection where its key is refused now, or taken again. */
export async function withKeyNoted<Answer>(
  em: EntityManager,
  { connectionId, connectionStatus, sealedKey }: Pick<AgentSource, 'connectionId' | 'connectionStatus' | 'sealedKey'>,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  if (connectionId === null || sealedKey === null) return ask();
  const key = { connectionId, sealedKey };
  try {
    const answer = await ask();
    if (connectionStatus === 'refused') await noteKey(em, key, { status: 'ok', message: null });
    return answer;
  } catch (error) {
    if (error instanceof PlatformError && error.kind === 'unauthorised') {
      await noteKey(em, key, { status: 'refused', message: error.message });
    }
    throw error;
  }
}
