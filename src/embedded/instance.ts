import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startDatabase } from './database-server.ts';
import { type FirstData, type FirstSecrets, openFirstData } from './first-data.ts';
import { endLeftovers, noteProcesses } from './leftovers.ts';
import { freePort } from './ports.ts';
import type { Server } from './server.ts';
import { type Service, startService } from './service.ts';
import { requireFreePort, type StartSettings, startSecret } from './settings.ts';
import type { Steps } from './steps.js';
import { startTemporalServer } from './temporal-server.ts';
import { workflowBundle } from './workflow-bundle.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

export interface InstanceOptions {
  /** Of a data folder that the caller has opened and locked. */
  settings: StartSettings;
  withDemo: boolean;
  steps: Steps;
}

/** Everything that one machine runs. Whatever the start has come to, `stop` and `kill` end it. */
export interface Instance {
  /** @throws Trouble that says what is wrong and what to do. */
  start(): Promise<StartedInstance>;
  /** In order: demo platform and worker, API, Temporal, PostgreSQL. */
  stop(): Promise<void>;
  /** Ends everything at once. */
  kill(): void;
}

export interface StartedInstance {
  temporalUi: string | null;
  secrets: FirstSecrets;
  firstData: FirstData;
}

export function createInstance({ settings, withDemo, steps }: InstanceOptions): Instance {
  const { dataFolder, host, port } = settings;
  const services = new Map<string, Promise<Service>>();
  const servers: Promise<Server>[] = [];
  const stopping = new AbortController();
  let firstData: FirstData | undefined;

  const run = (name: string, entry: string, env: NodeJS.ProcessEnv, text: string) => {
    stopping.signal.throwIfAborted();
    const log = join(dataFolder, 'logs', `${name.toLowerCase().replaceAll(' ', '-')}.log`);
    const options = { name, entry: join(PROJECT, entry), env, log, say: steps.say, onStart: () => void noteRunning() };
    const started = asStep(steps, name, text, () => startService(options));
    started.catch(() => {});
    services.set(name, started);
    return started;
  };
  const noteRunning = async () => {
    const settled = await Promise.allSettled(services.values());
    const running = settled.flatMap((one) => (one.status === 'fulfilled' && one.value.pid ? [one.value.pid] : []));
    if (!stopping.signal.aborted) noteProcesses(dataFolder, running);
  };

  return {
    async start() {
      await endLeftovers(dataFolder, steps);
      await requireFreePort(settings);
      // Before the database, so that a database without its secret is never an interrupted first start.
      const secret = startSecret(settings, existsSync(join(dataFolder, 'postgres.json')));
      const databaseStart = startDatabase(dataFolder, settings.env['DATABASE_URL'], steps);
      const temporalStart = startTemporalServer(dataFolder, steps, stopping.signal);
      const bundleStart = workflowBundle(dataFolder);
      servers.push(temporalStart, databaseStart);
      for (const pending of [temporalStart, bundleStart]) pending.catch(() => {});

      const env = {
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
        (made) => made.text,
        () => data.ensureWorkspace(),
      );
      const demo = withDemo
        ? run('demo platform', 'src/platforms/demo/server.ts', env, `on ${env.EARSHOT_DEMO_URL}`)
        : null;
      const temporal = await temporalStart;
      Object.assign(env, temporal.env, temporal.uiUrl ? { EARSHOT_TEMPORAL_UI: temporal.uiUrl } : {});
      const api = run('API', 'api/server.ts', env, `on http://${host}:${port}`);
      const worker = run(
        'worker',
        'activities/worker.ts',
        { ...env, EARSHOT_WORKFLOW_BUNDLE: await bundleStart },
        'takes work from Temporal',
      );
      await Promise.all([demo, api, worker]);
      if (withDemo) await data.ensureDemo();
      return { temporalUi: temporal.uiUrl, secrets, firstData: data };
    },

    async stop() {
      stopping.abort();
      await firstData?.close().catch(() => {});
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

async function endInOrder(
  services: Map<string, Promise<Service>>,
  servers: Promise<Server>[],
  end: Ending,
): Promise<void> {
  const endAll = async (pending: (Promise<Service | Server> | undefined)[]) => {
    await Promise.all(
      pending.map(async (promise) => {
        // What is still starting is let through first, so that it cannot come up after everything else has gone.
        const thing = await promise?.catch(() => undefined);
        if (thing) await end(thing);
      }),
    );
  };
  await endAll([services.get('demo platform'), services.get('worker')]);
  await endAll([services.get('API')]);
  for (const server of servers) await endAll([server]);
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
