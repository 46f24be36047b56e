import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestResource } from '../../src/contract/test.ts';
import { PROGRAM } from '../../src/layout.ts';
import { requireAgent } from '../choose-agent.ts';
import { readList } from '../lists.ts';
import { EXIT } from '../problem.ts';
import type { Session } from '../session.ts';
import { hasSameSettings } from './plan-push.ts';
import { DEFAULT_FOLDER, readTestFiles, refuseProblems, replaceFile } from './read-files.ts';
import { isSameSpec } from './same-spec.ts';
import { digestOf, isUntouched, type TestFile } from './test-file.ts';
import { fileNameOf, withIdentity, writeTestFile } from './write-test-file.ts';

export interface PullOptions {
  agent?: string;
  dir?: string;
  force?: boolean;
}

interface Pulled {
  written: string[];
  updated: string[];
  unchanged: string[];
  /** Changed in the file only: a push sends them. */
  kept: string[];
  /** Changed here and on the server. */
  conflicts: string[];
  /** The server lists no such test. */
  fileOnly: string[];
}

/**
 * `earshot tests pull`: a file for each test. What was changed in a file and not pushed is kept.
 * @returns the exit code: 1 where a file was changed here and on the server.
 */
export async function pullTests(session: Session, options: PullOptions): Promise<number> {
  const { client, print, json } = session;
  const agent = await requireAgent(session, options.agent);
  const folder = options.dir ?? DEFAULT_FOLDER;
  await mkdir(folder, { recursive: true });
  const { files, problems } = await readTestFiles([folder]);
  refuseProblems(print, problems);
  const tests = await readList<TestResource>(client, `/v1/agents/${agent.id}/tests`);
  const pulled = await writeAll(folder, files, tests, options.force === true);
  if (json) print.json(pulled);
  else say(session, pulled, folder);
  return pulled.conflicts.length > 0 ? EXIT.failed : EXIT.done;
}

async function writeAll(folder: string, files: TestFile[], tests: TestResource[], force: boolean): Promise<Pulled> {
  const pulled: Pulled = { written: [], updated: [], unchanged: [], kept: [], conflicts: [], fileOnly: [] };
  for (const test of tests) {
    const ofTest = files.filter(({ id }) => id === test.id);
    for (const file of ofTest) pulled[await bring(file, test, force)].push(file.path);
    if (ofTest.length > 0) continue;
    const path = await freePath(folder, test);
    await replaceFile(path, writeTestFile(test));
    pulled.written.push(path);
  }
  const listed = new Set(tests.map(({ id }) => id));
  pulled.fileOnly = files.filter(({ id }) => id !== null && !listed.has(id)).map(({ path }) => path);
  return pulled;
}

async function bring(file: TestFile, test: TestResource, force: boolean): Promise<keyof Pulled> {
  if (isSameSpec(file.spec, test.spec) && hasSameSettings(file, test)) {
    const isNumbered = file.revision === test.revision && file.digest === digestOf(file);
    if (!isNumbered) await replaceFile(file.path, withIdentity(file, test));
    return 'unchanged';
  }
  if (!force && !isUntouched(file)) return file.revision === test.revision ? 'kept' : 'conflicts';
  await replaceFile(file.path, writeTestFile(test));
  return 'updated';
}

/** Another file may have the name already. */
async function freePath(folder: string, test: TestResource): Promise<string> {
  const name = fileNameOf(test);
  for (let tries = 0; ; tries += 1) {
    const path = join(folder, tries === 0 ? name : name.replace(/\.yaml$/, `-${tries + 1}.yaml`));
    if ((await stat(path).catch(() => null)) === null) return path;
  }
}

function say({ print }: Session, pulled: Pulled, folder: string): void {
  for (const path of pulled.written) print.line(`new       ${path}`);
  for (const path of pulled.updated) print.line(`updated   ${path}`);
  for (const path of pulled.kept)
    print.line(`kept      ${path}: it has changes of yours. Send them: ${PROGRAM} tests push`);
  for (const path of pulled.conflicts) {
    print.line(`conflict  ${path}: changed here and on the server. --force takes the server's.`);
  }
  for (const path of pulled.fileOnly) {
    print.line(`left      ${path}: the server lists no such test; it was archived, or is another agent's.`);
  }
  print.line(
    `${folder}: ${pulled.written.length} new, ${pulled.updated.length} updated, ${pulled.unchanged.length} unchanged, ${pulled.kept.length} kept, ${pulled.conflicts.length} conflicts.`,
  );
}
