import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSteps, seconds } from '../../packages/embedded/steps.js';

let written = '';
const output = (isTTY: boolean) => ({ isTTY, columns: 60, write: (text: string) => (written += text) });
beforeEach(() => {
  written = '';
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

test('a quick step is one line with its time', () => {
  const step = createSteps(output(false)).begin('PostgreSQL');
  vi.advanceTimersByTime(700);
  step.done('started');
  expect(written).toBe('  PostgreSQL         started  (0.7 s)\n');
});

test('a wait of more than two seconds shows progress, line by line where the output is no terminal', () => {
  const step = createSteps(output(false)).begin('Installing packages');
  vi.advanceTimersByTime(4_500);
  // What it said already it says seldom.
  expect(written).toBe('  Installing packages: 2 s\n');
  step.progress('12 of 30');
  vi.advanceTimersByTime(300);
  expect(written).toBe('  Installing packages: 2 s\n  Installing packages, 12 of 30: 4 s\n');
  vi.advanceTimersByTime(31_000);
  expect(written.trimEnd().split('\n')).toHaveLength(3);
  step.done('from package-lock.json');
  expect(written).toContain('from package-lock.json  (36 s)\n');
});

test('on a terminal progress is one line that is rewritten and leaves nothing behind', () => {
  const step = createSteps(output(true)).begin('Temporal');
  step.progress('building');
  vi.advanceTimersByTime(2_400);
  expect(written).toBe(
    'Temporal, building: 2 s'.concat('\r\u001b[2KTemporal, building: 2 s'.repeat(written.split('\r').length - 1)),
  );
  written = '';
  step.done('started');
  expect(written).toBe('\r\u001b[2K  Temporal           started  (2.4 s)\n');
});

test('a step that is dropped leaves no line, and ends only once', () => {
  const step = createSteps(output(false)).begin('API');
  step.dropped();
  step.done('too late');
  vi.advanceTimersByTime(10_000);
  expect(written).toBe('');
});

test.each([
  [40, '0.0 s'],
  [9_900, '9.9 s'],
  [9_960, '10 s'],
  [119_000, '119 s'],
  [185_000, '3 min 05 s'],
])('%i ms read as %s', (ms, text) => expect(seconds(ms)).toBe(text));
