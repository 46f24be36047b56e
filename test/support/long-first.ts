import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that wait for processes, however short they are. */
const LONG = /\/test\/(faults|workflows|release|demo)\//;

/** Begins with what takes long, so that no processor is idle at the end while the last file still waits. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const [long = [], short = []] = [true, false].map((is) =>
      sorted.filter(({ moduleId }) => LONG.test(moduleId) === is),
    );
    return [...long, ...short];
  }
}
