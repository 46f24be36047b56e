import { untilTrue } from './pipeline.ts';
import type { World } from './world.ts';

/** Imports records, one a line, and waits until workers have them all. */
export async function uploadLines(world: World, agentId: string, lines: readonly string[]): Promise<void> {
  const { status, body, text } = await world.ask('POST', `/app/agents/${agentId}/imports`, {
    as: await world.token(),
    payload: lines.join('\n'),
    headers: { 'content-type': 'application/x-ndjson' },
  });
  if (status !== 200) throw new Error(text);
  await untilTrue(async () => {
    const { body: now } = await world.get(`/app/agents/${agentId}/imports/${body.id}`, await world.token());
    return now.status === 'complete';
  });
}
