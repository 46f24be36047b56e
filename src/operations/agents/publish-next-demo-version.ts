import { z } from 'zod';
import { type DemoVersionOrder, demoVersionOrder } from '../../contract/demo.ts';
import { newId } from '../../ids.ts';
import { coordinatorOf } from '../../services/agents/coordinator-input.ts';
import { addToOutbox } from '../../services/outbox/add-to-outbox.ts';
import { nextDemoVersionEntry } from '../../temporal/next-demo-version.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';

export const publishNextDemoVersion = defineOperation({
  id: 'publishNextDemoVersion',
  surface: 'app',
  method: 'POST',
  path: '/app/agents/{agentId}/demo/next-version',
  scope: 'person',
  tag: 'Agents',
  summary: 'Publish another version of a copied demo agent',
  description:
    'The demo platform changes the configuration of this copy, one thing a version and in turns for better and for worse, and takes calls on it. Both stand in the versions, calls and comparisons of the agent within seconds. Other copies and the shared demo agent stay as they are.',
  body: z.strictObject({}).optional(),
  response: demoVersionOrder,
  async run({ em, agent, services }): Promise<DemoVersionOrder> {
    if (agent.provider !== 'demo') {
      const message = 'Only a copy of a demo agent gets versions this way. Make one: POST /app/agents/copy-demo.';
      throw new Failure('invalid_parameter', message, { param: 'agentId' });
    }
    const { id: agentId, workspaceId, name, provider } = agent;
    const requestId = newId();
    const coordinator = coordinatorOf({ agentId, workspaceId, name, provider }, services.polling);
    await addToOutbox(em, { entry: nextDemoVersionEntry({ desk: coordinator, requestId }), workspaceId, agentId });
    const message =
      'The demo platform publishes another version, and its calls are fetched at once. It stands first in the versions of this agent when that is done.';
    return { object: 'demo_version_order', id: requestId, agentId, message };
  },
});
