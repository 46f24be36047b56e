import type { Validation } from '../../src/contract/test.ts';
import { chooseAgent } from '../choose-agent.ts';
import { patiently, tellOnce } from '../patiently.ts';
import { EXIT } from '../problem.ts';
import type { Session } from '../session.ts';
import { type FoundFiles, readTestFiles } from './read-files.ts';
import type { FileProblem, TestFile } from './test-file.ts';

export interface Remark extends FileProblem {
  /** False: the test could be stored, and means what it says. */
  refused: boolean;
}

const PATIENCE_MS = 120_000;

/**
 * `earshot validate`: stores nothing and spends nothing.
 * @returns the exit code: 1 where some file holds no sound test.
 */
export async function validateFiles(session: Session, paths: string[], options: { agent?: string }): Promise<number> {
  const { print, json } = session;
  const found = await readTestFiles(paths);
  const agent = await chooseAgent(session, options.agent);
  const remarks = await remarksOn(session, agent.id, found);
  const refused = remarks.filter((remark) => remark.refused);
  if (json) print.json({ files: found.files.length, valid: refused.length === 0, problems: remarks });
  else {
    for (const { path, line, message, refused } of remarks) {
      print.line(`${path}:${line}: ${refused ? '' : 'note: '}${message}`);
    }
    const bad = new Set(refused.map(({ path }) => path));
    const sound = found.files.filter(({ path }) => !bad.has(path));
    print.line(`${sound.length} valid, ${bad.size} with problems.`);
  }
  return refused.length === 0 ? EXIT.done : EXIT.failed;
}

/** What is wrong with the files themselves, and what the server says about each spec. */
export async function remarksOn(
  { client, print }: Session,
  agentId: string,
  { files, problems }: FoundFiles,
): Promise<Remark[]> {
  const remarks = problems.map((problem) => ({ ...problem, refused: true }));
  const patience = { untilMs: performance.now() + PATIENCE_MS, say: tellOnce(print.note) };
  for (const file of files) {
    const said = await patiently(
      () => client.write<Validation>('POST', `/v1/agents/${agentId}/tests/validate`, { spec: file.spec }),
      patience,
    );
    remarks.push(...said.problems.map((problem) => ({ ...placed(file, problem), refused: !said.valid })));
  }
  return remarks;
}

const placed = (file: TestFile, { param, message }: { param: string; message: string }): FileProblem => ({
  path: file.path,
  line: file.lineOf(param),
  message: `${param}: ${message}`,
});
