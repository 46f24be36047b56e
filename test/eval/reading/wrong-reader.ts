import type { ReadingAnswers } from '../../../src/domain/reading/steps.ts';

/**
 * The recorded answers with every fifth one given to another call: it tells findings, requests and an ending of a call that
 * it did not read, and its second look confirms whatever it found.
 */
export function everyFifthWrong<Answers extends ReadingAnswers>(
  calls: readonly { id: string }[],
  readings: ReadonlyMap<string, Answers>,
): Map<string, ReadingAnswers> {
  const read = calls.filter(({ id }) => readings.has(id));
  return new Map(
    read.flatMap(({ id }, at): [string, ReadingAnswers][] => {
      const own = readings.get(id);
      const other = readings.get(read[(at + 7) % read.length]?.id ?? id);
      if (own === undefined || other === undefined) return [];
      return [[id, at % 5 === 4 ? { windows: other.windows, stretches: other.stretches ?? { findings: [] } } : own]];
    }),
  );
}
