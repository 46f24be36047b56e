import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from './client.ts';
import type { Journal, Progressing } from './journal.ts';
import type { Site } from './site.ts';

/** What a part of the workload has at hand. */
export interface Work {
  site: Site;
  journal: Journal;
  random: () => number;
  client: Client;
  /** The agent whose calls come as files and as requests. */
  fed: { agentId: string; token: string };
  isOver(): boolean;
  /** Numbers that are used once. */
  next(): number;
  /** How many things of this name are looked at now. */
  following(what: string): number;
}

/** Goes on looking at something that takes its time. */
export type Follow = (name: string, promise: Promise<void>) => void;

// oxlint-disable-next-line typescript/no-explicit-any
type Standing = (body: any) => { id: string; status: string; done: number; total: number | null };

const FINAL: Record<Progressing, readonly string[]> = {
  import: ['complete', 'failed', 'cancelled'],
  run: ['complete', 'failed', 'refused'],
  erasure: ['complete', 'failed'],
};
const LOOK_EVERY_MS = 700;

export const isFinal = (what: Progressing, status: string): boolean => FINAL[what].includes(status);

/** Looks again and again until something is found. @returns null where the clients gave up before. */
export async function until<Found>(
  { client }: Pick<Work, 'client'>,
  look: () => Promise<Found | null>,
): Promise<Found | null> {
  while (!client.gaveUp) {
    const found = await look();
    if (found !== null) return found;
    await sleep(LOOK_EVERY_MS);
  }
  return null;
}

export async function watchUntilFinal(work: Work, what: Progressing, path: string, standing: Standing): Promise<void> {
  const { journal, client, site } = work;
  const as = what === 'run' ? { as: site.workspace.writeKey } : {};
  await until(work, async () => {
    const answer = await client.ask('GET', path, as);
    if (answer?.status !== 200) return null;
    const seen = standing(answer.body);
    journal.seen.push({ what, ...seen });
    return isFinal(what, seen.status) ? seen : null;
  });
}

/** Watches a run until it is over, and then reads its result as two readers do. */
export async function watchRun(work: Work, path: string): Promise<void> {
  const { site, journal, client } = work;
  await watchUntilFinal(work, 'run', path, ({ id, status, progress }) => ({
    id,
    status,
    done: progress.completed,
    total: progress.total,
  }));
  for (let at = 0; at < 2 && !client.gaveUp; at += 1) {
    const answer = await client.insist('GET', `${path}/result`, { as: site.workspace.writeKey });
    if (answer?.status === 200) {
      journal.results.push({ runId: answer.body.batchId, bytes: JSON.stringify(answer.body) });
    }
  }
}
