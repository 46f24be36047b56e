import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { sarifOf } from '../../cli/runs/sarif.ts';
import { resultCell, resultCriterion, resultDocument } from '../support/run-document.ts';

test('a cell that did not pass stands on the line of its criterion, and one without a file nowhere', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-sarif-'));
  const { testId } = resultCell(1);
  const lines = [
    `id: ${testId}`,
    'revision: 1',
    'title: Books',
    'spec:',
    '  criteria:',
    '    - text: a',
    '    - text: b',
  ];
  writeFileSync(join(folder, 'all books.yaml'), `${lines.join('\n')}\n`);
  const unmet = {
    result: 'failed',
    criteria: [resultCriterion({ met: true }), resultCriterion({ met: false })],
  } as const;
  const document = resultDocument([
    resultCell(1, { ...unmet, criteria: [...unmet.criteria] }),
    resultCell(2, { result: 'error' }),
  ]);
  const names = { agent: 'Front desk', tests: new Map([[testId, 'Books']]), personas: new Map() };
  const [run] = JSON.parse(await sarifOf(document, names, folder)).runs;
  expect(run.results).toHaveLength(1);
  expect(run.results[0]).toMatchObject({
    ruleId: 'earshot/failed',
    message: { text: expect.stringMatching(/^Books \[own caller\]: failed/) },
  });
  expect(run.results[0].locations[0].physicalLocation).toMatchObject({
    artifactLocation: { uri: relative('', join(folder, 'all books.yaml')).replaceAll(' ', '%20') },
    region: { startLine: 7 },
  });
});
