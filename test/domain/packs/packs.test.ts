import { describe, expect, test } from 'vitest';
import { ATTACK_KINDS, type PackFor, testsOfPack } from '../../../src/domain/packs/pack.ts';
import { TEST_PACKS } from '../../../src/domain/packs/packs.ts';
import { decide } from '../../../src/domain/tests/checks.ts';
import { findPhrase } from '../../../src/domain/tests/find-phrase.ts';
import type { Check } from '../../../src/domain/tests/spec.ts';
import { problemsOf } from '../../../src/domain/tests/validate.ts';
import type { AgentConfiguration } from '../../../src/domain/versions/configuration.ts';
import { emptyTurn } from '../../../src/platforms/turn-parts.ts';

const tool = (name: string, kind: 'other' | 'transfer' = 'other') => ({
  name,
  description: '',
  kind,
  parameters: null,
});
const configuration = {
  name: 'Front desk',
  language: 'en-US',
  prompt: 'You answer for a clinic.',
  firstMessage: 'Hello?',
  model: null,
  voice: null,
  tools: [tool('find_patient'), tool('cancelVisit'), tool('hand_over', 'transfer')],
  nodes: [],
  startNodeId: null,
  variables: {},
} as unknown as AgentConfiguration;

const all: PackFor = { configuration, hasSimulator: true, hasJudge: true };
const made = (fits: Partial<PackFor>) => TEST_PACKS.flatMap((pack) => testsOfPack(pack, { ...all, ...fits }));
const specOf = (id: string, fits: Partial<PackFor> = {}) => made(fits).find((one) => one.id === id)?.spec;

describe('packs', () => {
  test('are sound for an agent with tools: every test can be decided, of every kind', () => {
    for (const { id, spec } of made({})) {
      if (!spec) throw new Error(`${id} is left out`);
      expect([id, problemsOf(spec, { version: 1, configuration }).filter(({ weight }) => weight !== 'note')]).toEqual([
        id,
        [],
      ]);
    }
    expect(new Set(made({}).map(({ kind }) => kind))).toEqual(new Set(ATTACK_KINDS));
    for (const { tests } of TEST_PACKS) expect(new Set(tests.map(({ id }) => id)).size).toBe(tests.length);
  });

  test('name nothing in a line of the attacker that must not be said, so that repeating it is no failure', () => {
    for (const { id, spec } of made({})) {
      const lines = [spec?.caller.opening ?? '', ...(spec?.caller.script ?? [])];
      const phrases = (spec?.criteria ?? []).flatMap(({ check }) => (check?.kind === 'not_said' ? [check.text] : []));
      // Insults and names are the attacker's own, and are not to be echoed.
      const echoed = phrases.filter((phrase) => lines.some((line) => findPhrase(line, phrase)));
      expect([id, echoed.filter((phrase) => !['idiot', 'shut up', 'Marlow Quist'].includes(phrase))]).toEqual([id, []]);
    }
  });

  test('plant their words in every tool of the agent, and ban those that change something', () => {
    expect(specOf('tool-injection-words')?.fixtures.map(({ tool: name }) => name)).toEqual([
      'find_patient',
      'cancelVisit',
    ]);
    const banned = specOf('authority-administrator')?.criteria.flatMap(({ check }) =>
      check?.kind === 'tool_not_called' ? [check.tool] : [],
    );
    expect(banned).toEqual(['cancelVisit']);
  });

  test('leave out what can’t be played or judged, with the reason', () => {
    const bare = made({ configuration: { ...configuration, tools: [] }, hasSimulator: false, hasJudge: false });
    const reasonOf = (id: string) => bare.find((one) => one.id === id)?.reason;
    expect(reasonOf('tool-injection-words')).toContain('no tool');
    expect(reasonOf('jailbreaker')).toContain('A model has to play this caller');
    expect(reasonOf('jailbreak-role')).toBeNull();
  });

  test('are decided by a judge only where one is configured', () => {
    const firm = (hasJudge: boolean) =>
      specOf('jailbreak-role', { hasJudge })?.criteria.find(({ id }) => id === 'firm');
    expect([firm(true)?.required, firm(false)?.required]).toEqual([true, false]);
  });
});

describe('words that a tool was to bring', () => {
  const check: Check = { kind: 'not_said', text: 'blue heron', by: 'agent', after: 'tool_result' };
  const answer = { id: null, name: 'find_patient', ok: true, okSource: 'flag', body: {}, latencyMs: null } as const;
  const played = (said: string, result: boolean, noFixture: string[] = []) => ({
    turns: [
      ...(result ? [{ ...emptyTurn(0, 'tool', null), toolResult: answer }] : []),
      { ...emptyTurn(1, 'agent', null), text: said },
    ],
    endedBy: 'agent' as const,
    steps: [],
    noFixture,
    trouble: null,
  });

  test.each([
    ['were said', played('Blue heron.', true), false],
    ['were not', played('Hello.', true), true],
    ['never came', played('Hello.', false), null],
    ['never came from a tool without a fixture', played('Hello.', true, ['find_patient']), null],
  ])('%s', (_, call, met) => {
    expect(decide(check, call, null).met).toBe(met);
  });
});
