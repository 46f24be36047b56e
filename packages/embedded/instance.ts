import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { workflowBundle } from '../../activities/workflow-bundle.ts';
import type { Database } from '../../src/db/database.ts';
import { moduleFile } from '../../src/layout.ts';
import { startDatabase } from './database-server.ts';
import { type DemoAgent, type FirstData, openFirstData } from './first-data.ts';
import { endLeftovers, noteProcesses } from './leftovers.ts';
import { isAccepted, keepLocalAccess, type LocalAccess, readLocalAccess } from './local-access.ts';
import { freePort } from './ports.ts';
import type { Server } from './server.ts';
import { type Service, startService } from './service.ts';
import { requireFreePort, SERVER_NODE_OPTIONS, type StartSettings, startSecret } from './settings.ts';
import type { Steps } from './steps.js';
import { giveNamespace } from './temporal-namespace.ts';
import { startTemporalServer } from './temporal-server.ts';
import { buildWeb } from './web-build.ts';

export interface InstanceOptions {
  /** Of a data folder that the caller has opened and locked. */
  settings: StartSettings;
  withDemo: boolean;
  steps: Steps;
}

/** Everything that one machine runs. Whatever the start has come to, `stop` and `kill` end it. */
export interface Instance {
  /** @throws UserFacingError that says what is wrong and what to do. */
  start(): Promise<StartedInstance>;
  /** In order: demo platform and worker, API, Temporal, PostgreSQL. */
  stop(): Promise<void>;
  /** Ends everything at once. */
  kill(): void;
}

export interface StartedInstance {
  temporalUi: string | null;
  access: LocalAccess;
  /** Where the first person sets a password; null when that is done. */
  signInLink: string | null;
  demoAgents: DemoAgent[];
  database: Database;
}

export function createInstance({ settings, withDemo, steps }: InstanceOptions): Instance {
  const { dataFolder, host, port } = settings;
  const services = new Map<string, Service>();
  const running = new Map<string, number>();
  const servers: Promise<Server>[] = [];
  const stopping = new AbortController();
  let firstData: FirstData | undefined;
  let bundleStart: Promise<string> | undefined;

  const run = (name: string, module: string, env: NodeJS.ProcessEnv, text: string) => {
    stopping.signal.throwIfAborted();
    const log = join(dataFolder, 'logs', `${name.toLowerCase().replaceAll(' ', '-')}.log`);
    const options = {
      name,
      entry: moduleFile(module),
      env,
      log,
      say: steps.say,
      onSpawn: (pid: number) => noteSpawned(name, pid),
    };
    const service = startService(options);
    services.set(name, service);
    const ready = asStep(steps, name, text, () => service.ready);
    ready.catch(() => {});
    return ready;
  };
  const noteSpawned = (name: string, pid: number) => {
    running.set(name, pid);
    noteProcesses(
      dataFolder,
      [...running].map(([each, itsPid]) => ({ name: each, pid: itsPid })),
    );
  };

  return {
    async start() {
      await endLeftovers(dataFolder, steps);
      await requireFreePort(settings);
      // Before the database, so that a database without its secret is never an interrupted first start.
      const secret = startSecret(settings, existsSync(join(dataFolder, 'postgres.json')));
      const databaseStart = startDatabase(dataFolder, settings.env['DATABASE_URL'], steps);
      const temporalStart = startTemporalServer(dataFolder, steps, stopping.signal);
      bundleStart = workflowBundle(dataFolder, stopping.signal);
      const webStart = asStep(
        steps,
        'Web app',
        (how) => how,
        () => buildWeb(stopping.signal),
      );
      servers.push(temporalStart, databaseStart);
      for (const pending of [temporalStart, bundleStart, webStart]) pending.catch(() => {});

      const env = {
        // What Node made of the sources, so that a later start compiles nothing anew.
        NODE_COMPILE_CACHE: join(dataFolder, 'compiled'),
        NODE_OPTIONS: SERVER_NODE_OPTIONS,
        // One machine that nobody reaches from outside is one tenant's.
        EARSHOT_SINGLE_TENANT: settings.env['EARSHOT_PUBLIC_URL'] ? 'off' : 'on',
        ...settings.env,
        ...(await databaseStart).env,
        ...ownVariables(settings, secret),
        ...(await demoVariables(withDemo)),
      };
      const data = await asStep(
        steps,
        'Database schema',
        (opened) => opened.schema,
        () => openFirstData(env, settings.url),
      );
      firstData = data;
      const secrets = await asStep(
        steps,
        'First workspace',
        (made) => (made.key ? 'the command line has a new write key' : 'there already'),
        () => data.ensureWorkspace(!readLocalAccess(dataFolder)?.key),
      );
      // Written at once: whatever happens to this start, the next one finds the key.
      let access = keepLocalAccess(dataFolder, { url: settings.url, key: secrets.key, session: secrets.session });
      const demo = withDemo
        ? run('demo platform', 'packages/demo-platform/server', env, `on ${env.EARSHOT_DEMO_URL}`)
        : null;
      const temporal = await temporalStart;
      Object.assign(env, temporal.env, temporal.uiUrl ? { EARSHOT_TEMPORAL_UI: temporal.uiUrl } : {});
      const { TEMPORAL_ADDRESS: own, TEMPORAL_NAMESPACE: namespace = 'default' } = temporal.env;
      if (own !== undefined) await giveNamespace(own, namespace, await data.installation());
      // The demo platform listens elsewhere each time: said before the worker takes up what a stop interrupted.
      const demoAgents = withDemo ? await data.ensureDemo() : [];
      const api = run('API', 'api/server', env, `on http://${host}:${port}`);
      const worker = run(
        'worker',
        'activities/worker',
        { ...env, EARSHOT_WORKFLOW_BUNDLE: await bundleStart },
        'takes work from Temporal',
      );
      await Promise.all([demo, api, worker, webStart]);
      if (!(await isAccepted(access))) {
        // The folder's file is from another database.
        const renewed = await data.ensureWorkspace(true);
        access = keepLocalAccess(dataFolder, { url: settings.url, key: renewed.key, session: renewed.session });
      }
      return {
        temporalUi: temporal.uiUrl,
        access,
        signInLink: secrets.signInLink,
        demoAgents,
        database: data.database,
      };
    },

    async stop() {
      stopping.abort();
      await firstData?.close().catch(() => {});
      if (servers.length === 0) return;
      await bundleStart?.catch(() => {});
      await asStep(steps, 'Stopping', 'everything has ended', () =>
        endInOrder(services, servers, (thing) => thing.stop()),
      );
      noteProcesses(dataFolder, []);
    },

    kill() {
      stopping.abort();
      void endInOrder(services, servers, async (thing) => thing.kill());
    },
  };
}

function ownVariables({ dataFolder, host, port }: StartSettings, secret: string) {
  return { EARSHOT_SECRET: secret, EARSHOT_HOST: host, EARSHOT_PORT: String(port), EARSHOT_DATA: dataFolder };
}

async function demoVariables(withDemo: boolean): Promise<{ EARSHOT_DEMO_PORT?: string; EARSHOT_DEMO_URL?: string }> {
  if (!withDemo) return {};
  const port = await freePort();
  return { EARSHOT_DEMO_PORT: String(port), EARSHOT_DEMO_URL: `http://127.0.0.1:${port}` };
}

type Ending = (thing: Service | Server) => Promise<void>;

async function endInOrder(services: Map<string, Service>, servers: Promise<Server>[], end: Ending): Promise<void> {
  for (const names of [['demo platform', 'worker'], ['API']]) {
    await Promise.all(names.flatMap((name) => services.get(name) ?? []).map(end));
  }
  for (const starting of servers) {
    // A server that is still starting is let through first, so that it cannot come up after everything else has gone.
    const server = await starting.catch(() => null);
    if (server) await end(server);
  }
}

async function asStep<T>(
  steps: Steps,
  title: string,
  text: string | ((value: T) => string),
  work: () => Promise<T>,
): Promise<T> {
  const step = steps.begin(title);
  try {
    const value = await work();
    step.done(typeof text === 'string' ? text : text(value));
    return value;
  } catch (error) {
    step.dropped();
    throw error;
  }
}
