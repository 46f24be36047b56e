import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { median, round } from '../../bench/measure.ts';
import type { Site } from './site.ts';

const LOOKS = 60;
const MEGABYTES = 1024;
/** A process may hold so much more in the last quarter of the time than in the second one. */
const MEMORY_GROWS_AT_MOST = 1.15;
/** Tables that hold less are not judged: a few rows more say nothing. */
const ROWS_AT_LEAST = 200;
/** A table that customers' work passes through may hold so much more at the end than half-way. */
const PASSED_GROWS_AT_MOST = 1.25;

/** What work leaves, for as long as nobody erases it or for the days that `docs/operating.md` names. All else is only passed through. */
const KEPT = new Set(
  `calls transcripts raw_payloads call_analyses call_signals call_codes issue_calls imports import_failures
   tests test_revisions runs run_cells attempts attempt_steps run_documents budget_reservations watches backtests
   drafts draft_revisions draft_publications agent_versions webhook_deliveries webhook_tries workspace_events
   api_keys sessions audit_entries outbox_entries idempotency_records erasures erased_calls`.split(/\s+/),
);

/** At one time: megabytes by process, rows by table. */
interface Look {
  memory: Map<string, number>;
  rows: Map<string, number>;
}

/**
 * Customers work for a while and nothing breaks. Looks sixty times at what each process holds with those that it has started,
 * and at how many rows each table has. @returns what grew without end, in words
 */
export async function soak(site: Site, { forMs, say }: { forMs: number; say(line: string): void }): Promise<string[]> {
  const looks: Look[] = [];
  for (let at = 1; at <= LOOKS; at += 1) {
    await sleep(forMs / LOOKS);
    const look = { memory: memoryOf(site), rows: await rowsOf(site) };
    looks.push(look);
    say(`${at} of ${LOOKS}: ${[...look.memory].map(([name, megabytes]) => `${name} ${megabytes} MB`).join(', ')}`);
  }
  tell(looks, say);
  return [...grownMemory(looks), ...grownTables(looks)];
}

function memoryOf(site: Site): Map<string, number> {
  const table = processTable();
  const places = (['api', 'worker'] as const).flatMap((kind) => [0, 1].map((at) => ({ kind, at })));
  const held = places.map(({ kind, at }) => [
    `${kind} ${at + 1}`,
    withChildren(table, site.process({ kind, at })?.pid ?? 0),
  ]);
  return new Map([...held, ['Temporal', withChildren(table, site.machine.temporalPid())]] as [string, number][]);
}

interface Held {
  parent: number;
  kilobytes: number;
}

function processTable(): Map<number, Held> {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,rss='], { encoding: 'utf8' }).trim().split('\n');
  return new Map(
    lines.map((line) => {
      const [pid = 0, parent = 0, kilobytes = 0] = line.trim().split(/\s+/).map(Number);
      return [pid, { parent, kilobytes }];
    }),
  );
}

function withChildren(table: Map<number, Held>, pid: number): number {
  const own = table.get(pid)?.kilobytes ?? 0;
  const children = [...table].filter(([, { parent }]) => parent === pid).map(([child]) => withChildren(table, child));
  return round(own / MEGABYTES + children.reduce((sum, megabytes) => sum + megabytes, 0), 0);
}

/** Counted and not estimated, so that a table that nobody analysed yet is right too. */
async function rowsOf({ machine }: Site): Promise<Map<string, number>> {
  const counted = await sql<{ name: string; rows: number }>`
    select relname as name, (xpath('/row/c/text()', query_to_xml(
      format('select count(*) as c from %I', relname), false, true, '')))[1]::text::int as rows
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by relname
  `.execute(machine.database.em().getKysely());
  return new Map(counted.rows.map(({ name, rows }) => [name, rows]));
}

function tell(looks: readonly Look[], say: (line: string) => void): void {
  const [first, half, last] = [looks[0], looks[Math.floor(looks.length / 2)], looks.at(-1)];
  for (const [name, rows] of last?.rows ?? []) {
    if (rows >= ROWS_AT_LEAST)
      say(`${name}: ${first?.rows.get(name) ?? 0}, ${half?.rows.get(name) ?? 0}, ${rows} rows`);
  }
}

/** The first quarter is when caches fill. */
function grownMemory(looks: readonly Look[]): string[] {
  const quarter = Math.floor(looks.length / 4);
  return [...(looks[0]?.memory.keys() ?? [])].flatMap((name) => {
    const held = looks.map(({ memory }) => memory.get(name) ?? 0);
    const [second, last] = [median(held.slice(quarter, 2 * quarter)), median(held.slice(-quarter))];
    return last > second * MEMORY_GROWS_AT_MOST ? [`${name} held ${second} MB, and ${last} MB at the end`] : [];
  });
}

function grownTables(looks: readonly Look[]): string[] {
  const [half, last] = [looks[Math.floor(looks.length / 2)], looks.at(-1)];
  return [...(last?.rows ?? [])].flatMap(([name, rows]) => {
    const before = half?.rows.get(name) ?? 0;
    if (KEPT.has(name) || rows < ROWS_AT_LEAST || rows <= before * PASSED_GROWS_AT_MOST) return [];
    return [`${name} had ${before} rows, and ${rows} at the end`];
  });
}
