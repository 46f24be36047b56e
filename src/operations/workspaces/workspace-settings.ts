import { type WorkspaceSettings, workspaceChange, workspaceSettings } from '../../contract/retention.ts';
import type { EntityManager } from '../../db/database.ts';
import { lockWorkspace } from '../../db/system/members.ts';
import { findWorkspace, updateWorkspace } from '../../db/system/retention.ts';
import { changeRetention, retentionInForce } from '../../domain/retention/retention.ts';
import { addToOutbox } from '../../services/outbox/add-to-outbox.ts';
import { retentionEntry } from '../../temporal/keep-retention.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';

export const getWorkspace = defineOperation({
  id: 'getWorkspace',
  surface: 'app',
  method: 'GET',
  path: '/app/workspace',
  scope: 'person',
  tag: 'People',
  summary: 'Read the workspace',
  description: 'Its name, and how long its calls are kept where an agent has nothing of its own.',
  response: workspaceSettings,
  async run({ em, person }) {
    return present(await requireWorkspace(em, person().workspaceId));
  },
});

export const updateWorkspaceSettings = defineOperation({
  id: 'updateWorkspace',
  surface: 'app',
  method: 'PATCH',
  path: '/app/workspace',
  scope: 'person',
  role: 'admin',
  tag: 'People',
  summary: 'Change the workspace',
  description:
    'Its name, and how long its calls are kept. What is due by a shorter time is removed at once, and can not be brought back.',
  body: workspaceChange,
  response: workspaceSettings,
  async run({ em, person }, { body }) {
    const { name, retention } = body;
    if (name === undefined && retention === undefined) {
      throw new Failure('invalid_body', 'Name at least one setting to change.');
    }
    const { workspaceId } = person();
    await lockWorkspace(em, workspaceId);
    const before = await requireWorkspace(em, workspaceId);
    const after = { name: name ?? before.name, retention: changeRetention(before.retention, retention ?? {}) };
    await updateWorkspace(em, workspaceId, after);
    if (retention) await addToOutbox(em, { entry: retentionEntry(), workspaceId, agentId: null });
    return present({ ...before, ...after });
  },
});

type Workspace = NonNullable<Awaited<ReturnType<typeof findWorkspace>>>;

async function requireWorkspace(em: EntityManager, workspaceId: string): Promise<Workspace> {
  const found = await findWorkspace(em, workspaceId);
  if (!found) throw new Error('The workspace of a person who signed in is not there.');
  return found;
}

const present = ({ id, name, retention }: Workspace): WorkspaceSettings => ({
  object: 'workspace',
  id,
  name,
  retention: retentionInForce(retention),
});
