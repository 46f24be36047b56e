import { sql } from 'kysely';
import type { PlayedStep } from '../../domain/runs/played-steps.ts';
import { storable } from '../convert.ts';
import type { EntityManager } from '../database.ts';
import { executePlanned } from '../planned.ts';
import { together } from '../together.ts';
import { type Owned, TakenOverError } from './attempts.ts';

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
 * Stores a step, once, with what it cost. Steps of conversations that go on side by side are stored by one statement.
 * @param begins who is asked for the step after it, which is noted as begun with it; null: nobody.
 * @throws TakenOverError where the step is another player's to make: what was heard belongs to no conversation.
 */
export async function storeStep(
  em: EntityManager,
  of: Owned,
  made: PlayedStep,
  cost: StepCost,
  begins: PlayedStep['by'] | null = null,
): Promise<void> {
  if (!(await storeTogether(em, { of, made, cost, begins }))) throw new TakenOverError();
}

const storeTogether = together(storeSteps);

/** @returns for each step whether it was stored: its player is the last one, and nobody stored the step before. */
async function storeSteps(em: EntityManager, steps: readonly StepToStore[]): Promise<boolean[]> {
  const { rows } = await executePlanned<{ attemptId: string; player: number }>(
    em,
    sql`
      with given as materialized (
        select * from jsonb_to_recordset(${JSON.stringify(steps.map(asRow))}::jsonb) as given(attempt_id uuid, player int, step int,
          workspace_id uuid, agent_id uuid, by text, turns jsonb, messages jsonb, state jsonb, flow_steps text[],
          no_fixture text[], ended text, begins text, platform_nano_usd bigint, service_nano_usd bigint)
      ),
      standing as materialized (
        select id, player from attempts where id in (select attempt_id from given) order by id for share
      ),
      stored as (
        insert into attempt_steps (attempt_id, step, workspace_id, agent_id, by, turns, messages, state, flow_steps,
          no_fixture, ended)
        select attempt_id, step, workspace_id, agent_id, by, turns, messages, state, flow_steps, no_fixture, ended
        from given join standing on standing.id = given.attempt_id and standing.player = given.player
        on conflict (attempt_id, step) do update set turns = excluded.turns, messages = excluded.messages,
          state = excluded.state, flow_steps = excluded.flow_steps, no_fixture = excluded.no_fixture,
          ended = excluded.ended
        where attempt_steps.turns is null and excluded.turns is not null
        returning attempt_id
      ),
      begun as (
        insert into attempt_steps (attempt_id, step, workspace_id, agent_id, by)
        select attempt_id, step + 1, workspace_id, agent_id, begins
        from given join standing on standing.id = given.attempt_id and standing.player = given.player
        where begins is not null
        on conflict (attempt_id, step) do nothing
      ),
      won as materialized (
        select given.* from given join standing on standing.id = given.attempt_id and standing.player = given.player
          join stored on stored.attempt_id = given.attempt_id
      ),
      paid as (
        update attempts a set platform_nano_usd = a.platform_nano_usd + won.platform_nano_usd,
          service_nano_usd = a.service_nano_usd + won.service_nano_usd
        from won where a.id = won.attempt_id and won.platform_nano_usd + won.service_nano_usd > 0
      )
      select attempt_id as "attemptId", player from won
    `,
  );
  const won = new Set(rows.map(({ attemptId, player }) => `${attemptId} ${player}`));
  return steps.map(({ of }) => won.has(`${of.attemptId} ${of.player}`));
}

const asRow = ({ of, made, cost, begins }: StepToStore) => ({
  attempt_id: of.attemptId,
  player: of.player,
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
