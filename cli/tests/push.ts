import { createHash } from 'node:crypto';
import type { AgentResource } from '../../src/contract/agent.ts';
import type { TestResource } from '../../src/contract/test.ts';
import { PROGRAM } from '../../src/layout.ts';
import { requireAgent } from '../choose-agent.ts';
import { readList } from '../lists.ts';
import { patiently, tellOnce } from '../patiently.ts';
import { EXIT, Problem } from '../problem.ts';
import type { Session } from '../session.ts';
import { type PushPlan, planPush } from './plan-push.ts';
import { describePrice, priceOfRun } from './price-of-run.ts';
import { DEFAULT_FOLDER, readTestFiles, refuseProblems, replaceFile } from './read-files.ts';
import { digestOf, type TestFile } from './test-file.ts';
import { remarksOn } from './validate.ts';
import { withIdentity } from './write-test-file.ts';

export interface PushOptions {
  agent?: string;
  dir?: string;
  dryRun?: boolean;
}

const PATIENCE_MS = 300_000;

/**
 * `earshot tests push`: sends what is new and what changed in the files. Everything is looked at before anything is
 * sent, nothing is ever deleted at the server, and what the server answered is written back into each file at once.
 * @returns the exit code: 1 where something keeps it from being sent.
 */
export async function pushTests(session: Session, options: PushOptions): Promise<number> {
  const { client, print, json } = session;
  const { files, problems } = await readTestFiles([options.dir ?? DEFAULT_FOLDER]);
  refuseProblems(print, problems);
  const agent = await requireAgent(session, options.agent);
  const plan = planPush(files, await readList<TestResource>(client, `/v1/agents/${agent.id}/tests`));
  refuseProblems(print, plan.problems);
  const toSend = [...plan.create, ...plan.change.map(({ file }) => file)];
  const remarks = await remarksOn(session, agent.id, { files: toSend, problems: [] });
  refuseProblems(
    print,
    remarks.filter(({ refused }) => refused),
  );
  for (const { path, line, message } of remarks) print.note(`${path}:${line}: note: ${message}`);
  if (plan.settle.length > 0 && session.access.session === null) throw new Problem(needsPerson(plan), EXIT.unusable);
  const price = toSend.length === 0 ? null : await priceOfRun(session, agent.id, toSend.length);
  if (!options.dryRun) await send(session, agent, plan);
  if (json) print.json({ dryRun: options.dryRun === true, ...summary(plan), price });
  else {
    say(session, plan, options.dryRun === true);
    if (toSend.length > 0) print.line(describePrice(toSend.length, price));
  }
  return EXIT.done;
}

async function send({ client, print }: Session, agent: AgentResource, plan: PushPlan): Promise<void> {
  const base = `/v1/agents/${agent.id}/tests`;
  const patience = { untilMs: performance.now() + PATIENCE_MS, say: tellOnce(print.note) };
  for (const { file, renumber } of plan.unchanged) {
    const isCurrent = renumber === null && file.digest === digestOf(file);
    if (!isCurrent) await keep(file, { id: file.id ?? '', revision: renumber ?? file.revision ?? 1 });
  }
  for (const file of plan.create) {
    const { title, lane, expect, guard, spec } = file;
    const body = { title, lane, expect, guard, spec };
    // The same file sent twice, because its answer was lost, makes one test.
    const key = `push-${createHash('sha256')
      .update(`${agent.id}\n${file.path}\n${digestOf(file)}`)
      .digest('hex')}`;
    await keep(file, await patiently(() => client.write<TestResource>('POST', base, body, key), patience));
  }
  const sent = new Map<string, TestResource>();
  for (const { file, test } of plan.change) {
    const body = { revision: test.revision, spec: file.spec };
    const path = `${base}/${test.id}/spec`;
    const changed = await patiently(() => client.write<TestResource>('PUT', path, body), patience);
    sent.set(test.id, changed);
    await keep(file, changed);
  }
  for (const { file, test } of plan.settle) {
    const { title, lane, expect, guard } = file;
    const body = { title, lane, expect, guard };
    await client.person('PATCH', `/app/agents/${agent.id}/tests/${test.id}`, body);
    await keep(file, sent.get(test.id) ?? test);
  }
}

async function keep(file: TestFile, test: Pick<TestResource, 'id' | 'revision'>): Promise<void> {
  const text = withIdentity(file, test);
  if (text !== file.text) await replaceFile(file.path, text);
}

const needsPerson = ({ settle }: PushPlan) =>
  [
    `Nothing was sent: title, lane, expect and guard of a test can be changed by a person only (${PROGRAM} sign-in), and these differ from the server:`,
    ...settle.map(({ file }) => `  ${file.path}`),
  ].join('\n');

const summary = (plan: PushPlan) => ({
  create: plan.create.map(({ path }) => path),
  change: plan.change.map(({ file }) => file.path),
  settings: plan.settle.map(({ file }) => file.path),
  unchanged: plan.unchanged.map(({ file }) => file.path),
  outdated: plan.outdated.map(({ file }) => file.path),
  serverOnly: plan.serverOnly.map(({ id, title }) => ({ id, title })),
});

function say({ print }: Session, plan: PushPlan, isDry: boolean): void {
  const { create, change, settings, unchanged, outdated, serverOnly } = summary(plan);
  const word = (will: string, did: string) => (isDry ? will : did).padEnd(13);
  for (const path of create) print.line(`${word('would create', 'created')} ${path}`);
  for (const path of change) print.line(`${word('would change', 'changed')} ${path}`);
  for (const path of settings) print.line(`${word('would settle', 'settled')} ${path}: title, lane, expect or guard`);
  for (const path of outdated) print.line(`${'outdated'.padEnd(13)} ${path}: changed on the server; pull it`);
  for (const { id, title } of serverOnly)
    print.line(`${'server only'.padEnd(13)} ${title} (${id}): in no file; it stays`);
  print.line(
    `${create.length} new, ${change.length} changed, ${unchanged.length} unchanged, ${outdated.length} outdated, ${serverOnly.length} on the server only${isDry ? '; nothing was sent' : ''}.`,
  );
  if (change.length + create.length > 0)
    print.line(`New and changed tests gate once they are calibrated: ${PROGRAM} calibrate`);
}
