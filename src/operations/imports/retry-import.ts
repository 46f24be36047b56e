import { importResource } from '../../contract/import.ts';
import { reopenImport } from '../../db/imports/imports.ts';
import { findImport } from '../../db/imports/read-imports.ts';
import { addToOutbox } from '../../services/outbox/add-to-outbox.ts';
import { IMPORT_SIGNALS, importMessageEntry } from '../../temporal/import-calls.ts';
import { defineOperation } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';
import { orderImport } from './order-import.ts';
import { importParent } from './parent.ts';
import { presentImport } from './present.ts';

export const retryImport = defineOperation({
  id: 'retryImport',
  surface: 'app',
  method: 'POST',
  path: '/app/agents/{agentId}/imports/{importId}/retry',
  scope: 'person',
  tag: 'Imports',
  summary: 'Try again what an import kept with a reason',
  description: 'A running import takes it up after its listing; a finished one is opened again.',
  parents: [importParent],
  response: importResource,
  async run(context) {
    const { em, agent, services } = context;
    const row = context.parent(importParent);
    const reopened = await reopenImport(em, agent.id, row.id);
    if (reopened) await orderImport(em, services, agent, reopened);
    else {
      const entry = importMessageEntry({ importId: row.id, attempt: row.attempt }, IMPORT_SIGNALS.retryFailed);
      await addToOutbox(em, { entry, workspaceId: agent.workspaceId, agentId: agent.id });
    }
    return presentImport((await findImport(em, scopeOf(agent), row.id)) ?? row);
  },
});
