import { z } from 'zod';
import { agentBrief } from '../../contract/brief.ts';
import { startedImport } from '../../contract/import.ts';
import { editBrief, findBrief, approveBrief as writeApproval } from '../../db/agents/briefs.ts';
import { createImport } from '../../db/imports/imports.ts';
import { findImport } from '../../db/imports/read-imports.ts';
import { sendsCalls } from '../../domain/vocabulary.ts';
import { Failure } from '../failure.ts';
import { orderImport } from '../imports/order-import.ts';
import { presentImport } from '../imports/present.ts';
import { defineOperation } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';
import { briefOf, presentBrief } from './brief.ts';

const FIRST_CALLS = 500;

export const approveBrief = defineOperation({
  id: 'approveBrief',
  surface: 'app',
  method: 'POST',
  path: '/app/agents/{agentId}/brief/approve',
  scope: 'person',
  tag: 'Agents',
  summary: "Approve an agent's brief",
  description:
    'Starts the first import: the newest 500 calls of the last 30 days. Calls that end later follow by themselves. An agent that sends its calls has nothing to import: its brief is kept as it is, and is the answer.',
  body: z.strictObject({}).optional(),
  response: z.union([startedImport, agentBrief]),
  prepare: briefOf,
  async run({ em, agent, services }, _, { brief }) {
    if (!(await writeApproval(em, agent.id))) {
      throw new Failure('brief_decided', 'The brief of this agent was approved already.');
    }
    if (sendsCalls(agent.provider)) {
      await editBrief(em, agent.id, {}, brief);
      return presentBrief({ setupStatus: 'approved' }, await findBrief(em, agent.id));
    }
    const request = await createImport(em, {
      workspaceId: agent.workspaceId,
      agentId: agent.id,
      kind: 'first',
      limit: FIRST_CALLS,
      from: null,
    });
    await orderImport(em, services, agent, request);
    const row = await findImport(em, scopeOf(agent), request.importId);
    if (!row) throw new Error('An import that was just made is not there.');
    return { ...presentImport(row), badLines: [] };
  },
});
