import { expect, test } from 'vitest';
import { EARSHOT, shownTrigger } from '../../../src/domain/runs/shown-trigger.ts';

test.each([
  ['the first run of a demo', EARSHOT, 'manual', 'auto'],
  ['a run that somebody started', 'user-1', 'manual', 'manual'],
  ['a run of Earshot that says why', EARSHOT, 'auto', 'auto'],
] as const)('%s', (_, createdBy, trigger, shown) => {
  expect(shownTrigger({ createdBy, trigger })).toBe(shown);
});
