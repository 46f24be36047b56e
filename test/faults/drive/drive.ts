import { setTimeout as sleep } from 'node:timers/promises';
import { randomFrom } from '../../support/random.ts';
import { check } from './check.ts';
import { Client } from './client.ts';
import { startWorkload } from './clients.ts';
import { chooseFault, faultsOf, SIDES } from './faults.ts';
import { type Finals, readFinals } from './finals.ts';
import { Journal } from './journal.ts';
import { openSite, type Site } from './site.ts';
import { soak } from './soak.ts';

export interface Drive {
  seed: number;
  /** How long faults go on. */
  forMs: number;
  /** Faults end sooner once there were so many deaths; left out: never. */
  untilDeaths?: number;
  say(line: string): void;
  /** Names of the faults that may happen; all where there are none. */
  only?: readonly string[];
  patience?: typeof PATIENCE;
  /** Nothing breaks; whether memory and tables stay as they are is looked at instead. */
  soaks?: boolean;
}

export interface Driven {
  journal: Journal;
  finals: Finals;
  faults: number;
  deaths: number;
  /** How often each fault happened, and which this machine does not allow. */
  happened: Map<string, number>;
  leftOut: Set<string>;
  violations: { name: string; violations: string[] }[];
}

const GAP_MS = 2_500;
const LOOK_EVERY_MS = 2_000;
/** How long what was begun may take to end once everything is whole, and then whatever comes of it. */
export const PATIENCE = { endsWithinMs: 240_000, settlesWithinMs: 300_000 };
/** For a product that is known to be broken; a message that failed twice is sent again within it. */
export const HURRIED = { endsWithinMs: 60_000, settlesWithinMs: 45_000 };

/** Customers work while things break by the numbers of the seed; then everything is whole again, and is checked. */
export async function drive(options: Drive): Promise<Driven> {
  const { seed, forMs, say, patience = PATIENCE, soaks } = options;
  const site = await openSite();
  const journal = new Journal();
  try {
    // Apart from each other, so that the faults are the same ones however fast the customers are.
    const workload = await startWorkload(site, journal, randomFrom(seed + 1));
    const grown = soaks ? await soak(site, { forMs, say }) : [];
    const broke = await breakThings(site, soaks ? { ...options, forMs: 0 } : options);
    say('everything is whole again; the customers finish');
    await workload.stop(say, patience.endsWithinMs);
    const finals = await readOnceSettled(site, journal, {
      fedId: workload.fedId,
      say,
      within: patience.settlesWithinMs,
    });
    const own = site.ownEnds.map((said) => said.slice(0, 1_000));
    const broken = check(journal, finals);
    if (own.length > 0) broken.push({ name: 'no process ends by itself', violations: own });
    if (grown.length > 0) broken.push({ name: 'nothing grows without end', violations: grown });
    return { ...broke, journal, finals, violations: broken };
  } finally {
    await site.close();
  }
}

async function breakThings(
  site: Site,
  { seed, forMs, untilDeaths = Number.POSITIVE_INFINITY, say, only = [] }: Drive,
): Promise<Pick<Driven, 'faults' | 'deaths' | 'happened' | 'leftOut'>> {
  const begun = Date.now();
  const counted = { faults: 0, deaths: 0, happened: new Map<string, number>(), leftOut: new Set<string>() };
  const sides = SIDES.map((side, at) => ({ faults: faultsOf(side, only), random: randomFrom(seed + 2 * at) }));
  await Promise.all(
    sides.map(async ({ faults, random }) => {
      while (faults.length > 0 && Date.now() - begun < forMs && counted.deaths < untilDeaths) {
        await sleep(GAP_MS * (0.4 + random()));
        const fault = chooseFault(random, faults);
        if (fault.isPossible?.(site) === false) {
          counted.leftOut.add(fault.name);
          continue;
        }
        say(`${((Date.now() - begun) / 1000).toFixed(0)} s: ${fault.name}`);
        await fault.happen(site, random);
        counted.faults += 1;
        counted.happened.set(fault.name, (counted.happened.get(fault.name) ?? 0) + 1);
        counted.deaths += fault.deaths;
      }
    }),
  );
  return counted;
}

/** Waits until nothing is open any more, at most as long as it may take; then it is the checker's to say what is missing. */
async function readOnceSettled(
  site: Site,
  journal: Journal,
  { fedId, say, within }: { fedId: string; say: Drive['say']; within: number },
): Promise<Finals> {
  const client = new Client(site, new Journal(), randomFrom(1));
  const erasedIds = journal.erased.map(({ callId }) => callId);
  for (const end = Date.now() + within; ; ) {
    const finals = await readFinals(client, site, { fedId, erasedIds });
    const open = check(journal, finals);
    if (open.length === 0 || Date.now() > end) return finals;
    say(
      `not so yet: ${open.map(({ name, violations }) => `${name} (${violations.length}: ${violations[0]})`).join('; ')}`,
    );
    await sleep(LOOK_EVERY_MS);
  }
}
