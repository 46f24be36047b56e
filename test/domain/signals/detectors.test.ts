import { describe, expect, test } from 'vitest';
import { analyseCall } from '../../../src/domain/signals/analyse-call.ts';
import { CATALOGUE } from '../../../src/domain/signals/catalogue.ts';
import type { DetectorInput } from '../../../src/domain/signals/detector-input.ts';
import { EXAMPLES } from './examples/all.ts';

/** What the analysis says about one code on one call. */
function ask(code: string, input: DetectorInput) {
  const analysis = analyseCall(input, {});
  const signals = analysis.signals.filter((signal) => signal.code === code);
  const observed = analysis.observations.filter((observation) => observation.rule === code);
  const reason = analysis.notComputable.find((one) => one.code === code)?.reason ?? null;
  return { found: signals.length + observed.length, first: signals[0] ?? observed[0] ?? null, reason };
}

describe.each(EXAMPLES)('$code', (example) => {
  test('is found where it happened', () => {
    const { found, first } = ask(example.code, example.positive);
    expect(found).toBeGreaterThan(0);
    if (example.place !== undefined) expect(first?.place).toMatchObject(example.place);
    if (example.cause !== undefined && first !== null && 'cause' in first)
      expect(first.cause?.code ?? null).toBe(example.cause);
  });

  test('is not found on an ordinary call', () => {
    expect(ask(example.code, example.negative)).toMatchObject({ found: 0, reason: expect.toSatisfy(isOptionalText) });
  });

  test('is not found on a call that only looks like it', () => {
    expect(ask(example.code, example.lookAlike).found).toBe(0);
    expect(ask(example.code, example.lookAlike).reason).toBeNull();
  });

  test.skipIf(example.notComputable === null)('says why it can not be computed', () => {
    const { found, reason } = ask(example.code, example.notComputable ?? example.negative);
    expect(found).toBe(0);
    expect(reason).toMatch(/^[A-Z].{20,}\.$/);
  });
});

function isOptionalText(value: unknown): boolean {
  return value === null || typeof value === 'string';
}

describe('the catalogue', () => {
  test('has an example for every code', () => {
    const shown = EXAMPLES.map((example) => example.code);
    const byCode = [...CATALOGUE.values()].filter(({ needs }) => !needs.includes('reader')).map(({ code }) => code);
    expect(byCode.filter((code) => !shown.includes(code))).toEqual([]);
    expect(shown.filter((code, at) => !CATALOGUE.has(code) || shown.indexOf(code) !== at)).toEqual([]);
  });

  test.each([...CATALOGUE.values()])('$code says what it is, what it is not and what to check', (entry) => {
    expect(entry.title.length).toBeGreaterThan(5);
    expect(entry.isNot).toMatch(/\.$/);
    expect(entry.check).toMatch(/[.?]$/);
    expect(entry.metric === null).toBe(entry.section === 'fix');
    expect(entry.fact ? entry.noiseFloor : 0).toBe(0);
    for (const cause of entry.causes) expect(cause.recommendation).toMatch(/\.$/);
  });

  test('covers all five lanes', () => {
    const lanes = new Set([...CATALOGUE.values()].map((entry) => entry.lane));
    for (const lane of ['hearing', 'understanding', 'flow', 'speaking', 'integrations']) expect(lanes).toContain(lane);
  });

  test('takes an agent’s own threshold', () => {
    const input = EXAMPLES.find((example) => example.code === 'tool_slow')?.negative;
    if (input === undefined) throw new Error('The example is missing.');
    const strict = analyseCall(input, { tool_slow: { slowMs: 500, slowWithoutFillerMs: 500 } });
    expect(strict.signals.map((signal) => signal.code)).toContain('tool_slow');
  });
});
