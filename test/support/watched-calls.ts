import { type JudgedWhileRead, judgeStored, liveWatches } from '../../src/db/watches/live.ts';
import { storeBatch } from '../../src/services/analysis/store-batch.ts';
import { makeAnalysis, testKnowledge, turn } from './analysed-calls.ts';
import { minute, seedCalls } from './seed.ts';
import type { World } from './world.ts';

/** A call on which the agent says goodbye, or does not. */
export const spoken = (name: string, saysGoodbye: boolean, startedAt: string = minute(0)) => ({
  call: {
    providerCallId: name,
    startedAt,
    turns: [
      turn(0, 'agent', 'Hello, how can I help?'),
      turn(1, 'caller', 'I want to book a table for two.'),
      turn(2, 'agent', saysGoodbye ? 'It is booked. Goodbye!' : 'It is booked.'),
    ],
  },
  analysis: {},
});

/** Stores calls and reads them as an import does: judged by the watches that are live. @returns their ids. */
export async function readWatched(
  world: World,
  agentId: string,
  calls: ReturnType<typeof spoken>[],
): Promise<string[]> {
  const callIds = await seedCalls(
    world,
    agentId,
    calls.map(({ call }) => ({ call, analysis: null })),
  );
  await readAgain(world, agentId, callIds, await liveWatches(world.database.within(world.workspaceId), agentId));
  return callIds;
}

/** Reads stored calls anew. */
export async function readAgain(
  world: World,
  agentId: string,
  callIds: readonly string[],
  by: JudgedWhileRead['by'],
  analysis: Parameters<typeof makeAnalysis>[0] = {},
): Promise<void> {
  const em = () => world.database.within(world.workspaceId);
  const judged = await judgeStored(em(), agentId, callIds, by);
  const analyses = callIds.map((callId) => ({
    callId,
    analysis: makeAnalysis(analysis),
    judged: { ...(judged.get(callId) ?? { verdicts: [], notComputable: [] }), by },
  }));
  await storeBatch(em(), testKnowledge, { workspaceId: world.workspaceId, agentId, analyses });
}
