import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../../../src/ids.ts';
import { BOOKING } from '../../support/running.ts';
import { retellCall } from '../../support/stand-in-platform.ts';
import { Client } from './client.ts';
import type { Journal } from './journal.ts';
import { publishDraft } from './publishing.ts';
import type { Site } from './site.ts';
import { type Follow, until, type Work, watchRun, watchUntilFinal } from './work.ts';

export interface Workload {
  fedId: string;
  /** Stops what begins new work, and waits until what was begun is answered. */
  stop(say: (line: string) => void, endsWithinMs: number): Promise<void>;
}

const TELL_EVERY_MS = 20_000;
const SHORT_PAGE = 7;
/** Nobody orders more of the same while so many wait: an agent's imports come one after the other, and lists grow as this goes on. */
const MOST_WAITING = 8;
const LISTING = 'listing';
const UPLOAD = 'upload';
/** Of the samples of a watch. */
const MOST_LABELS = 4;

/** Customers at work, each in a loop of its own, until they are stopped. */
export async function startWorkload(site: Site, journal: Journal, random: () => number): Promise<Workload> {
  const client = new Client(site, journal, random);
  const fed = await prepare(client, site);
  let over = false;
  let number = 0;
  const open = new Map<string, Promise<void>>();
  const work: Work = {
    site,
    journal,
    random,
    client,
    fed,
    isOver: () => over,
    next: () => (number += 1),
    following: (what) => [...open.keys()].filter((name) => name.startsWith(`${what} `)).length,
  };
  const follow: Follow = (name, promise) => {
    open.set(
      name,
      promise.finally(() => open.delete(name)),
    );
  };
  const loops = LOOPS.map(async ({ everyMs, once }) => {
    while (!over) {
      await once(work, follow);
      await sleep(everyMs * (0.5 + random()));
    }
  });
  return {
    fedId: fed.agentId,
    async stop(say, endsWithinMs) {
      over = true;
      const telling = setInterval(
        () => say(`waiting for ${open.size}: ${[...open.keys()].slice(0, 4).join(', ')}`),
        TELL_EVERY_MS,
      );
      const patience = setTimeout(() => {
        client.gaveUp = true;
      }, endsWithinMs);
      await Promise.all(loops);
      await Promise.all(open.values());
      // A reader that pauses tries again by itself, but after an hour at most.
      await client.insist('POST', `/app/agents/${fed.agentId}/model-reading/try-now`);
      clearTimeout(patience);
      clearInterval(telling);
    },
  };
}

async function prepare(client: Client, site: Site): Promise<Work['fed']> {
  const must = async (path: string, body: object) => {
    const answer = await client.insist('POST', path, { body });
    if (answer === null || answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer.body;
  };
  const connection = await must('/app/connections', { platform: 'livekit' });
  const agent = await must('/app/agents', { connectionId: connection.id, providerAgentId: 'desk', name: 'Desk' });
  const { token } = await must(`/app/connections/${connection.id}/tokens`, { agentId: agent.id });
  // Beside the rules: an outcome that waits for a model that is broken would break other invariants.
  const changed = await client.insist('PATCH', `/app/agents/${agent.id}`, {
    body: { modelReading: 'assist', modelBudgetUsd: null },
  });
  if (changed?.status !== 200) throw new Error(`The reader could not be set: ${JSON.stringify(changed)}`);
  await must('/app/webhooks', { url: site.receiver.url, events: ['run.completed'] });
  return { agentId: agent.id, token };
}

const LOOPS: readonly { everyMs: number; once(work: Work, follow: Follow): Promise<void> }[] = [
  { everyMs: 500, once: writeTest },
  { everyMs: 4_000, once: startRun },
  { everyMs: 2_500, once: upload },
  { everyMs: 600, once: sendRecord },
  { everyMs: 4_000, once: importFromPlatform },
  { everyMs: 2_000, once: makeAndRevokeKey },
  { everyMs: 1_500, once: writeAndRenameWatch },
  { everyMs: 5_000, once: eraseCall },
  { everyMs: 3_000, once: publishDraft },
  { everyMs: 2_000, once: walkCalls },
  { everyMs: 1_000, once: lookNextDoor },
  { everyMs: 1_500, once: readSpending },
];

async function writeTest({ site, journal, random, client, next }: Work): Promise<void> {
  const { playedId, writeKey } = site.workspace;
  const title = `Test ${next()}`;
  const asked = { as: writeKey, body: { title, spec: BOOKING }, key: newId() };
  const path = `/v1/agents/${playedId}/tests`;
  const answer = await client.insist('POST', path, asked);
  if (answer?.status !== 201) return;
  journal.made.push({ what: 'test', id: answer.body.id, name: title });
  if (random() > 0.3) return;
  const again = await client.insist('POST', path, asked);
  if (again?.status === 201) journal.repeated.push({ key: asked.key, ids: [answer.body.id, again.body.id] });
}

async function startRun(work: Work, follow: Follow): Promise<void> {
  const { site, journal, random, client } = work;
  const { playedId, writeKey, testIds } = site.workspace;
  const base = `/v1/agents/${playedId}/runs`;
  const body = { testIds: testIds.slice(0, 1 + Math.floor(random() * testIds.length)), version: 3 };
  const answer = await client.insist('POST', base, {
    as: writeKey,
    body: random() < 0.3 ? { ...body, repeats: 3 } : body,
  });
  if (answer?.status !== 201) return;
  const { id } = answer.body;
  journal.made.push({ what: 'run', id, name: id });
  follow(`run ${id}`, watchRun(work, `${base}/${id}`));
}

async function upload(work: Work, follow: Follow): Promise<void> {
  const { journal, random, client, fed } = work;
  if (work.following(UPLOAD) >= MOST_WAITING) return;
  const refs = Array.from({ length: 2 + Math.floor(random() * 10) }, () => `upload-${work.next()}`);
  const lines = refs.map((ref, at) => JSON.stringify(recordOf(ref, at))).join('\n');
  const base = `/app/agents/${fed.agentId}/imports`;
  const answer = await client.insist('POST', base, { lines });
  if (answer?.status !== 200) return;
  const { id } = answer.body;
  journal.made.push({ what: 'import', id, name: id });
  journal.taken.push(...refs.map((ref) => ({ ref, importId: id })));
  follow(`${UPLOAD} ${id}`, watchImport(work, `${base}/${id}`, id));
}

async function sendRecord({ journal, client, fed, next }: Work): Promise<void> {
  const number = next();
  const ref = `sent-${number}`;
  const answer = await client.insist('POST', '/ingest/calls', { as: fed.token, body: recordOf(ref, number) });
  if (answer?.status === 200) journal.taken.push({ ref, importId: null });
}

async function importFromPlatform(work: Work, follow: Follow): Promise<void> {
  const { site, journal, random, client } = work;
  if (work.following(LISTING) >= MOST_WAITING) return;
  for (let at = 0; at < 5; at += 1) {
    const number = work.next();
    const shape = number % 5 === 0 ? { failingTool: 'check_availability' } : {};
    site.platform.calls.set(
      `call_${number}`,
      retellCall(`call_${number}`, {
        minutesAgo: 60 + Math.floor(random() * 600),
        version: 1 + (number % 2),
        ...shape,
      }),
    );
  }
  const base = `/app/agents/${site.workspace.polledId}/imports`;
  const answer = await client.insist('POST', base, { body: {} });
  if (answer?.status !== 200) return;
  const { id } = answer.body;
  journal.made.push({ what: 'import', id, name: id });
  follow(`${LISTING} ${id}`, watchImport(work, `${base}/${id}`, id));
}

const watchImport = (work: Work, path: string, id: string) =>
  watchUntilFinal(work, 'import', path, ({ status, stored, unchanged, failed }) => ({
    id,
    status,
    done: stored + unchanged + failed,
    total: null,
  }));

async function makeAndRevokeKey({ journal, client, next }: Work): Promise<void> {
  const name = `Key ${next()}`;
  const made = await client.insist('POST', '/app/keys', { body: { name, access: 'read' } });
  if (made === null || made.status >= 300) return;
  journal.made.push({ what: 'key', id: made.body.id, name });
  const revoked = await client.insist('DELETE', `/app/keys/${made.body.id}`);
  if (revoked === null || revoked.status >= 300) return;
  const statusesAfter: number[] = [];
  for (let at = 0; at < 4; at += 1) {
    const answer = await client.ask('GET', '/v1/agents', { as: made.body.key });
    if (answer) statusesAfter.push(answer.status);
  }
  journal.revoked.push({ keyId: made.body.id, statusesAfter });
}

async function writeAndRenameWatch(work: Work, follow: Follow): Promise<void> {
  const { journal, client, fed, random, next } = work;
  const name = `Watch ${next()}`;
  const base = `/app/agents/${fed.agentId}/watches`;
  // Every other one is broken on every call, so that there is something to label.
  const expectation = { text: `The agent must say "${random() < 0.5 ? 'hello' : 'good evening'}".` };
  const made = await client.insist('POST', base, { body: { name, lane: 'speaking', expectation } });
  if (made === null || made.status >= 300) return;
  journal.made.push({ what: 'watch', id: made.body.id, name });
  const path = `${base}/${made.body.id}`;
  if (random() < 0.5) return backtestWatch(work, follow, path);
  const renamed = `${name}, renamed`;
  const answer = await client.ask('PATCH', path, { body: { name: renamed } });
  const isSure = answer !== null && answer.status < 300;
  if (isSure || answer === null || answer.status >= 500) {
    journal.renamed.push({ watchId: made.body.id, name: renamed, isSure });
  }
}

async function backtestWatch(work: Work, follow: Follow, path: string): Promise<void> {
  const { journal, client } = work;
  const begun = await client.insist('POST', `${path}/backtest`);
  if (begun === null || begun.status >= 300) return;
  journal.backtested.push(begun.body.id);
  follow(`backtest of ${begun.body.id}`, watchBacktest(work, path.replace('/app/', '/v1/')));
}

async function watchBacktest(work: Work, path: string): Promise<void> {
  const { journal, client, random } = work;
  const tested = await until(work, async () => {
    const now = await client.ask('GET', path);
    return now?.status === 200 && now.body.state !== 'backtesting' ? now : null;
  });
  const flagged = (tested?.body.samples ?? []).filter(({ kind }: { kind: string }) => kind === 'flagged');
  for (const { callId } of flagged.slice(0, MOST_LABELS)) {
    const label = random() < 0.5 ? 'right' : 'wrong';
    const answer = await client.ask('POST', `${path}/labels`, { body: { callId, label } });
    const isSure = answer?.status === 200;
    if (isSure || answer === null || answer.status >= 500) {
      journal.labelled.push({ watchId: tested?.body.id, callId, label, isSure });
    }
  }
}

async function eraseCall(work: Work, follow: Follow): Promise<void> {
  const { journal, random, client, fed, site } = work;
  const { writeKey } = site.workspace;
  const gone = new Set(journal.erased.map(({ ref }) => ref));
  const left = journal.taken.filter(({ ref }) => !gone.has(ref));
  const chosen = left[Math.floor(random() * left.length)];
  if (!chosen) return;
  const path = `/v1/agents/${fed.agentId}/calls?providerCallId=${chosen.ref}`;
  const found = await client.insist('GET', path, { as: writeKey });
  const callId: string | undefined = found?.body?.data?.[0]?.id;
  if (callId === undefined) return;
  const base = `/app/agents/${fed.agentId}/erasures`;
  const answer = await client.insist('POST', base, { body: { callIds: [callId], reason: 'Asked for.' } });
  if (answer === null || answer.status >= 300) return;
  const { id } = answer.body;
  journal.erased.push({ callId, ref: chosen.ref, erasureId: id });
  journal.made.push({ what: 'erasure', id, name: id });
  follow(
    `erasure ${id}`,
    watchUntilFinal(work, 'erasure', `${base}/${id}`, ({ status, done, total }) => ({ id, status, done, total })),
  );
}

/** Every call that was there before the walk is shown once, whatever comes in meanwhile. */
async function walkCalls({ journal, client, fed, site }: Work): Promise<void> {
  const path = `/v1/agents/${fed.agentId}/calls`;
  const before = await client.walk(path, site.workspace.writeKey);
  const shown = await client.walk(path, site.workspace.writeKey, SHORT_PAGE);
  if (!before || !shown) return;
  const refs = (calls: { providerCallId: string }[]) => calls.map(({ providerCallId }) => providerCallId);
  // What was asked to be erased may go at any moment of the walk.
  const gone = new Set(journal.erased.map(({ ref }) => ref));
  journal.walks.push({ before: refs(before).filter((ref) => !gone.has(ref)), shown: refs(shown) });
}

async function lookNextDoor({ site, journal, client, random, fed }: Work): Promise<void> {
  const { playedId, polledId, strangerKey } = site.workspace;
  const made = journal.made[Math.floor(random() * journal.made.length)];
  const paths = [
    `/v1/agents/${fed.agentId}/calls`,
    `/v1/agents/${polledId}/issues`,
    `/v1/agents/${playedId}/${made?.what === 'run' ? 'runs' : 'tests'}/${made?.id ?? newId()}`,
  ];
  for (const path of paths) {
    const answer = await client.ask('GET', path, { as: strangerKey });
    if (answer) journal.strangers.push({ path, status: answer.status });
  }
}

async function readSpending({ site, journal, client }: Work): Promise<void> {
  const { writeKeyId: keyId, budgetUsd } = site.workspace;
  const answer = await client.ask('GET', '/app/keys?limit=100');
  const key = answer?.body?.data?.find(({ id }: { id: string }) => id === keyId);
  if (key) journal.spent.push({ keyId, usd: key.spentThisMonthUsd, budgetUsd });
}

const WISHES = ['book a table', 'cancel my order', 'know when you open', 'speak to somebody about my bill'];

function recordOf(id: string, number: number) {
  const wish = WISHES[number % WISHES.length];
  return {
    id,
    startedAt: new Date(Date.now() - (60 + (number % 500)) * 60_000).toISOString(),
    version: 1 + (number % 2),
    turns: [
      { role: 'agent', text: 'Hello, how can I help?', startMs: 100, endMs: 1_500 },
      { role: 'caller', text: `I want to ${wish}.`, startMs: 2_000, endMs: 3_400 },
      { role: 'agent', text: 'All right, that is done. Anything else?', startMs: 4_000, endMs: 6_000 },
      { role: 'caller', text: 'No, thank you. Bye.', startMs: 6_400, endMs: 7_400 },
    ],
  };
}
