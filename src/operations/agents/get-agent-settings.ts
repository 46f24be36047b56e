import { settingsInForce } from '../../contract/agent-settings.ts';
import { readAgentSettings } from '../../db/agents/write-agents.ts';
import { readModelPolicy } from '../../db/models/model-policy.ts';
import { defineOperation } from '../operation.ts';
import { presentRetention } from './retention.ts';

export const getAgentSettings = defineOperation({
  id: 'getAgentSettings',
  surface: 'app',
  method: 'GET',
  path: '/app/agents/{agentId}/settings',
  scope: 'person',
  tag: 'Agents',
  summary: 'Read the settings of an agent',
  description: 'Everything that can be changed, as it is in force.',
  response: settingsInForce,
  async run({ em, agent }) {
    const settings = await readAgentSettings(em, agent.id);
    if (!settings) throw new Error('An agent that was just found is not there.');
    const { returned } = await readModelPolicy(em, agent.id);
    const kept = await presentRetention(em, agent);
    return { object: 'agent_settings' as const, ...settings, ...kept, modelReturned: returned };
  },
});
