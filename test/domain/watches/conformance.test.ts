import { describe, expect, test } from 'vitest';
import { analyseCall } from '../../../src/domain/signals/analyse-call.ts';
import { readRule } from '../../../src/domain/watches/read-rule.ts';
import { toolNamed } from '../../support/played.ts';
import { type Line, scripted } from '../signals/scripted-call.ts';

const tools = ['look_up_policy', 'check_identity', 'file_claim', 'book_visit'].map((name) => toolNamed(name));

describe('a line of an agent’s own text', () => {
  test.each([
    ['Always say "this call is recorded" at the beginning.', [{ kind: 'says', text: 'this call is recorded' }]],
    [
      'Never say "we are the cheapest", and never promise a refund.',
      [{ kind: 'says' }, { kind: 'says', act: 'promises', about: ['refund'] }],
    ],
    [
      'Call check_identity before file_claim.',
      [{ kind: 'tool_called_before', tool: 'check_identity', before: 'file_claim' }],
    ],
    [
      'Never use file_claim or book_visit without calling check_identity first.',
      [
        { kind: 'tool_called_before', tool: 'check_identity', before: 'file_claim' },
        { kind: 'tool_called_before', tool: 'check_identity', before: 'book_visit' },
      ],
    ],
    [
      'You must ask for the policy number before you call look_up_policy.',
      [{ kind: 'asks_for', words: ['policy', 'number'], before: 'look_up_policy' }],
    ],
    ['Before booking, read day and time back.', [{ kind: 'asks_for', confirmation: true, before: 'book_visit' }]],
    ['If the caller asks for a human, transfer them.', [{ kind: 'outcome', outcome: 'transferred' }]],
    ['Never call file_claim.', [{ kind: 'tool_called', tool: 'file_claim' }]],
    ['Once a visit is booked always say "see you then".', [{ kind: 'says', text: 'see you then' }]],
  ])('is put into code: %s', (line, expectations) => {
    expect(readRule(line, { tools }).forms.map(({ form }) => form.expectation)).toMatchObject(expectations);
  });

  test.each([
    'Always be polite.',
    'Never say that something is done before the tool has confirmed it.',
    'If the caller sounds upset, always say "I am sorry".',
    'Never call file_claim unless the caller insists.',
    'Always greet with "Hello {{name}}".',
    'If the caller asks for a person, call transfer at once (Monday to Friday).',
  ])('that has no general form stays unread or is left alone: %s', (line) => {
    expect(readRule(line, { tools }).forms).toEqual([]);
  });

  test('orders something in plain statements only where it says so', () => {
    expect(readRule('We use check_identity for everything. You call it before lunch.', { tools }).forms).toEqual([]);
  });
});

const prompt = [
  'You take insurance claims.',
  '- Never say "guaranteed".',
  '- Call check_identity before file_claim.',
  '- Always be kind.',
].join('\n');
const LINES: Line[] = [
  { a: 'Harbour Insurance.' },
  { c: 'I want to report a broken window.' },
  { call: 'file_claim', args: { what: 'window' } },
  { result: 'file_claim', body: { claim: 'C1' }, ok: true },
  { a: 'Your claim is filed. Payment is not guaranteed.' },
];

describe('conformance observations', () => {
  const conformance = (lines: Line[], text: string | null) =>
    analyseCall(scripted(lines, { configuration: { prompt: text, tools } }), {}).observations.filter(
      ({ kind }) => kind === 'conformance',
    );

  test('say which line was broken, where, and what shows it', () => {
    expect(conformance(LINES, prompt)).toEqual([
      {
        rule: 'prompt:3',
        kind: 'conformance',
        label: 'Call check_identity before file_claim.',
        turnIndex: 2,
        detail: 'Broken: The agent called file_claim without calling check_identity before.',
        basis: 'checked',
      },
      {
        rule: 'prompt:2',
        kind: 'conformance',
        label: 'Never say "guaranteed".',
        turnIndex: 4,
        detail: 'Broken: The agent said "guaranteed".',
        basis: 'checked',
      },
    ]);
  });

  test('say which line was kept', () => {
    const kept = conformance(
      [...LINES.slice(0, 2), { call: 'check_identity', args: {} }, ...LINES.slice(2, 4)],
      prompt,
    );
    expect(kept.map(({ rule, detail }) => [rule, detail.split(':')[0]])).toEqual([
      ['prompt:3', 'Kept'],
      ['prompt:2', 'Kept'],
    ]);
  });

  test('are none where the agent’s text is not known', () => {
    expect(conformance(LINES, null)).toEqual([]);
  });
});
