import { describe, expect, inject, test } from 'vitest';
import { drive } from './drive.ts';

/** Some six faults on an idle machine; `npm run faults` goes on for as long as it is told. */
const FOR_MS = 15_000;

describe.skipIf(inject('temporalAddress') === null)('whatever breaks under customers at work', () => {
  test('what they were told stays true', async () => {
    const said: string[] = [];
    const { journal, faults, violations } = await drive({ seed: 7, forMs: FOR_MS, say: (line) => said.push(line) });
    // What was broken stands in the failure.
    expect({ violations, said }).toEqual({ violations: [], said });
    expect(faults).toBeGreaterThan(0);
    expect(journal.made.map(({ what }) => what)).toEqual(
      expect.arrayContaining(['test', 'run', 'import', 'watch', 'draft']),
    );
  }, 900_000);
});
