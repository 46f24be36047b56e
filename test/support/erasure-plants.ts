import { sql } from 'kysely';
import { openAttempt } from '../../src/db/runs/attempts.ts';
import { storeStep } from '../../src/db/runs/store-step.ts';
import { enqueueDeliveries } from '../../src/db/webhooks/deliveries.ts';
import { insertWebhook } from '../../src/db/webhooks/webhooks.ts';
import { OWN_CALLER } from '../../src/domain/runs/attempt.ts';
import { newId } from '../../src/ids.ts';
import { turn } from './analysed-calls.ts';
import { endRun, makeRun } from './runs.ts';
import { makeScore, makeVerdict } from './scores.ts';
import { makeWatch } from './watches.ts';
import type { World } from './world.ts';

/** What a caller says, is called and calls from; each is found nowhere else. */
export const CANARY = { word: 'zanzibarquux', name: 'Xylophone', number: '+1 (555) 987-1234', digits: '5559871234' };

interface Planted {
  agentId: string;
  callId: string;
  providerCallId: string;
}

/** Words of a call in every place that no import puts them into by itself. @returns what names them. */
export async function plantEverywhere(world: World, { agentId, callId, providerCallId }: Planted) {
  const { workspaceId } = world;
  const owner = { workspaceId, agentId };
  const em = world.database.within(workspaceId);
  const admin = world.database.em().getKysely();
  const run = (statement: ReturnType<typeof sql>) => statement.execute(admin);
  const words = `${CANARY.word} of ${CANARY.name}`;

  const made = await world.ask('POST', `/v1/agents/${agentId}/tests`, {
    as: world.writeKey,
    headers: { 'idempotency-key': newId() },
    body: { sourceCallId: callId, title: `Asks for ${words}` },
  });
  if (made.status !== 201) throw new Error(made.text);
  const testId: string = made.body.id;
  await run(sql`insert into test_sets (id, workspace_id, agent_id, name, test_ids, created_by)
    values (${newId()}, ${workspaceId}, ${agentId}, 'All', ${[testId]}::uuid[], 'earshot')`);
  await run(sql`insert into goals (id, workspace_id, agent_id, title, request, origin, from_version, test_ids, created_by)
    values (${newId()}, ${workspaceId}, ${agentId}, 'Better', 'Answer better.', 'api', 1, ${[testId]}::uuid[], 'earshot')`);
  await run(sql`insert into drafts (id, workspace_id, agent_id, title, rationale, new_case_ids, created_by)
    values (${newId()}, ${workspaceId}, ${agentId}, 'Better', 'So.', ${[testId]}::uuid[], 'earshot')`);
  const runId = await makeRun(world.database, owner, [testId]);
  const key = { ...owner, runId, testId, persona: OWN_CALLER, attempt: 1 };
  const { attemptId = '', player = 0 } = (await openAttempt(em, key)) ?? {};
  const step = { step: 1, by: 'caller', turns: [turn(0, 'caller', words)], messages: [], state: null } as const;
  const free = { platformNanoUsd: 0, serviceNanoUsd: 0 };
  await storeStep(
    em,
    { ...owner, attemptId, player },
    { ...step, turns: [...step.turns], messages: [], flowSteps: [], noFixture: [], ended: null },
    free,
  );
  const score = makeScore({ verdicts: [makeVerdict('books', false, { quote: words })] });
  await run(sql`update attempts set state = 'scored', result = 'failed', score = ${JSON.stringify(score)}::jsonb
    where id = ${attemptId}`);
  await run(sql`update run_cells set result = 'failed', k = 0, n = 1, reason = ${words} where run_id = ${runId}`);
  await endRun(world.database, owner, runId);
  const { rows } = await sql<{ body: string }>`select body from run_documents where run_id = ${runId}`.execute(admin);
  const webhook = { workspaceId, agentId, url: 'https://receiver.example.com/', events: ['run.completed'] as const };
  await insertWebhook(em, { ...webhook, sealedSecret: world.services.vault.seal('s'), createdBy: world.personId }, 20);
  await enqueueDeliveries(em, {
    ...owner,
    event: 'run.completed',
    eventKey: `run:${runId}/0`,
    body: rows[0]?.body ?? '',
  });

  await makeWatch(world, owner, callId);
  await run(sql`update watch_samples set quote = ${words} where call_id = ${callId}`);
  await run(sql`insert into signal_labels (agent_id, call_id, code, turn_index, workspace_id, label, note, person_id)
    values (${agentId}, ${callId}, 'tool_failed', 1, ${workspaceId}, 'wrong', ${words}, ${world.personId})`);
  await run(sql`insert into custom_metric_values (metric_id, version, call_id, agent_id, state, label, turn, quote, because)
    values (${newId()}, 1, ${callId}, ${agentId}, 'value', ${words}, 0, ${words}, ${words})`);
  await run(sql`insert into model_readings (call_id, workspace_id, agent_id, payload_digest, model, note)
    values (${callId}, ${workspaceId}, ${agentId}, 'd', 'm', ${words})`);
  await run(sql`insert into call_sounds (call_id, workspace_id, agent_id, payload_digest, sound_version, state, reason)
    values (${callId}, ${workspaceId}, ${agentId}, 'd', 1, 'away', ${words})`);
  await run(sql`insert into call_words (call_id, workspace_id, agent_id, words)
    values (${callId}, ${workspaceId}, ${agentId}, ${`'${CANARY.word}':1A`}::tsvector)
    on conflict (call_id) do update set words = excluded.words`);
  await run(sql`insert into call_fields (call_id, workspace_id, agent_id, name, text)
    values (${callId}, ${workspaceId}, ${agentId}, 'campaign', ${words})`);
  await run(sql`insert into shadow_readings (reanalysis_id, call_id, workspace_id, agent_id, payload_digest, analysis)
    values (${newId()}, ${callId}, ${workspaceId}, ${agentId}, 'd', ${JSON.stringify({ objective: words })}::jsonb)`);
  await run(sql`insert into announced_calls (id, workspace_id, agent_id, provider_call_id, digest)
    values (${newId()}, ${workspaceId}, ${agentId}, ${providerCallId}, 'd')`);
  await run(sql`insert into callers_to_review (agent_id, caller_key, workspace_id)
    select agent_id, caller_key, workspace_id from calls where id = ${callId}`);
  const traceId = `trace of ${providerCallId}`;
  await run(sql`insert into span_traces (agent_id, trace_id, workspace_id, call_refs)
    values (${agentId}, ${traceId}, ${workspaceId}, ${[providerCallId]}::text[])`);
  await run(sql`insert into span_batches (agent_id, trace_id, digest, workspace_id, sealed)
    values (${agentId}, ${traceId}, 'd', ${workspaceId}, '\\x00'::bytea)`);
  await plantConversation(world, agentId, callId, words);
  await plantSealed(world, agentId, words);
  await plantShared(world, { agentId, callId }, words);
  return { testId, runId, attemptId };
}

async function plantConversation(world: World, agentId: string, callId: string, words: string): Promise<void> {
  const admin = world.database.em().getKysely();
  const { workspaceId, personId } = world;
  const [id, messageId] = [newId(), newId()];
  const citations = JSON.stringify([{ number: 1, kind: 'call', id: callId, turn: 1, label: words, href: '/' }]);
  await sql`insert into copilot_conversations (id, workspace_id, agent_id, person_id, title)
    values (${id}, ${workspaceId}, ${agentId}, ${personId}, ${words})`.execute(admin);
  await sql`insert into copilot_messages
      (id, workspace_id, agent_id, conversation_id, person_id, position, role, state, text, citations)
    values (${messageId}, ${workspaceId}, ${agentId}, ${id}, ${personId}, 1, 'copilot', 'done', ${words},
      ${citations}::jsonb)`.execute(admin);
  await sql`insert into copilot_events (conversation_id, id, workspace_id, kind, data)
    values (${id}, 1, ${workspaceId}, 'text', ${JSON.stringify({ text: words })}::jsonb)`.execute(admin);
  await sql`insert into copilot_cards
      (id, workspace_id, agent_id, conversation_id, message_id, operation, input, summary, digest)
    values (${newId()}, ${workspaceId}, ${agentId}, ${id}, ${messageId}, 'createTest', '{}', ${words}, 'd')`.execute(
    admin,
  );
}

/** A record of the caller that could not become a call, and an uploaded line that nobody has read. */
async function plantSealed(world: World, agentId: string, words: string): Promise<void> {
  const admin = world.database.em().getKysely();
  const { workspaceId } = world;
  const sealed = world.services.vault.seal(JSON.stringify({ callerNumber: CANARY.number, turns: words }));
  await sql`insert into import_failures (id, workspace_id, agent_id, import_id, ref, reason, sealed_payload)
    values (${newId()}, ${workspaceId}, ${agentId}, ${newId()}, 'line:9', 'It is no call.', ${sealed})`.execute(admin);
  const importId = newId();
  await sql`insert into imports (id, workspace_id, agent_id, kind, status)
    values (${importId}, ${workspaceId}, ${agentId}, 'file', 'paused')`.execute(admin);
  await sql`insert into uploaded_records (import_id, line, workspace_id, sealed_payload)
    values (${importId}, 1, ${workspaceId}, ${sealed})`.execute(admin);
}

/** Words that calls share: names of intents, terms, places, what can't be computed, what a model called them. */
async function plantShared(world: World, { agentId, callId }: { agentId: string; callId: string }, words: string) {
  const admin = world.database.em().getKysely();
  const { workspaceId } = world;
  const run = (statement: ReturnType<typeof sql>) => statement.execute(admin);
  const intentId = newId();
  await run(sql`insert into intents (id, workspace_id, agent_id, kind, slug, label, calls)
    values (${intentId}, ${workspaceId}, ${agentId}, 'sub_use_case', ${CANARY.word}, ${words}, 1)`);
  await run(sql`update calls set sub_use_case_slug = ${CANARY.word} where id = ${callId}`);
  await run(sql`insert into intent_changes (id, workspace_id, agent_id, intent_id, kind, from_text, to_text)
    values (${newId()}, ${workspaceId}, ${agentId}, ${intentId}, 'renamed', ${words}, 'Lessons')`);
  await run(sql`insert into model_wordings (subject_id, workspace_id, agent_id, kind, digest, text)
    values (${intentId}, ${workspaceId}, ${agentId}, 'intent', 'd', ${words})`);
  await run(sql`update intents set terms = terms || ${JSON.stringify({ [CANARY.word]: 1, '': 1 })}::jsonb
    where agent_id = ${agentId} and kind = 'intent'`);
  await run(sql`insert into computability_profiles (id, agent_id, digest, not_computable)
    values (${newId()}, ${agentId}, 'd', ${JSON.stringify([{ code: 'tool_slow', reason: words }])}::jsonb)`);
  await run(sql`insert into flow_steps (agent_id, step, kind, place_id, label)
    values (${agentId}, ${newId()}, 'node', ${CANARY.word}, ${words})`);
}

/** In how many rows of each table any of these texts stands, in whatever column: text, documents, lists and bytes. */
export async function tablesWith(world: World, texts: readonly string[]): Promise<Map<string, number>> {
  const admin = world.database.em().getKysely();
  const { rows: tables } = await sql<{ name: string }>`
    select c.relname as name from pg_class c
    where c.relkind in ('r', 'p') and c.relnamespace = current_schema()::regnamespace order by 1`.execute(admin);
  const found = new Map<string, number>();
  const hex = texts.map((text) => Buffer.from(text).toString('hex'));
  const pattern = [...texts, ...hex].map((text) => text.replaceAll(/[^\p{L}\p{N}]/gu, '\\$&')).join('|');
  for (const { name } of tables) {
    const { rows } = await sql<{ many: number }>`
      select count(*)::int as many from ${sql.table(name)} t where t::text ~* ${pattern}`.execute(admin);
    found.set(name, rows[0]?.many ?? 0);
  }
  return found;
}
