import { expect, test } from 'vitest';
import { importEntry } from '../../src/temporal/agent-coordinator.ts';
import { deliverNowEntry, deliveryEntry } from '../../src/temporal/deliver-webhook.ts';
import { importMessageEntry } from '../../src/temporal/import-calls.ts';
import { entryOfRow, type OutboxEntry, rowOfEntry } from '../../src/temporal/outbox.ts';
import { decideEntry } from '../../src/temporal/run-tests.ts';

const delivery = { deliveryId: 'd', workspaceId: 'w', agentId: null, event: 'run.completed', again: 0 };
const key = { importId: 'i', attempt: 2 };

test.each<[string, OutboxEntry]>([
  ['a start', deliveryEntry(delivery)],
  ['a message without content that starts what is missing', deliverNowEntry(delivery)],
  ['a message that starts what is missing', importEntry({ agentId: 'a', workspaceId: 'w', pollSeconds: null }, key)],
  ['a message to what is there', importMessageEntry(key, 'skipItem', { providerCallId: 'c' })],
  ['a message without content to what is there', importMessageEntry(key, 'pause')],
  ['a decision', decideEntry({ runId: 'r' }, { decisionId: 'x', decision: 'approved' })],
])('%s is read from the outbox as it was written', (_what, entry) => {
  const stored = JSON.parse(JSON.stringify(rowOfEntry(entry)));
  expect(entryOfRow(stored)).toEqual(entry);
});

test('an entry for a workflow that this release does not have is refused with its name', () => {
  const row = { ...rowOfEntry(deliveryEntry(delivery)), workflow: 'writePoems' };
  expect(() => entryOfRow(row)).toThrow('No workflow is named writePoems.');
});
