import { expect, test } from 'vitest';
import { analyseCall } from '../../../src/domain/signals/analyse-call.ts';
import { withAnsweredBy } from '../../../src/domain/signals/overrule-answered.ts';
import { asLine } from '../acts/talk.ts';
import { type Given, scripted } from './scripted-call.ts';

const read = (lines: string[], given: Given = {}) =>
  analyseCall(scripted(lines.map(asLine), { direction: 'outbound', ...given }), {});

const GREETING = ['c: Hier Familie Roth, sprecht uns was drauf.', 'a: Hallo, hier ist die Praxis.'];
const MACHINE = { by: 'voicemail' as const, turns: [0] };

test('a machine that rules took for a person leaves no contact, and nothing that a caller did', () => {
  const rules = read(GREETING);
  expect(rules.answeredBy?.by).toBe('person');
  expect(rules.signals.map(({ code }) => code)).toContain('instant_hangup');
  expect(withAnsweredBy(rules, MACHINE)).toMatchObject({
    answeredBy: { by: 'voicemail', basis: 'model', turns: [0] },
    outcome: 'no_contact',
    outcomeReason: { rule: 'answered_by_model', turns: [0] },
    callerSpoke: false,
    requests: [],
    signals: [],
    counts: { callerTurns: 0 },
  });
});

test('a person that rules took for a machine leaves the ending open', () => {
  const rules = read(['c: Leave a message after the tone, ha, no, it is me.', 'a: Hi Tom.']);
  expect(rules.outcome).toBe('no_contact');
  const person = withAnsweredBy(rules, { by: 'person', turns: [0] });
  expect(person).toMatchObject({ answeredBy: { by: 'person' }, outcome: null, callerSpoke: true });
});

test('the same word, and what a platform says, stand', () => {
  const rules = read(GREETING);
  expect(withAnsweredBy(rules, { by: 'person', turns: [0] })).toBe(rules);
  const platform = read(GREETING, { ending: { hint: 'no_contact', family: 'machine', endedBy: 'platform' } });
  expect(withAnsweredBy(platform, { by: 'person', turns: [0] })).toBe(platform);
});
