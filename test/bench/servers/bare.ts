import { hash } from 'node:crypto';
import Fastify, { type FastifyRequest } from 'fastify';
import pg from 'pg';
import { z } from 'zod';
import type { CallView } from '../../../src/db/calls/read-calls.ts';
import { presentCall } from '../../../src/operations/calls/present.ts';
import type { SentStatement } from '../database.ts';

/**
 * What the API would be without being Earshot: Fastify, pg and zod in a process of their own. `/calls` makes the trips
 * of the calls list, one after the other, and answers the same list.
 */
const settings = z.object({ DATABASE_URL: z.string(), BENCH_WORKSPACE: z.uuid(), BENCH_STATEMENTS: z.string() });
const { DATABASE_URL, BENCH_WORKSPACE, BENCH_STATEMENTS } = settings.parse(process.env);
const statements = JSON.parse(BENCH_STATEMENTS) as (SentStatement & { name?: string })[];
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 8 });
// A connection's statements go out in order: this one is the first.
const prepare = `set role earshot_app; select set_config('earshot.workspace', '${BENCH_WORKSPACE}', false)`;
pool.on('connect', (client) => void client.query(prepare));

const query = z.object({ limit: z.coerce.number().int().min(1).max(100).default(25) });

const app = Fastify({ logger: false });
app.route({ method: 'GET', url: '/calls', handler: list });

async function list(request: FastifyRequest) {
  const { limit } = query.parse(request.query);
  const secret = request.headers.authorization?.slice('Bearer '.length) ?? '';
  let rows: unknown[] = [];
  for (const [at, { values, ...statement }] of statements.entries()) {
    const given = at === 0 ? [hash('sha256', secret, 'hex'), ...values.slice(1)] : values;
    ({ rows } = await pool.query({ ...statement, values: given }));
  }
  const calls = (rows as Row[]).map(byProperty) as unknown as CallView[];
  return { object: 'list', data: calls.slice(0, limit).map(presented), hasMore: calls.length > limit };
}

type Row = Record<string, unknown>;
const names = new Map<string, string>();

/** Columns by the names of properties, as the product's driver gives them. */
function byProperty(row: Row): Row {
  const named: Row = {};
  for (const column in row) {
    let name = names.get(column);
    if (name === undefined) {
      name = column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
      names.set(column, name);
    }
    named[name] = row[column];
  }
  return named;
}

/** As the port of the calls list does: times as the API writes them. */
function presented(row: CallView) {
  const iso = (time: unknown) => (time === null ? null : new Date(time as string).toISOString());
  return presentCall({ ...row, startedAt: iso(row.startedAt), endedAt: iso(row.endedAt) });
}

await app.listen({ host: '127.0.0.1', port: 0 });
const address = app.server.address();
process.stdout.write(`${JSON.stringify({ ready: true, port: typeof address === 'object' ? address?.port : 0 })}\n`);
process.on('SIGTERM', () => void app.close().then(() => pool.end()));
