import { z } from 'zod';
import { importResource } from '../../contract/import.ts';
import { plainText } from '../../contract/text.ts';
import { addToOutbox } from '../../services/outbox/add-to-outbox.ts';
import { IMPORT_SIGNALS, importMessageEntry } from '../../temporal/import-calls.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import { importParent } from './parent.ts';
import { presentImport } from './present.ts';

const skippedCall = z.strictObject({
  providerCallId: plainText(1, 400).describe("The platform's id of the call."),
  reason: plainText(1, 300)
    .transform((text) => text.trim())
    .describe('Stands beside the call for everybody.'),
});

export const skipCall = defineOperation({
  id: 'skipCall',
  surface: 'app',
  method: 'POST',
  path: '/app/agents/{agentId}/imports/{importId}/skip',
  scope: 'person',
  tag: 'Imports',
  summary: 'Skip one call of a running import',
  description:
    'The call is kept with the reason and not asked for again, the present wait ends, and the import goes on without it. Retrying the import takes it up again. Recorded in the audit log.',
  parents: [importParent],
  body: skippedCall,
  response: importResource,
  async run(context, { body }) {
    const { em, agent } = context;
    const row = context.parent(importParent);
    if (row.finishedAt !== null) throw new Failure('import_finished', 'This import has ended.');
    const entry = importMessageEntry({ importId: row.id, attempt: row.attempt }, IMPORT_SIGNALS.skipItem, body);
    await addToOutbox(em, { entry, workspaceId: agent.workspaceId, agentId: agent.id });
    return presentImport(row);
  },
});
