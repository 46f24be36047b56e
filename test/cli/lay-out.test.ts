import { expect, test } from 'vitest';
import { fold, layOut, wrap } from '../../cli/lay-out.ts';

const TABLE = {
  headings: ['', 'Issue', 'Place', 'Calls', 'Section'],
  rows: [
    ['1', 'Request for a person ignored', 'Fees and insurance', '14', 'fix'],
    ['2', 'Tool failed', 'send_text_confirmation', '122', 'not established'],
  ],
  below: [['open; cause: the prompt has no words for it, and the caller asks three times'], ['']],
};

const linesAt = (width: number) => {
  const { head, lines } = layOut(TABLE, width);
  return [...head, ...lines];
};
const words = (lines: string[]) => lines.join(' ').split(/\s+/).filter(Boolean).sort();

test.each([60, 80, 120])('at %i columns every word is there, and no line is wider', (width) => {
  const lines = linesAt(width);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
  expect(words(lines)).toEqual(words(linesAt(Number.POSITIVE_INFINITY)));
});

test('at 76 columns a row wraps between words, and what belongs to it stands below', () => {
  expect(linesAt(76)).toEqual([
    '   Issue                      Place                   Calls  Section',
    '1  Request for a person       Fees and insurance         14  fix',
    '   ignored',
    '   open; cause: the prompt has no words for it, and the caller asks three',
    '   times',
    '2  Tool failed                send_text_confirmation    122  not established',
  ]);
});

test('without a width each row is one line', () => {
  expect(linesAt(Number.POSITIVE_INFINITY)).toHaveLength(4);
});

test('characters that take two columns, and marks that take none, keep the next column in its place', () => {
  const rows = [
    ['东京前台', '12'],
    ['Café'.normalize('NFD'), '3'],
    ['ตอบช้า', '140'],
  ];
  expect(layOut({ headings: ['Name', 'Calls'], rows, below: [] }, 80).lines).toEqual([
    '东京前台     12',
    `${'Café'.normalize('NFD')}          3`,
    'ตอบช้า       140',
  ]);
  expect(wrap('东京 前台 大阪', 9)).toEqual(['东京 前台', '大阪']);
});

test('where a column can not fit, each row becomes a list, and an id stays whole', () => {
  const id = '019d1f4e-6a10-7c3e-9b1a-2f6d0c4e8a11';
  const table = { headings: ['Name', 'Id', 'Why'], rows: [['Front desk', id, 'it fits nowhere else']], below: [] };
  expect(layOut(table, 44).lines).toEqual(['Name  Front desk', `Id    ${id}`, 'Why   it fits nowhere else']);
});

test('a list keeps the numbers by which its rows are called', () => {
  const table = {
    headings: ['', 'Issue', 'Place'],
    rows: [
      ['9', 'Tool failed', 'a_tool_with_a_long_name'],
      ['10', 'Monologue', 'greeting'],
    ],
    below: [['open'], ['resolved since Tuesday of this week']],
  };
  expect(layOut(table, 35).lines).toEqual([
    '9   Issue  Tool failed',
    '    Place  a_tool_with_a_long_name',
    '    open',
    '',
    '10  Issue  Monologue',
    '    Place  greeting',
    '    resolved since Tuesday of this',
    '    week',
  ]);
});

test('a long line breaks between words, and goes on where its text began', () => {
  expect(fold('What to do      Write at Fees: transfer the caller.', 40)).toEqual([
    'What to do      Write at Fees: transfer',
    '                the caller.',
  ]);
  expect(fold('  8 calls about a cancelled appointment', 24)).toEqual(['  8 calls about a', '  cancelled appointment']);
  expect(fold('as  it  is', 10)).toEqual(['as  it  is']);
});
