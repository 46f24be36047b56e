import { expect, test } from 'vitest';
import { analyseCall } from '../../../src/domain/signals/analyse-call.ts';
import { CATALOGUE } from '../../../src/domain/signals/catalogue.ts';
import { countWork } from '../../support/count-work.ts';
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
  expect(codes).not.toContain('reasked_known_slot');
  expect(codes).not.toContain('caller_left_mid_task');
});

test('a menu that speaks by itself is no caller whose matter was met or left', () => {
  const menu = 'Welcome to Brook Bank. For accounts press one. For cards press two. To hear this again press nine.';
  const { outcome, signals } = analyseCall(scripted([{ c: menu }, { a: 'Hello, this is Ann.' }, { c: menu }]), {});
  expect(outcome).not.toBe('resolved');
  expect(signals.map(({ code }) => code)).not.toContain('agent_repeats_line');
});

test('turns without a time, and times out of order, say why waiting cannot be measured', () => {
  const talk: Line[] = [{ a: 'Hello.' }, { c: 'I want to book a table.' }, { a: 'For when?' }, { c: 'Friday.' }];
  for (const timing of ['none', 'approx'] as const) {
    const { timing: waits, notComputable } = analyseCall(scripted(talk, { timing }), {});
    expect(waits).toBeNull();
    expect(notComputable.map(({ code }) => code)).toEqual(expect.arrayContaining(['dead_air', 'turn_latency_high']));
  }
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

test('5,000 turns full of numbers and bookings take work that grows with their number', async () => {
  // The lists of phrases are compiled at the first call.
  const [, few = 0, many] = await countWork(new URL('long-talk.ts', import.meta.url), [10, 500, 5000]);
  expect(few).toBeGreaterThan(0);
  // Ten times the turns take ten times the work; what grows with their square takes a hundred times as much.
  expect(many).toBeLessThan(12 * few);
});
