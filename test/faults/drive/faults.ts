import { setTimeout as sleep } from 'node:timers/promises';
import type { ModelAnswer } from '../../support/model-server.ts';
import { killMigration } from './killed-migration.ts';
import { answerOfModel } from './model-answers.ts';
import { nameOf, type Place, type Site } from './site.ts';

const CLOCK_STEP_MAX_S = 180;
const MEGABYTE = 1024 ** 2;

/** APIs, workers, and what they stand on: of each one thing breaks at a time, beside the others. */
export const SIDES = ['api', 'worker', 'ground'] as const;

export interface Fault {
  name: string;
  side: (typeof SIDES)[number];
  /** How often it is chosen, beside the others. */
  weight: number;
  /** Processes and servers that it kills. */
  deaths: number;
  /** Whether it can happen on this machine; left out: everywhere. */
  isPossible?(site: Site): boolean;
  /** Resolves once what it broke is whole again. */
  happen(site: Site, random: () => number): Promise<void>;
}

/** From `least` to `most` milliseconds. */
const between = (random: () => number, least: number, most: number) => sleep(least + random() * (most - least));
const placeOf = (kind: Place['kind'], random: () => number): Place => ({ kind, at: random() < 0.5 ? 0 : 1 });

const killed = (kind: Place['kind'], weight: number): Fault => ({
  name: `${kind} killed`,
  side: kind,
  weight,
  deaths: 1,
  happen: (site, random) => site.replace(placeOf(kind, random), 'SIGKILL'),
});

/** For some seconds it answers nothing and hears nothing, then goes on as if no time had passed. */
const stopped = (kind: Place['kind']): Fault => ({
  name: `${kind} stopped`,
  side: kind,
  weight: 1,
  deaths: 0,
  async happen(site, random) {
    const child = site.process(placeOf(kind, random));
    child?.kill('SIGSTOP');
    await between(random, 3_000, 15_000);
    child?.kill('SIGCONT');
  },
});

const serverStopped = (name: 'PostgreSQL' | 'Temporal'): Fault => ({
  name: `${name} stopped`,
  side: 'ground',
  weight: 1,
  deaths: 0,
  async happen({ machine }) {
    const send = name === 'PostgreSQL' ? machine.signalPostgres : machine.signalTemporal;
    send('SIGSTOP');
    await sleep(15_000);
    send('SIGCONT');
  },
});

const dropped = (to: 'database' | 'temporal'): Fault => ({
  name: `packets to ${to} dropped`,
  side: 'ground',
  weight: 1,
  deaths: 0,
  async happen(site, random) {
    site.links[to].setDropping(true);
    await between(random, 2_000, 15_000);
    site.links[to].setDropping(false);
  },
});

const lost = (to: 'database' | 'temporal'): Fault => ({
  name: `network to ${to} lost`,
  side: 'ground',
  weight: 1,
  deaths: 0,
  async happen(site, random) {
    site.links[to].setOpen(false);
    await between(random, 2_000, 8_000);
    site.links[to].setOpen(true);
  },
});

const cut = (to: 'database' | 'temporal'): Fault => ({
  name: `connections to ${to} cut`,
  side: 'ground',
  weight: 1,
  deaths: 0,
  happen: async (site) => site.links[to].cut(),
});

const platform = (name: string, always: { status: number; headers?: Record<string, string> }): Fault => ({
  name: `platform ${name}`,
  side: 'ground',
  weight: 1,
  deaths: 0,
  async happen(site, random) {
    site.platform.always = always;
    await between(random, 1_000, 6_000);
    site.platform.always = null;
  },
});

/** Ahead or behind by up to three minutes for some seconds, and then right again, as where a time server has to correct it. */
const clockStepped = (of: Place['kind'] | 'PostgreSQL'): Fault => ({
  name: `clock of ${of} stepped`,
  side: 'ground',
  weight: 1,
  deaths: 0,
  isPossible: ({ clocks }) => clocks !== null,
  async happen({ clocks }, random) {
    const name = of === 'PostgreSQL' ? of : nameOf(placeOf(of, random));
    clocks?.set(name, Math.round((random() - 0.5) * 2 * CLOCK_STEP_MAX_S));
    await between(random, 3_000, 12_000);
    clocks?.set(name, 0);
  },
});

/** Long enough for every slot of every worker to hold such an answer. */
const model = (name: string, answer: ModelAnswer): Fault => ({
  name: `model ${name}`,
  side: 'ground',
  weight: 1,
  deaths: 0,
  async happen(site, random) {
    site.model.answerWith(() => answer);
    await between(random, 3_000, 12_000);
    site.model.answerWith(answerOfModel);
  },
});

export const FAULTS: readonly Fault[] = [
  killed('worker', 6),
  killed('api', 4),
  {
    name: 'worker told to end',
    side: 'worker',
    weight: 1,
    deaths: 0,
    happen: (site, random) => site.replace(placeOf('worker', random), 'SIGTERM'),
  },
  {
    name: 'PostgreSQL killed',
    side: 'ground',
    weight: 2,
    deaths: 1,
    async happen({ machine }, random) {
      await machine.killPostgres();
      await between(random, 0, 4_000);
      await machine.startPostgres();
    },
  },
  {
    name: 'Temporal killed',
    side: 'ground',
    weight: 2,
    deaths: 1,
    async happen({ machine }, random) {
      await machine.killTemporal();
      await between(random, 0, 4_000);
      await machine.startTemporal();
    },
  },
  {
    name: 'both workers and PostgreSQL killed',
    side: 'ground',
    weight: 1,
    deaths: 3,
    async happen(site) {
      const { machine } = site;
      const workers = [0, 1].map((at) => site.replace({ kind: 'worker', at }, 'SIGKILL'));
      await machine.killPostgres();
      await machine.startPostgres();
      await Promise.all(workers);
    },
  },
  {
    name: 'disk of PostgreSQL and Temporal full',
    side: 'ground',
    weight: 1,
    deaths: 0,
    isPossible: ({ machine }) => machine.disk !== null,
    async happen({ machine }, random) {
      machine.disk?.fill();
      await between(random, 3_000, 12_000);
      machine.disk?.free();
      // One that ended for want of room is started again, as whatever runs it would.
      await Promise.all([machine.startPostgres(), machine.startTemporal()]);
    },
  },
  stopped('api'),
  stopped('worker'),
  serverStopped('PostgreSQL'),
  serverStopped('Temporal'),
  dropped('database'),
  dropped('temporal'),
  lost('database'),
  lost('temporal'),
  cut('database'),
  cut('temporal'),
  platform('asks to wait', { status: 429, headers: { 'retry-after': '2' } }),
  platform('fails', { status: 500 }),
  {
    name: 'answers to the next writes at the platform lost',
    side: 'ground',
    weight: 1,
    deaths: 0,
    happen: async ({ workshop }) => void workshop.troubles.push('lost', null, 'lost'),
  },
  {
    name: 'migration killed',
    side: 'ground',
    // The migrations of years take a minute beside such work, in which nothing else of its side breaks.
    weight: 0.3,
    deaths: 1,
    happen: ({ machine }, random) => killMigration(machine.databaseUrl(), 1_000 + random() * 5_000),
  },
  clockStepped('api'),
  clockStepped('worker'),
  clockStepped('PostgreSQL'),
  model('never answers', 'hang'),
  model('breaks off', 'cut'),
  model('answers with no document', { prose: 'Once upon a time \u0000 there was {{{ no document.' }),
  model('sends over a megabyte', { bytes: MEGABYTE + 1 }),
  {
    name: 'receiver fails',
    side: 'ground',
    weight: 1,
    deaths: 0,
    async happen({ receiver }, random) {
      receiver.answerWith(() => ({ status: 500 }));
      await between(random, 1_000, 6_000);
      receiver.answerWith(() => ({ status: 204 }));
    },
  },
];

/** @param only names of those that may happen; all where there are none. */
export const faultsOf = (side: Fault['side'], only: readonly string[]): readonly Fault[] =>
  FAULTS.filter((fault) => fault.side === side && (only.length === 0 || only.includes(fault.name)));

export function chooseFault(random: () => number, faults: readonly Fault[]): Fault {
  let left = random() * faults.reduce((sum, { weight }) => sum + weight, 0);
  for (const fault of faults) {
    left -= fault.weight;
    if (left < 0) return fault;
  }
  throw new Error('No fault was chosen.');
}
