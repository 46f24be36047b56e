import { newId } from '../../../src/ids.ts';
import { finishDocument } from '../../../src/services/runs/finish-document.ts';
import type { RunAgent, RunWorld } from './world.ts';

/**
 * A run as a complete one would have left it, with so many copies of its cell and its attempts, and with its document
 * as the product makes it. @returns its id.
 */
export async function copyCells(
  { database }: RunWorld,
  agent: RunAgent,
  { runId, cells }: { runId: string; cells: number },
): Promise<string> {
  const { client } = database;
  const copy = newId();
  await client.query(
    `insert into runs select (jsonb_populate_record(r, jsonb_build_object('id', $2::uuid, 'cells_requested', $3::int,
       'cells_runnable', $3::int, 'cells_done', $3::int))).* from runs r where r.id = $1`,
    [runId, copy, cells],
  );
  await client.query(
    `with made as materialized (select gen_random_uuid() as test_id, at from generate_series(0, $3::int - 1) at),
       copied as (
         insert into run_cells select (jsonb_populate_record(c, jsonb_build_object('run_id', $2::uuid,
           'test_id', made.test_id, 'position', made.at))).* from run_cells c, made where c.run_id = $1
       )
     insert into attempts select (jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid(),
       'run_id', $2::uuid, 'test_id', made.test_id))).* from attempts a, made where a.run_id = $1`,
    [runId, copy, cells],
  );
  await client.query('analyze run_cells, attempts');
  await database
    .within(agent.workspaceId)
    .transactional((tx) => finishDocument(tx, { ...agent, runId: copy, score: 0 }));
  return copy;
}
