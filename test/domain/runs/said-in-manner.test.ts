import { describe, expect, test } from 'vitest';
import { isWorded } from '../../../src/domain/runs/attempt.ts';
import { changedContent } from '../../../src/domain/runs/said-in-manner.ts';
import type { Check } from '../../../src/domain/tests/spec.ts';
import { makeSpec } from '../../support/specs.ts';

const listening = (check: Check) => makeSpec({ criteria: [{ id: 'c', text: 'c', required: true, check }] });
const spec = makeSpec();

describe('a wording that keeps its line', () => {
  test.each([
    ['On Friday at seven.', 'Friday, look, seven, just make it Friday at seven!'],
    ['I want to book a table for two.', 'Hi, um, sorry, a table, I want to book one, for two, please.'],
    ['Ada Brook.', 'Ada Brook, dear, that is how I was christened: Ada Brook.'],
    ['No, that is wrong.', 'Nope. Wrong.'],
    ['My number is 5550142.', 'So, my number, that would be 555, 0142.'],
    ['I want to cancel.', "Cancel it. I don't have all day."],
    ['Is that free?', 'And that, would it be free?'],
  ])('%s → %s', (line, said) => {
    expect(changedContent(line, said, spec)).toBeNull();
  });
});

describe('a wording that says something else', () => {
  test.each([
    ['On Friday at seven.', 'Friday, please.', 'leaves out "seven"'],
    ['On Friday at seven.', 'On Saturday at seven.', 'leaves out "Friday"'],
    ['On Friday at seven.', 'On Friday at seven, or on March 3rd.', 'adds "March 3rd"'],
    ['I live in Leeds.', 'I live up north.', 'leaves out "Leeds"'],
    ['ada brook.', 'That is me.', 'leaves out "Ada Brook"'],
    ["No, I don't want that.", 'Yes, I want that.', 'denies nothing'],
    ['Yes, please.', 'No, please.', 'begins with a no'],
    ['Is that free?', 'I hope that is free.', 'asks nothing'],
  ])('%s → %s', (line, said, because) => {
    expect(changedContent(line, said, spec)).toContain(because);
  });

  test('or leaves the checks of the test without the words that they listen for', () => {
    const said = listening({ kind: 'said', text: 'cancel my plan', by: 'caller' });
    expect(changedContent('Please cancel my plan.', 'End my plan.', said)).toContain('leaves out "cancel my plan"');
    const never = listening({ kind: 'not_said', text: 'goodbye' });
    expect(changedContent('That is all.', 'That is all, goodbye.', never)).toContain('the test listens for');
    expect(changedContent('That is all, goodbye.', 'So, goodbye, that is all.', never)).toBeNull();
  });
});

test('only a script is worded, and only for a persona', () => {
  expect(isWorded('hurried', spec)).toBe(true);
  expect(isWorded('@source', spec)).toBe(false);
  expect(isWorded('hurried', makeSpec({ caller: { ...spec.caller, script: null } }))).toBe(false);
});
