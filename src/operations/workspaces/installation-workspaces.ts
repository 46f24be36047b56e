import { listOf } from '../../contract/common.ts';
import { type InstallationWorkspaceResource, installationWorkspace } from '../../contract/installation.ts';
import { plan, planChange } from '../../contract/plan.ts';
import { countAgents } from '../../db/limits/plans.ts';
import { type InstallationWorkspaceRow, isWorkspaceOfPeople, listAllWorkspaces } from '../../db/system/installation.ts';
import { actIn } from '../../db/system/scope.ts';
import { allowancesOf } from '../../domain/limits/plans.ts';
import { defineOperation, type Parent } from '../operation.ts';
import { limitParam, timeCursor } from '../params.ts';
import { presentPlan } from '../plan/present-plan.ts';
import { writePlanChange } from '../plan/write-plan-change.ts';
import type { Services } from '../services.ts';

const anyWorkspace: Parent<{ id: string }> = {
  param: 'workspaceId',
  notFound: 'workspace_not_found',
  format: 'uuid',
  load: async (em, id) => ((await isWorkspaceOfPeople(em, id)) ? { id } : null),
};

export const listInstallationWorkspaces = defineOperation({
  id: 'listInstallationWorkspaces',
  surface: 'app',
  method: 'GET',
  path: '/app/installation/workspaces',
  scope: 'person',
  operatorOnly: true,
  tag: 'Installation',
  summary: 'List all workspaces of the installation',
  description:
    'By admins of the installation, whose workspace is the one made at its first start: who made each workspace, and what it may do. Nothing of their calls, oldest first.',
  query: { limit: limitParam(), cursor: timeCursor },
  response: listOf(installationWorkspace),
  async run(context, { query }) {
    const rows = await listAllWorkspaces(context.em, { after: query.cursor, limit: query.limit });
    const agents = new Map<string, number>();
    for (const { id } of rows) agents.set(id, await agentsOf(context.services, id));
    const show = (row: InstallationWorkspaceRow) => present(row, agents.get(row.id) ?? 0);
    return context.page(rows, query.limit, show, (row) => [row.createdAt, row.id]);
  },
});

const agentsOf = ({ database }: Services, workspaceId: string) =>
  countAgents(database.within(workspaceId), workspaceId);

function present(row: InstallationWorkspaceRow, agents: number): InstallationWorkspaceResource {
  const { id, name, set, storageLimitMib, members, madeBy, madeByEmail, createdAt } = row;
  return {
    object: 'installation_workspace',
    id,
    name,
    plan: row.plan,
    aiAllowanceUsd: allowancesOf(row.plan, set).aiAllowanceUsd,
    storageMib: storageLimitMib,
    members,
    agents,
    madeBy: madeBy === null ? null : { id: madeBy, email: madeByEmail },
    createdAt,
  };
}

export const getInstallationPlan = defineOperation({
  id: 'getInstallationPlan',
  surface: 'app',
  method: 'GET',
  path: '/app/installation/workspaces/{workspaceId}/plan',
  scope: 'person',
  operatorOnly: true,
  tag: 'Installation',
  summary: 'Read the plan of any workspace',
  description: 'By admins of the installation: what it includes, what was set in its place, and what is used.',
  parents: [anyWorkspace],
  response: plan,
  async run(context) {
    const { id } = context.parent(anyWorkspace);
    return presentPlan(context.services.database.within(id), context.services, id);
  },
});

export const changeInstallationPlan = defineOperation({
  id: 'changeInstallationPlan',
  surface: 'app',
  method: 'PATCH',
  path: '/app/installation/workspaces/{workspaceId}/plan',
  scope: 'person',
  operatorOnly: true,
  inPerson: true,
  tag: 'Installation',
  summary: 'Change the plan of any workspace',
  description: 'By admins of the installation, as `PATCH /app/plan` changes the one that they act in.',
  parents: [anyWorkspace],
  body: planChange,
  response: plan,
  async run(context, { body }) {
    const { em, services } = context;
    const { id } = context.parent(anyWorkspace);
    return actIn(em, id, async () => {
      await writePlanChange(em, services, id, body);
      return presentPlan(em, services, id);
    });
  },
});
