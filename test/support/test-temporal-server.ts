import { startTemporal } from '../../packages/embedded/temporal.ts';
import { getTemporalBinary } from '../../packages/embedded/temporal-source.ts';
import { lastingPort } from './ports.ts';
import { say, waiting } from './say.ts';

/** The server that the environment brings, else an embedded one; no address, and a line that says why, where none can be had. */
export async function startTestTemporal(folder: string): Promise<{ address: string | null; stop(): Promise<void> }> {
  const given = process.env.EARSHOT_TEST_TEMPORAL;
  if (given) return { address: given, stop: async () => {} };
  const wait = waiting('Temporal server');
  try {
    const binary = async () => (await getTemporalBinary(wait.progress)).path;
    const [port, uiPort] = [await lastingPort(), await lastingPort()];
    return await startTemporal({ dataFolder: folder, binary, port, uiPort });
  } catch (error) {
    say(`Tests that need a Temporal server are skipped. ${(error as Error).message}`);
    return { address: null, stop: async () => {} };
  } finally {
    wait.end();
  }
}
