import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../src/layout.ts';

test('what docs/proof.md names is there', () => {
  const named = readFileSync(join(ROOT, 'docs', 'proof.md'), 'utf8').matchAll(/`(test\/[^`]+\.ts)`/g);
  const files = [...named].map(([, file = '']) => file);
  expect(files.length).toBeGreaterThan(50);
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});
