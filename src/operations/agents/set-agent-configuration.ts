import { agent as agentResource } from '../../contract/agent.ts';
import { fileConfiguration } from '../../contract/agent-settings.ts';
import { findReachableAgent } from '../../db/agents/read-agents.ts';
import { storeVersions } from '../../db/versions/versions.ts';
import { suggestFromVersion } from '../../db/watches/suggestions.ts';
import { sendsCalls } from '../../domain/vocabulary.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import { reachOf } from '../principal.ts';
import { toConfiguration, toDocument } from './file-configuration.ts';
import { presentAgent } from './present.ts';

const FIRST_VERSION = 1;

export const setAgentConfiguration = defineOperation({
  id: 'setAgentConfiguration',
  surface: 'app',
  method: 'PUT',
  path: '/app/agents/{agentId}/configuration',
  scope: 'person',
  tag: 'Agents',
  summary: 'Set prompt and tools of an agent that sends its calls',
  description:
    'What a platform would tell of itself: the analysis reads calls against it. It holds for calls that are analysed from now on. Each rule-like line of it becomes a suggested watch.',
  body: fileConfiguration,
  response: agentResource,
  async run(context, { body }) {
    const { em, agent } = context;
    if (!sendsCalls(agent.provider)) {
      throw new Failure('invalid_body', `The configuration of this agent is read from ${agent.provider}.`);
    }
    const version = body.version ?? FIRST_VERSION;
    const owner = { workspaceId: agent.workspaceId, agentId: agent.id };
    await storeVersions(em, owner, [
      {
        version,
        providerRef: null,
        isCurrent: version >= agent.currentVersion,
        changedAt: null,
        document: toDocument(body),
        configuration: toConfiguration(body, agent.name),
      },
    ]);
    await suggestFromVersion(em, owner);
    return presentAgent((await findReachableAgent(em, reachOf(context.principal), agent.id)) ?? agent);
  },
});
