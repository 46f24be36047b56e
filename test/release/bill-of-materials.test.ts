import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeBillOfMaterials } from '../../release/bill-of-materials.ts';

test('the bill of materials names what is shipped with its licence and hash, and is the same each time', () => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-bill-'));
  const [first, second] = [0, 1].map(() => readFileSync(writeBillOfMaterials(folder), 'utf8'));
  rmSync(folder, { recursive: true });
  expect(second).toBe(first);
  const { bomFormat, components } = JSON.parse(first ?? '');
  expect(bomFormat).toBe('CycloneDX');
  const named = (name: string) => components.filter((component: { name: string }) => component.name === name);
  expect(named('fastify')).toMatchObject([{ hashes: [{ alg: 'SHA-512' }], licenses: [{ license: { id: 'MIT' } }] }]);
  expect(named('vitest')).toEqual([]);
});
