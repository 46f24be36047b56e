import type { EntityManager } from '../../db/database.ts';
import { readModelPolicy, reopenReadings, type StandingPolicy } from '../../db/models/model-policy.ts';
import { readerEntry } from '../../temporal/model-reader.ts';
import { addToOutbox } from '../outbox/add-to-outbox.ts';

/**
 * After something changed what the agent's model may do: has the readings that are concerned derived again by the agent's
 * reader, which takes off or adds the model's signals with every sum by difference, and asks nothing. In the transaction
 * of the change. @param before the policy as it was.
 */
export async function layAnew(
  em: EntityManager,
  agent: { id: string; workspaceId: string },
  before: StandingPolicy,
): Promise<void> {
  const now = await readModelPolicy(em, agent.id);
  const isReturned = ({ returned }: StandingPolicy, code: string) => returned.some((one) => one.code === code);
  const codes = [...new Set([...before.returned, ...now.returned].map(({ code }) => code))];
  const turned = codes.filter((code) => isReturned(before, code) !== isReturned(now, code));
  let laid = 0;
  if (before.mode !== now.mode) laid = await reopenReadings(em, agent.id, null);
  else for (const code of turned) laid += await reopenReadings(em, agent.id, code);
  // A reader that stood still while it was off has calls that wait.
  if (laid === 0 && before.mode === now.mode) return;
  const owner = { workspaceId: agent.workspaceId, agentId: agent.id };
  await addToOutbox(em, { entry: readerEntry(owner), ...owner });
}
