import type { TestResource } from '../../src/contract/test.ts';
import { isSameSpec } from './same-spec.ts';
import { type FileProblem, isUntouched, type TestFile } from './test-file.ts';

export interface PushPlan {
  create: TestFile[];
  /** Another spec: a new revision. */
  change: { file: TestFile; test: TestResource }[];
  /** Title, lane, expect or guard differ, which only a person may change. */
  settle: { file: TestFile; test: TestResource }[];
  /** The same spec; `renumber` where the file still names an older revision. */
  unchanged: { file: TestFile; renumber: number | null }[];
  /** Nothing was changed in the file, but on the server: pulling brings it. */
  outdated: { file: TestFile; test: TestResource }[];
  /** On the server, in no file. They stay. */
  serverOnly: TestResource[];
  /** While there is one, nothing is sent. */
  problems: FileProblem[];
}

/** What a push would do. @param tests all that the server lists; archived ones are not among them. */
export function planPush(files: TestFile[], tests: TestResource[]): PushPlan {
  const plan: PushPlan = {
    create: [],
    change: [],
    settle: [],
    unchanged: [],
    outdated: [],
    serverOnly: [],
    problems: duplicates(files),
  };
  const byId = new Map(tests.map((test) => [test.id, test]));
  const wrong = (file: TestFile, param: string, message: string) =>
    plan.problems.push({ path: file.path, line: file.lineOf(param), message });
  for (const file of files) {
    const test = file.id === null ? undefined : byId.get(file.id);
    if (file.id === null) plan.create.push(file);
    else if (!test) wrong(file, 'id', notListed(file.id));
    else if (isSameSpec(file.spec, test.spec)) {
      if (hasSameSettings(file, test)) {
        plan.unchanged.push({ file, renumber: file.revision === test.revision ? null : test.revision });
      } else if (isUntouched(file)) plan.outdated.push({ file, test });
      else plan.settle.push({ file, test });
    } else if (isUntouched(file)) plan.outdated.push({ file, test });
    else if (file.revision !== test.revision) wrong(file, 'revision', conflictOf(file, test));
    else {
      plan.change.push({ file, test });
      if (!hasSameSettings(file, test)) plan.settle.push({ file, test });
    }
  }
  const inFiles = new Set(files.map(({ id }) => id));
  plan.serverOnly = tests.filter(({ id }) => !inFiles.has(id));
  return plan;
}

const notListed = (id: string) =>
  `The server lists no test ${id} of this agent: it was archived, or it is another agent's. Take id, revision and digest out of the file to create it anew, or remove the file.`;

const conflictOf = (file: TestFile, test: TestResource) =>
  `Changed on the server since you pulled: the file is of revision ${file.revision}, the server has ${test.revision}. Pull with --force takes the server's, over which you lay your change.`;

export function hasSameSettings(file: TestFile, test: TestResource): boolean {
  const { title, lane, expect, guard } = file;
  return title === test.title && lane === test.lane && expect === test.expect && guard === test.guard;
}

/** Two files of one test: nobody could say which one counts. */
function duplicates(files: TestFile[]): FileProblem[] {
  const firstOf = new Map<string, TestFile>();
  return files.flatMap((file) => {
    if (file.id === null) return [];
    const first = firstOf.get(file.id);
    if (!first) {
      firstOf.set(file.id, file);
      return [];
    }
    const message = `${first.path} has the same id. Take id, revision and digest out of the one that shall be a new test.`;
    return [{ path: file.path, line: file.lineOf('id'), message }];
  });
}
