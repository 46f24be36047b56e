import { importResource } from '../../contract/import.ts';
import { addToOutbox } from '../../services/outbox/add-to-outbox.ts';
import { IMPORT_SIGNALS, importMessageEntry } from '../../temporal/import-calls.ts';
import { Failure } from '../failure.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { importParent } from './parent.ts';
import { presentImport } from './present.ts';

interface Message {
  id: string;
  path: string;
  signal: (typeof IMPORT_SIGNALS)[keyof typeof IMPORT_SIGNALS];
  summary: string;
  description: string;
}

/** Messages to an import that goes on; one that has ended has nothing left to do. */
const messageOperation = ({ id, path, signal, summary, description }: Message): Operation =>
  defineOperation({
    id,
    surface: 'app',
    method: 'POST',
    path: `/app/agents/{agentId}/imports/{importId}/${path}`,
    scope: 'person',
    tag: 'Imports',
    summary,
    description,
    parents: [importParent],
    response: importResource,
    async run(context) {
      const { em, agent } = context;
      const row = context.parent(importParent);
      if (row.finishedAt !== null) throw new Failure('import_finished', 'This import has ended.');
      const entry = importMessageEntry({ importId: row.id, attempt: row.attempt }, signal);
      await addToOutbox(em, { entry, workspaceId: agent.workspaceId, agentId: agent.id });
      return presentImport(row);
    },
  });

export const pauseImport = messageOperation({
  id: 'pauseImport',
  path: 'pause',
  signal: IMPORT_SIGNALS.pause,
  summary: 'Pause an import',
  description: 'It stops after the page that it is on, until it is told to go on.',
});

export const resumeImport = messageOperation({
  id: 'resumeImport',
  path: 'go-on',
  signal: IMPORT_SIGNALS.goOn,
  summary: 'Let a paused import go on',
  description: 'It takes up where it stopped.',
});

export const tryImportNow = messageOperation({
  id: 'tryImportNow',
  path: 'try-now',
  signal: IMPORT_SIGNALS.tryNow,
  summary: 'End the present wait of an import',
  description: 'It asks the platform again at once.',
});

export const cancelImport = messageOperation({
  id: 'cancelImport',
  path: 'cancel',
  signal: IMPORT_SIGNALS.cancel,
  summary: 'Cancel an import',
  description: 'Nothing new is taken from the platform; what is stored is kept and analysed.',
});
