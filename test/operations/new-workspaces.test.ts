import { expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../src/config.ts';

const settings = (given: Record<string, string>) =>
  readConfig({ DATABASE_URL: 'postgres://localhost/earshot', EARSHOT_SECRET: 'x'.repeat(32), ...given }).newWorkspaces;

test.each<[string, Record<string, string>, ReturnType<typeof settings>]>([
  ['nothing', {}, { plan: 'free_org', aiAllowanceUsd: 0, storageMib: 1024 }],
  ['empty settings', { EARSHOT_NEW_WORKSPACE_AI_USD: '' }, { plan: 'free_org', aiAllowanceUsd: 0, storageMib: 1024 }],
  ['a bound for all', { EARSHOT_STORAGE_MIB: '50' }, { plan: 'free_org', aiAllowanceUsd: 0, storageMib: null }],
  ['a single tenant', { EARSHOT_SINGLE_TENANT: 'on' }, { plan: 'enterprise', aiAllowanceUsd: null, storageMib: null }],
  [
    'a single tenant with bounds',
    { EARSHOT_SINGLE_TENANT: 'on', EARSHOT_NEW_WORKSPACE_PLAN: 'growth', EARSHOT_NEW_WORKSPACE_AI_USD: '2.5' },
    { plan: 'growth', aiAllowanceUsd: 2.5, storageMib: null },
  ],
  [
    'no bounds',
    { EARSHOT_NEW_WORKSPACE_AI_USD: 'unlimited', EARSHOT_NEW_WORKSPACE_STORAGE_MIB: 'unlimited' },
    { plan: 'free_org', aiAllowanceUsd: null, storageMib: null },
  ],
])('with %s set', (_, given, terms) => {
  expect(settings(given)).toEqual(terms);
});

test.each([
  ['EARSHOT_SINGLE_TENANT', 'yes', /must be on or off/],
  ['EARSHOT_NEW_WORKSPACE_PLAN', 'gold', /must be one of free_org/],
  ['EARSHOT_NEW_WORKSPACE_AI_USD', '-1', /must be USD/],
  ['EARSHOT_NEW_WORKSPACE_STORAGE_MIB', 'much', /must be a whole number of MiB/],
])('%s as %s is refused by its name', (name, value, message) => {
  const reading = () => settings({ [name]: value });
  expect(reading).toThrow(ConfigError);
  expect(reading).toThrow(name);
  expect(reading).toThrow(message);
});
