import { writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/** What a run came to; a file that could not be loaded and an error outside of any test count as failures. */
export interface RunSummary {
  passed: number;
  failed: number;
  skipped: number;
  /** How many tests were skipped in which file, and why where the test says so. */
  skips: { file: string; tests: number; why: string | null }[];
  /** A line for each failure: where, and how its message begins. */
  failures: string[];
}

/** Leaves the counts of a run in the file that `EARSHOT_TEST_SUMMARY` names. */
export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]) {
    const target = process.env.EARSHOT_TEST_SUMMARY;
    if (target) writeFileSync(target, JSON.stringify(summarise(modules, errors)));
  }
}

function summarise(modules: readonly TestModule[], errors: readonly SerializedError[]): RunSummary {
  const summary: RunSummary = { passed: 0, failed: errors.length, skipped: 0, skips: [], failures: [] };
  for (const error of errors) summary.failures.push(`outside of any test: ${beginning([error])}`);
  for (const module of modules) {
    const skips = new Map<string | null, number>();
    let failedTests = 0;
    for (const test of module.children.allTests()) {
      const result = test.result();
      if (result.state === 'passed') summary.passed += 1;
      else if (result.state === 'failed') {
        failedTests += 1;
        summary.failures.push(`${module.relativeModuleId} > ${test.fullName}: ${beginning(result.errors)}`);
      } else {
        summary.skipped += 1;
        const why = result.state === 'skipped' ? (result.note ?? null) : null;
        skips.set(why, (skips.get(why) ?? 0) + 1);
      }
    }
    const broken = module.state() === 'failed' && failedTests === 0;
    if (broken) summary.failures.push(`${module.relativeModuleId}: ${beginning(module.errors())}`);
    summary.failed += broken ? 1 : failedTests;
    for (const [why, tests] of skips) summary.skips.push({ file: module.relativeModuleId, tests, why });
  }
  return summary;
}

function beginning(errors: readonly SerializedError[] = []): string {
  const [line = ''] = stripVTControlCharacters(errors[0]?.message ?? 'no message')
    .trimStart()
    .split('\n');
  return line.slice(0, 200);
}
