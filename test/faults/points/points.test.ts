import { expect, inject, test } from 'vitest';
import { tryPoints } from './points.ts';

test.skipIf(inject('temporalAddress') === null)(
  'a worker that is killed at a point of an import, on either side of it, leaves what an undisturbed one does',
  async () => {
    const trials = await tryPoints({ only: ['import'], seed: 3, forMs: 600_000, most: 2, say: () => {} });
    expect(trials.points).toBeGreaterThan(15);
    expect(trials.kills + trials.passed).toBe(2);
    expect(trials.broken).toEqual([]);
  },
);
