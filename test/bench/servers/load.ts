import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { loadForAnalysis } from '../../../src/db/analysis/load-for-analysis.ts';
import { storeCalls } from '../../../src/db/calls/store-calls.ts';
import { openDatabase } from '../../../src/db/database.ts';
import { analyseCall } from '../../../src/domain/signals/analyse-call.ts';
import { storeAnalyses } from '../../../src/services/analysis/store-analyses.ts';
import { testVault } from '../../support/analysed-calls.ts';
import { benchCall } from '../generator.ts';

/**
 * Work on the database until it is told to end: `import` stores and analyses calls as a worker does, `copy` writes rows
 * of calls by COPY as fast as PostgreSQL takes them. At the end it says how many calls it wrote.
 */
const url = process.env['DATABASE_URL'] ?? '';
const agent = { workspaceId: process.env['BENCH_WORKSPACE'] ?? '', agentId: process.env['BENCH_AGENT'] ?? '' };
const BATCH = 100;
const COPIED_AT_ONCE = 2_000;
let going = true;
let written = 0;
process.on('SIGTERM', () => {
  going = false;
});

async function importCalls(): Promise<void> {
  const options = { url, poolMax: 2, applicationName: 'earshot-bench-load', statementTimeoutMs: 0, onIdleError() {} };
  const database = await openDatabase(options);
  ready();
  while (going) {
    const calls = Array.from({ length: BATCH }, (_, index) => {
      const call = { ...benchCall(written + index), providerCallId: `load ${process.pid} ${written + index}` };
      return { payload: {}, call };
    });
    const em = database.within(agent.workspaceId);
    const { callIds } = await storeCalls(em, { ...agent, importId: null, vault: testVault, calls });
    const loaded = await loadForAnalysis(em, agent.agentId, callIds);
    const analyses = loaded.map(({ callId, call, configuration, payloadDigest }) => ({
      callId,
      payloadDigest,
      analysis: analyseCall({ call, configuration }, {}),
    }));
    await storeAnalyses(em, { ...agent, analyses });
    written += BATCH;
  }
  await database.close();
}

async function copyRows(): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ list: string }>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as list from pg_attribute
     where attrelid = 'calls'::regclass and attnum > 0 and attgenerated = '' and not attisdropped`,
  );
  const list = rows[0]?.list ?? '';
  const chunks: Buffer[] = [];
  const out = client.query(copyTo(`copy (select ${list} from calls limit ${COPIED_AT_ONCE}) to stdout`));
  for await (const chunk of out) chunks.push(chunk as Buffer);
  const table = `load_${process.pid}`;
  await client.query(`create table ${table} (like calls including all)`);
  ready();
  while (going) {
    await pipeline(Readable.from(chunks), client.query(copyFrom(`copy ${table} (${list}) from stdin`)));
    await client.query(`truncate ${table}`);
    written += COPIED_AT_ONCE;
  }
  await client.query(`drop table ${table}`);
  await client.end();
}

function ready(): void {
  process.stdout.write('{"ready":true,"port":0}\n');
}

await (process.env['BENCH_LOAD'] === 'copy' ? copyRows() : importCalls());
process.stderr.write(`${process.env['BENCH_LOAD']}: ${written} calls\n`);
process.exit(0);
