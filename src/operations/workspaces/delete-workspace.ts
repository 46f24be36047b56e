import { erasure } from '../../contract/erasure.ts';
import { keepUsage } from '../../db/system/left-usage.ts';
import { findMaker, lockWorkspace } from '../../db/system/members.ts';
import { findInstallationWorkspace } from '../../db/system/setup.ts';
import { beginErasure } from '../../services/erasures/erase-owner.ts';
import { presentErasure } from '../erasures/present.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import { makerKeys } from './maker-key.ts';

export const deleteWorkspace = defineOperation({
  id: 'deleteWorkspace',
  surface: 'app',
  method: 'DELETE',
  path: '/app/workspace',
  scope: 'person',
  role: 'admin',
  inPerson: true,
  tag: 'Erasure',
  summary: 'Delete the workspace with all its agents',
  description:
    "Everybody is signed out of it at once, its keys and tokens end, its work is stopped, and every row of it is removed, with the people who belong to no other workspace and made none that stays. It can not be undone. What is left is the report, in the operator's record of erasures, and for a month what it used of its allowances, which counts for the next workspace of its maker. The workspace of the installation itself can not be deleted.",
  response: erasure,
  refuses: ['workspace_needed'],
  async run({ em, person, services }) {
    const { workspaceId, personId: requestedBy } = person();
    await lockWorkspace(em, workspaceId);
    if ((await findInstallationWorkspace(em)) === workspaceId) {
      throw new Failure('workspace_needed', 'Its admins run the installation: this workspace can not be deleted.');
    }
    const madeBy = await findMaker(em, workspaceId);
    if (madeBy !== null) {
      const [maker] = await makerKeys(em, services, madeBy);
      await keepUsage(em, workspaceId, maker);
    }
    return presentErasure(await beginErasure(em, { workspaceId, agentId: null, requestedBy }));
  },
});
