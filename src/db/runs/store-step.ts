import { sql } from 'kysely';
import type { PlayedStep } from '../../domain/runs/played-steps.ts';
import { storable } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import { executePlanned } from '../planned.ts';
import { together } from '../together.ts';
import type { Owned } from './attempts.ts';

interface StepCost {
  platformNanoUsd: number;
  serviceNanoUsd: number;
}

interface StepToStore {
  of: Owned;
  made: PlayedStep;
  cost: StepCost;
  begins: PlayedStep['by'] | null;
}

/**
 * Stores a step, once, with what it cost: a step that is there stays as it is, and none of an attempt that was erased is
 * stored. Steps of conversations that go on side by side are stored by one statement.
 * @param begins who is asked for the step after it, which is noted as begun with it; null: nobody.
 */
export async function storeStep(
  em: EntityManager,
  of: Owned,
  made: PlayedStep,
  cost: StepCost,
  begins: PlayedStep['by'] | null = null,
): Promise<void> {
  await storeTogether(em, { of, made, cost, begins });
}

const storeTogether = together(storeSteps);

async function storeSteps(em: EntityManager, steps: readonly StepToStore[]): Promise<undefined[]> {
  await executePlanned(
    em,
    sql`
      with given as materialized (
        select * from jsonb_to_recordset(${JSON.stringify(steps.map(asRow))}::jsonb) as given(attempt_id uuid, step int,
          workspace_id uuid, agent_id uuid, by text, turns jsonb, messages jsonb, state jsonb, flow_steps text[],
          no_fixture text[], ended text, begins text, platform_nano_usd bigint, service_nano_usd bigint)
      ),
      standing as materialized (
        select id from attempts where id in (select attempt_id from given) order by id for key share
      ),
      stored as (
        insert into attempt_steps (attempt_id, step, workspace_id, agent_id, by, turns, messages, state, flow_steps,
          no_fixture, ended)
        select attempt_id, step, workspace_id, agent_id, by, turns, messages, state, flow_steps, no_fixture, ended
        from given join standing on standing.id = given.attempt_id
        on conflict (attempt_id, step) do update set turns = excluded.turns, messages = excluded.messages,
          state = excluded.state, flow_steps = excluded.flow_steps, no_fixture = excluded.no_fixture,
          ended = excluded.ended
        where attempt_steps.turns is null and excluded.turns is not null
        returning attempt_id
      ),
      begun as (
        insert into attempt_steps (attempt_id, step, workspace_id, agent_id, by)
        select attempt_id, step + 1, workspace_id, agent_id, begins
        from given join standing on standing.id = given.attempt_id
        where begins is not null
        on conflict (attempt_id, step) do nothing
      )
      update attempts a set platform_nano_usd = a.platform_nano_usd + given.platform_nano_usd,
        service_nano_usd = a.service_nano_usd + given.service_nano_usd
      from given join stored on stored.attempt_id = given.attempt_id
      where a.id = given.attempt_id and given.platform_nano_usd + given.service_nano_usd > 0
    `,
  );
  return steps.map(() => undefined);
}

const asRow = ({ of, made, cost, begins }: StepToStore) => ({
  attempt_id: of.attemptId,
  step: made.step,
  workspace_id: of.workspaceId,
  agent_id: of.agentId,
  by: made.by,
  turns: storable(made.turns),
  messages: storable(made.messages),
  state: storable(made.state),
  flow_steps: storable(made.flowSteps),
  no_fixture: storable(made.noFixture),
  ended: made.ended,
  begins,
  platform_nano_usd: cost.platformNanoUsd,
  service_nano_usd: cost.serviceNanoUsd,
});
