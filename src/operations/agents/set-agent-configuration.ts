import { agent as agentResource } from '../../contract/agent.ts';
import { fileConfiguration } from '../../contract/agent-settings.ts';
import { findReachableAgent } from '../../db/agents/read-agents.ts';
import { storeVersions } from '../../db/versions/versions.ts';
import { tooLargeFor } from '../../domain/versions/version-bounds.ts';
import { sendsCalls } from '../../domain/vocabulary.ts';
import { suggestFromVersion } from '../../services/watches/suggest-from-version.ts';
import { Failure } from '../failure.ts';
import { orRefused } from '../imports/read-lines.ts';
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
    const { em, agent, services } = context;
    if (!sendsCalls(agent.provider)) {
      throw new Failure('invalid_body', `The configuration of this agent is read from ${agent.provider}.`);
    }
    const version = body.version ?? Math.max(agent.currentVersion, FIRST_VERSION);
    const [document, configuration] = [toDocument(body), toConfiguration(body, agent.name)];
    const tooLarge = tooLargeFor(document, configuration);
    if (tooLarge !== null) throw new Failure('invalid_body', `The configuration is too large. ${tooLarge}`);
    const owner = { workspaceId: agent.workspaceId, agentId: agent.id };
    await storeVersions(em, owner, [
      {
        version,
        providerRef: null,
        isCurrent: version >= agent.currentVersion,
        changedAt: null,
        document,
        configuration,
      },
    ]);
    await orRefused(suggestFromVersion(em, services.analyser, owner));
    return presentAgent((await findReachableAgent(em, reachOf(context.principal), agent.id)) ?? agent);
  },
});
