import { Connection } from '@temporalio/client';
import { temporalConnectConfig } from '../../src/temporal/client.ts';
import { addMissingSearchAttributes } from '../../src/temporal/register-search-attributes.ts';
import { messageOf, UserFacingError } from '../../src/user-facing-error.js';
import { keepAlive } from './keep-alive.ts';
import { givenServer, type Server } from './server.ts';
import type { Step, Steps } from './steps.js';
import { type RunningTemporal, startTemporal } from './temporal.ts';
import {
  findTemporalBinary,
  HOW_TO_AVOID_THE_BUILD,
  isBeingBuilt,
  type TemporalBinary,
  whyNoBuild,
  whyNoDownload,
} from './temporal-binary.js';
import { getTemporalBinary, type NamedTemporal, namedTemporal } from './temporal-source.ts';

const NAME = 'Temporal';
const SOURCES: Record<TemporalBinary['source'], string> = {
  package: 'program of an installed package',
  path: '`temporal` on PATH',
  cache: 'program in your cache folder',
  download: 'program downloaded once',
  go: 'program built once by Go',
};

/**
 * The server that the environment names, else the embedded dev server.
 * @param signal ends a build that is waited for.
 * @throws UserFacingError when there is none to work with.
 */
export async function startTemporalServer(dataFolder: string, steps: Steps, signal: AbortSignal): Promise<Server> {
  const step = steps.begin(NAME, { everyMs: 5_000 });
  try {
    const named = namedTemporal();
    return named ? await useNamed(named, step) : await startOwn(dataFolder, step, steps, signal);
  } catch (error) {
    step.dropped();
    throw error;
  }
}

async function startOwn(dataFolder: string, step: Step, steps: Steps, signal: AbortSignal): Promise<Server> {
  let source = '';
  const binary = async () => {
    if (!findTemporalBinary() && !isBeingBuilt() && whyNoBuild() === null && (await whyNoDownload()) !== null) {
      steps.say(HOW_TO_AVOID_THE_BUILD);
    }
    const found = await getTemporalBinary(step.progress, signal);
    source = `, ${SOURCES[found.source]}`;
    return found.path;
  };
  const start = () => startTemporal({ dataFolder, binary, progress: step.progress });
  const running = await start();
  step.done(`${running.adopted ? 'ran already' : 'started'} on ${running.address}${source}; its UI ${running.uiUrl}`);
  const sameAddress = (a: RunningTemporal, b: RunningTemporal) => a.address === b.address;
  const watched = keepAlive<RunningTemporal>({ name: NAME, running, start, sameAddress, say: steps.say });
  const env = { TEMPORAL_ADDRESS: running.address, TEMPORAL_NAMESPACE: running.namespace };
  return { name: NAME, env, uiUrl: running.uiUrl, ...watched };
}

async function useNamed(named: NamedTemporal, step: Step): Promise<Server> {
  const { connectionOptions } = temporalConnectConfig();
  try {
    const connection = await Connection.connect({ ...connectionOptions, connectTimeout: '5s' });
    try {
      const added = await addMissingSearchAttributes(connection, named.namespace);
      const attributes = added.length > 0 ? `, search attributes added: ${added.join(', ')}` : '';
      step.done(`${named.address}, namespace ${named.namespace}, given by the environment${attributes}`);
    } finally {
      await connection.close();
    }
  } catch (error) {
    throw new UserFacingError(
      `The environment names the Temporal server ${named.address} (namespace ${named.namespace}), but it cannot be used (${messageOf(error)}): start it or correct TEMPORAL_ADDRESS and its profile, or unset them to use the embedded server.`,
    );
  }
  return givenServer(NAME, { TEMPORAL_NAMESPACE: named.namespace }, null);
}
