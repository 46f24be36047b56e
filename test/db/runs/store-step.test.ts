import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginStep, openAttempt } from '../../../src/db/runs/attempts.ts';
import { storeStep } from '../../../src/db/runs/store-step.ts';
import type { PlayedStep } from '../../../src/domain/runs/played-steps.ts';
import { emptyTurn } from '../../../src/platforms/turn-parts.ts';
import { byCode } from '../../support/judged.ts';

import { openScoringWorld, type ScoringWorld } from '../../support/scoring.ts';

let world: ScoringWorld;
beforeAll(async () => {
  world = await openScoringWorld();
});
afterAll(() => world?.close());

const em = () => world.database.within(world.agent.workspaceId);

/** So many attempts whose first question is out. */
async function begun(count: number) {
  const keys = await world.run(byCode, count);
  return Promise.all(
    keys.map(async (key) => {
      const open = await openAttempt(em(), key);
      if (open === null) throw new Error('the run has no such cell');
      const of = { ...world.agent, attemptId: open.attemptId, player: open.player };
      await beginStep(em(), of, 0, 'agent');
      return of;
    }),
  );
}

const step = (text: string, over: Partial<PlayedStep> = {}): PlayedStep => ({
  step: 0,
  by: 'agent',
  turns: [{ ...emptyTurn(0, 'agent', null), text }],
  messages: [{ role: 'agent', content: text }],
  state: null,
  flowSteps: ['greeting', 'a, b'],
  noFixture: [],
  ended: null,
  ...over,
});
const COST = { platformNanoUsd: 3, serviceNanoUsd: 5 };

const stored = (attemptId: string) =>
  world.rows(sql`
    select s.step, s.by, s.turns -> 0 ->> 'text' as text, s.state, s.flow_steps as flow, s.messages,
      a.platform_nano_usd::int as platform, a.service_nano_usd::int as service
    from attempt_steps s join attempts a on a.id = s.attempt_id where a.id = ${attemptId} order by s.step`);

test('steps of conversations side by side are each stored once, with their cost and the question after them', async () => {
  const attempts = await begun(6);
  await Promise.all(attempts.map((of, at) => storeStep(em(), of, step(`Hello ${at}.`), COST, 'caller')));
  const again = await Promise.allSettled(
    attempts.map((of) => storeStep(em(), of, step('Another word.'), COST, 'caller')),
  );
  expect(again.map(({ status }) => status)).toEqual(attempts.map(() => 'rejected'));
  for (const [at, { attemptId }] of attempts.entries()) {
    const sums = { platform: 3, service: 5 };
    expect(await stored(attemptId)).toEqual([
      {
        step: 0,
        by: 'agent',
        text: `Hello ${at}.`,
        state: null,
        flow: ['greeting', 'a, b'],
        messages: [{ role: 'agent', content: `Hello ${at}.` }],
        ...sums,
      },
      { step: 1, by: 'caller', text: null, state: null, flow: [], messages: null, ...sums },
    ]);
  }
});

test('a step that cannot be stored fails alone', async () => {
  const attempts = await begun(4);
  const ended = await Promise.allSettled(
    attempts.map((of, at) => storeStep(em(), of, step('Hello.', at === 2 ? { ended: 'nobody' as never } : {}), COST)),
  );
  expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  const texts = await Promise.all(attempts.map(async ({ attemptId }) => (await stored(attemptId))[0]?.text));
  expect(texts).toEqual(['Hello.', 'Hello.', null, 'Hello.']);
});
