import { newRun } from '../../contract/run.ts';
import type { AgentView } from '../../db/agents/read-agents.ts';
import type { AnswerKey } from '../../db/copilot/answers.ts';
import type { CopilotTools } from '../../services/copilot/answer-question.ts';
import { Failure } from '../failure.ts';
import type { PersonPrincipal } from '../principal.ts';
import { proposeRun } from '../runs/propose-run.ts';
import type { Services } from '../services.ts';
import { createPersonRunner, outcomeOf } from './as-person.ts';
import { createCite } from './cite.ts';
import { offerProposals } from './propose-tools.ts';
import { offerReads } from './read-tools.ts';

interface Conversing {
  person: PersonPrincipal;
  agent: AgentView;
  requestId: string;
  key: AnswerKey;
  mayGoOn(): Promise<boolean>;
}

/** What the model is given in a conversation of a person about an agent. */
export function openTools(services: Services, asked: Conversing): CopilotTools {
  const { person, agent, requestId, key, mayGoOn } = asked;
  const { operations } = services;
  const runner = createPersonRunner(services, person, { requestId });
  const em = () => services.database.within(person.workspaceId);
  const offered = [
    ...offerReads(operations, runner, agent.id),
    ...offerProposals(operations, runner, {
      em,
      key,
      agentId: agent.id,
      sayRun: (body) => em().transactional((tx) => proposeRun({ em: tx, agent }, newRun.parse(body), services.models)),
    }),
  ];
  const byName = new Map(offered.map((one) => [one.tool.name, one]));
  return {
    tools: offered.map(({ tool }) => tool),
    async call(name, input) {
      const found = byName.get(name);
      if (found) return found.call(input);
      return outcomeOf(async () => {
        throw new Failure('route_not_found', 'There is no tool of this name.');
      });
    },
    cite: createCite(operations, runner, agent.id),
    mayGoOn,
  };
}
