import { afterAll, beforeEach, expect, test } from 'vitest';
import { ANALYSER_DEFAULTS, type Analyser, createAnalyser } from '../../src/analyser/analyser.ts';
import type { DraftView } from '../../src/db/drafts/drafts.ts';
import { draftHashOf } from '../../src/domain/drafts/apply-changes.ts';
import type { LiveWatch } from '../../src/domain/drafts/check.ts';
import { createDraftReadings } from '../../src/operations/drafts/draft-readings.ts';
import { frontDesk } from '../support/drafts.ts';
import { testAnalyser } from '../support/test-analyser.ts';

const base = frontDesk();
const watch: LiveWatch = {
  name: 'Recorded',
  form: { scope: { kind: 'all_calls' }, expectation: { kind: 'says', text: 'recorded' }, polarity: 'must' },
  sourceText: 'Always say "This call is recorded."',
};

function draftOf(prompt: string): DraftView {
  const texts = { '/prompt': prompt };
  const hashes = { baseHash: 'sha256:0', draftHash: draftHashOf('sha256:0', texts) };
  return { workspaceId: 'w', agentId: 'a', base, texts, ...hashes } as unknown as DraftView;
}

let asked: number;
let analyser: Analyser;
beforeEach(() => {
  const real = testAnalyser();
  asked = 0;
  analyser = {
    ...real,
    readDraft: (...args) => {
      asked += 1;
      return real.readDraft(...args);
    },
  };
});
afterAll(() => testAnalyser().close());

test('a text is read once, however often it is asked for, and again under other watches', async () => {
  const readings = createDraftReadings(analyser);
  const all = await Promise.all([1, 2, 3].map(() => readings.read(draftOf('Be kind.'), [])));
  expect(all[0]?.diff).toMatchObject([{ path: '/prompt', after: 'Be kind.' }]);
  expect(all[1]).toBe(all[0]);
  await readings.read(draftOf('Be kind.'), []);
  expect(asked).toBe(1);
  const { quickChecks } = await readings.read(draftOf('Be kind.'), [watch]);
  expect(quickChecks.find(({ check }) => check === 'watches_hold')?.ok).toBe(false);
  await readings.read(draftOf('Be brief.'), []);
  expect(asked).toBe(3);
});

test('what was asked for longest ago makes room', async () => {
  const readings = createDraftReadings(analyser, 10_000);
  const [one, two] = [draftOf('one '.repeat(800)), draftOf('two '.repeat(800))];
  for (const draft of [one, one, two, two, one]) await readings.read(draft, []);
  expect(asked).toBe(3);
});

test('a text that takes too long comes with its parts as a whole, and each check says so', async () => {
  const hurried = createAnalyser({ ...ANALYSER_DEFAULTS, processes: 1, timeLimitMs: 1 });
  try {
    const { diff, quickChecks } = await createDraftReadings(hurried).read(draftOf('Be kind.'), []);
    expect(diff).toMatchObject([{ path: '/prompt', lines: [{ before: { line: 1 }, after: { text: 'Be kind.' } }] }]);
    expect(quickChecks.map(({ ok }) => ok)).not.toContain(true);
    expect(quickChecks[0]?.findings[0]?.message).toMatch(/^This was not checked\. The analysis did not end within/);
  } finally {
    await hurried.close();
  }
});
