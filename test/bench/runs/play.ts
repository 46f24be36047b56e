import { setTimeout as sleep } from 'node:timers/promises';
import type { RunAgent, RunWorld } from './world.ts';

const LOOK_EVERY_MS = 20;
const LONGEST_MS = 900_000;

export interface PlayedRun {
  runId: string;
  /** From the request to the stored result. */
  ms: number;
}

/** Starts a run of all tests over HTTP and waits until its result is stored. @throws when it ends in another way. */
export function playRun(world: RunWorld, agent: RunAgent, asked: { repeats?: 3 } = {}): Promise<PlayedRun> {
  return untilComplete(world, agent, `/v1/agents/${agent.agentId}/runs`, { all: true, ...asked });
}

/** Has a complete run scored again and waits until the new result is stored. */
export function rescore(world: RunWorld, agent: RunAgent, runId: string): Promise<PlayedRun> {
  return untilComplete(world, agent, `/v1/agents/${agent.agentId}/runs/${runId}/rescore`);
}

async function untilComplete(world: RunWorld, agent: RunAgent, path: string, body?: unknown): Promise<PlayedRun> {
  const start = performance.now();
  const answer = await ask(world, agent, path, body);
  if (answer.status >= 300) throw new Error(`The run was answered with ${answer.status}: ${await answer.text()}`);
  const { id: runId } = (await answer.json()) as { id: string };
  for (;;) {
    const { rows } = await world.database.client.query<{ status: string; rescoring: boolean; message: string | null }>(
      'select status, rescoring, message from runs where id = $1',
      [runId],
    );
    const [run] = rows;
    if (run?.status === 'complete' && !run.rescoring) return { runId, ms: performance.now() - start };
    if (run?.status === 'failed' || run?.status === 'refused')
      throw new Error(`The run is ${run.status}: ${run.message}`);
    if (performance.now() - start > LONGEST_MS) throw new Error(`The run is still ${run?.status}: ${run?.message}`);
    await sleep(LOOK_EVERY_MS);
  }
}

/** One request with the agent's key: a POST, and a GET where there is neither body nor another method. */
export function ask(
  world: RunWorld,
  agent: RunAgent,
  path: string,
  body?: unknown,
  method = 'POST',
): Promise<Response> {
  return fetch(`${world.api.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${agent.key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

export interface StoredRun {
  attempts: number;
  scored: number;
  passed: number;
  /** Steps whose turns are stored. */
  steps: number;
  /** Different sums that attempts were charged with for the platform. */
  platformCharges: number;
  /** Cells by result and k, such as `{"passed 3": 12}`. */
  cells: Record<string, number>;
}

/** What the record holds of a run. */
export async function storedRun({ database: { client } }: RunWorld, runId: string): Promise<StoredRun> {
  const { rows } = await client.query<Omit<StoredRun, 'cells'>>(
    `select count(*)::int as attempts, count(*) filter (where state = 'scored')::int as scored,
       count(*) filter (where result = 'passed')::int as passed,
       count(distinct platform_nano_usd)::int as "platformCharges",
       (select count(*)::int from attempt_steps s join attempts a on a.id = s.attempt_id
        where a.run_id = $1 and s.turns is not null) as steps
     from attempts where run_id = $1`,
    [runId],
  );
  const cells = await client.query<{ name: string; count: number }>(
    `select concat_ws(' ', coalesce(result, 'none'), k) as name, count(*)::int as count from run_cells
     where run_id = $1 group by 1`,
    [runId],
  );
  return {
    attempts: 0,
    scored: 0,
    passed: 0,
    platformCharges: 0,
    steps: 0,
    ...rows[0],
    cells: Object.fromEntries(cells.rows.map(({ name, count }) => [name, count])),
  };
}
