import { describe, expect, test } from 'vitest';
import { composeMessage, composeTest } from '../../../src/domain/messages/compose.ts';
import { threadOf } from '../../../src/domain/messages/notice.ts';
import type { Worded } from '../../../src/domain/messages/wording.ts';
import { MESSAGE_EVENTS, type MessageEvent } from '../../../src/domain/vocabulary.ts';

const URL_OF_US = 'https://earshot.example.com';
const FACTS = {
  agentName: 'Front desk',
  title: 'Books twice',
  issueId: 'i1',
  severity: 'high',
  status: 'open',
  personName: 'Ada',
  ownerName: 'Grace',
  text: 'Look.',
  runId: 'r1',
  version: 4,
  message: 'It waits.',
  waitsUntil: '2026-03-09T09:15:04.120Z',
  watchId: 'w1',
  name: 'Says the price',
  day: '2026-03-02',
  importId: 'm1',
  since: '2026-03-02T09:00:00.000Z',
  waitsFor: 'the platform',
  stored: 12,
};
const notice = (given: Partial<Worded> = {}): Worded => ({
  event: 'issue.opened',
  agentId: 'a1',
  quote: null,
  ...given,
  facts: { ...FACTS, ...given.facts },
});
const compose = (...notices: Worded[]) => composeMessage(notices, URL_OF_US);

test.each<[MessageEvent, string, string, string]>([
  ['issue.opened', 'New issue: Books twice', '/a/a1/issues/i1', 'issue:i1'],
  ['issue.regressed', 'Came back: Books twice', '/a/a1/issues/i1', 'issue:i1'],
  ['issue.resolved', 'Resolved: Books twice', '/a/a1/issues/i1', 'issue:i1'],
  ['issue.spiked', 'Spike: Books twice', '/a/a1/issues/i1', 'issue:i1'],
  ['issue.assigned', 'Assigned: Books twice', '/a/a1/issues/i1', 'issue:i1'],
  ['issue.commented', 'Comment: Books twice', '/a/a1/issues/i1', 'issue:i1'],
  ['run.awaiting_approval', 'Waits for approval: run of version 4', '/a/a1/runs/r1/approve', 'run:r1'],
  ['run.refused', 'Refused by its budget: run of version 4', '/a/a1/runs/r1', 'run:r1'],
  ['watch.failing', 'Watch fails: Says the price', '/a/a1/watches/w1', 'watch:w1/2026-03-02'],
  ['watch.recovered', 'Watch holds again: Says the price', '/a/a1/watches/w1', 'watch:w1/2026-03-02'],
  ['import.stuck', 'Import is stuck: waits for the platform', '/a/a1/imports/m1', `import:m1/${FACTS.since}`],
  ['version.untested', 'Not tested: version 4 went live', '/a/a1/versions', 'version:a1/4'],
])('%s names its problem and leads to its page', (event, title, path, thread) => {
  const { subject, text, html, slack } = compose(notice({ event }));
  expect(subject).toBe(`[Front desk] ${title}`);
  expect(text).toContain(`${URL_OF_US}${path}`);
  expect(html).toContain(`href="${URL_OF_US}${path}"`);
  expect(JSON.stringify(slack.blocks)).toContain(`"url":"${URL_OF_US}${path}"`);
  expect(threadOf(event, 'a1', FACTS)).toBe(thread);
});

test('each event has its words', () => {
  const subjects = MESSAGE_EVENTS.map((event) => compose(notice({ event })).subject.split(':')[0]);
  expect(new Set(subjects).size).toBe(MESSAGE_EVENTS.length);
});

describe('words that others said', () => {
  const MARKUP = '<script>alert(1)</script> <!channel> <@U1> *b* `c` @here <https://evil.example|here> & "q" \'p\'';
  const { subject, text, html, slack } = compose(notice({ facts: { title: MARKUP, agentName: '<b>' }, quote: MARKUP }));

  test('are text in HTML', () => {
    const tags = [...html.matchAll(/<\/?([a-z]+)/g)].map(([, name]) => name);
    expect(new Set(tags)).toEqual(new Set(['p', 'strong', 'blockquote', 'a']));
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(html).not.toMatch(/href="(?!https:\/\/earshot\.example\.com)/);
  });

  test('are text in Slack: no block of theirs is markup, and no mention or link is in its text', () => {
    expect(JSON.stringify(slack.blocks)).not.toContain('mrkdwn');
    expect(slack.text).not.toMatch(/[<>]|@(?!\u2060)/);
  });

  test('are one line, in which nothing hides or turns', () => {
    const hidden = compose(
      notice({ facts: { title: 'a\r\nBcc: b@example.com\u202egnp\u0000\u200b', agentName: 'x\ny' } }),
    );
    expect(hidden.subject).toBe('[x y] New issue: a Bcc: b@example.com gnp');
    expect(subject).not.toMatch(/[\r\n]/);
    expect(text.split('\n')).toHaveLength(4);
  });

  test('are cut by characters, never through one', () => {
    const long = compose(notice({ facts: { title: '😀'.repeat(500) } }));
    expect([...long.subject]).toHaveLength(150);
    expect(long.subject).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
    const [header] = long.slack.blocks;
    expect(JSON.stringify(header).length).toBeLessThan(1_000);
  });

  test('of a call are left out where none may leave', () => {
    expect(compose(notice({ quote: 'I want to cancel.' })).text).toContain('“I want to cancel.”');
    expect(JSON.stringify(compose(notice({ quote: null })))).not.toContain('“');
  });
});

describe('several together', () => {
  test('are counted in the subject and named one by one', () => {
    const { subject, text, slack } = compose(
      notice(),
      notice({ facts: { title: 'Hangs up' } }),
      notice({ event: 'watch.failing' }),
    );
    expect(subject).toBe('[Front desk] 2 × new issue, 1 × watch fails');
    for (const said of ['Books twice', 'Hangs up', 'Says the price']) {
      expect(text).toContain(said);
      expect(JSON.stringify(slack.blocks)).toContain(said);
    }
  });

  test('of several agents name each', () => {
    const { subject, text } = compose(notice(), notice({ facts: { agentName: 'Parcels' } }));
    expect(subject).toBe('[Earshot] 2 × new issue');
    expect(text).toContain('[Parcels] New issue');
  });

  test('are bounded, and say how many more there are', () => {
    const many = compose(...Array.from({ length: 40 }, (_, at) => notice({ facts: { title: `Issue ${at}` } })));
    expect(many.text).toContain('And 25 more.');
    expect(many.slack.blocks.length).toBeLessThanOrEqual(50);
    expect(many.subject).toBe('[Front desk] 40 × new issue');
  });
});

test('a trial says that nothing happened', () => {
  const { subject, text } = composeTest('#alerts', URL_OF_US);
  expect(subject).toBe('[Earshot] A test of #alerts');
  expect(text).toContain('Nothing happened');
});
