import { expect, test } from 'vitest';
import { lockFileFindings } from './lock-file.ts';

test('a package for another platform that is not locked is named', () => {
  const packages = {
    '': {},
    'node_modules/swc': { license: 'MIT', optionalDependencies: { 'swc-linux': '1', 'swc-darwin': '1' } },
    'node_modules/swc-linux': { license: 'MIT' },
  };
  expect(lockFileFindings(packages)).toEqual([
    'node_modules/swc offers swc-darwin for some platform, and it is not locked',
  ]);
});

test('a package nested beside its parent counts, as Node would find it', () => {
  const packages = {
    'node_modules/a': { license: 'MIT', optionalDependencies: { b: '1' } },
    'node_modules/a/node_modules/b': { license: 'MIT', optionalDependencies: { c: '1' } },
    'node_modules/c': { license: 'MIT' },
  };
  expect(lockFileFindings(packages)).toEqual([]);
});

test('a line that names a registry is refused', () => {
  expect(
    lockFileFindings({ 'node_modules/a': { license: 'MIT', resolved: 'https://example.test/a.tgz' } }),
  ).toHaveLength(1);
});

test('a package that is shipped under a licence nobody decided on is named, one that only builds is not', () => {
  const named = (license: string | undefined, dev = false) =>
    lockFileFindings({ 'node_modules/a': { ...(license && { license }), dev } }).length;
  expect([named('MIT'), named('Apache-2.0 AND MIT'), named('(GPL-3.0 OR MIT)'), named('GPL-3.0', true)]).toEqual([
    0, 0, 0, 0,
  ]);
  expect([named('GPL-3.0'), named('GPL-3.0 AND MIT'), named(undefined)]).toEqual([1, 1, 1]);
});

test('a package that runs a script at install is named, unless it may', () => {
  const packages = { 'node_modules/a/node_modules/@b/c': { license: 'MIT', hasInstallScript: true } };
  expect(lockFileFindings(packages)).toHaveLength(1);
  expect(lockFileFindings(packages, ['@b/c'])).toEqual([]);
});
