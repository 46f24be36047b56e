import { describe, expect, it } from 'vitest';
import { wordFindings } from './words.ts';

const found = (text: string) => wordFindings('src/domain/signals/x.ts', text);

describe('words of a language outside their room', () => {
  it('are found as rows, sets, and wordings of other languages', () => {
    expect(found("const A = 'if once when whether after before until'.split(' ');")).toHaveLength(1);
    expect(found('const A = words(`if once when whether after\n before until`);')).toHaveLength(1);
    expect(found("const A = new Set(['if', 'once', 'when', 'whether', 'after', 'before', 'until']);")).toHaveLength(1);
    expect(found('const A = /\\bno (?:he podido|réussi)\\b/i;')).toHaveLength(1);
    expect(found("const A = 'für';")).toEqual([
      'src/domain/signals/x.ts:1 holds a wording that is not English: words of a language belong in src/domain/words.',
    ]);
  });

  it('are none in sentences, codes, short sets, and classes of letters', () => {
    expect(found("const A = 'The agent says that it was done before it was.';")).toEqual([]);
    expect(found("const A = ['flow_loop', 'no_progress'].map((code) => code.split('_'));")).toEqual([]);
    expect(found("const A = new Set(['cancel', 'delete', 'remove']);")).toEqual([]);
    expect(found('const A = /[aeiouäöü]/;')).toEqual([]);
  });
});
