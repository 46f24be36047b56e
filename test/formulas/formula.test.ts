import { describe, expect, test } from 'vitest';
import { FACTS, type StoredFacts } from '../../src/domain/custom-metrics/facts.ts';
import { type FormulaCall, outsideOf, readCondition, readFormula } from '../../src/formulas/formula.ts';

const facts: StoredFacts = {
  version: 3,
  startedAt: '2026-03-02T17:15:04.120Z',
  durationMs: 90_000,
  direction: 'inbound',
  disconnectionReason: 'user_hangup',
  costUsd: 0.3,
  callerKind: 'new',
  callerSpoke: true,
  outcome: 'resolved',
  outcomeConfidence: 0.9,
  endedBadly: false,
  intentSlug: 'book',
  useCaseSlug: null,
  callerTurns: 5,
  agentTurns: 6,
  toolResults: 2,
  toolFailures: 1,
  frictions: 0,
  responseMedianMs: 1_200,
  responseSlowMs: null,
  signalCodes: ['tool_failed', 'dead_air'],
};
const call: FormulaCall = { facts, variables: { tier: 'gold' } };

function valueOf(text: string, of: FormulaCall = call) {
  const read = readFormula(text);
  if ('problem' in read) throw new Error(read.problem);
  return read.evaluate(of);
}

function problemOf(text: string): string {
  const read = readFormula(text);
  if (!('problem' in read)) throw new Error(`${text} is taken.`);
  return read.problem;
}

const repeated = (times: number, text: string, between: string) => Array(times).fill(text).join(between);
const NUMBERS = `[${repeated(95, '1', ',')}]`;

describe('a formula', () => {
  test.each<[string, string, number | string]>([
    ['cost_usd / (duration_s / 60)', 'number', 0.2],
    ['1 + tool_failures / 2', 'number', 1.5],
    ['size(signals)', 'number', 2],
    ['"dead_air" in signals', 'yes_no', 1],
    ['signals.exists(code, code.startsWith("barge"))', 'yes_no', 0],
    ['tool_failures == 1', 'yes_no', 1],
    ['tool_failures != 1', 'yes_no', 0],
    ['duration_s > 60 && outcome == "resolved"', 'yes_no', 1],
    ['metadata.tier == "gold" ? "paying" : "free"', 'label', 'paying'],
    ['started_at.getHours("Europe/Berlin") >= 18', 'yes_no', 1],
    // What is not known does not matter where the rest decides.
    ['slow_response_s > 3 || duration_s > 60', 'yes_no', 1],
    ['has(metadata.campaign)', 'yes_no', 0],
  ])('%s', (text, answer, value) => {
    const read = readFormula(text);
    expect(read).toMatchObject({ answer });
    const { state, number, label } = valueOf(text);
    expect([state, number ?? label]).toEqual(['value', typeof value === 'number' ? expect.closeTo(value, 9) : value]);
  });

  test.each([
    ['slow_response_s > 3', 'slow_response_s is not known of this call.'],
    ['use_case == "booking"', 'use_case is not known of this call.'],
    ['metadata.campaign == "spring"', 'The call has no campaign.'],
    ['duration_s / frictions', 'The result is no finite number.'],
    ['duration_s * 1e11', 'The result is beyond a trillion.'],
    ['started_at.getHours(metadata.tier) > 3', 'Invalid time zone specified: gold.'],
  ])('says of %s that it is not known', (text, because) => {
    expect(valueOf(text)).toMatchObject({ state: 'unknown', number: null, label: null, because });
  });

  test('knows no metadata where nobody says them', () => {
    const because = 'metadata is not known of this call.';
    expect(valueOf('metadata.tier == "gold"', { facts, variables: null })).toMatchObject({ state: 'unknown', because });
  });

  test.each([
    ['duration > 3', 'There is no duration at character 1. Did you mean duration_s?'],
    ['turns + tool_failure', 'There is no tool_failure at character 9. Did you mean tool_failures?'],
    ['1 +', 'Unexpected token: EOF at character 4.'],
    ['outcome + 1', 'no such overload: string + int at character 1.'],
    ['outcome > 1', 'no such overload: string > int at character 1.'],
    ['started_at.getHours("Nowhere") > 3', 'There is no time zone Nowhere: name one such as Europe/Berlin.'],
    ['signals', 'The formula gives list<string>: it must give yes or no, a number or a text.'],
    ['started_at', 'The formula gives google.protobuf.Timestamp: it must give yes or no, a number or a text.'],
  ])('refuses %s', (text, problem) => {
    expect(problemOf(text)).toBe(problem);
  });

  test('names what there is where nothing is near', () => {
    expect(problemOf('weather > 3')).toContain(`What can be named: ${Object.keys(FACTS).join(', ')}`);
  });

  test.each([
    ['signals.exists(code, code.matches("(a+)+$"))', 'matches() is not available'],
    ['cel.bind(a, outcome + outcome, a + a) == ""', 'bind() is not available'],
    ['signals.exists(a, signals.exists(b, a == b))', 'exists() must not stand inside another one'],
    ['signals.map(a, signals.filter(b, a == b).size()).size()', 'filter() must not stand inside another one'],
    [repeated(200, 'turns', ' + '), ''],
    [`${NUMBERS}.exists(x, started_at.getHours("Asia/Tokyo") == x)`, 'can take too long'],
    [`${NUMBERS}.exists(x, started_at.getHours(metadata.zone) == x)`, 'can take too long'],
    [repeated(40, 'started_at.getHours("Asia/Tokyo") == 9', ' || '), 'can take too long'],
    [`${NUMBERS}.exists(x, ${repeated(9, 'metadata.a.contains(metadata.b)', ' || ')})`, 'can take too long'],
    [`(${repeated(40, 'metadata.a', ' + ')}).contains(${repeated(40, 'metadata.a', ' + ')})`, 'can take too long'],
    [`(${repeated(90, 'signals', ' + ')}).exists(code, code == "dead_air")`, 'can take too long'],
    [`signals.exists(code, (${repeated(60, 'code', ' + ')}) == "")`, 'can take too long'],
  ])('has bounded work: %s', (text, problem) => {
    expect(problemOf(text)).toContain(problem);
  });
});

test('reads the beginning of a long text, and as much of what was sent beside a call as a person sends', () => {
  const variables = {
    note: `${'a'.repeat(600)}b`,
    ...Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`k${at}`, ''])),
  };
  expect(valueOf('metadata.note.size()', { facts, variables })).toMatchObject({ number: 500 });
  expect(valueOf('metadata.note.contains("b")', { facts, variables })).toMatchObject({ number: 0 });
  expect(valueOf('size(metadata)', { facts, variables })).toMatchObject({ number: 1_000 });
});

describe('a condition', () => {
  const holds = (text: string) => {
    const read = readCondition(text);
    if ('problem' in read) throw new Error(read.problem);
    return outsideOf(read, call);
  };

  test('keeps apart what it is not about and what is not known', () => {
    expect(holds('direction == "inbound"')).toBeNull();
    expect(holds('direction == "outbound"')).toMatchObject({ state: 'not_applicable' });
    expect(holds('slow_response_s > 3')).toMatchObject({
      state: 'unknown',
      because: 'Whether it applies is not known: slow_response_s is not known of this call.',
    });
    expect(outsideOf(null, call)).toBeNull();
  });

  test('must give yes or no', () => {
    expect(readCondition('duration_s')).toEqual({ problem: 'A condition must give yes or no.' });
  });
});
