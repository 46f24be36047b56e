import { sql } from 'kysely';
import { editBrief } from '../../src/db/agents/briefs.ts';
import { writeAlarm } from '../../src/db/alarms/alarms.ts';
import { enqueueTest, findChannel, insertChannel } from '../../src/db/channels/channels.ts';
import { refreshComparisons } from '../../src/db/comparisons/comparisons.ts';
import { insertConnection } from '../../src/db/connections/connections.ts';
import { insertConversation } from '../../src/db/copilot/conversations.ts';
import { storeMetrics } from '../../src/db/custom-metrics/compute.ts';
import { insertCustomMetric } from '../../src/db/custom-metrics/metrics.ts';
import { insertErasure } from '../../src/db/erasures/erasures.ts';
import { insertGoal } from '../../src/db/goals/goals.ts';
import { createImport } from '../../src/db/imports/imports.ts';
import { insertReanalysis } from '../../src/db/reanalyses/reanalyses.ts';
import { openAttempt } from '../../src/db/runs/attempts.ts';
import { insertIngestToken } from '../../src/db/system/ingest-tokens.ts';
import { insertPersona } from '../../src/db/tests/personas.ts';
import { insertTestSet } from '../../src/db/tests/test-sets.ts';
import { insertTest } from '../../src/db/tests/tests.ts';
import { enqueueDeliveries } from '../../src/db/webhooks/deliveries.ts';
import { insertWebhook } from '../../src/db/webhooks/webhooks.ts';
import { OWN_CALLER } from '../../src/domain/runs/attempt.ts';
import { ANALYSER_VERSION } from '../../src/domain/signals/analyser-version.ts';
import { CATALOGUE } from '../../src/domain/signals/catalogue.ts';
import { newId } from '../../src/ids.ts';
import { abandonedCalls } from './alarms.ts';
import { makeSignal, testVault } from './analysed-calls.ts';
import { makeDraft } from './drafts.ts';
import { makeIssue } from './issues.ts';
import { endRun, makeRun } from './runs.ts';
import { minute, seedCalls } from './seed.ts';
import { makeSpec } from './specs.ts';
import { makeWatch } from './watches.ts';
import type { World } from './world.ts';

const aChannel = {
  kind: 'slack' as const,
  personId: null,
  name: '#alerts',
  shownAddress: 'hooks.example.com',
  sealedAddress: testVault.seal('{"by":"incoming_webhook","url":"https://hooks.example.com/"}'),
  threads: false,
  subscriptions: [],
};

/**
 * Makes one of everything that the path of an operation can name, of one agent and of its workspace.
 * @returns their ids by the names of the path's parameters; `waitingId` is a call that is not analysed yet.
 */
export async function makeOneOfEach(world: World, agentId: string) {
  const db = world.database.em().getKysely();
  const idOf = async (query: ReturnType<typeof sql<{ id: string }>>) => (await query.execute(db)).rows[0]?.id ?? '';
  const workspaceId = await idOf(sql`select workspace_id as id from agents where id = ${agentId}`);
  const em = world.database.within(workspaceId);

  const [callId = '', waitingId = ''] = await seedCalls(world, agentId, [
    {
      call: { providerCallId: 'a', startedAt: minute(0), version: 1 },
      analysis: {
        signals: [makeSignal({ code: 'tool_failed' })],
        observations: [{ rule: 'r', kind: 'conformance', label: 'l', turnIndex: 0, detail: 'd', basis: 'checked' }],
        claims: [{ turn: 0, text: 't', kind: 'k', backedBy: null, verdict: 'unbacked' }],
        notComputable: [{ code: 'tool_slow', reason: 'No times.' }],
      },
    },
    { call: { providerCallId: 'b', startedAt: null, endedAt: null, version: 1 }, analysis: null },
    { call: { providerCallId: 'c', startedAt: minute(1), version: 2 }, analysis: {} },
  ]);
  const { id: issueId } = await makeIssue(world, agentId);
  await makeIssue(world, agentId, { downstreamOfId: issueId, section: 'hidden' });
  await refreshComparisons(em, CATALOGUE, { workspaceId, agentId });
  const reanalysis = {
    workspaceId,
    agentId,
    analyserVersion: ANALYSER_VERSION,
    thresholds: { tool_slow: { slowMs: 3000 } },
    appliesItself: false,
    createdBy: null,
  };
  const reanalysisId = (await insertReanalysis(em, reanalysis)) ?? '';
  const erased = { scope: 'calls', callIds: [newId()], callerKey: null, sealedNumber: null, total: 1 } as const;
  const asked = { workspaceId, agentId, reason: 'Asked for by the caller.', requestedBy: newId() };
  const { id: erasureId } = await insertErasure(em, { ...erased, ...asked });
  const { importId } = await createImport(em, { workspaceId, agentId, kind: 'first', limit: 500, from: null });
  const connectionId = await insertConnection(em, {
    workspaceId,
    platform: 'retell',
    baseUrl: null,
    sealedKey: testVault.seal('a key of the tests'),
  });
  const { id: tokenId } = await insertIngestToken(em, {
    workspaceId,
    connectionId,
    agentId,
    name: 'a token of the tests',
    secretHash: newId(),
    prefix: 'ing_000000',
    createdBy: newId(),
  });
  await editBrief(em, agentId, {
    purpose: 'A front desk.',
    steps: [{ id: 'greet', label: 'Greet', text: null }],
    tools: [{ name: 'book', description: 'Books a time.', kind: 'other' }],
    intents: ['book a visit'],
    done: ['book succeeded'],
    rules: [{ line: 1, text: 'Never guess.', polarity: 'must_not' }],
  });
  const webhook = { workspaceId, agentId, url: 'https://receiver.example.com/', events: ['import.stuck'] as const };
  const secret = testVault.seal('whsec_c2VjcmV0');
  const webhookId = (await insertWebhook(em, { ...webhook, sealedSecret: secret, createdBy: newId() }, 20)) ?? '';
  await enqueueDeliveries(em, { workspaceId, agentId, event: 'import.stuck', eventKey: 'import', body: '{}' });
  const channelId = (await insertChannel(em, { ...aChannel, workspaceId, createdBy: newId() }, 20)) ?? '';
  const channel = await findChannel(em, workspaceId, channelId);
  const messageId = channel === null ? '' : ((await enqueueTest(em, channel, 'an address', '{}')) ?? '');
  const personId = newId();
  await sql`insert into people (id, email, name) values (${personId}, ${`${personId}@example.com`}, 'One')`.execute(db);
  await sql`insert into memberships (workspace_id, person_id, role) values (${workspaceId}, ${personId}, 'member')`.execute(
    db,
  );
  await world.makeKey({ workspaceId });
  const author = { workspaceId, createdBy: personId };
  const testId = await insertTest(em, {
    ...author,
    agentId,
    title: 'Books a visit',
    source: 'production',
    lane: 'integrations',
    expect: 'pass',
    guard: true,
    spec: makeSpec(),
    sourceCallId: callId,
    generatedFrom: null,
  });
  const testSetId = await insertTestSet(em, { ...author, agentId, name: 'All', testIds: [testId] });
  const runId = await makeRun(world.database, { workspaceId, agentId }, [testId]);
  const attemptKey = { workspaceId, agentId, runId, testId, persona: OWN_CALLER, attempt: 1 };
  const attemptId = (await openAttempt(em, attemptKey))?.attemptId ?? '';
  await endRun(world.database, { workspaceId, agentId }, runId);
  const { id: personaId } = await insertPersona(em, { ...author, name: 'Slow', style: 'Speaks slowly.' });
  const goalId = await insertGoal(em, {
    ...author,
    agentId,
    title: 'Bookings',
    request: 'More.',
    origin: 'api',
    testIds: [testId],
  });
  const watchId = await makeWatch(world, { workspaceId, agentId }, callId);
  const draftId = await makeDraft(world, { workspaceId, agentId }, { issueId });
  const metric = { slug: 'cost_a_minute', name: 'Cost a minute', description: null, unit: 'USD', share: 1, isOn: true };
  await insertCustomMetric(
    em,
    { workspaceId, agentId },
    {
      ...metric,
      answer: 'number',
      better: 'lower',
      badLabels: [],
      form: { kind: 'formula', expression: 'cost_usd / (duration_s / 60)' },
      appliesWhen: null,
    },
    { createdBy: personId, changeReason: null },
  );
  await storeMetrics(em, agentId, [callId]);
  await writeAlarm(
    em,
    { workspaceId, agentId },
    { slug: 'abandoned_calls', name: 'Abandoned calls', isOn: true, rule: abandonedCalls() },
    personId,
    false,
  );
  // A person's own, also about an agent of somebody else.
  const asker = { workspaceId: world.workspaceId, personId: world.personId };
  const { id: conversationId } = await insertConversation(world.database.within(asker.workspaceId), {
    ...asker,
    agentId,
  });
  const cardId = newId();
  await sql`
    insert into copilot_cards (id, workspace_id, agent_id, conversation_id, message_id, operation, input, summary, digest)
    values (${cardId}, ${asker.workspaceId}, ${agentId}, ${conversationId}, ${newId()}, 'createTest',
      '{"path": {}, "body": {}}', 'Nothing.', '')
  `.execute(db);
  return {
    agentId,
    workspaceId,
    cardId,
    watchId,
    goalId,
    draftId,
    conversationId,
    callId,
    metric: 'got_it_done',
    customMetric: 'cost_a_minute',
    alarm: 'abandoned_calls',
    waitingId,
    issueId,
    comparisonId: await idOf(sql`select id from comparisons where agent_id = ${agentId}`),
    intentId: await idOf(sql`select id from intents where agent_id = ${agentId} and kind = 'intent'`),
    reanalysisId,
    erasureId,
    importId,
    connectionId,
    tokenId,
    webhookId,
    channelId,
    messageId,
    deliveryId: await idOf(sql`select id from webhook_deliveries where webhook_id = ${webhookId}`),
    testId,
    testSetId,
    runId,
    attemptId,
    personaId,
    personId,
    keyId: await idOf(sql`select id from api_keys where workspace_id = ${workspaceId} order by id desc limit 1`),
  };
}
