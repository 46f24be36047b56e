import { z } from 'zod';
import { type WorkspaceResource, workspace } from '../../contract/member.ts';
import { plainText } from '../../contract/text.ts';
import { listSharedDemoAgents } from '../../db/connections/connections.ts';
import { takeLeftUsage } from '../../db/system/left-usage.ts';
import { countMadeWorkspaces, findAnswerable, insertWorkspace } from '../../db/system/members.ts';
import { dropPasswordLinks } from '../../db/system/people.ts';
import { actIn } from '../../db/system/scope.ts';
import { holdOwnAccount } from '../access/password-given.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import { copyDemoAgent } from '../setup/demo-agent.ts';
import { makerKeys } from './maker-key.ts';

export const createWorkspace = defineOperation({
  id: 'createWorkspace',
  surface: 'app',
  method: 'POST',
  path: '/app/workspaces',
  scope: 'person',
  role: 'viewer',
  tag: 'People',
  summary: 'Make another workspace',
  description:
    'You become its admin. How many a person makes is bounded; one made by an account that a provider did not vouch for counts for whoever made the workspace that took it in. It begins with the plan, the AI allowance and the storage that the installation gives new workspaces, with what one that was deleted within the month had used of them counted, and gets its own copy of the first demo agent. Ask for a session token with its id to work in it.',
  body: z.strictObject({ name: plainText(1, 100) }),
  refuses: ['too_many_workspaces', 'password_given'],
  response: workspace,
  async run(context, { body }): Promise<WorkspaceResource> {
    const { em, services } = context;
    const { personId } = context.person();
    await holdOwnAccount(em, context.person());
    const madeBy = await findAnswerable(em, personId);
    const makers = await makerKeys(em, services, madeBy);
    if ((await countMadeWorkspaces(em, madeBy, makers)) >= services.workspacesAPerson) {
      const message = `Nobody makes more than ${services.workspacesAPerson} workspaces here. Who runs this installation can allow more.`;
      throw new Failure('too_many_workspaces', message);
    }
    const id = await insertWorkspace(em, { name: body.name, admin: personId, madeBy, terms: services.newWorkspaces });
    await actIn(em, id, () => takeLeftUsage(em, id, makers));
    await dropPasswordLinks(em, personId);
    const [first] = await listSharedDemoAgents(em);
    if (first) await actIn(em, id, () => copyDemoAgent(em, services, first, id));
    return { object: 'workspace', id, name: body.name };
  },
});
