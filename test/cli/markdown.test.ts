import { describe, expect, test } from 'vitest';
import { markdownOf, markerOf } from '../../cli/runs/markdown.ts';
import { AGENT_ID, RUN_ID, resultCell, resultCriterion, resultDocument } from '../support/run-document.ts';

const URL = 'https://earshot.example';
const names = (...titles: string[]) => ({
  agent: 'Front desk',
  tests: new Map(titles.map((title, at) => [resultCell(at + 1).testId, title])),
  personas: new Map<string, string>(),
});
const lines = (text: string) => text.split('\n');

describe('the Markdown summary of a run', () => {
  test('begins with the marker by which the comment of the run before is found', () => {
    const text = markdownOf(resultDocument([resultCell(1)]), names('Books'), { url: URL });
    expect(lines(text)[0]).toBe(markerOf(AGENT_ID));
    expect(lines(text)[1]).toBe('### ✅ Earshot: Front desk, version 4');
    expect(text).toContain(`[Document](${URL}/v1/agents/${AGENT_ID}/runs/${RUN_ID}/result)`);
  });

  test('says what broke and what got fixed, and shows first what did not pass', () => {
    const cells = [
      resultCell(1),
      resultCell(2, { result: 'failed', change: 'newly_broken', reason: 'It booked nothing.' }),
      resultCell(3, { change: 'fixed' }),
    ];
    const comparedTo = { batchId: AGENT_ID, version: 3 };
    const text = markdownOf(resultDocument(cells, { comparedTo }), names('Books', 'Cancels', 'Moves'), { url: URL });
    expect(text).toContain('**Newly broken:** Cancels');
    expect(text).toContain('**Fixed:** Moves');
    const rows = lines(text).filter((line) => /^\| (Books|Cancels|Moves) /.test(line));
    expect(rows.map((row) => row.split(' | ')[0])).toEqual(['| Cancels', '| Moves', '| Books']);
    expect(rows[0]).toBe(
      '| Cancels | own caller | ❌ failed | 0 of 1 | yes | newly broken | code | It booked nothing\\. |',
    );
  });

  test('what stands in calls and tests can name nobody, link nowhere and break out of nothing', () => {
    const odd = 'a | b\n# c <img src=x> @team #12 [x](http://x.example) `d` </details> \u001b[31m <!-- earshot-run -->';
    const criteria = [resultCriterion({ met: false, text: odd, quote: odd })];
    const cells = [resultCell(1, { result: 'failed', reason: odd, change: 'newly_broken', criteria })];
    const text = markdownOf(resultDocument(cells), names(odd), { url: URL });
    const [, ...shown] = lines(text);
    const rest = shown.filter((line) => !line.startsWith('<sub>')).join('\n');
    expect(rest).not.toMatch(/(?<!\\)<img|@team|#12|(?<!\\)[[\]`]|https?:|(?<!\\)<!|\u001b/);
    expect(rest.match(/(?<!\\)<\/?details>/g)).toEqual(['<details>', '</details>']);
    const row = lines(text).find((line) => line.startsWith('| a'));
    expect(row?.match(/(?<!\\)\|/g)).toHaveLength(9);
  });

  test('a long one stays within a comment of GitHub and closes what it opened', () => {
    const cells = Array.from({ length: 600 }, (_, at) =>
      resultCell(at + 1, {
        result: at % 3 === 0 ? 'passed' : 'failed',
        criteria: Array.from({ length: 20 }, () => resultCriterion({ met: at % 3 === 0, text: 'word '.repeat(60) })),
      }),
    );
    const text = markdownOf(resultDocument(cells), names(), { url: URL });
    expect(text.length).toBeLessThan(65_536);
    expect(text.length).toBeGreaterThan(50_000);
    expect(text.match(/<details>/g)?.length).toBe(text.match(/<\/details>/g)?.length);
    expect(text).toContain('the rest is in the document');
    expect(lines(text).at(-2)).toMatch(/^<sub>Run/);
  });
});
