import { expect, test } from 'vitest';
import { analyseCall } from '../../../src/domain/signals/analyse-call.ts';
import { CATALOGUE } from '../../../src/domain/signals/catalogue.ts';
import { toolSays } from '../../../src/domain/signals/cause-rows/tool-says.ts';
import { knownCause } from '../../../src/domain/signals/causes.ts';
import type { DetectorInput } from '../../../src/domain/signals/detector-input.ts';
import type { NodeDefinition } from '../../../src/domain/versions/configuration.ts';
import { toolNamed } from '../../support/played.ts';
import { type Line, scripted } from './scripted-call.ts';

/** A garden centre that delivers soil and plants. */

const causeIn = (input: DetectorInput, code: string) => {
  const signal = analyseCall(input, {}).signals.find((one) => one.code === code);
  return signal === undefined ? 'not noticed' : (signal.cause?.code ?? null);
};
const node = (id: string, text: string, to: string[]): NodeDefinition => ({
  id,
  label: id,
  kind: id === 'end' ? 'end' : 'conversation',
  text,
  toolName: null,
  edges: to.map((one) => ({ to: one, condition: null })),
});

test('every code that rules find and that can be an issue has a way to its cause, apart from calls that come again', () => {
  const without = [...CATALOGUE.values()].filter(
    ({ observation, suspected, klass, selfCause, causes, needs }) =>
      !needs.includes('reader') &&
      observation !== true &&
      suspected !== true &&
      klass !== 'behaviour' &&
      !selfCause &&
      causes.length === 0,
  );
  // Another one needs `selfCause`, or rows of causes in its entry or in `cause-rows/`.
  expect(without.map(({ code }) => code)).toEqual(['repeat_call_same_intent']);
});

test('a cause is known again by its code alone, with its label and where it lies', () => {
  for (const entry of CATALOGUE.values()) {
    for (const row of entry.causes) {
      const { label, row: found } = knownCause(entry, row.code);
      expect({ label, code: found?.code }).toEqual({ label: row.label, code: row.code });
      const variant = knownCause(entry, `${row.code}:some_words`);
      expect(variant.kind).toBe(row.code);
      if (row.target) expect(variant.target?.id).not.toBe('');
    }
  }
});

test.each([
  ['Sender id is blocked by the carrier', 'sender_id_is_blocked_by_the_carrier'],
  [
    'Order 88-4471 can not be changed: the depot "North" has closed its list.',
    'order_can_not_be_changed_the_depot_has_closed_its_list',
  ],
  [
    'Fehler 17: Die Kundennummer 4711 ist gesperrt und die Zahlung offen',
    'fehler_die_kundennummer_ist_gesperrt_und_die_zahlung_offen',
  ],
])('a tool that says why it failed names the cause in words that are the same on the next call: %s', (text, slug) => {
  expect(toolSays(text, 'send_text')).toBe(slug);
});

test.each([
  'Error',
  'Internal server error',
  'Something went wrong, please try again later.',
  'tracking failed',
  'null',
  'Es ist ein Fehler aufgetreten',
])('a tool that only says that it failed leaves the cause open: %s', (text) => {
  expect(toolSays(text, 'tracking')).toBeNull();
});

const delivery = (ok: boolean, message: string): Line[] => [
  { a: 'Green Yard, how can I help?' },
  { c: 'I need twenty bags of soil on Friday.' },
  { call: 'book_delivery', args: { bags: 20 } },
  { result: 'book_delivery', ok, body: ok ? { ok: true } : { error: message } },
];

test('what the agent got over on the same call explains nothing', () => {
  const failed = delivery(false, 'The scale of the yard reports a broken sensor.');
  const again: Line[] = [
    { call: 'book_delivery', args: { bags: 10 } },
    { result: 'book_delivery', ok: true, body: { ok: true } },
  ];
  expect(causeIn(scripted(failed), 'tool_failed')).toBe('tool_says:the_scale_of_the_yard_reports_a_broken_sensor');
  expect(causeIn(scripted([...failed, ...again]), 'tool_failed')).toBeNull();
});

test('an answer about what the tool was given is the agent’s to mend, and no other service’s', () => {
  const cause = causeIn(scripted(delivery(false, 'Bags are expected in whole pallets of twenty.')), 'tool_failed');
  expect(cause).toMatch(/^tool_refuses_input:/);
  const entry = CATALOGUE.get('tool_failed');
  expect(entry && knownCause(entry, cause ?? '').row?.outside).toBe(false);
});

const asking: Line[] = [
  { a: 'Hello, this is Green Yard with an offer on hedge plants.' },
  { c: 'Please do not call me again.' },
  { a: 'They are twenty percent off this week.' },
  { a: 'And delivery is free.' },
  { a: 'Shall I put you down for ten?' },
];

test('an opt-out that nobody told the agent about is a gap in the prompt', () => {
  const call = (prompt: string) => scripted(asking, { direction: 'outbound', configuration: { prompt } });
  expect(causeIn(call('You sell hedge plants. Be friendly.'), 'opt_out_ignored')).toBe('no_word_on_opt_out');
  expect(
    causeIn(call('You sell hedge plants. If somebody opts out, confirm it and hang up.'), 'opt_out_ignored'),
  ).toBeNull();
  expect(causeIn(call('You sell hedge plants.\nNever take no for an answer.'), 'opt_out_ignored')).toMatch(
    /^told_to_persist:/,
  );
  expect(causeIn(scripted(asking, { direction: 'outbound' }), 'opt_out_ignored')).toBeNull();
});

const repeated = (confidence: number): Line[] => [
  { a: 'Green Yard, how can I help?' },
  { c: 'My apple trees arrived with broken branches yesterday.', confidence },
  { a: 'I see.' },
  { c: 'My apple trees arrived with broken branches yesterday.', confidence: 0.95 },
  { a: 'We will send new ones.' },
];

test('who has to repeat what the recogniser was unsure of was badly heard; else it is no signal', () => {
  expect(causeIn(scripted(repeated(0.3)), 'caller_repeated_self')).toBe('recogniser_unsure');
  expect(causeIn(scripted(repeated(0.95)), 'caller_repeated_self')).toBe('not noticed');
});

const steps = [
  node('start', 'Greet.', ['order']),
  node('order', 'Say "prices include delivery".', ['end']),
  node('end', 'Bye.', []),
];

test('a required wording that stands at a step which the call did not reach is a matter of the flow', () => {
  const lines: Line[] = [
    { a: 'Green Yard, how can I help?', node: 'start' },
    { c: 'Do you have any cherry trees?' },
    { a: 'We do, in all sizes.', node: 'start' },
    { c: 'Thanks, goodbye.' },
  ];
  const given = {
    configuration: { prompt: 'Be brief.', nodes: steps, startNodeId: 'start' },
    phraseRules: { required: ['prices include delivery'], forbidden: [] },
  };
  expect(causeIn(scripted(lines, given), 'required_phrase_missing')).toBe('step_not_reached:order');
  const untold = { ...given, configuration: { prompt: 'Be brief.' } };
  expect(causeIn(scripted(lines, untold), 'required_phrase_missing')).toBe('not_told_to_say_it');
});

test('a caller who leaves after a failed tool leaves because of the tool, and the cause lies there', () => {
  const lines: Line[] = [...delivery(false, 'Error'), { a: 'One moment.' }, { c: 'No, forget it.' }];
  const cause = causeIn(scripted(lines), 'caller_left_mid_task');
  expect(cause).toBe('failing_tool:book_delivery');
  const entry = CATALOGUE.get('caller_left_mid_task');
  expect(entry && knownCause(entry, cause ?? '').target).toMatchObject({ kind: 'tool', id: 'book_delivery' });
  expect(
    causeIn(scripted([...delivery(true, ''), { a: 'One moment.' }, { c: 'No, forget it.' }]), 'caller_left_mid_task'),
  ).not.toBe('failing_tool:book_delivery');
});

test('interrupting that is switched off is why the agent talks over its callers', () => {
  const lines: Line[] = [
    { a: 'We have oaks, beeches, limes, maples, birches and many more trees for every garden.', at: [0, 9] },
    { c: 'I only want one small tree.', at: [3, 5] },
    { a: 'Which one?', at: [10, 11] },
  ];
  const call = (value: string) =>
    scripted(lines, { configuration: { prompt: 'Sell trees.', settings: { interruption_sensitivity: value } } });
  expect(causeIn(call('0'), 'barge_in_ignored')).toBe('interrupting_off');
  expect(causeIn(call('0.8'), 'barge_in_ignored')).toBeNull();
});

test('words of waiting where no tool runs are words of waiting for nothing', () => {
  const waiting = (withTool: boolean): Line[] => [
    { a: 'Green Yard?' },
    ...['soil', 'bark', 'gravel', 'sand'].flatMap((what): Line[] => [
      { c: `Do you have ${what}?` },
      { a: 'One moment please.' },
      ...(withTool ? [{ call: 'stock', args: { what } } as Line, { result: 'stock', body: { left: 3 } } as Line] : []),
      { a: `We have ${what}.` },
    ]),
  ];
  const strict = (input: DetectorInput) =>
    analyseCall(input, { filler_heavy: { share: 0.3 } }).signals.find(({ code }) => code === 'filler_heavy')?.cause
      ?.code ?? null;
  expect(strict(scripted(waiting(false)))).toBe('waits_without_tool');
  expect(strict(scripted(waiting(true)))).toBe('many_tools_in_a_row');
});

test('the same look-up twice before anybody speaks is a fault of how the tool is called', () => {
  const lookUp: Line[] = [
    { call: 'stock', args: { what: 'oak' } },
    { result: 'stock', body: { left: 3 } },
  ];
  const lines: Line[] = [
    { a: 'Green Yard?' },
    { c: 'Have you an oak?' },
    ...lookUp,
    ...lookUp,
    { a: 'We have three.' },
  ];
  expect(causeIn(scripted(lines, { configuration: { tools: [toolNamed('stock')] } }), 'tool_call_repeated')).toBe(
    'twice_without_a_word',
  );
});
