import { describe, expect, test } from 'vitest';
import { readCall } from '../../../src/domain/signals/reading.ts';
import type { ToolDefinition } from '../../../src/domain/versions/configuration.ts';
import { evaluate } from '../../../src/domain/watches/evaluate.ts';
import type { Verdict, WatchForm } from '../../../src/domain/watches/watch.ts';
import { toolNamed } from '../../support/played.ts';
import { type Given, type Line, scripted } from '../signals/scripted-call.ts';

const tool = (name: string, kind: ToolDefinition['kind'] = 'other') => toolNamed(name, { kind });
const TOOLS = ['find_account', 'verify_customer', 'submit_reading', 'send_text'].map((name) => tool(name));
const configuration = { prompt: 'You read meters.', tools: [...TOOLS, tool('transfer_to_desk', 'transfer')] };

const VERIFIED: Line[] = [
  { a: 'Northern Water, how can I help?' },
  { c: 'I want to give you my meter reading.' },
  { a: 'Of course. What is your date of birth?' },
  { c: 'The ninth of March 1962.' },
  { call: 'verify_customer', args: { birth: '1962-03-09' }, id: 'v' },
  { result: 'verify_customer', body: { verified: true }, ok: true },
  { a: 'Thank you. And what does the meter say?' },
  { c: 'Two eight oh one seven.' },
  { a: 'Two, eight, zero, one, seven. Is that right?' },
  { c: 'Yes, it is.' },
  { call: 'submit_reading', args: { reading: '28017' } },
  { result: 'submit_reading', body: { saved: true }, ok: true },
  { a: 'It is saved. Your next bill will be based on this reading.' },
];
const HASTY: Line[] = [
  { a: 'Northern Water, how can I help?' },
  { c: 'My reading is two eight oh one seven.' },
  { call: 'submit_reading', args: { reading: '28017' } },
  { result: 'submit_reading', body: { error: 'timeout' }, ok: false },
  { a: "I'll definitely credit you ten pounds." },
  { c: 'Can I talk to a real person please?' },
  { a: 'I can help you with that.' },
];
const HANDED_OVER: Line[] = [
  { a: 'Northern Water.' },
  { c: 'Can I talk to a real person please?' },
  { call: 'transfer_to_desk', args: {} },
  { result: 'transfer_to_desk', body: { ok: false, error: 'nobody answered' }, ok: false },
  { a: 'Nobody answers there, I am sorry.' },
];
const BARE: Line[] = [{ a: 'Northern Water.' }, { c: 'I want to give you my reading.' }, { a: 'Go ahead.' }];
const DUTCH: Line[] = [
  { a: 'Goedemorgen, dit is het waterbedrijf, wat kan ik voor u doen?' },
  { c: 'Ik wil graag met een mens spreken, dat is voor mij belangrijk.' },
];

type State = Verdict['state'];
interface Row {
  rule: string;
  form: WatchForm;
  lines: Line[];
  given?: Given;
  state: State;
  turn?: number;
  quote?: string;
}

const all = { kind: 'all_calls' } as const;
const submitted = { kind: 'tool_called', tool: 'submit_reading' } as const;
const asksPerson = { kind: 'caller_said', act: 'asks_for_person' } as const;
const verifyFirst: WatchForm = {
  scope: submitted,
  expectation: { kind: 'tool_called_before', tool: 'verify_customer', before: 'submit_reading' },
  polarity: 'must',
};
const handOver: WatchForm = {
  scope: asksPerson,
  expectation: { kind: 'outcome', outcome: 'transferred' },
  polarity: 'must',
};
const confirmFirst: WatchForm = {
  scope: submitted,
  expectation: { kind: 'asks_for', confirmation: true, before: 'submit_reading' },
  polarity: 'must',
};
const birthFirst: WatchForm = {
  scope: submitted,
  expectation: { kind: 'asks_for', words: ['date', 'birth'], before: 'submit_reading' },
  polarity: 'must',
};
const says = (text: string, polarity: WatchForm['polarity'] = 'must'): WatchForm => ({
  scope: all,
  expectation: { kind: 'says', text },
  polarity,
});
const noPromise: WatchForm = {
  scope: all,
  expectation: { kind: 'says', act: 'promises', about: ['credit', 'refund'] },
  polarity: 'must_not',
};
const within: WatchForm = { scope: all, expectation: { kind: 'ends_within', seconds: 60 }, polarity: 'must' };
const reaches: WatchForm = { scope: all, expectation: { kind: 'reaches', step: 'Closing' }, polarity: 'must' };
const withReading = (reading: string): WatchForm => ({
  scope: submitted,
  expectation: { kind: 'tool_called_with', tool: 'submit_reading', args: { reading } },
  polarity: 'must',
});
const textsAfterFailure: WatchForm = {
  scope: { kind: 'tool_failed', tool: 'submit_reading' },
  expectation: { kind: 'tool_called', tool: 'send_text' },
  polarity: 'must',
};

const ROWS: Row[] = [
  { rule: 'a tool before a tool holds', form: verifyFirst, lines: VERIFIED, state: 'held', turn: 4 },
  {
    rule: 'a tool without the one before it is broken where it was called',
    form: verifyFirst,
    lines: HASTY,
    state: 'broken',
    turn: 2,
    quote: 'submit_reading',
  },
  { rule: 'a tool that was never called asks nothing', form: verifyFirst, lines: HANDED_OVER, state: 'not_applicable' },
  { rule: 'a record without tools decides nothing', form: verifyFirst, lines: BARE, state: 'not_computable' },
  {
    rule: 'asking before a tool holds',
    form: birthFirst,
    lines: VERIFIED,
    state: 'held',
    turn: 2,
    quote: 'Of course. What is your date of birth?',
  },
  { rule: 'nothing asked before a tool is broken', form: birthFirst, lines: HASTY, state: 'broken', turn: 2 },
  { rule: 'a confirmation before a tool holds', form: confirmFirst, lines: VERIFIED, state: 'held', turn: 8 },
  { rule: 'no confirmation before a tool is broken', form: confirmFirst, lines: HASTY, state: 'broken', turn: 2 },
  {
    rule: 'words that must be said are found whatever their case',
    form: says('your next bill will be based on this reading'),
    lines: VERIFIED,
    state: 'held',
    turn: 12,
    quote: 'Your next bill will be based on this reading',
  },
  {
    rule: 'words that must be said and were not are broken at the end',
    form: says('your next bill will be based on this reading'),
    lines: HASTY,
    state: 'broken',
    turn: 6,
    quote: 'I can help you with that.',
  },
  {
    rule: 'words that must not be said are broken where they were said',
    form: says('how can I help', 'must_not'),
    lines: HASTY,
    state: 'broken',
    turn: 0,
  },
  { rule: 'what the caller says breaks no rule', form: says('real person', 'must_not'), lines: HASTY, state: 'held' },
  {
    rule: 'a promise of what must not be promised is broken with its sentence',
    form: noPromise,
    lines: HASTY,
    state: 'broken',
    turn: 4,
    quote: "I'll definitely credit you ten pounds.",
  },
  {
    rule: 'saying that it can not be promised is no promise',
    form: noPromise,
    lines: [{ a: 'Hello.' }, { c: 'Will I get a refund?' }, { a: "I can't promise a refund. We might credit you." }],
    state: 'held',
  },
  {
    rule: 'a request for a person without a hand-over is broken at the request',
    form: handOver,
    lines: HASTY,
    state: 'broken',
    turn: 5,
  },
  { rule: 'a hand-over that nobody took keeps the rule', form: handOver, lines: HANDED_OVER, state: 'held', turn: 2 },
  { rule: 'without the request nothing is expected', form: handOver, lines: VERIFIED, state: 'not_applicable' },
  {
    rule: 'a request in a language without lists is not computable',
    form: handOver,
    lines: DUTCH,
    given: { language: 'nl-NL' },
    state: 'not_computable',
  },
  { rule: 'a tool with these values holds', form: withReading('28017'), lines: VERIFIED, state: 'held', turn: 10 },
  {
    rule: 'a tool with other values is broken',
    form: withReading('99999'),
    lines: VERIFIED,
    state: 'broken',
    turn: 10,
  },
  {
    rule: 'what has to follow a failure is broken where nothing follows',
    form: textsAfterFailure,
    lines: HASTY,
    state: 'broken',
    turn: 3,
  },
  { rule: 'a tool that worked did not fail', form: textsAfterFailure, lines: VERIFIED, state: 'not_applicable' },
  {
    rule: 'a call that is short enough holds',
    form: within,
    lines: BARE,
    given: { durationMs: 59_000 },
    state: 'held',
  },
  {
    rule: 'a call that is too long is broken',
    form: within,
    lines: BARE,
    given: { durationMs: 61_000 },
    state: 'broken',
  },
  { rule: 'a call of unknown length decides nothing', form: within, lines: BARE, state: 'not_computable' },
  { rule: 'steps that the record does not name decide nothing', form: reaches, lines: BARE, state: 'not_computable' },
  {
    rule: 'a transcript that is cut decides nothing',
    form: says('goodbye'),
    lines: BARE,
    given: { partial: true },
    state: 'not_computable',
  },
];

describe('what is expected of a call', () => {
  test.each(ROWS)('$rule', ({ form, lines, given, state, turn, quote }) => {
    const reading = readCall(scripted(lines, { configuration, ...given }));
    const verdict = evaluate(form, { reading, intent: null, outcome: reading.outcome().outcome });
    expect(verdict.state).toBe(state);
    if (turn !== undefined) expect(verdict).toMatchObject({ turn });
    if (quote !== undefined) expect(verdict).toMatchObject({ quote });
  });

  test('a watch on an intent waits until the intent is known', () => {
    const reading = readCall(scripted(VERIFIED, { configuration }));
    const form: WatchForm = { ...says('Northern Water'), scope: { kind: 'intent', intent: 'submit_reading' } };
    expect(evaluate(form, { reading, intent: null, outcome: reading.outcome().outcome }).state).toBe('not_computable');
    expect(evaluate(form, { reading, intent: 'other', outcome: null }).state).toBe('not_applicable');
    expect(evaluate(form, { reading, intent: 'submit_reading', outcome: null }).state).toBe('held');
  });

  test('every quote is an exact part of its turn', () => {
    for (const { form, lines, given } of ROWS) {
      const { call, configuration: read } = scripted(lines, { configuration, ...given });
      const reading = readCall({ call, configuration: read });
      const verdict = evaluate(form, { reading, intent: null, outcome: reading.outcome().outcome });
      if (!('quote' in verdict) || verdict.quote === '') continue;
      const turn = call.turns.find(({ index }) => index === verdict.turn);
      const named = turn?.toolCall?.name ?? turn?.toolResult?.name ?? '';
      const texts = [turn?.text ?? '', named, JSON.stringify(turn?.toolCall?.args ?? '')];
      expect(texts.some((text) => text.includes(verdict.quote))).toBe(true);
    }
  });
});
