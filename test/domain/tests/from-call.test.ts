import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newTest } from '../../../src/contract/test.ts';
import { testSpecInput } from '../../../src/contract/test-spec.ts';
import { storable } from '../../../src/db/convert.ts';
import type { Turn } from '../../../src/domain/calls/call.ts';
import type { Json } from '../../../src/domain/json.ts';
import { findingsOf, playedFormOf } from '../../../src/domain/runs/simulated-call.ts';
import type { CallForTest } from '../../../src/domain/tests/call-for-test.ts';
import { decide } from '../../../src/domain/tests/checks.ts';
import { specFromCall } from '../../../src/domain/tests/from-call.ts';
import { sameText } from '../../../src/domain/tests/same-text.ts';
import { problemsOf } from '../../../src/domain/tests/validate.ts';
import { lineChanges } from '../../../src/domain/versions/line-changes.ts';
import { unstorableAt } from '../../../src/operations/unstorable.ts';
import { makeAnalysis, makeCall, makeSignal, turn } from '../../support/analysed-calls.ts';
import { readDemoCalls } from '../../support/demo-calls.ts';
import { oddTexts } from '../../support/odd-bodies.ts';

const made = readDemoCalls(Date.parse('2026-06-15T13:00:00.000Z')).map((read) => ({
  ...read,
  made: specFromCall({ ...read, signals: read.analysis.signals }),
}));
const tests = made.flatMap((one) => (one.made === null ? [] : [{ ...one, spec: one.made.spec }]));

describe('of the demo calls', () => {
  test('each on which the caller spoke makes a test, and no other', () => {
    expect(tests.length).toBeGreaterThan(1000);
    for (const { made: test, analysis } of made) expect(test !== null).toBe(analysis.callerSpoke);
  });

  test('every spec can be sent back as it is, and its own version has all that it names', () => {
    for (const { spec, call, configuration } of tests) {
      expect(testSpecInput.parse(spec)).toEqual(spec);
      expect(problemsOf(spec, { version: call.version, configuration })).toEqual([]);
    }
  });

  test('the caller says all of its own words, in order', () => {
    for (const { spec, call } of tests) {
      const said = call.turns.filter(({ role }) => role === 'caller').map(({ text }) => text);
      const lines = [spec.caller.opening, ...(spec.caller.script ?? [])];
      expect(lines.join(' ')).toBe(said.join(' ').replaceAll(/\s+/g, ' ').trim());
    }
  });

  test('one that ended well and used tools asks for the same work; one that claimed what was not done forbids the claim', () => {
    const working = tests.filter(({ analysis }) => analysis.outcome === 'resolved' && analysis.toolResults.length > 1);
    const checked = working.filter(({ spec }) =>
      spec.criteria.some(({ required, check }) => required && check !== null),
    );
    expect(checked.length / working.length).toBeGreaterThan(0.95);
    const claiming = tests.filter(({ analysis }) => analysis.claims.some(({ verdict }) => verdict === 'after_failure'));
    expect(claiming.length).toBeGreaterThan(5);
    for (const { spec } of claiming) expect(spec.criteria.map(({ check }) => check?.kind)).toContain('not_said');
  });
});

describe('what our detectors find on a call and would find when it is played', () => {
  const findable = tests.map((one) => ({
    ...one,
    checks: one.spec.criteria.flatMap(({ check, required }) =>
      check?.kind === 'no_finding' ? [{ code: check.code, required }] : [],
    ),
  }));

  test('must be gone, where the call ended badly or it is grave: code decides it', () => {
    const ofBad = findable.filter(({ analysis }) => ['unresolved', 'abandoned'].includes(analysis.outcome ?? ''));
    expect(ofBad.filter(({ checks }) => checks.length > 0).length).toBeGreaterThan(100);
    for (const { checks } of ofBad) expect(checks.every(({ required }) => required)).toBe(true);
    const codes = new Set(findable.flatMap(({ checks }) => checks.map(({ code }) => code)));
    expect([...codes]).toContain('human_request_ignored');
    expect([...codes]).not.toContain('tool_failed');
  });

  test('is found on its own call, and decided without the call being undecided', () => {
    for (const { spec, call, configuration } of findable.filter(({ checks }) => checks.length > 0).slice(0, 200)) {
      const played = playedFormOf(call);
      const findings = findingsOf(played, { attemptId: 'a', version: call.version, configuration, thresholds: {} });
      const asked = spec.criteria.flatMap(({ check }) => (check?.kind === 'no_finding' ? [check] : []));
      for (const check of asked) expect(decide(check, played, configuration, findings).met).toBe(false);
    }
  });

  test('is left to the judge where the words of the call do not show it by themselves', () => {
    const talk = [turn(0, 'caller', 'Are you open on Sunday?'), turn(1, 'agent', 'Yes.')];
    const signals = [makeSignal({ code: 'human_request_ignored', severity: 'high' })];
    const criteria = specFromCall(given(talk, { signals }))?.spec.criteria;
    expect(criteria?.find(({ id }) => id === 'not_human_request_ignored')?.check).toBeNull();
  });
});

const tool = (index: number, name: string, args: Json, body: Json, ok = true): Turn[] => [
  { ...turn(index, 'agent', ''), toolCall: { id: `t${index}`, name, args } },
  {
    ...turn(index + 1, 'tool', ''),
    toolResult: { id: `t${index}`, name, ok, okSource: 'flag', body, latencyMs: null },
  },
];

const given = (turns: Turn[], over: Partial<CallForTest> = {}): CallForTest => ({
  call: makeCall({ providerCallId: 'a', turns }),
  analysis: makeAnalysis(),
  signals: [],
  configuration: null,
  ...over,
});

describe('the caller of a test', () => {
  test('knows the values that it said, named as the tools took them', () => {
    const turns = [
      turn(0, 'caller', 'My name is Ada Brook and I want to move order K 47 B 19 to the 3rd of May.'),
      ...tool(
        1,
        'move_order',
        { order_code: 'K47B19', day: '2026-05-03', note: 'A caller who sounds friendly' },
        { ok: true },
      ),
    ];
    const facts = specFromCall(given(turns))?.spec.caller.facts;
    expect(facts).toMatchObject({ 'order code': 'K47B19', day: '3rd of May', name: 'Ada Brook' });
    expect(Object.values(facts ?? {})).not.toContain('A caller who sounds friendly');
  });

  test('speaks without hidden characters, and turns that nothing parts are one line', () => {
    const turns = [
      turn(0, 'caller', 'Hello\u202e the\u0000re,'),
      turn(1, 'caller', 'I want a table.'),
      turn(2, 'agent', 'For when?'),
      turn(3, 'caller', 'Friday.'),
    ];
    const spec = specFromCall(given(turns))?.spec;
    expect(spec?.caller).toMatchObject({ opening: 'Hello the re, I want a table.', script: ['Friday.'] });
    expect(testSpecInput.safeParse(spec).success).toBe(true);
  });

  test('that said nothing makes no test', () => {
    expect(specFromCall(given([turn(0, 'agent', 'Hello?'), turn(1, 'caller', '…')]))).toBeNull();
  });
});

describe('the tools of a test', () => {
  test('answer as they did, each answer to the same question once, in order', () => {
    const turns = [
      turn(0, 'caller', 'Is the 7 pm table free?'),
      ...tool(1, 'find_table', { time: '19:00' }, { error: 'busy' }, false),
      ...tool(3, 'find_table', { time: '19:00' }, { free: true }),
      ...tool(5, 'find_table', { time: '20:00' }, { free: false }),
    ];
    expect(specFromCall(given(turns))?.spec.fixtures).toEqual([
      { tool: 'find_table', match: { time: '19:00' }, respond: { error: 'busy' }, times: 1 },
      { tool: 'find_table', match: { time: '19:00' }, respond: { free: true }, times: null },
      { tool: 'find_table', match: { time: '20:00' }, respond: { free: false }, times: null },
    ]);
  });

  test('are matched by values, never by what the agent put into its own words', () => {
    const args = { seats: 2, note: 'The caller would like to sit by the window if that can be done' };
    const turns = [turn(0, 'caller', 'A table for two.'), ...tool(1, 'book_table', args, { ok: true })];
    expect(specFromCall(given(turns))?.spec.fixtures[0]?.match).toEqual({ seats: 2 });
  });

  test('are matched by a date only where it is the same whenever the call is played', () => {
    const turns = [
      turn(0, 'caller', 'Born on the 3rd of May 1988. Have you anything on Friday, or on the 9th of June?'),
      ...tool(1, 'find_guest', { birth: '1988-05-03' }, { next_visit: '2026-07-01' }),
      ...tool(3, 'find_table', { date: '2026-05-08', seats: 2 }, { free: true }),
      ...tool(5, 'find_table', { date: '2026-06-09' }, { free: true }),
      ...tool(7, 'move_visit', { from: '2026-07-01', to: '2026-05-08' }, { ok: true }),
    ];
    const spec = specFromCall(given(turns))?.spec;
    expect(spec?.fixtures.map(({ tool: name, match }) => [name, match])).toEqual([
      ['find_guest', { birth: '1988-05-03' }],
      ['find_table', { seats: 2 }],
      ['find_table', null],
      ['move_visit', { from: '2026-07-01' }],
    ]);
    expect(spec?.criteria.find(({ id }) => id === 'calls_move_visit')?.check).toMatchObject({
      args: { from: '2026-07-01' },
    });
  });

  test('are matched by several words only where the caller or another tool used them', () => {
    const turns = [
      turn(0, 'caller', 'A table on the roof terrace, please.'),
      ...tool(1, 'find_area', { area: 'roof terrace', mood: 'quite relaxed' }, { host: 'Mr Silva' }),
      ...tool(3, 'book_table', { area: 'roof terrace', host: 'Mr Silva', kind: 'dinner' }, { ok: true }),
    ];
    expect(specFromCall(given(turns))?.spec.fixtures.map(({ match }) => match)).toEqual([
      { area: 'roof terrace' },
      { area: 'roof terrace', host: 'Mr Silva', kind: 'dinner' },
    ]);
  });

  test('hold no answer that is too large to be sent back', () => {
    const turns = [turn(0, 'caller', 'Hi there.'), ...tool(1, 'find_table', {}, 'x'.repeat(200_000))];
    expect(specFromCall(given(turns))?.spec.fixtures).toEqual([]);
  });

  test('hold no answer with a key that bodies of requests refuse', () => {
    const rows = JSON.parse('{"rows":[{"__proto__":"x"}]}') as Json;
    const turns = [turn(0, 'caller', 'Hi there.'), ...tool(1, 'find_rows', {}, rows)];
    expect(specFromCall(given(turns))?.spec.fixtures).toEqual([]);
  });
});

describe('what a test asks for', () => {
  const booked = [turn(0, 'caller', 'A table.'), ...tool(1, 'book_table', { seats: 2 }, { ok: true })];

  test('of a call that ended well is its work, with the arguments of what was written', () => {
    expect(specFromCall(given(booked))?.spec.criteria[0]).toMatchObject({
      required: true,
      check: { kind: 'tool_called_with', tool: 'book_table', args: { seats: 2 } },
    });
  });

  test('of a call that was handed over is that it ends so', () => {
    const criteria = specFromCall(given(booked, { analysis: makeAnalysis({ outcome: 'transferred' }) }))?.spec.criteria;
    expect(criteria?.map(({ check }) => check)).toContainEqual({ kind: 'ended_by', by: 'transfer' });
  });

  test('of a call that went wrong names the problem and takes its lane', () => {
    const signals = [
      makeSignal({ code: 'monologue', severity: 'low', lane: 'speaking' }),
      makeSignal({ code: 'claimed_after_failure', severity: 'critical' }),
    ];
    const claims = [
      { turn: 3, text: 'I have booked it', kind: 'book', backedBy: null, verdict: 'after_failure' as const },
    ];
    const analysis = makeAnalysis({ outcome: 'unresolved', claims });
    const test = specFromCall(given(booked, { signals, analysis }));
    expect(test).toMatchObject({
      lane: 'integrations',
      title: expect.stringMatching(/^Success claimed after a failure: /),
    });
    expect(test?.spec.criteria[0]).toMatchObject({
      required: true,
      check: { kind: 'not_said', text: 'I have booked it', by: 'agent' },
    });
  });

  test('is decided by the judge only where no check was found', () => {
    const talk = [turn(0, 'caller', 'Are you open on Sunday?'), turn(1, 'agent', 'Yes.')];
    const criteria = specFromCall(given(talk))?.spec.criteria ?? [];
    expect(criteria.filter(({ required }) => required)).toMatchObject([{ id: 'as_wanted', check: null }]);
  });

  test('leaves out what a call played as text can not show', () => {
    const signals = [makeSignal({ code: 'dead_air', severity: 'high' })];
    const ids = specFromCall(given(booked, { signals }))?.spec.criteria.map(({ id }) => id);
    expect(ids).not.toContain('not_dead_air');
  });
});

describe('of any call, however odd,', () => {
  const odd = fc.oneof(fc.constantFrom(...oddTexts), fc.string({ unit: 'binary', maxLength: 60 }), fc.lorem());
  const names = fc.oneof(fc.constantFrom('book_table', 'find_table'), odd);
  const spoken = fc.record({ role: fc.constantFrom('agent' as const, 'caller' as const, 'other' as const), text: odd });
  const used = fc.record({ name: names, args: fc.jsonValue(), body: fc.jsonValue(), ok: fc.boolean() });
  const codes = fc.constantFrom(
    'claimed_after_failure',
    'placeholder_spoken',
    'tool_failed',
    'dead_air',
    'no_such_code',
  );
  const signals = fc.array(fc.record({ code: codes, quote: odd, detail: odd, turnIndex: fc.nat(30) }), {
    maxLength: 8,
  });
  const claims = fc.array(
    fc.record({
      turn: fc.nat(30),
      text: odd,
      kind: fc.constant('book'),
      backedBy: fc.constant(null),
      verdict: fc.constantFrom('backed' as const, 'unbacked' as const, 'after_failure' as const),
    }),
    { maxLength: 8 },
  );
  const outcome = fc.constantFrom('resolved' as const, 'unresolved' as const, 'transferred' as const);

  test('the spec is none or one that can be sent back and stored', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(spoken, used), { maxLength: 70 }),
        signals,
        claims,
        outcome,
        odd,
        (parts, found, told, ended, request) => {
          const turns = parts.flatMap((part, at) =>
            'role' in part
              ? [turn(2 * at, part.role, part.text)]
              : tool(2 * at, part.name, part.args as Json, part.body as Json, part.ok),
          );
          const read = storable(
            given(turns, {
              signals: found.map((signal) => makeSignal(signal)),
              analysis: makeAnalysis({ outcome: ended, claims: told, requests: [{ turn: 0, text: request }] }),
            }),
          );
          const made = specFromCall(read);
          if (made === null) return;
          expect(testSpecInput.parse(made.spec)).toEqual(made.spec);
          expect(newTest.safeParse({ title: made.title, spec: made.spec }).success).toBe(true);
          expect(unstorableAt(made.spec)).toBeNull();
          const problems = problemsOf(made.spec, { version: 1, configuration: null });
          expect(problems.filter(({ weight }) => weight === 'undecidable')).toEqual([]);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('of a record that was made to hold up its reader', () => {
  /** Of the processor, so that a busy machine changes nothing: without bounds these take minutes. */
  const secondsOf = (work: () => unknown): number => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e6;
  };
  const spoken = Array.from({ length: 50 }, (_, at) =>
    turn(at, 'caller', Array.from({ length: 300 }, (__, word) => `${at}${word}7`).join(' ')),
  );
  const uses = Array.from({ length: 1_500 }, (_, at) => {
    const args = Object.fromEntries(Array.from({ length: 8 }, (__, arg) => [`a${arg}`, `x y ${at * 8 + arg}`]));
    return tool(50 + at * 2, 'look_up', args, { note: `nothing of ${'that kind '.repeat(30)}${at}` });
  });

  test('a test is made within moments', () => {
    const { analysis } = made[0] ?? {};
    if (!analysis) throw new Error('The demo has calls.');
    const call = makeCall({ providerCallId: 'crafted', turns: [...spoken, ...uses.flat()] });
    expect(JSON.stringify(call).length).toBeGreaterThan(900_000);
    expect(secondsOf(() => specFromCall({ call, analysis, signals: [], configuration: null }))).toBeLessThan(10);
  });

  test('zeros without end are compared, and so are two prompts of other lines', () => {
    const zeros = `1.${'0'.repeat(80_000)}1`;
    expect(secondsOf(() => sameText(zeros, `${zeros}1`))).toBeLessThan(1);
    const prompt = (name: string, lines: number) =>
      Array.from({ length: lines }, (_, at) => `${name} ${at} ${'word '.repeat(400)}${name}${at}`).join('\n');
    expect(secondsOf(() => lineChanges(prompt('old', 700), prompt('new', 800)))).toBeLessThan(10);
  });
});
