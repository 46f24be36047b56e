import { documentBytes } from './result-document.ts';
import type { ResultDocument } from './result-document-shape.ts';

/** What stands in the place of what an erased call's test came to. */
export const ERASED_TEST = 'The call that this test was made from was erased.';

/** A run's document without the words of some of its tests: results and counts stay. */
export function withoutTests(body: string, testIds: ReadonlySet<string>): string {
  const document: ResultDocument = JSON.parse(body);
  const cells = document.cells.map((cell) =>
    testIds.has(cell.testId)
      ? {
          ...cell,
          reason: ERASED_TEST,
          criteria: [],
          findings: [],
          noFixture: [],
          platformGrader: { ...cell.platformGrader, explanation: null },
        }
      : cell,
  );
  return documentBytes({ ...document, cells });
}
