import { describe, expect, test } from 'vitest';
import type { Notice } from '../../../src/domain/messages/notice.ts';
import { type Channel, planMessages } from '../../../src/domain/messages/plan.ts';
import type { Subscription } from '../../../src/domain/messages/subscription.ts';

const NOW = Date.parse('2026-03-02T12:03:00Z');
const subscription = (given: Partial<Subscription> = {}): Subscription => ({
  events: ['issue.opened', 'issue.resolved', 'issue.commented'],
  minSeverity: null,
  agentId: null,
  timeZone: 'UTC',
  quietHours: null,
  digest: { every: 'immediate' },
  ...given,
});
const channel = (given: Partial<Channel> = {}): Channel => ({
  id: 'c',
  kind: 'slack',
  personId: null,
  subscriptions: [subscription()],
  threads: false,
  ...given,
});
const notice = (issueId: string, given: Partial<Notice> = {}): Notice => ({
  event: 'issue.opened',
  eventKey: issueId,
  agentId: 'a',
  at: '2026-03-02T12:03:00Z',
  personIds: null,
  ...given,
  facts: { issueId, ...given.facts },
});

/** Messages as `when: issues`; `told` are problems that the channel knows. */
function plan(to: Channel, happened: Notice[], told: string[] = []): string[] {
  return planMessages([to], happened, NOW, (_, thread) => told.includes(thread)).map(({ dueMs, notices }) => {
    const when = dueMs === null ? 'at once' : new Date(dueMs).toISOString().slice(11, 16);
    return `${when}: ${notices.map(({ facts }) => String(facts['issueId'])).join(' ')}`;
  });
}

describe('a service that calls people', () => {
  test('is told of each problem by itself and at once, and of nothing else', () => {
    const events = ['issue.opened', 'issue.commented'] as const;
    const to = channel({ kind: 'pagerduty', subscriptions: [subscription({ events: [...events] })] });
    const happened = ['1', '2', '3', '4', '5'].map((id) => notice(id));
    expect(plan(to, [...happened, notice('6', { event: 'issue.commented' })], ['issue:1'])).toEqual(
      ['1', '2', '3', '4', '5'].map((id) => `at once: ${id}`),
    );
  });
});

describe('new problems', () => {
  test('are told of one by one, and many of one breath together', () => {
    const named = (...ids: string[]) => ids.map((id) => notice(id));
    expect(plan(channel(), named('1', '2', '3'))).toEqual(['at once: 1', 'at once: 2', 'at once: 3']);
    expect(plan(channel(), named('1', '2', '3', '4'))).toEqual(['at once: 1 2 3 4']);
  });

  test.each<[string, Partial<Subscription>, boolean]>([
    ['another event', { events: ['watch.failing'] }, false],
    ['another agent', { agentId: 'b' }, false],
    ['the same agent', { agentId: 'a' }, true],
    ['a higher severity', { minSeverity: 'critical' }, false],
    ['the same severity', { minSeverity: 'high' }, true],
    ['a lower severity', { minSeverity: 'low' }, true],
  ])('with a severity of high, for one who asked for %s', (_, given, isTold) => {
    const to = channel({ subscriptions: [subscription(given)] });
    expect(plan(to, [notice('1', { facts: { severity: 'high' } })])).toHaveLength(isTold ? 1 : 0);
  });

  test('without a severity pass whatever the least one is', () => {
    expect(plan(channel({ subscriptions: [subscription({ minSeverity: 'critical' })] }), [notice('1')])).toHaveLength(
      1,
    );
  });

  test('are told of at the earliest time that is asked for', () => {
    const daily = subscription({ digest: { every: 'daily', hour: 18 } });
    const nightly = subscription({ digest: { every: 'daily', hour: 23 } });
    expect(plan(channel({ subscriptions: [nightly, daily] }), [notice('1')])).toEqual(['18:00: 1']);
    expect(plan(channel({ subscriptions: [nightly, subscription()] }), [notice('1')])).toEqual(['at once: 1']);
  });
});

describe('updates', () => {
  const updates = [notice('1', { event: 'issue.resolved' }), notice('2', { event: 'issue.resolved' })];
  const told = ['issue:1', 'issue:2'];

  test('stand in their threads at once where they can', () => {
    expect(plan(channel({ threads: true }), updates, told)).toEqual(['at once: 1', 'at once: 2']);
  });

  test('go together within ten minutes where they cannot, and what is new does not wait for them', () => {
    const messages = planMessages([channel()], [...updates, notice('3')], NOW, (_, thread) => told.includes(thread));
    expect(messages.map(({ bundle }) => bundle)).toEqual([
      null,
      'due/2026-03-02T12:10:00.000Z',
      'due/2026-03-02T12:10:00.000Z',
    ]);
  });

  test('of a problem that the channel was not told of are its first message', () => {
    expect(plan(channel(), [updates[0] as Notice])).toEqual(['at once: 1']);
  });
});

test('what concerns some people reaches their own channels and those of the workspace', () => {
  const comment = notice('1', { event: 'issue.commented', personIds: ['ada'] });
  expect(plan(channel({ personId: 'ada' }), [comment])).toHaveLength(1);
  expect(plan(channel({ personId: 'bob' }), [comment])).toHaveLength(0);
  expect(plan(channel(), [comment])).toHaveLength(1);
});
