import { z } from 'zod';
import { uuid } from '../../contract/common.ts';
import { newApiKey } from '../../contract/key.ts';
import { plainText } from '../../contract/text.ts';
import { findReachableAgent } from '../../db/agents/read-agents.ts';
import { insertKey } from '../../db/system/keys.ts';
import { KEY_ACCESSES } from '../../domain/vocabulary.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import { reachOf } from '../principal.ts';
import { presentKey } from './present-key.ts';
import { newKeySecret, secretHash } from './secrets.ts';

const DEFAULT_BUDGET_USD = 50;
const MOST_BUDGET_USD = 100_000;

export const createKey = defineOperation({
  id: 'createKey',
  surface: 'app',
  method: 'POST',
  path: '/app/keys',
  scope: 'person',
  tag: 'Keys',
  summary: 'Make a key',
  description: 'The value is in this answer and never shown again. Only an admin makes a key with write access.',
  body: z.strictObject({
    name: plainText(1, 100),
    access: z.enum(KEY_ACCESSES),
    agentId: uuid.nullish(),
    monthlyBudgetUsd: z.number().min(0).max(MOST_BUDGET_USD).nullish(),
  }),
  response: newApiKey,
  showsSecret: true,
  async run(context, { body }) {
    const person = context.person();
    if (body.access === 'write' && person.role !== 'admin') {
      throw new Failure('admin_only', 'Only an admin of this workspace makes a key with write access.');
    }
    if (body.access === 'read' && typeof body.monthlyBudgetUsd === 'number') {
      throw new Failure('invalid_parameter', 'A read key spends nothing, so it has no budget.', {
        param: 'monthlyBudgetUsd',
      });
    }
    const agentId = body.agentId?.toLowerCase() ?? null;
    if (agentId !== null && !(await findReachableAgent(context.em, reachOf(person), agentId))) {
      throw new Failure('agent_not_found', 'There is no agent with this id that you can reach.', { param: 'agentId' });
    }
    const secret = newKeySecret();
    const key = await insertKey(context.em, {
      workspaceId: person.workspaceId,
      name: body.name,
      access: body.access,
      agentId,
      monthlyBudgetUsd: body.access === 'write' ? (body.monthlyBudgetUsd ?? DEFAULT_BUDGET_USD) : null,
      secretHash: secretHash(secret),
      prefix: secret.slice(0, 10),
      createdBy: person.personId,
    });
    return { ...presentKey(key), key: secret };
  },
});
