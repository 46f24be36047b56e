import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { type Config, ConfigError, readConfig } from '../src/config.ts';
import { isDatabaseAway } from '../src/db/away.ts';
import { type Database, openDatabase, RoleRefusedError } from '../src/db/database.ts';
import { prepareSchema, TablesInUseError } from '../src/db/migrate.ts';
import { NewerDatabaseError, SchemaBehindError } from '../src/db/schema.ts';
import { forgetProcess, seeProcess } from '../src/db/system/processes.ts';
import { fieldOf } from '../src/domain/json.ts';
import { newId } from '../src/ids.ts';
import { createLogger, type Logger } from '../src/logger.ts';
import type { OpenModels } from '../src/models/open-models.ts';
import { sweepAccess, sweepBuckets } from '../src/operations/access/sweep.ts';
import { createServices } from '../src/operations/create-services.ts';
import type { Services } from '../src/operations/services.ts';
import { ensureFirstAdmin } from '../src/operations/setup/first-workspace.ts';
import { processStanding } from '../src/process-standing.ts';
import { keepHashingKey, WrongSecretError } from '../src/services/secrets/hashing-key.ts';
import { bindKeys } from '../src/services/secrets/seal-anew.ts';
import { settleAfterStart } from '../src/settle-after-start.ts';
import type { TemporalGateway } from '../src/temporal/client.ts';
import { startTracing } from '../src/tracing/start-tracing.ts';
import { buildApp } from './app.ts';
import { readDatabase, readReadiness } from './readiness.ts';
import { serveWaiting } from './waiting.ts';

const POOL_MAX = 8;
const STATEMENT_TIMEOUT_MS = 15_000;
const BEAT_MS = 5_000;
const SWEEP_MS = 600_000;
const SWEEP_BUCKETS_MS = 60_000;
const GRACE_MS = 30_000;
const FORCE_MS = 35_000;
const LOOK_AGAIN_MS = 2_000;

/** The API process: configuration, database, application, one line when it listens, an orderly end. */
async function main(): Promise<void> {
  const config = readConfig();
  const log = createLogger('api', config.logLevel);
  const tracing = await startTracing('earshot-api', config.traces);
  const migrated = await untilSchemaFits(config, log);
  const database = await openDatabase({
    url: config.databaseUrl,
    poolMax: config.databaseConnections ?? POOL_MAX,
    applicationName: 'earshot-api',
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    onIdleError: (error) => log.warn({ error: error.name }, 'an idle database connection was lost'),
  });
  await database.check();
  const temporal = createLazyTemporal();

  const identity = await openIdentityOf(config);
  const ai = await openAiOf(config);
  const recordings = createLazyRecordings(config);

  let accepting = true;
  const services = createServices({
    config,
    database,
    log,
    identity,
    ai: ai?.ai ?? null,
    recordings,
    queues: () => readQueues(temporal),
    checks: {
      temporal: async () => (await temporal.open()).standing(),
      model: ai?.check ?? null,
      mail: config.mail && checkMailOf(config.mail),
      signIn: identity && (() => identity.provider.check()),
    },
  });
  await keepHashingKey(database, services.vault);
  if (migrated.length > 0) await bindKeys(database, services.vault);
  if (config.firstAdmin) await ensureFirstAdmin(services, config.firstAdmin);
  const app = await buildApp({
    services,
    metricsToken: config.metricsToken,
    trustedProxies: config.trustedProxies,
    health: {
      database: () => readDatabase(database),
      readiness: () => readReadiness(database, temporal.open),
      accepting: () => accepting,
    },
  });
  await app.listen({ host: config.host, port: config.port });
  const beat = startBeat(database, config, log);

  const end = once(async (reason: string) => {
    accepting = false;
    log.info({ reason }, 'ending');
    if (reason === 'SIGTERM') await drained(config.drainSeconds);
    setTimeout(() => process.exit(1), FORCE_MS).unref();
    await close({ app, database, temporal, beat });
    await identity?.close();
    await ai?.close();
    await recordings.close();
    await tracing.close();
    process.exit(0);
  });
  process.on('SIGTERM', () => void end('SIGTERM'));
  process.on('SIGINT', () => void end('SIGINT'));
  // Whoever started us is gone: nobody would ever stop us.
  process.on('disconnect', () => void end('disconnect'));

  process.stdout.write(`${JSON.stringify({ ready: true, port: portOf(app, config) })}\n`);
  settleAfterStart();
}

/**
 * Brings the schema up to date where that is this process's to do, and otherwise waits until somebody did.
 * @returns the migrations that it ran itself.
 */
async function untilSchemaFits(config: Config, log: Logger): Promise<string[]> {
  const leave = () => process.exit(0);
  let reason = '';
  let waiting: FastifyInstance | null = null;
  let migrated: string[] = [];
  for (;;) {
    try {
      migrated = await prepareSchema(config);
      break;
    } catch (error) {
      const isBehind = error instanceof SchemaBehindError;
      if (!isBehind && !(waiting && isDatabaseAway(error))) throw error;
      const said = isBehind ? error.message : 'The database does not answer.';
      if (said !== reason) log.warn({ reason: said }, 'waiting for the database');
      reason = said;
    }
    if (waiting === null) process.once('disconnect', leave);
    waiting ??= await serveWaiting(config, () => reason);
    await pause(LOOK_AGAIN_MS);
  }
  process.off('disconnect', leave);
  await waiting?.close();
  return migrated;
}

/** Balancers that ask `/readyz` hear of it meanwhile; asked a second time it waits no longer. */
async function drained(seconds: number): Promise<void> {
  if (seconds === 0) return;
  const asked = new AbortController();
  process.once('SIGTERM', () => asked.abort());
  await pause(seconds * 1000, undefined, { signal: asked.signal }).catch(() => {});
}

function portOf(app: FastifyInstance, config: Config): number {
  const address = app.server.address();
  return typeof address === 'object' && address !== null ? address.port : config.port;
}

/** Null while Temporal does not answer. */
async function readQueues(temporal: LazyTemporal): ReturnType<Services['queues']> {
  try {
    return await (await temporal.open()).queues();
  } catch {
    return null;
  }
}

/** Loaded where a provider is set up: the others go without what reaches it. */
async function openIdentityOf({ oidc, outboundAllow }: Config): Promise<Identity | null> {
  if (!oidc) return null;
  const { openIdentity } = await import('../src/identity/open-identity.ts');
  return { name: oidc.name, roles: oidc.groups?.roles ?? null, ...openIdentity({ oidc, outboundAllow }) };
}
type Identity = NonNullable<Services['identity']> & { close(): Promise<void> };

/** Loaded where a model is configured: the others go without what asks it. */
async function openAiOf({ models }: Config): Promise<OpenModels | null> {
  if (models.chat === null) return null;
  return (await import('../src/models/open-models.ts')).openModels({ ...models, chat: models.chat });
}

/** Loaded where somebody looks whether the mail server answers. */
const checkMailOf = (mail: NonNullable<Config['mail']>) => async () => {
  const mailer = (await import('../src/outbound/mailer.ts')).createMailer(mail);
  try {
    await mailer.check();
  } finally {
    mailer.close();
  }
};

type Recordings = NonNullable<Services['recordings']> & { close(): Promise<void> };

/** Loaded where somebody plays a recording: nothing else here reaches platforms. */
function createLazyRecordings({ outboundAllow, demoUrl }: Config): Recordings {
  let opened: Promise<Recordings> | null = null;
  return {
    async open(asked) {
      opened ??= import('../src/platforms/recordings.ts').then(({ openRecordings }) =>
        openRecordings({ outboundAllow, demoUrl }),
      );
      return (await opened).open(asked);
    },
    async close() {
      await (await opened)?.close();
    },
  };
}

interface LazyTemporal {
  open(): Promise<TemporalGateway>;
  close(): Promise<void>;
}

/** Only `/workz`, `/metrics` and `/app/system` ask Temporal here, and its SDK takes 20 MB: a process that nobody asks goes without. */
function createLazyTemporal(): LazyTemporal {
  let opened: Promise<TemporalGateway> | null = null;
  return {
    open() {
      opened ??= import('../src/temporal/client.ts').then(({ createTemporal }) => createTemporal());
      return opened;
    },
    async close() {
      // One that could not be opened has nothing to close; `/workz` said so.
      const gateway = await opened?.catch(() => null);
      await gateway?.close();
    },
  };
}

interface Beat {
  stop(): Promise<void>;
}

/** Sweeps up after requests, and writes a sign of life, for `doctor` and for those who look at the system. */
function startBeat(database: Database, config: Config, log: Logger): Beat {
  const id = newId();
  const seen = { id, kind: 'api', pid: process.pid, host: hostname() } as const;
  const beat = async () => {
    try {
      await seeProcess(database.unscoped(), seen, await processStanding(config));
    } catch (error) {
      log.warn({ error: error instanceof Error ? error.name : 'unknown' }, 'the sign of life could not be written');
    }
  };
  const sweep = (dropped: (from: Database) => Promise<void>) =>
    dropped(database).catch((error: unknown) => {
      log.warn({ error: error instanceof Error ? error.name : 'unknown' }, 'used-up limits could not be swept');
    });
  void beat();
  const timer = setInterval(() => void beat(), BEAT_MS);
  const sweeping = setInterval(() => void sweep(sweepAccess), SWEEP_MS);
  const sweepingBuckets = setInterval(() => void sweep(sweepBuckets), SWEEP_BUCKETS_MS);
  return {
    async stop() {
      clearInterval(timer);
      clearInterval(sweeping);
      clearInterval(sweepingBuckets);
      await forgetProcess(database.unscoped(), id).catch(() => {});
    },
  };
}

async function close(parts: { app: FastifyInstance; database: Database; temporal: LazyTemporal; beat: Beat }) {
  const grace = setTimeout(() => parts.app.server.closeAllConnections(), GRACE_MS);
  await parts.app.close();
  clearTimeout(grace);
  await parts.beat.stop();
  await parts.temporal.close();
  await parts.database.close();
}

function once(work: (reason: string) => Promise<void>): (reason: string) => Promise<void> {
  let running: Promise<void> | undefined;
  return (reason) => {
    running ??= work(reason);
    return running;
  };
}

/** What a person who starts this can do something about, in a sentence; everything else with its stack. */
function explain(error: unknown): string {
  const code = fieldOf(error, 'code');
  if (error instanceof ConfigError || error instanceof NewerDatabaseError) return error.message;
  if (error instanceof RoleRefusedError || error instanceof SchemaBehindError) return error.message;
  if (error instanceof WrongSecretError || error instanceof TablesInUseError) return error.message;
  if (code === 'EADDRINUSE') return 'The port is taken. Set EARSHOT_PORT to a free one, or stop what listens there.';
  if (code === 'ECONNREFUSED') return 'The database does not answer at DATABASE_URL. Start it, or correct the address.';
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  });
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}
