import { createInterface } from 'node:readline/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentResource } from '../src/contract/agent.ts';
import type { DraftListedResource, DraftResource } from '../src/contract/draft.ts';
import { readText, readTextFile } from './agent-text.ts';
import { chooseAgent } from './choose-agent.ts';
import { query, readAll } from './lists.ts';
import { EXIT, Problem } from './problem.ts';
import type { Session } from './session.ts';

interface Chosen {
  agent?: string;
}

type Read = Session['client']['read'];

const LOOK_AGAIN_MS = 500;

export async function showDrafts(session: Session, options: Chosen & { status?: string }): Promise<void> {
  const { print, json } = session;
  const agent = await chooseAgent(session, options.agent);
  const drafts = await listDrafts(session.client.read, agent, options.status);
  if (json) return print.json(drafts);
  if (drafts.length === 0) return print.line('No drafts.');
  print.table(
    ['', 'Draft', 'Status', 'Over', 'Parts', 'Published as', 'Blocked by'],
    drafts.map((draft, at) => [
      String(at + 1),
      draft.title,
      draft.status,
      `version ${draft.baseVersion}${draft.stale ? ' (not live any more)' : ''}`,
      String(draft.changedParts),
      draft.publishedVersion === null ? '' : `version ${draft.publishedVersion}`,
      draft.publishBlockedReason ?? '',
    ]),
  );
}

export async function showDraft(session: Session, wanted: string, options: Chosen): Promise<void> {
  const { draft } = await findDraft(session, session.client.read, wanted, options);
  if (session.json) return session.print.json(draft);
  printDraft(session, draft);
}

export async function showDiff(session: Session, wanted: string, options: Chosen): Promise<void> {
  const { draft } = await findDraft(session, session.client.read, wanted, options);
  if (session.json) return session.print.json(draft.diff);
  printDiff(session, draft);
}

/** Begins a draft with what a file says otherwise than the live version. */
export async function newDraft(
  session: Session,
  options: Chosen & { from: string; title?: string; issue?: string },
): Promise<void> {
  const file = await readTextFile(options.from);
  const agent = await chooseAgent(session, options.agent ?? file.agent);
  const live = await readText(session, agent);
  if (live.hash !== file.hash) {
    const message = `${agent.name} has changed since ${options.from} was pulled. Pull it again, and lay your changes over it.`;
    throw new Problem(message, EXIT.failed);
  }
  const standing = new Map(live.parts.map(({ path, text }) => [path, text]));
  const changes = Object.entries(file.texts)
    .filter(([path, text]) => standing.get(path) !== text)
    .map(([path, text]) => ({ path, text }));
  if (changes.length === 0) throw new Problem(`${options.from} says what the live version says.`, EXIT.failed);
  const { title = `From ${options.from}`, issue } = options;
  const body = { title, changes, ...(issue === undefined ? {} : { issueId: issue }) };
  const draft = await session.client.person<DraftResource>('POST', `/app/agents/${agent.id}/drafts`, body);
  if (session.json) return session.print.json(draft);
  printDraft(session, draft);
}

/**
 * Shows what would be published, asks, and waits until the platform says it. The text that was shown is what is confirmed.
 * It is read as the person who publishes it: of a key more is asked.
 */
export async function publishDraft(
  session: Session,
  wanted: string,
  options: Chosen & { yes?: boolean; timeout: number },
): Promise<number> {
  const read: Read = (path) => session.client.person('GET', path);
  const { agent, draft } = await findDraft(session, read, wanted, options);
  if (draft.publishBlockedReason !== null) throw new Problem(draft.publishBlockedReason, EXIT.failed);
  if (options.yes !== true) await confirm(session, draft);
  const { draftHash, revision } = draft;
  const path = `agents/${agent.id}/drafts/${draft.id}`;
  await session.client.person<DraftResource>('POST', `/app/${path}/publish`, { draftHash, revision });
  const now = await untilSettled(read, `/v1/${path}`, options.timeout);
  const isPublished = now.status === 'published';
  if (session.json) session.print.json(now);
  else if (isPublished) session.print.line(`${now.title} is live as version ${now.publishedVersion}.`);
  else session.print.line(`Not published: ${now.publishFailure ?? 'it is a draft again.'}`);
  return isPublished ? EXIT.done : EXIT.failed;
}

/** @throws Problem where it is still being published after so many seconds. */
async function untilSettled(read: Read, path: string, timeoutSeconds: number): Promise<DraftResource> {
  for (const untilMs = performance.now() + timeoutSeconds * 1000; ; ) {
    const draft = await read<DraftResource>(path);
    if (draft.status !== 'publishing') return draft;
    if (performance.now() >= untilMs) {
      const message = `Not finished within ${timeoutSeconds} seconds: it is still being published, and that goes on at the server. To see how it ends: npx earshot drafts show ${draft.id}`;
      throw new Problem(message, EXIT.notFinished);
    }
    await sleep(LOOK_AGAIN_MS);
  }
}

async function confirm(session: Session, draft: DraftResource): Promise<void> {
  if (!process.stdin.isTTY) throw new Problem('Nobody is there to confirm it: say --yes.');
  printDiff(session, draft);
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await asking.question('Callers hear this from then on. Type "publish" to go on: ');
    if (answer.trim() !== 'publish') throw new Problem('Nothing was published.', EXIT.failed);
  } finally {
    asking.close();
  }
}

const listDrafts = (read: Read, agent: AgentResource, status?: string) =>
  readAll<DraftListedResource>((page) => read(page), `/v1/agents/${agent.id}/drafts${query({ status })}`);

/** @param wanted its id, or its number in the list. */
async function findDraft(session: Session, read: Read, wanted: string, options: Chosen) {
  const agent = await chooseAgent(session, options.agent);
  const drafts = await listDrafts(read, agent);
  const listed = drafts.find(({ id }) => id === wanted.toLowerCase()) ?? drafts[Number(wanted) - 1];
  if (!listed) throw new Problem(`There is no draft ${wanted} of ${agent.name}.`, EXIT.failed);
  return { agent, draft: await read<DraftResource>(`/v1/agents/${agent.id}/drafts/${listed.id}`) };
}

function printDraft(session: Session, draft: DraftResource): void {
  const { print } = session;
  print.line(`${draft.title} (${draft.status}, revision ${draft.revision}, over version ${draft.baseVersion})`);
  if (draft.rationale !== '') print.line(`Why: ${draft.rationale}`);
  print.line(`Changes: ${draft.diff.map(({ label }) => label).join(', ') || 'nothing yet'}`);
  for (const { findings } of draft.quickChecks) for (const { message } of findings) print.line(`Check: ${message}`);
  print.line(`Tests: ${draft.suiteGate.detail ?? 'run on this text.'}`);
  if (draft.publishFailure !== null) print.line(`Last publish: ${draft.publishFailure}`);
  if (draft.publishBlockedReason !== null) print.line(`Can't be published: ${draft.publishBlockedReason}`);
}

function printDiff({ print }: Session, draft: DraftResource): void {
  for (const { path, label, lines } of draft.diff) {
    print.line(`@@ ${path} (${label})`);
    for (const { before, after } of lines) {
      if (before) print.line(`-${before.line}: ${before.text}`);
      if (after) print.line(`+${after.line}: ${after.text}`);
    }
    if (lines.length === 0) print.line(' only blanks differ');
  }
}
