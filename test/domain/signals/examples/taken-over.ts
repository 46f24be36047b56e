import type { CallerHistory } from '../../../../src/domain/calls/repeat-calls.ts';
import type { DetectorInput } from '../../../../src/domain/signals/detector-input.ts';
import { type Line, scripted } from '../scripted-call.ts';
import type { Example } from './example.ts';

const FOREIGN = scripted(
  [{ a: 'Waarmee kan ik u van dienst zijn vandaag?' }, { c: 'Ik wil graag een afspraak voor maandag, kan dat?' }],
  { language: 'nl' },
);
const PLAIN = scripted([
  { a: 'Good morning, how can I help you?' },
  { c: 'I would like a cleaning on May 12th.' },
  { call: 'book_visit', args: { date: '2026-05-12' } },
  { result: 'book_visit', body: { success: true } },
  { a: 'You are booked for May 12th.' },
]);

const CORRECTED: Line[] = [
  { c: 'I would like to come on May 12th.' },
  { a: 'May 12th, then?' },
  { c: "No, it's May 21st." },
];

const READ_BACK: Line[] = [
  { a: 'What is your parcel number?' },
  { c: 'It is K four seven B one nine.' },
  { a: 'I have K47B15, is that right?' },
];

/** What the caller said or a tool answered, and whether the agent took it over. */
export const TAKEN_OVER: readonly Example[] = [
  {
    code: 'correction_not_applied',
    positive: scripted([
      ...CORRECTED,
      { call: 'book_visit', args: { date: '2026-05-12' } },
      { result: 'book_visit', body: { success: true } },
      { a: 'Done.' },
    ]),
    place: { kind: 'tool', id: 'book_visit' },
    negative: PLAIN,
    lookAlike: scripted([
      ...CORRECTED,
      { a: 'On May 21st I have nothing left.' },
      { c: 'Then May 12th after all.' },
      { call: 'book_visit', args: { date: '2026-05-12' } },
      { result: 'book_visit', body: { success: true } },
      { a: 'Done.' },
    ]),
    notComputable: FOREIGN,
  },
  {
    code: 'readback_mismatch',
    positive: scripted([...READ_BACK, { c: 'No, one nine at the end.' }]),
    negative: PLAIN,
    lookAlike: scripted([...READ_BACK, { c: 'Yes, that is correct.' }]),
    notComputable: FOREIGN,
  },
  {
    code: 'repeat_call_same_intent',
    positive: calledBefore({ intent: 'cancel_reservation', outcome: 'resolved' }),
    place: { kind: 'agent', id: 'agent' },
    negative: withHistory([]),
    lookAlike: calledBefore({ intent: 'opening_hours', outcome: 'resolved' }),
    notComputable: PLAIN,
  },
];

/** The same caller three days before. */
function calledBefore(call: Pick<CallerHistory['earlier'][number], 'intent' | 'outcome'>): DetectorInput {
  return withHistory([
    { startedAt: '2026-05-09T09:00:00.000Z', kept: false, request: 'Please cancel my reservation.', ...call },
  ]);
}

function withHistory(earlier: CallerHistory['earlier']): DetectorInput {
  const startedAt = '2026-05-12T09:00:00.000Z';
  const input = scripted([{ a: 'Hello.' }, { c: 'I need to cancel my reservation.' }], { startedAt });
  return {
    ...input,
    callerHistory: {
      direction: 'inbound',
      startedAt,
      intent: 'cancel_reservation',
      request: 'I need to cancel my reservation.',
      earlier,
    },
  };
}
