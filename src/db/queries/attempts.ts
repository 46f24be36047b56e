import { sql } from 'kysely';
import type { Turn } from '../../domain/calls/call.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { AttemptScore, PlayedCall } from '../../domain/runs/attempt.ts';
import type { PlayedStep } from '../../domain/runs/played-steps.ts';
import { playedCallOf } from '../../domain/runs/played-steps.ts';
import type { TestSpec } from '../../domain/tests/spec.ts';
import type { AgentConfiguration } from '../../domain/versions/configuration.ts';
import type { AttemptResult } from '../../domain/vocabulary.ts';
import type { AttemptKey } from '../../durable/run.ts';
import { newId } from '../../ids.ts';
import { storable, toIso, toIsoOrNull, toNumber } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import { executePlanned } from '../planned.ts';

/** One simulated call with all that playing and judging it needs. */
export interface StoredAttempt {
  attemptId: string;
  runId: string;
  testId: string;
  /** A persona's id, or `@source`. */
  persona: string;
  attempt: number;
  spec: TestSpec;
  testRevision: number;
  version: number;
  /** Null where nobody captured the version. */
  configuration: AgentConfiguration | null;
  state: 'playing' | 'played' | 'scored';
  /** What is stored so far; complete unless `state` is `playing`. */
  played: PlayedCall;
  /** The conversation in the platform's own shape, oldest first. */
  raw: JsonObject[];
  result: AttemptResult | null;
  score: AttemptScore | null;
  earlierScores: AttemptScore[];
  providerGraderStatus: string | null;
  providerGraderExplanation: string | null;
  platformNanoUsd: number;
  serviceNanoUsd: number;
  startedAt: string;
  finishedAt: string | null;
  rescoredAt: string | null;
}

/** What only the one who plays it on needs. */
export interface OpenAttempt extends StoredAttempt {
  steps: PlayedStep[];
  /** The platform's document of the version as captured. */
  document: JsonObject | null;
  providerRef: string | null;
  /** What a simulated call costs at the platform by the agent's settings; null: the platform's usual rate. */
  simulatedCallUsd: number | null;
}

/** @returns null where nobody has begun this attempt. */
export async function loadPlayed(em: EntityManager, key: AttemptKey): Promise<StoredAttempt | null> {
  return (await findAttempt(em, key.agentId, named(key)))?.stored ?? null;
}

const named = (key: AttemptKey) => sql`a.run_id = ${key.runId} and a.test_id = ${key.testId}
  and a.persona = ${key.persona} and a.attempt = ${key.attempt}`;

/** @returns null where the agent has no such attempt. */
export async function loadPlayedById(
  em: EntityManager,
  agentId: string,
  attemptId: string,
): Promise<StoredAttempt | null> {
  return (await findAttempt(em, agentId, sql`a.id = ${attemptId}`))?.stored ?? null;
}

/**
 * Begins an attempt, or finds it as it was left: the natural key makes every start of one attempt the same row.
 * @returns null where the run has no such cell any more.
 */
export async function openAttempt(em: EntityManager, key: AttemptKey): Promise<OpenAttempt | null> {
  await sql`
    insert into attempts (id, workspace_id, agent_id, run_id, test_id, persona, attempt, test_revision, version)
    select ${newId()}, c.workspace_id, c.agent_id, c.run_id, c.test_id, c.persona, ${key.attempt}, c.test_revision, r.version
    from run_cells c join runs r on r.id = c.run_id
    where c.run_id = ${key.runId} and c.test_id = ${key.testId} and c.persona = ${key.persona}
    on conflict (run_id, test_id, persona, attempt) do nothing
  `.execute(em.getKysely());
  const found = await findAttempt(em, key.agentId, named(key));
  if (found === null) return null;
  const { stored, steps } = found;
  const { rows } = await sql<Pick<OpenAttempt, 'document' | 'providerRef'> & { simulatedCallUsd: string | null }>`
    select v.captured_document as document, v.provider_ref as "providerRef", g.simulated_call_usd as "simulatedCallUsd"
    from agents g left join agent_versions v on v.agent_id = g.id and v.version = ${stored.version}
    where g.id = ${key.agentId}
  `.execute(em.getKysely());
  const [row] = rows;
  if (!row) return null;
  const rate = row.simulatedCallUsd === null ? null : toNumber(row.simulatedCallUsd);
  return { ...stored, ...row, simulatedCallUsd: rate, steps };
}

interface Owned {
  workspaceId: string;
  agentId: string;
  attemptId: string;
}

/** Notes that a step is about to be made: who finds it without turns knows that its question may have been asked. */
export async function beginStep(em: EntityManager, of: Owned, step: number, by: 'caller' | 'agent'): Promise<void> {
  await sql`
    insert into attempt_steps (attempt_id, step, workspace_id, agent_id, by)
    values (${of.attemptId}, ${step}, ${of.workspaceId}, ${of.agentId}, ${by})
    on conflict (attempt_id, step) do nothing
  `.execute(em.getKysely());
}

/**
 * Stores a step, once, with what it cost: a step that is there stays as it is. One statement, so that a turn of a call
 * takes few trips. @param begins who is asked for the step after it, which is noted as begun with it; null: nobody.
 */
export async function storeStep(
  em: EntityManager,
  of: Owned,
  made: PlayedStep,
  cost: { platformNanoUsd: number; serviceNanoUsd: number },
  begins: PlayedStep['by'] | null = null,
): Promise<void> {
  const json = (value: unknown) => JSON.stringify(storable(value));
  const begun =
    begins === null
      ? sql``
      : sql`, (${of.attemptId}, ${made.step + 1}, ${of.workspaceId}, ${of.agentId}, ${begins}, null, null, null, '{}',
          '{}', null)`;
  const store = sql`
    insert into attempt_steps (attempt_id, step, workspace_id, agent_id, by, turns, messages, state, flow_steps,
      no_fixture, ended)
    values (${of.attemptId}, ${made.step}, ${of.workspaceId}, ${of.agentId}, ${made.by}, ${json(made.turns)}::jsonb,
      ${json(made.messages)}::jsonb, ${made.state === null ? null : json(made.state)}::jsonb,
      ${storable(made.flowSteps)}, ${storable(made.noFixture)}, ${made.ended})${begun}
    on conflict (attempt_id, step) do update set turns = excluded.turns, messages = excluded.messages,
      state = excluded.state, flow_steps = excluded.flow_steps, no_fixture = excluded.no_fixture,
      ended = excluded.ended
    where attempt_steps.turns is null and excluded.turns is not null
    returning step`;
  const isFree = cost.platformNanoUsd === 0 && cost.serviceNanoUsd === 0;
  const statement = isFree
    ? store
    : sql`
      with stored as (${store})
      update attempts set platform_nano_usd = platform_nano_usd + ${cost.platformNanoUsd},
        service_nano_usd = service_nano_usd + ${cost.serviceNanoUsd}
      where id = ${of.attemptId} and exists (select 1 from stored where step = ${made.step})`;
  await executePlanned(em, statement);
}

/** Says that it is played to its end, or why it broke off. A later word changes nothing. */
export async function endPlaying(
  em: EntityManager,
  attemptId: string,
  end: Pick<PlayedCall, 'endedBy' | 'trouble' | 'noFixture'> & { serviceNanoUsd: number },
): Promise<void> {
  await sql`
    update attempts set state = 'played', ended_by = ${end.endedBy}, trouble = ${storable(end.trouble)},
      no_fixture = ${storable(end.noFixture)}, service_nano_usd = service_nano_usd + ${end.serviceNanoUsd},
      finished_at = now()
    where id = ${attemptId} and state = 'playing'
  `.execute(em.getKysely());
}

type Row = Omit<StoredAttempt, 'played' | 'raw' | 'platformNanoUsd' | 'serviceNanoUsd'> &
  Pick<PlayedCall, 'endedBy' | 'trouble' | 'noFixture'> & { platformNanoUsd: string; serviceNanoUsd: string };

async function findAttempt(
  em: EntityManager,
  agentId: string,
  which: ReturnType<typeof sql>,
): Promise<{ stored: StoredAttempt; steps: PlayedStep[] } | null> {
  const { rows } = await sql<Row>`
    select a.id as "attemptId", a.run_id as "runId", a.test_id as "testId", a.persona, a.attempt, t.spec,
      a.test_revision as "testRevision", a.version, v.configuration, a.state, a.ended_by as "endedBy", a.trouble,
      a.no_fixture as "noFixture", a.result, a.score, a.earlier_scores as "earlierScores",
      a.provider_grader_status as "providerGraderStatus", a.provider_grader_explanation as "providerGraderExplanation",
      a.platform_nano_usd as "platformNanoUsd", a.service_nano_usd as "serviceNanoUsd", a.started_at as "startedAt",
      a.finished_at as "finishedAt", a.rescored_at as "rescoredAt"
    from attempts a join test_revisions t on t.test_id = a.test_id and t.revision = a.test_revision
      left join agent_versions v on v.agent_id = a.agent_id and v.version = a.version
    where a.agent_id = ${agentId} and ${which}
  `.execute(em.getKysely());
  const [row] = rows;
  if (!row) return null;
  const steps = await loadSteps(em, row.attemptId);
  const { endedBy, trouble, noFixture, ...rest } = row;
  const stored = {
    ...rest,
    played: { ...playedCallOf(steps), endedBy, trouble, noFixture },
    raw: steps.flatMap(({ messages }) => messages),
    platformNanoUsd: toNumber(row.platformNanoUsd),
    serviceNanoUsd: toNumber(row.serviceNanoUsd),
    startedAt: toIso(row.startedAt),
    finishedAt: toIsoOrNull(row.finishedAt),
    rescoredAt: toIsoOrNull(row.rescoredAt),
  };
  return { stored, steps };
}

/** Steps that were made, oldest first. One that was only begun is made again. */
async function loadSteps(em: EntityManager, attemptId: string): Promise<PlayedStep[]> {
  const { rows } = await sql<Omit<PlayedStep, 'messages'> & { turns: Turn[]; messages: JsonObject[] | null }>`
    select step, by, turns, messages, state, flow_steps as "flowSteps", no_fixture as "noFixture", ended
    from attempt_steps where attempt_id = ${attemptId} and turns is not null order by step
  `.execute(em.getKysely());
  return rows.map((row) => ({ ...row, messages: row.messages ?? [] }));
}
