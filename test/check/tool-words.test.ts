import { expect, test } from 'vitest';
import { listIssues } from '../../src/operations/issues/list-issues.ts';
import { toolWordFindings } from './tool-words.ts';

test('a tool that does not say when to use it is told what to do, and what people do needs no such words', () => {
  const silent = { ...listIssues, whenToUse: null };
  expect(toolWordFindings([listIssues, { ...silent, scope: 'person' }, { ...silent, surface: 'app' }])).toEqual([]);
  expect(toolWordFindings([silent])).toEqual([expect.stringMatching(/^listIssues \(GET \/v1.*\) .* field whenToUse/)]);
});
