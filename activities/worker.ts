import { Connection } from '@temporalio/client';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { ANALYSER_DEFAULTS, createAnalyser } from '../src/analyser/analyser.ts';
import { modelOrigins, publicUrlOf, readConfig } from '../src/config.ts';
import { type Database, openDatabase, RoleRefusedError } from '../src/db/database.ts';
import { listen } from '../src/db/listen.ts';
import { NewerDatabaseError, requireSchema, SchemaBehindError } from '../src/db/schema.ts';
import { createLogger, type Logger } from '../src/logger.ts';
import { createModels } from '../src/models/registry.ts';
import type { Mailer } from '../src/outbound/mailer.ts';
import { createOutbound } from '../src/outbound/outbound.ts';
import { openRecordings } from '../src/platforms/recordings.ts';
import { createPlatforms } from '../src/platforms/registry.ts';
import { createVault, type Vault } from '../src/secrets.ts';
import { keepReconciled } from '../src/services/outbox/keep-reconciled.ts';
import { openOutbox } from '../src/services/outbox/open-outbox.ts';
import { reconcile } from '../src/services/outbox/reconcile.ts';
import { keepHashingKey, WrongSecretError } from '../src/services/secrets/hashing-key.ts';
import { installationId } from '../src/services/secrets/installation-id.ts';
import { settleAfterStart } from '../src/settle-after-start.ts';
import { createListener } from '../src/sound/hear.ts';
import { isTemporalAway } from '../src/temporal/away.ts';
import {
  createTemporal,
  NamespaceTakenError,
  type TemporalGateway,
  temporalConnectConfig,
} from '../src/temporal/client.ts';
import { PATIENCE } from '../src/temporal/import-calls.ts';
import { OUTBOX_CHANNEL } from '../src/temporal/outbox.ts';
import { startOutboxRelay } from '../src/temporal/outbox-relay.ts';
import { createPayloadCodec } from '../src/temporal/payload-codec.ts';
import { addMissingSearchAttributes } from '../src/temporal/register-search-attributes.ts';
import { startTracing } from '../src/tracing/start-tracing.ts';
import { messageOf } from '../src/user-facing-error.js';
import { runWorkers } from './run-workers.ts';
import { startSigns } from './shared/sign-of-life.ts';
import { serveHealth } from './worker-health.ts';
import { workflowBundle } from './workflow-bundle.ts';

/** The worker process: runs workflows and activities, relays the outbox, and ends tidily on SIGTERM or with its parent. */

const FORCED_END_MS = 35_000;
const RETRY_MS = 2_000;
const POOL_MAX = 16;
/** Less would cost processor time: at 40 a run takes a quarter more. */
const HEAP_GROWING_PERCENT = 100;
const STATEMENT_TIMEOUT_MS = 120_000;

const config = readConfig();
const logger = createLogger('worker', config.logLevel);
const stopping = new AbortController();
/** Errors that no waiting fixes: each says in a sentence what to do. */
const FOR_GOOD = [RoleRefusedError, WrongSecretError, NewerDatabaseError, NamespaceTakenError];
/** What keeps it from taking work, by what is waited for. */
const waits = new Map([['start', 'The worker is starting.']]);

function stop(why: string): void {
  if (stopping.signal.aborted) return;
  logger.info({ why }, 'the worker takes nothing new and finishes what it has');
  waits.set('end', `It was asked to end (${why}).`);
  stopping.abort();
  setTimeout(() => process.exit(1), FORCED_END_MS).unref();
}

function fatal(error: unknown): never {
  if (FOR_GOOD.some((kind) => error instanceof kind)) {
    process.stderr.write(`${messageOf(error)}\n`);
    process.exit(1);
  }
  logger.fatal({ err: error }, 'the worker ends on an error that waiting does not fix');
  process.exit(1);
}

process.on('SIGTERM', () => stop('SIGTERM'));
process.on('SIGINT', () => stop('SIGINT'));
process.on('disconnect', () => stop('its parent ended'));
process.on('uncaughtException', fatal);
process.on('unhandledRejection', fatal);

async function main(): Promise<void> {
  Runtime.install({
    shutdownSignals: [],
    logger: new DefaultLogger('WARN', ({ level, message }) => logger.warn({ level }, message)),
    telemetryOptions: {
      logging: { filter: 'ERROR', forward: {} },
      ...(config.workerMetrics === null ? {} : { metrics: { prometheus: { bindAddress: config.workerMetrics } } }),
    },
  });
  const tracing = await startTracing('earshot-worker', config.traces);
  let polling = false;
  const health =
    config.workerHealth === null ? null : await serveHealth(config.workerHealth, () => [...waits.values()]);
  const vault = createVault(config.secret, config.earlierSecrets);
  const bundlePath = config.workflowBundle ?? (await workflowBundle(config.dataFolder));
  const [database] = await Promise.all([
    untilDone('PostgreSQL', () => open(vault)),
    untilDone('Temporal', () => registerSearchAttributes(logger)),
  ]);
  // One a purpose: what members enter as a platform's address never reaches what the operator trusts for models.
  const allow = config.outboundAllow;
  const outbound = {
    platforms: createOutbound({ allow, trustedOrigins: config.demoUrl === null ? [] : [config.demoUrl] }),
    models: createOutbound({ allow: [], trustedOrigins: modelOrigins(config.models) }),
    receivers: createOutbound({ allow, trustedOrigins: [] }),
  };
  const mailer = await openMailer();
  const digestSecret = (secret: string) => vault.keyedHash('configuration', secret);
  const platforms = createPlatforms({ outbound: outbound.platforms, demoUrl: config.demoUrl, digestSecret });
  const analyser = createAnalyser({ ...ANALYSER_DEFAULTS, processes: config.readingProcesses });
  const recordings = openRecordings({ outboundAllow: allow, demoUrl: config.demoUrl });
  const listener = createListener();
  const models = createModels(outbound.models, config.models);
  const payloadCodec = createPayloadCodec(vault, config.sealsTemporal);
  const temporal = await createTemporal({}, payloadCodec);
  const installation = await installationId(database, vault);
  await untilDone('Temporal', () => bindNamespace(temporal, installation));

  const signs = startSigns(database, config, () => polling);
  const relay = startOutboxRelay({
    outbox: openOutbox(database),
    listen: (onWritten) => listen(config.databaseUrl, OUTBOX_CHANNEL, onWritten),
    temporal,
    logger,
  });
  const reconciling = keepReconciled({
    leads: signs.leads,
    temporalData: temporal.dataId,
    async reconcile(isFirst) {
      // A server that lost its data has lost this too, and another installation may have been first.
      await bindNamespace(temporal, installation).catch(endWhereTaken);
      await reconcile({ database, temporal, polling: config, storageMib: config.storageMib }, isFirst);
    },
    logger,
  });
  try {
    await runWorkers({
      deps: {
        database,
        vault,
        platforms,
        analyser,
        models,
        recordings,
        listener,
        receivers: outbound.receivers,
        mailer,
        mailDomains: config.mailDomains,
        publicUrl: publicUrlOf(config),
        isNamed: config.publicUrl !== null,
        conversationSlots: config.conversationSlots,
        storageMib: config.storageMib,
        requestsASecond: config.requestsASecond,
        patience: PATIENCE,
      },
      size: config,
      payloadCodec,
      bundlePath,
      logger,
      stop: stopping.signal,
      onPolling(polls) {
        const firstPoll = polls && !polling;
        polling = polls;
        waits.delete('start');
        if (polls) waits.delete('Temporal');
        else if (!stopping.signal.aborted) waits.set('Temporal', 'Temporal does not answer.');
        // Whoever reads the line may ask for readiness at once, which looks at the sign.
        if (!firstPoll) return;
        settleAfterStart(HEAP_GROWING_PERCENT);
        void signs.now().then(() => process.stdout.write('{"ready":true}\n'));
      },
    });
  } finally {
    await Promise.allSettled([relay.stop(), reconciling.stop(), signs.stop()]);
    await Promise.allSettled([
      analyser.close(),
      listener.close(),
      recordings.close(),
      ...Object.values(outbound).map((each) => each.close()),
      temporal.close(),
    ]);
    mailer?.close();
    await database.close();
    await tracing.close();
    health?.close();
  }
}

/** Loaded where the operator set up mail: the others go without its package. */
async function openMailer(): Promise<Mailer | null> {
  if (config.mail === null) return null;
  return (await import('../src/outbound/mailer.ts')).createMailer(config.mail);
}

async function open(vault: Vault): Promise<Database> {
  await requireSchema(config.databaseUrl);
  const database = await openDatabase({
    url: config.databaseUrl,
    poolMax: config.databaseConnections ?? POOL_MAX,
    applicationName: 'earshot-worker',
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    onIdleError: ({ message }) => logger.warn({ message }, 'an idle connection to PostgreSQL was lost'),
  });
  try {
    await database.check();
    await keepHashingKey(database, vault);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

/** A service that may not change the namespace, such as Temporal Cloud's, is left as it is with what to do said. */
async function registerSearchAttributes(log: Logger): Promise<void> {
  const { connectionOptions, namespace } = temporalConnectConfig();
  const connection = await Connection.connect({ ...connectionOptions, connectTimeout: '3s' });
  try {
    const added = await addMissingSearchAttributes(connection, namespace);
    if (added.length > 0) log.info({ added }, 'search attributes were added');
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown';
    log.warn({ reason }, `add the search attributes of temporal-dev.yaml to the namespace ${namespace} by hand`);
  } finally {
    await connection.close();
  }
}

/** A service that lets nobody change the namespace leaves it bound to none. */
async function bindNamespace(temporal: TemporalGateway, installation: string): Promise<void> {
  try {
    await temporal.bindTo(installation);
  } catch (error) {
    if (error instanceof NamespaceTakenError || isTemporalAway(error)) throw error;
    const reason = messageOf(error);
    logger.warn({ reason }, 'the namespace could not be bound to this installation: let no other one use it');
  }
}

function endWhereTaken(error: unknown): never {
  if (error instanceof NamespaceTakenError) fatal(error);
  throw error;
}

/** Tries until it is done, and says at its health address and in the log what it waits for. */
async function untilDone<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  for (let tries = 0; ; tries += 1) {
    try {
      const result = await work();
      waits.delete(what);
      return result;
    } catch (error) {
      if (FOR_GOOD.some((kind) => error instanceof kind)) throw error;
      const reason = error instanceof Error ? error.message : 'unknown';
      const waitsFor = error instanceof SchemaBehindError ? reason : `${what} does not answer.`;
      if (waits.get(what) !== waitsFor || tries % 15 === 0) logger.warn({ reason }, `waiting: ${waitsFor}`);
      waits.set(what, waitsFor);
      if (stopping.signal.aborted) process.exit(0);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

main().then(() => process.exit(0), fatal);
