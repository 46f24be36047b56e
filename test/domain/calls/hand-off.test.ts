import { expect, test } from 'vitest';
import { analyseCall } from '../../../src/domain/signals/analyse-call.ts';
import { type Line, scripted } from '../signals/scripted-call.ts';

const HANDED_OVER: Line[] = [
  { call: 'transfer_call', args: {} },
  { result: 'transfer_call', body: { success: true } },
];

const handOffOf = (lines: Line[]) => {
  const { outcome, handOff } = analyseCall(scripted(lines), {});
  return { outcome, reason: handOff?.reason, right: handOff?.right };
};

test('a hand-off that the caller asked for was right', () => {
  const lines: Line[] = [{ a: 'How can I help?' }, { c: 'I want to speak to a person, please.' }, ...HANDED_OVER];
  expect(handOffOf(lines)).toEqual({ outcome: 'transferred', reason: 'asked', right: true });
});

test('so was one after a tool that failed', () => {
  const lines: Line[] = [
    { a: 'How can I help?' },
    { c: 'I need to move my appointment to Friday.' },
    { call: 'move_appointment', args: { day: 'friday' } },
    { result: 'move_appointment', body: { error: 'internal server error' } },
    ...HANDED_OVER,
  ];
  expect(handOffOf(lines)).toEqual({ outcome: 'transferred', reason: 'blocked', right: true });
});

test('of one without either nobody knows whether it was needed', () => {
  const lines: Line[] = [{ a: 'How can I help?' }, { c: 'I need to move my appointment to Friday.' }, ...HANDED_OVER];
  expect(handOffOf(lines)).toEqual({ outcome: 'transferred', reason: 'unknown', right: null });
});

test('a request for a person after the hand-off explains nothing', () => {
  const lines: Line[] = [
    { a: 'How can I help?' },
    { c: 'I need to move my appointment to Friday.' },
    ...HANDED_OVER,
    { c: 'Can I speak to a person?' },
  ];
  expect(handOffOf(lines).reason).not.toBe('asked');
});

test('calls that were not handed over have none', () => {
  expect(handOffOf([{ a: 'How can I help?' }, { c: 'Never mind, bye.' }]).reason).toBeUndefined();
});
