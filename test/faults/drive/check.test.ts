import { describe, expect, test } from 'vitest';
import { check, INVARIANTS } from './check.ts';
import { FAULTS } from './faults.ts';
import type { Finals } from './finals.ts';
import { Journal } from './journal.ts';
import { MUTANTS } from './mutants.ts';
import { broken } from './prove.ts';

/** A small history in which everything held. */
function history(): { journal: Journal; finals: Finals } {
  const journal = new Journal();
  journal.made.push(
    { what: 'test', id: 't1', name: 'Test 1' },
    { what: 'watch', id: 'w1', name: 'Watch 1' },
    { what: 'draft', id: 'd1', name: 'Draft 1' },
    { what: 'import', id: 'i1', name: 'i1' },
    { what: 'run', id: 'r1', name: 'r1' },
    { what: 'run', id: 'r-auto', name: 'r-auto' },
    { what: 'erasure', id: 'e1', name: 'e1' },
  );
  journal.repeated.push({ key: 'k', ids: ['t1', 't1'] });
  journal.renamed.push({ watchId: 'w1', name: 'Watch 1, renamed', isSure: true });
  journal.labelled.push({ watchId: 'w1', callId: 'c-a', label: 'right', isSure: true });
  journal.published.push({ draftId: 'd1', words: 'Be quick.' });
  journal.approved.push({ runId: 'r-auto', approvedAt: '2026-05-04T09:00:00Z' });
  journal.backtested.push('w1');
  journal.taken.push({ ref: 'a', importId: 'i1' }, { ref: 'b', importId: null }, { ref: 'gone', importId: 'i1' });
  journal.erased.push({ callId: 'c-gone', ref: 'gone', erasureId: 'e1' });
  journal.seen.push(
    { what: 'run', id: 'r1', status: 'running', done: 1, total: 2 },
    { what: 'run', id: 'r1', status: 'complete', done: 2, total: 2 },
    { what: 'run', id: 'r1', status: 'complete', done: 2, total: 2 },
  );
  journal.results.push({ runId: 'r1', bytes: '{}' }, { runId: 'r1', bytes: '{}' });
  journal.revoked.push({ keyId: 'k1', statusesAfter: [401, 401] });
  journal.spent.push({ keyId: 'key', usd: 0.04, budgetUsd: 5 });
  journal.strangers.push({ path: '/v1/agents/x', status: 404 });
  journal.walks.push({ before: ['a', 'b'], shown: ['a', 'b', 'c'] });
  const finals: Finals = {
    tests: [{ id: 't1', title: 'Test 1' }],
    watches: [{ id: 'w1', name: 'Watch 1, renamed', state: 'review', samples: [{ callId: 'c-a', label: 'right' }] }],
    reading: { waiting: 0, read: 2 },
    drafts: [{ id: 'd1', title: 'Draft 1', status: 'published' }],
    wordsThere: ['Be kind.', 'Be quick.'],
    leftThere: [],
    keys: [{ id: 'key', name: 'Key', spentUsd: 0.04 }],
    imports: [{ id: 'i1', status: 'complete' }],
    runs: [
      {
        id: 'r1',
        status: 'complete',
        approvedAt: null,
        isPaidByKey: true,
        costUsd: 0.04,
        cells: 2,
        counted: 2,
        attempts: ['t1 p 1', 't2 p 1'],
      },
      {
        id: 'r-auto',
        status: 'complete',
        approvedAt: '2026-05-04T09:00:00Z',
        isPaidByKey: false,
        costUsd: 0.02,
        cells: 1,
        counted: 1,
        attempts: ['t3 p 1'],
      },
    ],
    erasures: [{ id: 'e1', status: 'complete' }],
    calls: {
      fed: [
        { id: 'c-a', ref: 'a', outcome: 'resolved' },
        { id: 'c-b', ref: 'b', outcome: 'resolved' },
      ],
      polled: [{ id: 'c-1', ref: 'call_1', outcome: 'resolved' }],
    },
    offered: ['call_1'],
    erasedStatuses: [{ callId: 'c-gone', status: 404 }],
    testsAudited: ['t1'],
    approvalsAudited: ['r-auto'],
    deliveries: [
      { messageId: 'm-auto', runId: 'r-auto', bytes: 'e30=', isTaken: true },
      { messageId: 'm1', runId: 'r1', bytes: 'e30=', isTaken: false },
      { messageId: 'm1', runId: 'r1', bytes: 'e30=', isTaken: true },
    ],
  };
  return { journal, finals };
}

type Break = (left: ReturnType<typeof history>) => unknown;

/** What a product that does not keep its word would leave behind, by the invariant that it breaks. */
const BROKEN: Record<string, Break[]> = {
  'what was acknowledged is there': [
    ({ finals }) => finals.tests.pop(),
    ({ journal }) => journal.made.push({ what: 'run', id: 'r2', name: 'r2' }),
    ({ finals }) => finals.calls.fed.pop(),
  ],
  'what is there was asked for once and is there once': [
    ({ finals }) => finals.tests.push({ id: 't2', title: 'Test 1' }),
    ({ finals }) => finals.calls.polled.push({ id: 'c-2', ref: 'call_1', outcome: 'resolved' }),
    ({ finals }) => finals.runs[0]?.attempts.push('t1 p 1'),
    ({ journal }) => journal.repeated.push({ key: 'k2', ids: ['t1', 't2'] }),
  ],
  'what a platform had is imported': [({ finals }) => finals.offered.push('call_2')],
  'every call is read': [({ finals }) => finals.calls.fed.push({ id: 'c-d', ref: 'd', outcome: null })],
  'what was begun ends': [({ finals }) => finals.imports.push({ id: 'i2', status: 'running' })],
  'nothing fails for a fault that passed': [({ finals }) => finals.imports.push({ id: 'i2', status: 'failed' })],
  'progress never falls and ends stay': [
    ({ journal }) => journal.seen.push({ what: 'run', id: 'r1', status: 'running', done: 2, total: 2 }),
    ({ journal }) => journal.seen.push({ what: 'run', id: 'r1', status: 'complete', done: 1, total: 2 }),
    ({ journal }) => journal.seen.push({ what: 'run', id: 'r1', status: 'complete', done: 3, total: 2 }),
  ],
  'sums of a run add up and its result never changes': [
    ({ finals }) => finals.runs[0] && (finals.runs[0].counted = 1),
    ({ journal }) => journal.results.push({ runId: 'r1', bytes: '{"score":0}' }),
  ],
  'money is spent once and within its budget': [
    ({ finals }) => finals.keys[0] && (finals.keys[0].spentUsd = 0.08),
    ({ journal }) => journal.spent.push({ keyId: 'key', usd: 5.01, budgetUsd: 5 }),
  ],
  'every run is told of, always in the same words': [
    ({ finals }) => finals.deliveries.pop(),
    ({ finals }) => finals.deliveries.push({ messageId: 'm1', runId: 'r1', bytes: 'W10=', isTaken: true }),
    ({ finals }) => finals.deliveries.push({ messageId: 'm2', runId: 'r1', bytes: 'e30=', isTaken: true }),
  ],
  'a revoked key is refused from the next request on': [
    ({ journal }) => journal.revoked.push({ keyId: 'k2', statusesAfter: [401, 200] }),
  ],
  'what was erased stays away': [
    ({ finals }) => finals.calls.fed.push({ id: 'c-new', ref: 'gone', outcome: 'resolved' }),
    ({ finals }) => finals.erasedStatuses.push({ callId: 'c-gone', status: 200 }),
  ],
  'a list shows what was there exactly once': [
    ({ journal }) => journal.walks.push({ before: ['a', 'b'], shown: ['a'] }),
    ({ journal }) => journal.walks.push({ before: ['a'], shown: ['a', 'a'] }),
  ],
  'a name that was given stays': [({ finals }) => finals.watches[0] && (finals.watches[0].name = 'Watch 1')],
  'a label that was given stays': [
    ({ journal }) => journal.labelled.push({ watchId: 'w1', callId: 'c-a', label: 'wrong', isSure: true }),
    ({ journal }) => journal.labelled.push({ watchId: 'w1', callId: 'c-b', label: 'right', isSure: true }),
  ],
  'every call is read by the model too, or given up': [
    ({ finals }) => (finals.reading.waiting = 1),
    ({ finals }) => (finals.reading.read = 0),
  ],
  'what was published is live once, in its words': [
    ({ finals }) => finals.drafts[0] && (finals.drafts[0].status = 'publishing'),
    ({ finals }) => finals.wordsThere.pop(),
    ({ finals }) => finals.wordsThere.push('Be quick.'),
  ],
  'nothing of ours is left at the platform': [({ finals }) => finals.leftThere.push('agent_copy_1')],
  'an approval that was taken takes effect once': [
    ({ finals }) => finals.runs[1] && (finals.runs[1].status = 'refused'),
    ({ finals }) => finals.runs[1] && (finals.runs[1].approvedAt = null),
    ({ finals }) => finals.approvalsAudited.push('r-auto'),
  ],
  'a watch that is backtested gets its samples': [
    ({ finals }) => finals.watches[0] && (finals.watches[0].state = 'draft'),
  ],
  'every write with a key is audited once': [
    ({ finals }) => finals.testsAudited.pop(),
    ({ finals }) => finals.testsAudited.push('t1'),
  ],
  'nobody sees what is next door': [
    ({ journal }) => journal.strangers.push({ path: '/v1/agents/x/calls', status: 200 }),
    // Being forbidden says that it is there.
    ({ journal }) => journal.strangers.push({ path: '/v1/agents/x/calls', status: 403 }),
  ],
  'nothing is refused that is the customers to do': [
    ({ journal }) => journal.refused.push('POST /v1/agents/x/runs: 402'),
  ],
  'a request that is made again is answered in the end': [
    ({ journal }) => journal.neverAnswered.push('POST /v1/agents/x/runs: null'),
  ],
  'every refusal has the envelope': [({ journal }) => journal.malformed.push({ path: '/v1/me', status: 500 })],
};

describe('the checker of the fault run', () => {
  test('finds nothing where everything held', () => {
    const { journal, finals } = history();
    expect(check(journal, finals)).toEqual([]);
  });

  test('has a broken history for each invariant', () => {
    expect(Object.keys(BROKEN)).toEqual(INVARIANTS.map(({ name }) => name));
  });

  test.each(MUTANTS)('can be proved by a product that $does', (mutant) => {
    expect(INVARIANTS.map(({ name }) => name)).toContain(mutant.breaks);
    expect(FAULTS.map(({ name }) => name)).toEqual(expect.arrayContaining([...(mutant.only ?? [])]));
    expect(broken(mutant)).toContain(mutant.replace);
  });

  const cases = Object.entries(BROKEN).flatMap(([name, breaks]) => breaks.map((harm, at) => ({ name, at, harm })));
  test.each(cases)('sees that "$name" is broken ($at)', ({ name, harm }) => {
    const broken = history();
    harm(broken);
    expect(check(broken.journal, broken.finals).map((found) => found.name)).toEqual([name]);
  });
});
