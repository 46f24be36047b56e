import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { z } from 'zod';
import { IS_PACKAGED, ROOT, START } from '../../src/layout.ts';
import { messageOf } from '../../src/user-facing-error.js';
import { examineModels } from './examine-models.ts';
import type { Finding } from './finding.ts';
import { runningProcesses } from './leftovers.ts';
import { readLocalAccess } from './local-access.ts';
import { packagesAreInstalled } from './packages.js';
import { placeNoted } from './place.ts';
import { runningPostgres } from './postgres.ts';
import { type StartSettings, startSettings } from './settings.ts';
import { runningTemporal } from './temporal.ts';
import { findTemporalBinary, whyNoBuild, whyNoDownload } from './temporal-binary.js';
import { answersAt } from './temporal-namespace.ts';
import { namedTemporal } from './temporal-source.ts';

const LITTLE_DISK_BYTES = 1e9;

/** Looks at everything, changes nothing; each look is bounded to a few seconds. */
export async function examine(): Promise<Finding[]> {
  const settings = startSettings(undefined);
  const ready = await readiness(settings);
  return [
    node(),
    packages(),
    folder(settings),
    await postgres(settings),
    await temporal(settings),
    temporalProgram(settings, await whyNoDownload(settings.env)),
    ...ready,
    demo(settings),
    await examineModels(settings.env),
  ];
}

const fine = (name: string, says: string): Finding => ({ name, state: 'fine', says, todo: null });

const absent = (name: string, says: string, todo: string | null): Finding => ({ name, state: 'absent', says, todo });

const wrong = (name: string, says: string, todo: string): Finding => ({ name, state: 'wrong', says, todo });

function node(): Finding {
  const { node: version } = process.versions;
  return Number.parseInt(version, 10) >= 24
    ? fine('Node', `${version}, ${process.execPath}`)
    : wrong(
        'Node',
        `${version} is too old to run Earshot itself`,
        'npm ci installs Node 24 as a package; npm start uses it',
      );
}

function packages(): Finding {
  if (IS_PACKAGED) return fine('Packages', 'as the package brought them');
  return packagesAreInstalled(ROOT)
    ? fine('Packages', 'as package-lock.json says')
    : wrong('Packages', 'missing, or older than package-lock.json', `${START} installs them`);
}

function folder({ dataFolder }: StartSettings): Finding {
  if (!existsSync(dataFolder)) return absent('Data folder', `${dataFolder} is not there yet`, `${START} makes it`);
  try {
    accessSync(dataFolder, constants.R_OK | constants.W_OK);
  } catch {
    return wrong(
      'Data folder',
      `${dataFolder} cannot be written to`,
      'change its owner, or set EARSHOT_DATA to another folder',
    );
  }
  const { bavail, bsize } = statfsSync(dataFolder);
  const free = `${((bavail * bsize) / 1e9).toFixed(1)} GB free`;
  if (bavail * bsize < LITTLE_DISK_BYTES)
    return wrong('Data folder', `${dataFolder}, only ${free}`, 'free some space there');
  const place = placeNoted(dataFolder);
  return fine('Data folder', `${dataFolder}, ${free}${place ? `; PostgreSQL's part in ${place}` : ''}`);
}

async function postgres({ dataFolder, env }: StartSettings): Promise<Finding> {
  const given = env['DATABASE_URL'];
  const own = given ? null : runningPostgres(dataFolder);
  if (!given && !own)
    return absent('PostgreSQL', 'the embedded one does not run', `${START} starts it; DATABASE_URL brings your own`);
  const whose = given ? 'given by DATABASE_URL' : 'embedded';
  const client = new pg.Client({ connectionString: given ?? own?.url, connectionTimeoutMillis: 3_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ version: string }>(`select current_setting('server_version') as version`);
    return fine('PostgreSQL', `${rows[0]?.version}, ${whose}, ${client.host}:${client.port}`);
  } catch (error) {
    const advice = given
      ? 'start it, or correct DATABASE_URL'
      : `stop it and start again; its log is ${join(dataFolder, 'logs', 'postgres.log')}`;
    return wrong('PostgreSQL', `${whose}, does not answer (${messageOf(error)})`, advice);
  } finally {
    await client.end().catch(() => {});
  }
}

async function temporal({ dataFolder, env }: StartSettings): Promise<Finding> {
  const named = namedTemporal(env);
  const own = named ? null : runningTemporal(dataFolder);
  if (!named && !own)
    return absent(
      'Temporal',
      'the embedded server does not run',
      `${START} starts it; TEMPORAL_ADDRESS brings your own`,
    );
  const address = named?.address ?? `127.0.0.1:${own?.port}`;
  const ui = own ? `, its UI http://127.0.0.1:${own.uiPort}` : '';
  if (await answersAt(address))
    return fine('Temporal', `${address}, ${named ? 'given by the environment' : 'embedded'}${ui}`);
  return wrong(
    'Temporal',
    `${address} does not answer`,
    named ? 'start it, or correct TEMPORAL_ADDRESS and its profile' : 'stop Earshot and start it again',
  );
}

function temporalProgram({ env }: StartSettings, noDownload: string | null): Finding {
  const name = 'Temporal program';
  if (namedTemporal(env)) return absent(name, 'not needed: the environment names a server', null);
  const found = findTemporalBinary(env);
  if (found) return fine(name, found.source === 'path' ? '`temporal` on PATH' : found.path);
  if (noDownload === null) return absent(name, 'not here yet', `${START} downloads it once`);
  const why = whyNoBuild(env);
  if (!why) return absent(name, 'not here yet', `${START} builds it once with Go (about 4 minutes)`);
  return wrong(
    name,
    `none here, none to download (${noDownload}), and ${why}`,
    'install the Temporal CLI (docs.temporal.io/cli) or Go 1.25, or set EARSHOT_TEMPORAL_MIRROR or TEMPORAL_ADDRESS',
  );
}

const part = z.object({ ok: z.boolean(), message: z.string() });

const readinessBody = z.object({ ready: z.boolean(), database: part, temporal: part, workers: part });

/** The API and, through it, the workers. */
async function readiness({ dataFolder, url: settingsUrl }: StartSettings): Promise<Finding[]> {
  const url = readLocalAccess(dataFolder)?.url ?? settingsUrl;
  try {
    const answer = await fetch(`${url}/workz`, { signal: AbortSignal.timeout(3_000) });
    const { ready, database, temporal: motor, workers } = readinessBody.parse(await answer.json());
    const missing = [database, motor].find(({ ok }) => !ok);
    const log = (name: string) => `its log is ${join(dataFolder, 'logs', `${name}.log`)}`;
    return [
      ready || (missing === undefined && !workers.ok)
        ? fine('API', `${url}, ready`)
        : wrong('API', `${url}: ${missing?.message ?? 'it is ending.'}`, log('api')),
      workers.ok
        ? fine('Worker', workers.message)
        : database.ok
          ? wrong('Worker', workers.message, log('worker'))
          : absent('Worker', workers.message, null),
    ];
  } catch (error) {
    const unseen = absent('Worker', 'unknown while the API does not answer', null);
    if (error instanceof z.ZodError) {
      return [wrong('API', `something else answers at ${url}`, 'stop it, or start with --port'), unseen];
    }
    return [absent('API', `nothing answers at ${url}`, `${START} starts it`), unseen];
  }
}

function demo({ dataFolder }: StartSettings): Finding {
  const running = runningProcesses(dataFolder).find(({ name }) => name === 'demo platform');
  return running
    ? fine('Demo platform', `process ${running.pid}`)
    : absent('Demo platform', 'does not run', `${START} starts it, unless --no-demo is given`);
}
