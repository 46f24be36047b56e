import { expect, test } from 'vitest';
import { lockFileFindings } from './lock-file.ts';

test('a package for another platform that is not locked is named', () => {
  const packages = {
    '': {},
    'node_modules/swc': { optionalDependencies: { 'swc-linux': '1', 'swc-darwin': '1' } },
    'node_modules/swc-linux': {},
  };
  expect(lockFileFindings(packages)).toEqual([
    'node_modules/swc offers swc-darwin for some platform, and it is not locked',
  ]);
});

test('a package nested beside its parent counts, as Node would find it', () => {
  const packages = {
    'node_modules/a': { optionalDependencies: { b: '1' } },
    'node_modules/a/node_modules/b': { optionalDependencies: { c: '1' } },
    'node_modules/c': {},
  };
  expect(lockFileFindings(packages)).toEqual([]);
});

test('a line that names a registry is refused', () => {
  expect(lockFileFindings({ 'node_modules/a': { resolved: 'https://example.test/a.tgz' } })).toHaveLength(1);
});
