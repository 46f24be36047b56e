import { describe, expect, test } from 'vitest';
import type { LiveWatch, QuickCheckCode } from '../../../src/domain/drafts/check.ts';
import type { DraftTexts } from '../../../src/domain/drafts/parts.ts';
import { readDraft } from '../../../src/domain/drafts/quick-checks.ts';
import { frontDesk } from '../../support/drafts.ts';

const base = frontDesk();
const { prompt } = base;

const findingsOf = (texts: DraftTexts, watches: LiveWatch[] = []) =>
  Object.fromEntries(
    readDraft(base, texts, watches)
      .quickChecks.filter(({ ok }) => !ok)
      .map(({ check, findings }) => [check, findings.map(({ message }) => message)]),
  ) as Partial<Record<QuickCheckCode, string[]>>;

test('a draft that changes nothing has no findings, whatever the text says', () => {
  expect(findingsOf({})).toEqual({});
});

test.each<[string, DraftTexts, QuickCheckCode, string]>([
  [
    'a variable that does not exist',
    { '/prompt': `${prompt}\nCall her {{nick_name}}.` },
    'variables_exist',
    'nick_name',
  ],
  ['a tool that does not exist', { '/prompt': `${prompt}\nThen use book_time.` }, 'tools_exist', 'book_time'],
  [
    'a tool that is named no more',
    { '/prompt': 'You are the front desk. Always say "This call is recorded."' },
    'tools_exist',
    'find_times is named nowhere',
  ],
  ['a step without a way out', { '/nodes/greet/edges/0/condition': ' ' }, 'steps_lead_on', '“Greet”'],
  ['a description that is too long', { '/tools/tool_1/description': 'x'.repeat(1025) }, 'length_fits', '1025'],
  [
    'words that had to be said',
    { '/prompt': 'You are the front desk.\nUse find_times before you offer a time.' },
    'required_words_stay',
    'that the call is recorded',
  ],
])('%s is found', (_, texts, check, words) => {
  expect(findingsOf(texts)[check]?.join(' ')).toContain(words);
});

test.each<[string, DraftTexts]>([
  ['a variable of the platform', { '/prompt': `${prompt}\nIt is {{current_time}}.` }],
  ['a variable that another text uses', { '/prompt': `${prompt}\nGreet {{first_name}}.` }],
  ['an argument of a tool', { '/prompt': `${prompt}\nGive from_date as a day.` }],
  ['an address', { '/prompt': `${prompt}\nWrite to front_desk@example.com.` }],
])('%s is no finding', (_, texts) => {
  expect(findingsOf(texts)).toEqual({});
});

describe('live watches', () => {
  const watch: LiveWatch = {
    name: 'Times first',
    form: { scope: { kind: 'all_calls' }, expectation: { kind: 'tool_called', tool: 'find_times' }, polarity: 'must' },
    sourceText: 'Use find_times before you offer a time.',
  };

  test('of which the line is gone are contradicted', () => {
    const [message] =
      findingsOf({ '/prompt': prompt?.replace('before you', 'when you') ?? '' }, [watch]).watches_hold ?? [];
    expect(message).toContain('“Times first” stands on a line that is gone');
  });

  test('of which the line stays are not', () => {
    expect(findingsOf({ '/prompt': `${prompt}\nBe brief.` }, [watch])).toEqual({});
  });
});

test('a line that orders the opposite of one that stays is found with its place', () => {
  const told = frontDesk({ prompt: 'You must say "goodbye now" on every call.' });
  const texts = { '/prompt': `${told.prompt}\nNever say "goodbye now".` };
  const found = readDraft(told, texts, []).quickChecks.find(({ check }) => check === 'rules_agree');
  expect(found?.findings).toMatchObject([{ path: '/prompt', line: 2 }]);
});
