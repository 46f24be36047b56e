import { expect, test } from 'vitest';
import { analyseCall } from '../../../src/domain/signals/analyse-call.ts';
import { CATALOGUE } from '../../../src/domain/signals/catalogue.ts';
import { type Line, scripted } from '../signals/scripted-call.ts';
import { asLine } from './talk.ts';

/** Codes of the signals on a call, apart from those that only say how it ended. */
function codesOf(lines: readonly Line[]): string[] {
  return analyseCall(scripted(lines, { language: null }), {})
    .signals.map(({ code }) => code)
    .filter((code) => CATALOGUE.get(code)?.ending !== true);
}

test('a transcript of one word shows nothing', () => {
  expect(codesOf([{ c: 'hello' }]).filter((code) => code !== 'instant_hangup')).toEqual([]);
  expect(codesOf([{ a: 'Hello.' }])).toEqual([]);
});

test('music and noise are no speech and no fault of the talk', () => {
  const codes = codesOf([
    { a: 'Hello, who is there?' },
    { c: '[music]' },
    { a: 'I can hear music only.' },
    { c: '[noise]' },
  ]);
  expect(codes).not.toContain('question_unanswered');
  expect(codes).not.toContain('caller_left_mid_task');
});

test('four languages at once give no finding of words', () => {
  const codes = codesOf(
    [
      'a: Guten Tag, was kann ich für Sie tun?',
      'c: buenas tardes quiero una mesa para dos personas por favor',
      'a: Je ne vous comprends pas, pouvez-vous répéter?',
      'c: i would like a table for two people please',
    ].map(asLine),
  );
  expect(codes.filter((code) => code !== 'language_mismatch')).toEqual([]);
});

test('5,000 turns full of numbers and bookings are read in a time that grows with their number', () => {
  const lines = (turns: number) =>
    Array.from({ length: turns }, (_, at) =>
      asLine(
        at % 2 === 0
          ? `a: I have booked table ${at} for ${at % 9} people on Friday at half past six, is that right?`
          : `c: no my number is 5 5 5, 0 1 ${at % 10} 2 and the order is BX-${20_000 + at} not BX-19`,
      ),
    );
  const spent = (input: ReturnType<typeof scripted>) => {
    const start = process.cpuUsage();
    analyseCall(input, {});
    const { user, system } = process.cpuUsage(start);
    return user + system;
  };
  // The least of several readings is what the work itself takes, whatever else the machine does.
  const least = (turns: number) => {
    const input = scripted(lines(turns));
    return Math.min(...Array.from({ length: 4 }, () => spent(input)));
  };
  // Ten times the turns may take ten times as long; what grows with their square takes a hundred times as long.
  expect(least(5000)).toBeLessThan(40 * least(500));
});
