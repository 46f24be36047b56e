import { existsSync, readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/domain/json.ts';
import { createFileReader } from '../../src/platforms/file/reader.ts';
import { UnreadableCall } from '../../src/platforms/port.ts';
import { readOrRefuse } from '../support/attempt.ts';

const NOW_MS = Date.UTC(2026, 10, 1);
const reader = createFileReader(() => NOW_MS);
const read = (over: JsonObject) => reader.normalise({ id: 'r1', turns: [], ...over });
const turn = (role: string, text: string, startMs: number | null = null, endMs: number | null = null): JsonObject => ({
  role,
  text,
  startMs,
  endMs,
});

describe('a record', () => {
  test('turns keep their positions, tool calls and results stay apart', () => {
    const call = read({
      turns: [
        turn('caller', 'Weather?'),
        { ...turn('agent', ''), toolCall: { name: 'weather', args: { city: 'Oslo' } } },
        { ...turn('tool', ''), toolResult: { ok: null, name: 'weather', body: { sky: 'clear' } } },
        turn('agent', 'Clear.'),
      ],
    });
    expect(call.turns.map(({ index, role }) => [index, role])).toEqual([
      [0, 'caller'],
      [1, 'agent'],
      [2, 'tool'],
      [3, 'agent'],
    ]);
    expect(call.turns[1]?.toolCall).toEqual({ id: null, name: 'weather', args: { city: 'Oslo' } });
    expect(call.turns[2]?.toolResult).toMatchObject({ name: 'weather', ok: true, okSource: 'body', latencyMs: null });
    expect(call).toMatchObject({
      providerCallId: 'r1',
      version: 1,
      direction: 'inbound',
      timing: 'none',
      channel: 'unknown',
      language: null,
      callerNumber: null,
    });
  });

  test('the fields that a record may add are read', () => {
    const call = read({
      callerNumber: '+12025550199',
      version: 3,
      disconnectionReason: 'caller hung up',
      endedBy: 'caller',
      language: 'de-DE',
      channel: 'text',
      direction: 'web',
    });
    expect(call).toMatchObject({
      callerNumber: '+12025550199',
      version: 3,
      disconnectionReason: 'caller hung up',
      language: 'de-DE',
      channel: 'text',
      direction: 'web',
    });
    expect(call.ending).toEqual({ hint: 'unknown', family: 'caller_end', endedBy: 'caller' });
  });

  test("labels are never read, whoever's they are", () => {
    const labels = { callerId: '+12025550111', outcome: 'resolved' };
    expect(read({ labels })).toEqual(read({}));
    const trap = Object.defineProperty({ id: 'r1', turns: [] as Json[] }, 'labels', {
      enumerable: true,
      get() {
        throw new Error('The labels were read.');
      },
    });
    expect(() => reader.normalise(trap)).not.toThrow();
  });

  test('without turns both sides count as not recorded, unless the call was over before a word can be said', () => {
    const startedAt = '2026-10-01T10:00:00Z';
    expect(read({}).notRecorded).toEqual(['caller', 'agent']);
    expect(read({ startedAt }).notRecorded).toEqual(['caller', 'agent']);
    expect(read({ startedAt, endedAt: '2026-10-01T10:00:04Z' }).notRecorded).toEqual(['caller', 'agent']);
    expect(read({ startedAt, endedAt: startedAt }).notRecorded).toBeUndefined();
  });

  test('a missing answer of a tool decides nothing', () => {
    const call = read({ turns: [{ ...turn('agent', ''), toolCall: { name: 'a', args: {} } }] });
    expect(call.turns).toHaveLength(1);
  });

  test('steps come from the turns', () => {
    const call = read({
      turns: [
        { ...turn('agent', 'a'), nodeId: 'n1' },
        { ...turn('caller', 'b'), nodeId: 'n1' },
        { ...turn('agent', 'c'), nodeId: 'n2' },
      ],
    });
    expect(call.transitions.map(({ atTurn, fromId, toId }) => [atTurn, fromId, toId])).toEqual([
      [0, null, 'n1'],
      [2, 'n1', 'n2'],
    ]);
  });

  test.each<[string, JsonObject[], string, string]>([
    [
      'starts and ends',
      [turn('agent', 'a', 410, 1_900), turn('caller', 'b', 2_500, 3_100), turn('agent', 'c', 3_900, 5_200)],
      'exact',
      'voice',
    ],
    ['starts alone', [turn('agent', 'a', 0), turn('caller', 'b', 7_000)], 'approx', 'unknown'],
    [
      'whole seconds',
      [turn('agent', 'a', 0, 1_000), turn('caller', 'b', 2_000, 3_000), turn('agent', 'c', 4_000, 5_000)],
      'approx',
      'unknown',
    ],
    ['an end before its start', [turn('agent', 'a', 500, 100), turn('caller', 'b', 2_000, 3_100)], 'approx', 'unknown'],
    [
      'half a minute between turns',
      [turn('agent', 'a', 10, 1_100), turn('caller', 'b', 31_000, 33_100), turn('agent', 'c', 61_500, 62_000)],
      'exact',
      'unknown',
    ],
    ['no times', [turn('agent', 'a'), turn('caller', 'b')], 'none', 'unknown'],
    [
      'times of all but one',
      [turn('agent', 'a', 10, 1_100), turn('caller', 'b', 2_000, 3_100), turn('agent', 'c', 4_000)],
      'exact',
      'voice',
    ],
    ['times of one of two', [turn('agent', 'a', 10, 1_100), turn('caller', 'b', 2_000)], 'approx', 'unknown'],
  ])('%s: timing %s, channel %s', (_what, turns, timing, channel) => {
    expect(read({ turns })).toMatchObject({ timing, channel });
  });

  test('words in either form', () => {
    const call = read({
      turns: [
        {
          ...turn('caller', 'hi there'),
          words: [
            { text: 'hi', startMs: 100, endMs: 300, confidence: 0.4 },
            { word: 'there', start: 0.35, end: 0.6 },
            { word: 'x' },
          ],
        },
      ],
    });
    expect(call.turns[0]?.words).toEqual([
      { text: 'hi', startMs: 100, endMs: 300, confidence: 0.4 },
      { text: 'there', startMs: 350, endMs: 600, confidence: null },
    ]);
    expect(call.channel).toBe('voice');
  });

  test('exact times give the latency of tools', () => {
    const call = read({
      turns: [
        turn('caller', 'a', 100, 900),
        { ...turn('agent', '', 1_000, 1_000), toolCall: { name: 't', args: {} } },
        { ...turn('tool', '', 3_250, 3_250), toolResult: { ok: true, name: 't', body: {} } },
        turn('agent', 'b', 3_900, 4_700),
      ],
    });
    expect(call.turns[2]?.toolResult?.latencyMs).toBe(2_250);
  });

  test('turns whose times go back keep their places, and their times are not relied on', () => {
    const times = [9000, 1000, 4000];
    const turns = times.map((startMs, at) => ({
      ...turn(at === 1 ? 'caller' : 'agent', `${at}`),
      startMs,
      endMs: startMs + 500,
    }));
    const call = reader.normalise({ id: 'a', turns });
    expect(call.timing).toBe('approx');
    expect(call.turns.map(({ text }) => text)).toEqual(['0', '1', '2']);
  });

  test('a time without a zone is left out with a note', () => {
    const call = read({ startedAt: '2026-05-01T10:00:00', endedAt: 'soon' });
    expect(call).toMatchObject({ startedAt: null, endedAt: null });
    expect(call.warnings).toHaveLength(2);
  });

  test('a day that no calendar has is left out with a note, and not taken for one of the next month', () => {
    const call = read({ startedAt: '2026-02-31T10:00:00Z', endedAt: '2028-02-29T10:00:00+02:00' });
    expect(call.startedAt).toBeNull();
    expect(call.warnings[0]).toContain('The start time is no ISO 8601 time');
    expect(read({ startedAt: '2024-02-29T23:30:00-05:00' }).startedAt).toBe('2024-03-01T04:30:00.000Z');
  });
});

describe('what is no record is refused in words', () => {
  test.each<[unknown, string]>([
    [null, 'neither a JSON object nor a list'],
    [[], 'no list of turns'],
    [{}, 'no list of turns'],
    [{ id: 'a', turns: 7 }, 'no list `turns`'],
    [{ id: 'a', turns: 'x' }, 'does not begin with who speaks'],
    [{ id: 'a', turns: [7] }, 'Turn 0 is not an object.'],
    [
      { id: 'a', turns: [turn('caller', 'x'), turn('wizard', 'y')] },
      'Nothing says who "wizard" is. Say it, as in --role "wizard=agent"',
    ],
    [{ id: 'a', turns: [{ text: 'Hello.' }] }, 'Turn 0 has no role; roles are caller, agent, tool, other.'],
    [{ id: 'a', turns: [{ role: 'caller', text: 7 }] }, 'The text of turn 0 is not a string.'],
  ])('%o', (record, reason) => {
    expect(() => reader.normalise(record as Json)).toThrow(UnreadableCall);
    expect(() => reader.normalise(record as Json)).toThrow(reason);
  });

  test('whatever comes, nothing else is thrown', () => {
    const names = [
      'id',
      'turns',
      'startedAt',
      'endedAt',
      'version',
      'channel',
      'direction',
      'call_id',
      'call_status',
      'call',
      'labels',
    ];
    const anything = fc.jsonValue({ maxDepth: 3 });
    const someTurn = fc.dictionary(
      fc.constantFrom('role', 'text', 'startMs', 'endMs', 'toolCall', 'toolResult', 'words', 'nodeId'),
      fc.oneof(anything, fc.constantFrom('caller', 'agent', 'tool')),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), fc.oneof(anything, fc.array(someTurn))), (record) => {
        expect(() => JSON.stringify(readOrRefuse(() => reader.normalise(record as Json)))).not.toThrow();
      }),
      { numRuns: 1_500 },
    );
  });
});

describe("a platform's export", () => {
  const exported = {
    call_id: 'call_x',
    call_status: 'ended',
    agent_version: 4,
    transcript_object: [
      { role: 'agent', content: 'Hello' },
      { role: 'user', content: 'Hi' },
    ],
  };

  test.each([
    ['a call', exported],
    ['the body of a webhook', { event: 'call_ended', call: exported }],
  ])('%s is told apart by its fields', (_what, payload) => {
    const call = reader.normalise(payload);
    expect(call).toMatchObject({ providerCallId: 'call_x', version: 4, channel: 'voice' });
    expect(call.turns.map(({ role }) => role)).toEqual(['agent', 'caller']);
  });
});

const sets = process.env.EARSHOT_EVAL ?? new URL('../../../shared/eval', import.meta.url).pathname;
const files = existsSync(sets) ? readdirSync(sets).filter((name) => name.endsWith('.jsonl')) : [];

describe.skipIf(files.length === 0)('the labelled sets (set EARSHOT_EVAL to their folder)', () => {
  test.each(files)('every record of %s imports', (name) => {
    const lines = readFileSync(`${sets}/${name}`, 'utf8').split('\n').filter(Boolean);
    for (const line of lines) {
      const record = JSON.parse(line) as { id: string; turns: unknown[] };
      const call = reader.normalise(record as unknown as Json);
      expect(call.providerCallId).toBe(record.id);
      expect(call.turns).toHaveLength(record.turns.length);
    }
  });
});
