import { describe, expect, test } from 'vitest';
import type { ActKind } from '../../../src/domain/acts/act.ts';
import { talk } from './talk.ts';

function actsOf(line: string): string[] {
  const spoken = talk('a: Hello, how can I help you today?', line).spoken[1];
  return [...new Set((spoken?.acts ?? []).map(({ kind, slot }) => (kind === 'asks_value' ? `${kind} ${slot}` : kind)))];
}

describe('what callers do', () => {
  test.each<[string, ActKind]>([
    ['c: can you move my appointment', 'requests'],
    ['c: how late are you open?', 'asks'],
    ['c: it is the blue one', 'gives'],
    ['c: yes please', 'confirms'],
    ['c: no that is not what i want', 'denies'],
    ['c: not quite', 'denies'],
    ['c: i want to talk to a real person', 'asks_for_person'],
    ['c: this is ridiculous', 'complains'],
    ["c: you still haven't told me when", 'complains'],
    ['c: sorry can you repeat that', 'asks_again'],
    ['c: i already gave you my number', 'already_told'],
    ["c: you've had that from me", 'already_told'],
    ['c: thanks a lot', 'thanks'],
    ['c: ok bye', 'closes'],
    ['c: stop calling me', 'opts_out'],
    ["c: never mind i'll try somewhere else", 'gives_up'],
  ])('%s %s', (line, kind) => {
    expect(actsOf(line)).toContain(kind);
  });
});

describe('what agents do', () => {
  test.each([
    ['a: May I have your date of birth?', 'asks_value birth_date'],
    ['a: And the name, please. Which name should I put?', 'asks_value name'],
    ['a: I need your order number first.', 'asks_value reference'],
    ['a: What size would you like?', 'asks_value size'],
    ['a: How many nights will you stay?', 'asks_value count:nights'],
    ['a: Which day suits you best?', 'asks_value date'],
    ["a: I'll send you a text in a minute.", 'promises'],
    ["a: You're all set.", 'claims_done'],
    ["a: I've moved your visit.", 'claims_done'],
    ["a: Can I just say I've moved your visit?", 'claims_done'],
    ['a: With the voucher applied it is nine euros.', 'claims_done'],
    ["a: Unfortunately we can't do that.", 'cannot'],
    ["a: I'm sorry about that.", 'apologises'],
    ['a: Shall I book it for you?', 'offers'],
    ['a: Is there anything else I can do?', 'offers_more'],
    ['a: So four boxes, is that correct?', 'reads_back'],
    ['a: Could you repeat that, please?', 'asks_again'],
    ['a: It costs nine euros.', 'informs'],
    ['a: I am transferring you to a colleague now.', 'hands_over'],
    ['a: One moment, please.', 'holds'],
    ['a: Goodbye and take care.', 'closes'],
  ])('%s %s', (line, act) => {
    expect(actsOf(line)).toContain(act);
  });

  test.each([
    ['a: Your order number is 5512.', 'asks_value reference'],
    ['a: Shall I put it on hold?', 'claims_done'],
    ["c: I'm not quite sure", 'denies'],
    ['a: Should we set it for nine?', 'claims_done'],
    ['a: Is your phone number 0551 20 30?', 'asks_value phone'],
    ['a: We have your name and your address on file.', 'asks_value name'],
    ['a: Your delivery date cannot be changed.', 'asks_value date'],
  ])('%s is no question for a value', (line, act) => {
    expect(actsOf(line)).not.toContain(act);
  });
});

test('each act points at its own words', () => {
  const turn = talk('c: no i already told you it is Tuesday').spoken[0];
  const told = turn?.acts.find(({ kind }) => kind === 'already_told');
  expect(turn?.turn.text.slice(told?.from, told?.to)).toBe('i already told');
});
