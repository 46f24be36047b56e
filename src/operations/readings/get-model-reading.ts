import { modelReading } from '../../contract/model-reading.ts';
import { defineOperation } from '../operation.ts';
import { presentReading } from './present-reading.ts';

export const getModelReading = defineOperation({
  id: 'getModelReading',
  surface: 'app',
  method: 'GET',
  path: '/app/agents/{agentId}/model-reading',
  scope: 'person',
  tag: 'Agents',
  summary: 'How the reading of calls by a model stands',
  description:
    'Which model reads, how many calls it has read and how many wait, what it took and cost in the present month with the part that caches held, why it pauses, and about what 1,000 calls cost.',
  response: modelReading,
  async run({ em, agent, services }) {
    return presentReading(em, services, agent);
  },
});
