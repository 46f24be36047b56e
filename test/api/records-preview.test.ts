import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RecordsPreview } from '../../src/contract/records-preview.ts';
import { createWorld, expectFailure, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const preview = async (records: readonly unknown[]) =>
  world.ask('POST', '/app/records/preview', {
    as: await world.token(),
    payload: records.map((record) => JSON.stringify(record)).join('\n'),
    headers: { 'content-type': 'application/x-ndjson' },
  });

const full = {
  id: 'a',
  startedAt: '2026-03-01T10:00:00.000Z',
  callerNumber: '+15550100',
  endedBy: 'caller',
  turns: [
    { role: 'agent', text: 'Hello.', startMs: 120, endMs: 1_530 },
    { role: 'caller', text: 'Book a table.', startMs: 2_010, endMs: 3_420 },
    { role: 'agent', text: '', startMs: 3_500, toolCall: { id: 'c', name: 'book', args: {} } },
    { role: 'tool', startMs: 4_600, toolResult: { id: 'c', ok: false } },
  ],
};
const bare = { id: 'b', messages: [{ role: 'user', content: 'Hello?' }] };

test('says what is understood, what is missing and what that costs, and what cannot be read', async () => {
  const { status, body } = await preview([full, bare, { id: 'c', messages: [{ role: 'wizard' }] }]);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    records: 3,
    readable: 2,
    understood: { callerTurns: 2, agentTurns: 1, toolCalls: 1, toolResults: 1, failedTools: 1, unclearTools: 0 },
    refused: [{ line: 3, field: 'messages[0].role', reason: expect.stringContaining('wizard') }],
    formats: [
      { format: 'Earshot record', records: 1 },
      { format: 'chat messages', records: 1 },
    ],
    warnings: [],
  });
  const [ours, theirs] = body.formats.map(({ notComputable }: RecordsPreview['formats'][number]) =>
    notComputable.reduce((sum, { codes }) => sum + codes, 0),
  );
  expect(theirs).toBeGreaterThan(ours);
  expect(body.formats[1].notComputable).toContainEqual({
    codes: expect.any(Number),
    reason: expect.stringContaining('holds no tool calls'),
  });
  expect(body.missing.map(({ field, records }: { field: string; records: number }) => [field, records])).toEqual([
    ['startMs and endMs of turns', 1],
    ['toolCall and toolResult', 1],
    ['startedAt', 1],
    ['disconnectionReason or endedBy', 1],
    ['callerNumber', 1],
  ]);
  expect(body.missing.every(({ costs }: { costs: string }) => costs.length > 20)).toBe(true);
});

test('a full record lacks nothing', async () => {
  expect((await preview([full])).body).toMatchObject({ readable: 1, missing: [], refused: [] });
});

test('a body that holds no lines is refused', async () => {
  const answer = await world.ask('POST', '/app/records/preview', { as: await world.token(), body: {} });
  expect(answer.status).toBe(400);
  expectFailure(await world.ask('POST', '/app/records/preview', { as: world.writeKey }), 403, 'people_only');
});
