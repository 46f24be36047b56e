import { isDeepStrictEqual } from 'node:util';
import { untilTrue } from '../../support/pipeline.ts';
import { type Cut, openPostgresLink, type PostgresLink } from '../../support/postgres-link.ts';
import { randomFrom } from '../../support/random.ts';
import { type Machine, startMachine } from '../machine.ts';
import type { WorkerProcess } from '../worker-machine.ts';
import type { Begun, Flow } from './flow.ts';
import { flowsOf, type Platforms, startPlatforms } from './flows.ts';

/** Where something is kept: a transaction by all that it sends, or a statement on its own. */
interface Point {
  shape: string;
  within: 'transaction' | 'statement';
}

const SIDES = ['before', 'after'] as const;
const LONGEST_MS = 180_000;

export interface Trials {
  /** Points of the flows that were told of. */
  points: number;
  /** Kills that came where they should. */
  kills: number;
  /** Points that no work came by once it was to be killed there. */
  passed: number;
  /** Sides of points that time did not reach. */
  left: number;
  /** What a kill left otherwise than an undisturbed flow, in words. */
  broken: string[];
}

interface Options {
  /** Names of flows; none: all of them. */
  only: readonly string[];
  seed: number;
  /** No other kill begins after so many milliseconds. */
  forMs: number;
  /** Kills a flow at most. */
  most?: number;
  say(line: string): void;
}

/**
 * Kills the worker at each point at which a flow keeps something, before PostgreSQL is asked to and after it did but before the
 * worker knows, and holds what is left when another worker has ended the flow against what is left undisturbed.
 */
export async function tryPoints({ only, seed, forMs, most = Infinity, say }: Options): Promise<Trials> {
  const until = Date.now() + forMs;
  const [machine, platforms] = await Promise.all([startMachine(), startPlatforms()]);
  const trials: Trials = { points: 0, kills: 0, passed: 0, left: 0, broken: [] };
  const link = await openPostgresLink(machine.databaseUrl());
  try {
    const flows = flowsOf(machine, platforms).filter(({ name }) => only.length === 0 || only.includes(name));
    for (const flow of flows) await tryFlow({ flow, machine, platforms, link, trials, seed, until, most, say });
  } finally {
    await machine.close();
    await Promise.all([link.close(), platforms.close()]);
  }
  return trials;
}

interface Site extends Pick<Options, 'seed' | 'say'> {
  flow: Flow;
  machine: Machine;
  platforms: Platforms;
  link: PostgresLink;
  trials: Trials;
  until: number;
  most: number;
}

async function tryFlow(site: Site): Promise<void> {
  const { flow, machine, link, trials, until, say } = site;
  const worker = { now: await startWorker(machine, link) };
  // The first of all finds nothing prepared, and keeps what later ones find there.
  await undisturbed(flow);
  const { points, left: sound } = await recorded(flow, link);
  trials.points += points.length;
  const kills = shuffled(
    points.flatMap((point) => SIDES.map((side) => ({ point, side }))),
    site.seed,
  );
  say(`${flow.name}: ${points.length} points, ${kills.length} kills`);
  for (const [at, { point, side }] of kills.entries()) {
    if (Date.now() > until || at >= site.most) {
      trials.left += kills.length - at;
      break;
    }
    const begun = await disturb(site, worker, point, side);
    if (begun === null) continue;
    const left = await begun.left();
    if (isDeepStrictEqual(left, sound)) continue;
    trials.broken.push(
      `${flow.name}, killed ${side} ${point.shape}:\n${JSON.stringify(left)}\nundisturbed:\n${JSON.stringify(sound)}`,
    );
  }
  worker.now.child.kill('SIGKILL');
  await worker.now.ended;
}

/** @returns the flow once it is over; null where nothing came by the point */
async function disturb(
  { flow, machine, link, trials, say }: Site,
  worker: { now: WorkerProcess },
  { shape, within }: Point,
  side: Cut['side'],
): Promise<Begun | null> {
  const at = { test: (text: string) => shapeOf(text) === shape };
  let killed = false;
  const cut = link.cutAt({ at, side, commit: within === 'transaction' });
  const replace = async () => {
    await cut;
    killed = true;
    worker.now.child.kill('SIGKILL');
    await worker.now.ended;
    worker.now = await startWorker(machine, link);
  };
  const dead = replace();
  const begun = await flow.begin();
  await untilTrue(begun.isOver, LONGEST_MS);
  if (killed) await dead;
  else trials.passed += 1;
  if (killed) trials.kills += 1;
  say(`  ${killed ? 'killed' : 'not met'} ${side} ${shape.slice(0, 160)}`);
  return killed ? begun : null;
}

const startWorker = (machine: Machine, link: PostgresLink) => machine.startWorker({ DATABASE_URL: link.url });

async function undisturbed(flow: Flow): Promise<unknown> {
  const begun = await flow.begin();
  await untilTrue(begun.isOver, LONGEST_MS);
  return begun.left();
}

async function recorded(flow: Flow, link: PostgresLink): Promise<{ points: Point[]; left: unknown }> {
  const points = new Map<string, Point>();
  link.onKept((text, within) => {
    const shape = shapeOf(text);
    points.set(shape, { shape, within });
  });
  const left = await undisturbed(flow);
  link.onKept(() => {});
  return { points: [...points.values()], left };
}

/** What a text does, whatever it does it to: without its parameters, and as one line. */
function shapeOf(text: string): string {
  return text
    .replaceAll(/'[0-9a-f]{8}-[0-9a-f-]{27}'/g, '$')
    .replaceAll(/\$\d+(?:::\w+(?:\[\])?)?/g, '$')
    .replaceAll(/\(\s*\$(?:\s*,\s*\$)*\s*\)(?:\s*,\s*\(\s*\$(?:\s*,\s*\$)*\s*\))*/g, '($)')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function shuffled<T>(items: readonly T[], seed: number): T[] {
  const random = randomFrom(seed);
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
