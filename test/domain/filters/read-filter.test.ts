import { describe, expect, test } from 'vitest';
import { FilterProblem } from '../../../src/domain/filters/filter.ts';
import { FILTER_FIELDS } from '../../../src/domain/filters/filter-fields.ts';
import { readFilter, soughtIn } from '../../../src/domain/filters/read-filter.ts';

const names = {
  fields: new Set(['tier', 'amount', 'customer.plan', 'outcome']),
  signals: new Set(['dead_air', 'tool_failed']),
};
const read = (line: string) => readFilter(line, names);
const said = (words: string[], more = {}) => ({
  kind: 'said',
  sought: { words, isBeginning: false, by: null, ...more },
});

function problemOf(line: string): { at: number; message: string } {
  try {
    read(line);
  } catch (error) {
    if (error instanceof FilterProblem) return { at: error.at, message: error.message };
    throw error;
  }
  throw new Error(`${line} was read.`);
}

describe('a filter line', () => {
  test('joins words and fields', () => {
    const line =
      'said:"cancel my plan" outcome:unresolved latency:>2 tier:gold -intent:wrong_number version:5 signal:dead_air duration:>120 after:2026-11-01 tag:VIP refund';
    expect(read(line)).toEqual({
      kind: 'all',
      of: [
        said(['cancel', 'my', 'plan']),
        { kind: 'outcome', values: ['unresolved'] },
        { kind: 'number', of: 'responseMedianMs', sign: '>', value: 2_000 },
        { kind: 'field', name: 'tier', values: ['gold'] },
        { kind: 'not', of: { kind: 'text', of: 'intent', values: ['wrong_number'] } },
        { kind: 'version', values: [5] },
        { kind: 'text', of: 'signal', values: ['dead_air'] },
        { kind: 'number', of: 'durationMs', sign: '>', value: 120_000 },
        { kind: 'time', sign: '>=', value: '2026-11-01T00:00:00.000Z' },
        { kind: 'tag', values: ['vip'] },
        said(['refund']),
      ],
    });
  });

  test('binds OR looser than what stands side by side, and parentheses tighter', () => {
    expect(read('a b OR c')).toEqual({
      kind: 'any',
      of: [{ kind: 'all', of: [said(['a']), said(['b'])] }, said(['c'])],
    });
    expect(read('a (b OR c)')).toEqual({
      kind: 'all',
      of: [said(['a']), { kind: 'any', of: [said(['b']), said(['c'])] }],
    });
    expect(read('--a')).toEqual(said(['a']));
    expect(read('-(a OR b)')).toEqual({ kind: 'not', of: { kind: 'any', of: [said(['a']), said(['b'])] } });
  });

  test('takes several values, beginnings, units, and fields under names of ours', () => {
    expect(read('outcome:unresolved,abandoned')).toEqual({ kind: 'outcome', values: ['unresolved', 'abandoned'] });
    expect(read('caller:canc*')).toEqual(said(['canc'], { isBeginning: true, by: 'caller' }));
    expect(read('duration:<=2m')).toEqual({ kind: 'number', of: 'durationMs', sign: '<=', value: 120_000 });
    expect(read('field.outcome:"In Progress"')).toEqual({ kind: 'field', name: 'outcome', values: ['in progress'] });
    expect(read('customer.plan:*')).toEqual({ kind: 'field', name: 'customer.plan', values: null });
    expect(read('amount:>=10.5')).toEqual({ kind: 'field_number', name: 'amount', sign: '>=', value: 10.5 });
    expect(read('amount:<2026-11-01')).toMatchObject({ value: Date.UTC(2026, 10, 1) });
  });

  test.each([
    ['tire:gold', 1, /Did you mean tier\?/],
    ['outcome:unresolved singal:dead_air', 20, /Did you mean signal\?/],
    ['signal:dead_ear', 8, /Did you mean dead_air\?/],
    ['outcome:good', 9, /one of resolved, unresolved/],
    ['a OR', 5, /missing/],
    ['(a', 1, /not closed/],
    ['a)', 2, /not opened/],
    ['said:"a', 6, /not closed/],
    ['latency:', 9, /no value/],
    ['latency:>fast', 10, /a number/],
    ['after:yesterday', 7, /a date/],
    ['outcome:>resolved', 10, /equal or not/],
    ['version:1.5', 9, /whole number/],
    ['...', 1, /no word/],
    ['', 1, /missing/],
    ['"\u{1f600}" "..."', 1, /no word/],
    [`${'('.repeat(20)}a${')'.repeat(20)}`, 12, /too deep/],
    ['a '.repeat(40), 61, /at most 30/],
    ['a'.repeat(1_001), 1_001, /at most 1000/],
  ])('says what is wrong, and where: %s', (line, at, message) => {
    const problem = problemOf(line);
    expect(problem.message).toMatch(message);
    expect(problem.at).toBe(at);
  });

  test('reads the example of every field', () => {
    for (const [name, { example }] of FILTER_FIELDS) {
      expect(example.startsWith(`${name}:`)).toBe(true);
      expect({ example, ...read(example) }).toHaveProperty('kind');
    }
  });

  test('shows what is looked for, and not what must be absent', () => {
    expect(soughtIn(read('a -b (c OR d)')).map(({ words }) => words)).toEqual([['a'], ['c'], ['d']]);
  });
});
