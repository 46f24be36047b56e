import { modelReading } from '../../contract/model-reading.ts';
import { tryNow } from '../../db/models/reader-standing.ts';
import { addToOutbox } from '../../services/outbox/add-to-outbox.ts';
import { READER_SIGNALS, readerEntry } from '../../temporal/model-reader.ts';
import { defineOperation } from '../operation.ts';
import { presentReading } from './present-reading.ts';

export const tryModelNow = defineOperation({
  id: 'tryModelNow',
  surface: 'app',
  method: 'POST',
  path: '/app/agents/{agentId}/model-reading/try-now',
  scope: 'person',
  tag: 'Agents',
  summary: 'End the present wait of the reading by a model',
  description:
    'Where it pauses, one call is asked about at once, and reading goes on if the model answers. What an account says of waiting, and bounds of money, stay.',
  response: modelReading,
  async run({ em, agent, services }) {
    await tryNow(em, agent.id);
    const owner = { workspaceId: agent.workspaceId, agentId: agent.id };
    await addToOutbox(em, { entry: readerEntry(owner, READER_SIGNALS.tryNow), ...owner });
    return presentReading(em, services, agent);
  },
});
