import { hostname } from 'node:os';
import type { Database } from '../../src/db/database.ts';
import { forgetProcess, processesAlive, seeProcess } from '../../src/db/system/processes.ts';
import { newId } from '../../src/ids.ts';
import { processStanding } from '../../src/process-standing.ts';

const EVERY_MS = 5_000;

export interface Signs {
  /** Says it now; a database that is away is no error. */
  now(): Promise<void>;
  /** Whether no other worker that polls has polled for longer: what one does for all is this one's. */
  leads(): Promise<boolean>;
  stop(): Promise<void>;
}

/** Says every five seconds that this worker polls; while it does not, it keeps silent. */
export function startSigns(
  database: Database,
  config: Parameters<typeof processStanding>[0],
  isPolling: () => boolean,
): Signs {
  const id = newId();
  const beat = async () => {
    if (!isPolling()) return;
    const seen = { id, kind: 'worker', pid: process.pid, host: hostname() } as const;
    await seeProcess(database.unscoped(), seen, await processStanding(config));
  };
  // A beat that PostgreSQL could not take is made up for by the next one.
  const now = () => beat().catch(() => {});
  const timer = setInterval(() => void now(), EVERY_MS);
  return {
    now,
    async leads() {
      const [first] = await processesAlive(database.unscoped(), 'worker');
      return first?.id === id;
    },
    async stop() {
      clearInterval(timer);
      await forgetProcess(database.unscoped(), id).catch(() => {});
    },
  };
}
