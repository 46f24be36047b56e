import { expect, test } from 'vitest';
import {
  findingsOf,
  type InstallationFacts,
  type ProcessStanding,
  type SeenStanding,
} from '../../../src/domain/installation/findings.ts';

const NOW = Date.parse('2026-11-28T12:00:00Z');

const seen = (kind: SeenStanding['kind'], said: Partial<ProcessStanding> = {}): SeenStanding => ({
  kind,
  host: 'one',
  pid: kind === 'api' ? 1 : 2,
  seenAtMs: NOW,
  standing: { version: '1.0.0', clockMs: NOW, model: 'm', sendsMail: false, freeBytes: 5e9, ...said },
});

const SOUND: InstallationFacts = {
  version: '1.0.0',
  installation: 'this',
  processes: [seen('api'), seen('worker')],
  database: {
    version: '18.1',
    bytes: 2e9,
    connections: 12,
    connectionsAtMost: 100,
    pool: { busy: 1, idle: 2, waiting: 0 },
  },
  keysBefore: 0,
  temporal: {
    name: 'Temporal',
    answer: { namespace: 'default', serverVersion: '1.30', installation: 'this' },
    trouble: null,
  },
  model: { name: 'm', answer: true, trouble: null },
  mail: null,
  signIn: null,
};

const found = (name: string, change: Partial<InstallationFacts>) =>
  findingsOf({ ...SOUND, ...change }).find((finding) => finding.name === name);

test('a sound installation has nothing wrong, and says what it has', () => {
  expect(findingsOf(SOUND).map(({ name, state }) => [name, state])).toEqual([
    ['Workers', 'fine'],
    ['Versions', 'fine'],
    ['Clocks', 'fine'],
    ['Disks', 'fine'],
    ['PostgreSQL', 'fine'],
    ['Secret', 'fine'],
    ['Temporal', 'fine'],
    ['Model', 'fine'],
    ['Mail', 'absent'],
    ['Sign-in', 'absent'],
  ]);
  expect(found('PostgreSQL', {})?.says).toBe(
    '18.1, 2.0 GB, 12 of 100 connections; this API: 1 busy, 2 idle, 0 waiting',
  );
});

const worker = (said: Partial<ProcessStanding>) => ({ processes: [seen('api'), seen('worker', said)] });
const temporal = (installation: string | null) => ({
  temporal: { name: 'Temporal', answer: { namespace: 'ns', serverVersion: '1', installation }, trouble: null },
});

test.each<[string, Partial<InstallationFacts>, string]>([
  ['Workers', { processes: [seen('api')] }, 'no worker is running, so nothing is imported or analyzed'],
  ['Versions', worker({ version: '0.9.0' }), 'this API is 1.0.0; worker on one (2) is 0.9.0'],
  [
    'Versions',
    { processes: [{ ...seen('worker'), standing: null }] },
    'this API is 1.0.0; worker on one (2) is an earlier version',
  ],
  ['Clocks', worker({ clockMs: NOW + 300_000 }), 'compared with the database: worker on one (2) is 300 seconds ahead'],
  ['Clocks', worker({ clockMs: NOW - 6_000 }), 'compared with the database: worker on one (2) is 6 seconds behind'],
  ['Disks', worker({ freeBytes: 4e8 }), '400 MB free for the worker on one (2)'],
  [
    'PostgreSQL',
    { database: { ...SOUND.database, connections: 95 } },
    '18.1, 2.0 GB, 95 of 100 connections; this API: 1 busy, 2 idle, 0 waiting',
  ],
  ['Temporal', temporal('that'), '1, namespace ns, which belongs to another installation'],
  ['Temporal', { temporal: { name: 'Temporal', answer: null, trouble: 'refused' } }, 'refused'],
  ['Model', worker({ model: null }), 'this API has m, the worker on one (2) has none'],
  ['Model', { ...worker({ model: 'm' }), model: null }, 'this API has none, the worker on one (2) has m'],
  [
    'Model',
    { model: { name: 'm', answer: null, trouble: 'it does not accept the key' } },
    'm: it does not accept the key',
  ],
  ['Mail', worker({ sendsMail: true }), 'the worker on one (2) and this API differ in whether mail is set up'],
  ['Sign-in', { signIn: { name: 'Acme', answer: null, trouble: 'no answer in time' } }, 'Acme: no answer in time'],
])('%s is wrong where it is, with what to do', (name, change, says) => {
  expect(found(name, change)).toEqual({ name, state: 'wrong', says, todo: expect.stringMatching(/\w/) });
});

test('what is merely not set up, or not bound, is not wrong', () => {
  expect(found('Temporal', temporal(null))?.state).toBe('fine');
  expect(found('Model', { ...worker({ model: null }), model: null })?.state).toBe('absent');
  expect(found('Secret', { keysBefore: 2 })).toMatchObject({ state: 'fine', todo: expect.stringContaining('seal') });
});
