import { describe, expect, test } from 'vitest';
import type { Check } from '../../../src/domain/tests/spec.ts';
import { problemsOf } from '../../../src/domain/tests/validate.ts';
import type { AgentConfiguration } from '../../../src/domain/versions/configuration.ts';
import { makeSpec } from '../../support/specs.ts';

const tool = (name: string) => ({
  id: `id_${name}`,
  name,
  description: '',
  kind: 'other' as const,
  parameters: null,
  timeoutMs: null,
  speaksDuring: null,
});
const configuration: AgentConfiguration = {
  name: 'Front desk',
  language: null,
  prompt: null,
  firstMessage: null,
  model: null,
  voice: null,
  tools: [tool('book_table'), tool('find_table')],
  nodes: [{ id: 'n1', label: 'Greet — the Caller', kind: 'conversation', text: null, toolName: null, edges: [] }],
  startNodeId: 'n1',
  variables: {},
};
const paramsOf = (over: Parameters<typeof makeSpec>[0], known: AgentConfiguration | null = configuration) =>
  problemsOf(makeSpec(over), { version: 4, configuration: known }).map(({ param, weight }) => [param, weight]);
const criteria = (...checks: Check[]) =>
  checks.map((check, at) => ({ id: `c${at}`, text: 'x', required: true, check }));

describe('a spec', () => {
  test('without fault has no problems', () => {
    expect(paramsOf({})).toEqual([]);
  });

  test('names tools by name or id, and steps by id or label whatever their signs and case', () => {
    expect(
      paramsOf({
        criteria: criteria(
          { kind: 'tool_not_called', tool: 'id_find_table' },
          { kind: 'reached', step: 'greet the caller' },
          { kind: 'order', steps: ['n1', 'book_table'] },
        ),
      }),
    ).toEqual([]);
  });

  test('asks for findings that a call played as text can show, whatever is known of the version', () => {
    const of = (code: string) => criteria({ kind: 'no_finding', code });
    const refused = [['spec.criteria[0].check.code', 'undecidable']];
    expect(paramsOf({ criteria: of('human_request_ignored') }, null)).toEqual([]);
    for (const code of ['dead_air', 'spam_call', 'kb_miss', 'no_such_code', 'other.too_friendly']) {
      expect(paramsOf({ criteria: of(code) }, null)).toEqual(refused);
    }
  });

  test('is told of every name that the version lacks, with what it has', () => {
    const given = criteria(
      { kind: 'tool_called_with', tool: 'book', args: { a: 1 } },
      { kind: 'reached', step: 'book_table' },
      { kind: 'order', steps: ['book_table', 'n2'] },
    );
    expect(paramsOf({ criteria: given })).toEqual([
      ['spec.criteria[0].check.tool', 'wrong'],
      ['spec.criteria[1].check.step', 'wrong'],
      ['spec.criteria[2].check.steps[1]', 'wrong'],
    ]);
    const [first] = problemsOf(makeSpec({ criteria: given }), { version: 4, configuration });
    expect(first?.message).toBe('Version 4 has no tool book. It has book_table, find_table.');
  });

  test('is not compared with a version that nothing is known of', () => {
    const given = { criteria: criteria({ kind: 'tool_called', tool: 'anything' }) };
    expect(paramsOf(given, null)).toEqual([]);
    expect(paramsOf(given, { ...configuration, kind: 'own_model', tools: [] })).toEqual([]);
  });

  test('can not have more lines than turns, and may have as many', () => {
    const script = ['b', 'c'];
    const caller = { ...makeSpec().caller, script };
    expect(paramsOf({ caller, maxTurns: 3 })).toEqual([]);
    expect(paramsOf({ caller, maxTurns: 2 })).toEqual([['spec.caller.script', 'undecidable']]);
  });

  test('needs something that is required, and ids that tell criteria apart', () => {
    const [criterion] = makeSpec().criteria;
    if (!criterion) throw new Error('the spec of the tests has no criteria');
    expect(paramsOf({ criteria: [{ ...criterion, required: false }] })).toEqual([['spec.criteria', 'undecidable']]);
    expect(paramsOf({ criteria: [criterion, { ...criterion, required: false }] })).toEqual([
      ['spec.criteria[1].id', 'undecidable'],
    ]);
  });

  test('is told what has no effect', () => {
    const caller = { ...makeSpec().caller, style: 'Is in a hurry.' };
    expect(paramsOf({ caller })).toEqual([['spec.caller.style', 'note']]);
    expect(paramsOf({ caller: { ...caller, script: null } })).toEqual([]);
    expect(paramsOf({ maxTurns: 5, criteria: criteria({ kind: 'turns_at_most', turns: 11 }) })).toEqual([
      ['spec.criteria[0].check.turns', 'note'],
    ]);
  });
});
