import type { Answer } from './journal.ts';
import { until, type Work, watchRun } from './work.ts';

/**
 * Somebody changes the agent's prompt to words that nobody else uses, plays them, publishes them, and approves the run
 * by which the new version tests itself, which no budget covers.
 */
export async function publishDraft(work: Work): Promise<void> {
  const draft = await beginDraft(work);
  if (draft === null || !(await playDraft(work, draft.id))) return;
  if (!(await setBudget(work, 0))) return;
  const version = await publish(work, draft);
  const runId = version === null ? null : await findWaitingRun(work, version);
  if (runId !== null) await approve(work, runId);
  await setBudget(work, null);
}

interface Draft {
  id: string;
  draftHash: string;
  revision: number;
  /** Its prompt, which is nobody else's. */
  words: string;
}

const WORDS = 'Be quick, number';

async function beginDraft({ site, journal, client, next }: Work): Promise<Draft | null> {
  const [title, text] = [`Draft ${next()}`, `${WORDS} ${next()}.`];
  const body = { title, changes: [{ path: '/prompt', text }] };
  const made = await client.insist('POST', `/app/agents/${site.workspace.draftedId}/drafts`, { body });
  if (made === null || made.status >= 300) return null;
  journal.made.push({ what: 'draft', id: made.body.id, name: title });
  const { id, draftHash, revision } = made.body;
  return { id, draftHash, revision, words: text };
}

/** @returns whether the run of its tests is over. */
async function playDraft(work: Work, draftId: string): Promise<boolean> {
  const { site, journal, client } = work;
  const base = `/v1/agents/${site.workspace.draftedId}/runs`;
  const answer = await client.insist('POST', base, { body: { all: true, draftId } });
  if (answer?.status !== 201) return false;
  const { id } = answer.body;
  journal.made.push({ what: 'run', id, name: id });
  await watchRun(work, `${base}/${id}`);
  return !client.gaveUp;
}

/** What tests of the agent may cost. */
async function setBudget({ site, client }: Work, testBudgetUsd: number | null): Promise<boolean> {
  const path = `/app/agents/${site.workspace.draftedId}`;
  return (await client.insist('PATCH', path, { body: { testBudgetUsd } }))?.status === 200;
}

/** @returns the version that went live; null where none did. */
async function publish(work: Work, { id, draftHash, revision, words }: Draft): Promise<number | null> {
  const { site, journal, client } = work;
  const path = `/app/agents/${site.workspace.draftedId}/drafts/${id}/publish`;
  const answer = await client.insist('POST', path, { body: { draftHash, revision } });
  if (answer?.status !== 200) return null;
  journal.published.push({ draftId: id, words });
  return until(work, async () => {
    const now = await client.ask('GET', `/v1/agents/${site.workspace.draftedId}/drafts/${id}`);
    return now?.status === 200 && now.body.status === 'published' ? Number(now.body.publishedVersion) : null;
  });
}

function findWaitingRun(work: Work, version: number): Promise<string | null> {
  const { site, client } = work;
  return until(work, async () => {
    const runs = await client.ask('GET', `/v1/agents/${site.workspace.draftedId}/runs?limit=100`);
    if (runs?.status !== 200) return null;
    const waiting = runs.body.data.find(
      (run: Answer['body']) => run.version === version && run.status === 'awaiting_approval',
    );
    return waiting?.id ?? null;
  });
}

async function approve(work: Work, runId: string): Promise<void> {
  const { site, journal, client } = work;
  const { draftedId } = site.workspace;
  journal.made.push({ what: 'run', id: runId, name: runId });
  const answer = await client.insist('POST', `/app/agents/${draftedId}/runs/${runId}/approve`);
  if (answer?.status !== 200) return;
  journal.approved.push({ runId, approvedAt: answer.body.approvedAt });
  await watchRun(work, `/v1/agents/${draftedId}/runs/${runId}`);
}
