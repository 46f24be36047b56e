import type { ReadyTest } from '../../src/domain/tests/ready-test.ts';
import type { CallerSpec, Check, Criterion, Fixture } from '../../src/domain/tests/spec.ts';

/** A test that needs no model: the caller says its lines, and code decides. */
export function codeTest(given: {
  title: string;
  lane: ReadyTest['lane'];
  expect?: ReadyTest['expect'];
  guard?: boolean;
  caller: Omit<CallerSpec, 'style' | 'script'> & { script: string[] };
  fixtures: Fixture[];
  criteria: Criterion[];
}): ReadyTest {
  const { title, lane, expect = 'pass', guard = false, caller, fixtures, criteria } = given;
  const spec = { caller: { ...caller, style: '' }, fixtures, criteria, maxTurns: 12, tier: 'text' as const };
  return { title, lane, expect, guard, spec };
}

export const must = (id: string, text: string, check: Check): Criterion => ({ id, text, required: true, check });
