import { describe, expect, test } from 'vitest';
import { composeAgreement, composeMessage, composeTest } from '../../../src/domain/messages/compose.ts';
import { threadOf } from '../../../src/domain/messages/notice.ts';
import type { Worded } from '../../../src/domain/messages/wording.ts';
import { MESSAGE_EVENTS, type MessageEvent } from '../../../src/domain/vocabulary.ts';

const URL_OF_US = 'https://earshot.example.com';
const FACTS = {
  alarmId: 'l1',
  slug: 'price',
  level: 'critical',
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
const CAUSE = {
  workspaceName: 'North',
  by: { name: 'Ada', email: 'ada@example.com', emailVerified: true },
  isOwn: false,
};
const compose = (...notices: Worded[]) => composeMessage(notices, URL_OF_US, CAUSE);

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
  ['alarm.raised', 'Alarm: Says the price is critical', '/a/a1/alarms/price', `alarm:l1/${FACTS.since}`],
  ['alarm.continues', 'Alarm goes on: Says the price is critical', '/a/a1/alarms/price', `alarm:l1/${FACTS.since}`],
  ['alarm.recovered', 'Alarm is over: Says the price is critical', '/a/a1/alarms/price', `alarm:l1/${FACTS.since}`],
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
    expect(hidden.subject).toBe('[x y] New issue: a Bcc b example com gnp');
    expect(subject).not.toMatch(/[\r\n]/);
    expect(text.split('\n')).toHaveLength(6);
  });

  test('are cut by characters, never through one', () => {
    const long = compose(notice({ facts: { title: '😀'.repeat(500) } }));
    expect([...long.subject].length).toBeLessThanOrEqual(150);
    expect(long.subject).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
    const [header] = long.slack.blocks;
    expect(JSON.stringify(header).length).toBeLessThan(1_000);
  });

  test('of a call are left out where none may leave', () => {
    expect(compose(notice({ quote: 'I want to cancel.' })).text).toContain('“I want to cancel.”');
    expect(JSON.stringify(compose(notice({ quote: null })))).not.toContain('“I want');
    expect(compose(notice({ quote: null })).html).not.toContain('blockquote');
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
  const { subject, text } = composeTest('#alerts', URL_OF_US, CAUSE);
  expect(subject).toBe('[Earshot] A test of a channel');
  expect(text).toContain('A test of a channel: #alerts');
  expect(text).toContain('Nothing happened');
  expect(text).toContain('Ada (ada@example.com) tries this channel of the workspace “North”.');
});

describe('a subject', () => {
  const LURE = 'Your account is locked: see https://evil.example/login or write to ceo@evil.example';

  test.each([
    ['the name of an agent', { agentName: LURE }],
    ['a title', { title: LURE }],
  ])('holds nothing of %s that a program makes a link or an address of', (_, facts) => {
    const { subject } = compose(notice({ facts }));
    expect(subject).not.toMatch(/[./@]|https?:/);
    expect(subject).toContain('Your account is locked');
  });

  test('holds nothing of the name of a channel, and ours where an agent has no name that it may hold', () => {
    expect(composeTest(LURE, URL_OF_US, CAUSE).subject).toBe('[Earshot] A test of a channel');
    expect(compose(notice({ facts: { agentName: '://@' } })).subject).toBe('[Earshot] New issue: Books twice');
  });
});

test('names that people gave are no links in what is sent to whoever did not agree yet', () => {
  const lure = 'Payroll: https://evil.example/sign-in or ceo@evil.example';
  const by = { name: lure, email: 'ada@example.com', emailVerified: true };
  const { text, html } = composeAgreement(`${URL_OF_US}/agree#secret`, { workspaceName: lure, by, isOwn: false });
  expect(text).toContain('Payroll');
  for (const sent of [text, html]) expect(sent).not.toMatch(/evil\.example|evil@|@evil/);
});

describe('each message says on whose behalf it comes', () => {
  test.each([
    [
      'a channel of somebody whose address nobody proved',
      { ...CAUSE, by: { ...CAUSE.by, emailVerified: false } },
      'Ada (ada@example.com, not verified) has the workspace “North” send this here.',
    ],
    ['a channel of somebody', CAUSE, 'Ada (ada@example.com) has the workspace “North” send this here.'],
    [
      'one whose maker is gone',
      { ...CAUSE, by: null },
      'The workspace “North” sends this; who set the channel up is gone.',
    ],
    ['one’s own', { ...CAUSE, isOwn: true }, 'You asked for this in the workspace “North”.'],
  ])('%s', (_, cause, line) => {
    for (const notices of [[notice()], [notice(), notice({ event: 'watch.failing' })]]) {
      const { text, html, slack } = composeMessage(notices, URL_OF_US, cause);
      expect(text.endsWith(line)).toBe(true);
      expect(html).toContain(line);
      expect(JSON.stringify(slack.blocks)).toContain(line);
    }
  });

  test('and who gave an issue to somebody', () => {
    expect(compose(notice({ event: 'issue.assigned' })).text).toContain('Ada had Grace look after it.');
  });

  test('in names that are text', () => {
    const by = { name: '<b>Ada</b>\r\nBcc: x', email: 'ada@example.com', emailVerified: true };
    const { text, html, slack } = composeMessage([notice()], URL_OF_US, {
      workspaceName: '<!channel>',
      by,
      isOwn: false,
    });
    expect(html).not.toContain('<b>');
    expect(text.split('\n').at(-1)).toBe('b Ada b Bcc x (ada@example.com) has the workspace “channel” send this here.');
    expect(slack.text).not.toContain('<!channel>');
  });
});
