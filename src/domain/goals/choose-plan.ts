import type { Coverable, Covered } from '../tests/coverage.ts';
import { fitRequest, type Named, unmatchedWords } from './fit-request.ts';

/** Something of the agent that tests can cover, with the names under which a request may mean it. */
export interface Matter extends Covered, Named {}

/** A test with the words that say what it is. */
export interface PlannableTest extends Named {
  id: string;
  title: string;
}

export interface PlannedTest {
  testId: string;
  title: string;
  /** Why the request asks for it; null where nothing in its words does. */
  reason: string | null;
}

export interface FittingMatter {
  matter: Matter;
  words: string[];
}

export interface RequestReading {
  /** What the request means, surest first. */
  matters: FittingMatter[];
  /** The tests for it, in the order of what they are for. */
  tests: PlannedTest[];
  /** Words that nothing of the agent and no test goes by, so that the plan says nothing of them. */
  unmatched: string[];
}

const MATTERS_AT_MOST = 12;
const TESTS_AT_MOST = 20;

/** What a request means of an agent, and the tests that ask for it. */
export function readRequest(
  request: string,
  matters: readonly Matter[],
  tests: readonly PlannableTest[],
): RequestReading {
  const things = [
    ...matters.map((matter) => ({ names: matter.names, matter, test: null })),
    ...tests.map((test) => ({ names: test.names, matter: null, test })),
  ];
  const titles = new Map(tests.map(({ id, title }) => [id, title]));
  const reasons = new Map<string, string>();
  const fitting: FittingMatter[] = [];
  const fits = fitRequest(request, things);
  for (const { thing, words } of fits) {
    const { matter, test } = thing;
    if (test && !reasons.has(test.id)) reasons.set(test.id, `Its words hold what is asked for: ${words.join(', ')}.`);
    if (!matter || fitting.length === MATTERS_AT_MOST) continue;
    fitting.push({ matter, words });
    const reason = reasonOf(matter, words);
    for (const id of matter.testIds) if (titles.has(id) && !reasons.has(id)) reasons.set(id, reason);
  }
  const chosen = [...reasons].slice(0, TESTS_AT_MOST);
  return {
    matters: fitting,
    tests: chosen.map(([testId, reason]) => ({ testId, title: titles.get(testId) ?? '', reason })),
    unmatched: unmatchedWords(request, fits),
  };
}

const KIND_WORDS: Record<Coverable['kind'], string> = {
  intent: 'the intent',
  node: 'the step',
  tool: 'the tool',
  issue: 'the issue',
};

function reasonOf({ kind, label, calls }: Matter, words: readonly string[]): string {
  const how = calls === null ? '' : `, ${calls} ${calls === 1 ? 'call' : 'calls'}`;
  return `Covers ${KIND_WORDS[kind]} "${label}"${how}; the request names ${words.join(', ')}.`;
}

/** The tests of a plan in its order, with what the request says of each. */
export function plannedTests(
  testIds: readonly string[],
  tests: readonly PlannableTest[],
  reading: RequestReading,
): PlannedTest[] {
  const titles = new Map(tests.map(({ id, title }) => [id, title]));
  const reasons = new Map(reading.tests.map(({ testId, reason }) => [testId, reason]));
  return testIds.map((testId) => ({
    testId,
    title: titles.get(testId) ?? 'A test that is archived',
    reason: reasons.get(testId) ?? null,
  }));
}
