import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { routeNotFound } from '../../src/operations/perform.ts';
import type { Services } from '../../src/operations/services.ts';
import { readAgentQuality } from '../../src/operations/system/read-agent-quality.ts';
import { type Installation, readInstallation } from '../../src/operations/system/read-installation.ts';
import { addAgentMetrics } from './agent-metrics.ts';

const NAME = 'earshot';
/** However often somebody asks: reading every workspace costs queries each. */
const KEPT_MS = 5_000;
/** How well agents do moves over hours. */
const QUALITY_KEPT_MS = 60_000;
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * What a Prometheus server asks for, with the operator's own token: it tells of all workspaces at once, in numbers only.
 * A wrong token is told nothing, not even that there is something.
 */
export function addMetrics(app: FastifyInstance, { services, token }: { services: Services; token: string }): void {
  const registers = new Registry();
  const requests = new Counter({
    name: `${NAME}_http_requests_total`,
    help: 'Requests that this process answered.',
    labelNames: ['operation', 'method', 'status'] as const,
    registers: [registers],
  });
  const took = new Histogram({
    name: `${NAME}_http_request_seconds`,
    help: 'How long answers took, without streams of events.',
    labelNames: ['operation'] as const,
    buckets: SECONDS,
    registers: [registers],
  });
  const connections = new Gauge({
    name: `${NAME}_database_connections`,
    help: 'Connections of this process to PostgreSQL, and requests that wait for one.',
    labelNames: ['state'] as const,
    registers: [registers],
  });
  const show = addStanding(registers);
  const showQuality = addAgentMetrics(registers);

  app.addHook('onResponse', async (request, reply) => {
    const operation = request.operationId ?? 'none';
    requests.inc({ operation, method: request.method, status: String(reply.statusCode) });
    if (operation !== 'watchEvents') took.observe({ operation }, reply.elapsedTime / 1000);
  });

  const standing = kept(KEPT_MS, () => readInstallation(services));
  const quality = kept(QUALITY_KEPT_MS, () => readAgentQuality(services));
  app.get('/metrics', async (request, reply) => {
    if (!isToken(request.headers.authorization, token)) throw routeNotFound();
    show(await standing());
    showQuality(await quality());
    for (const [state, count] of Object.entries(services.database.connections())) connections.set({ state }, count);
    return reply
      .header('cache-control', 'no-store')
      .header('content-type', registers.contentType)
      .send(await registers.metrics());
  });
}

/** One reading for all who ask within that time. */
function kept<Value>(keptMs: number, read: () => Promise<Value>): () => Promise<Value> {
  let last: { atMs: number; value: Promise<Value> } | null = null;
  return () => {
    if (last !== null && Date.now() - last.atMs <= keptMs) return last.value;
    const value = read();
    last = { atMs: Date.now(), value };
    // One that failed is not kept: the next one asks anew.
    value.catch(() => {
      last = null;
    });
    return value;
  };
}

/** Numbers of the installation; a lag that is not known, as nothing lags, has no sample. */
function addStanding(registers: Registry): (installation: Installation) => void {
  const gauge = (name: string, help: string) => new Gauge({ name: `${NAME}_${name}`, help, registers: [registers] });
  const labelled = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Gauge({ name: `${NAME}_${name}`, help, labelNames, registers: [registers] });
  const oldestEntry = gauge(
    'outbox_oldest_seconds',
    'Age of the oldest entry of the outbox that Temporal has not taken.',
  );
  const entries = gauge('outbox_entries_waiting', 'Entries of the outbox that Temporal has not taken.');
  const importLag = gauge(
    'import_lag_seconds',
    'How far the agent that is furthest behind is behind its platform, by calls that have ended.',
  );
  const analysisLag = gauge(
    'analysis_lag_seconds',
    'Age of the call that waits for its analysis for the longest time.',
  );
  const calls = labelled('calls', 'Calls that wait for their analysis, and calls whose analysis failed.', ['state']);
  const imports = labelled('imports_open', 'Imports that have not ended.', ['status']);
  const waitingImports = gauge('imports_waiting', 'Open imports that wait for a platform or a person.');
  const agents = gauge('agents_followed', 'Agents whose platform is asked for new calls.');
  const processes = labelled('processes', 'Processes that gave a sign of life lately.', ['kind']);
  const temporalUp = gauge('temporal_up', '1 while Temporal answers this process.');
  const queue = ['queue', 'kind'];
  const backlog = labelled('queue_backlog', 'Tasks that wait in a queue of Temporal.', queue);
  const delay = labelled('queue_delay_seconds', 'How long the oldest task of a queue has waited.', queue);

  return (now) => {
    oldestEntry.set(now.orders.oldestSeconds);
    entries.set(now.orders.count);
    setOrForget(importLag, now.importLagSeconds);
    setOrForget(analysisLag, now.analysisLagSeconds);
    calls.set({ state: 'waiting' }, now.waitingCalls);
    calls.set({ state: 'failed' }, now.failedCalls);
    for (const [status, count] of Object.entries(now.openImports)) imports.set({ status }, count);
    waitingImports.set(now.waitingImports);
    agents.set(now.followedAgents);
    processes.set({ kind: 'worker' }, now.workers);
    processes.set({ kind: 'api' }, now.apis);
    temporalUp.set(now.queues === null ? 0 : 1);
    backlog.reset();
    delay.reset();
    for (const { name, kind, waiting, oldestSeconds } of now.queues ?? []) {
      backlog.set({ queue: name, kind }, waiting);
      delay.set({ queue: name, kind }, oldestSeconds);
    }
  };
}

function setOrForget(gauge: Gauge, value: number | null): void {
  if (value === null) gauge.remove();
  else gauge.set(value);
}

function isToken(authorization: string | undefined, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${token}`));
}
