import { type Figure, figure } from './figure.ts';
import { type Places, untilLoaded, type WebWorld } from './world.ts';

const FRAME_KB = 180;
const ROUTE_KB = 40;
const FLOW_KB = 95;
const STYLE_KB = 20;
const FONT_KB = 60;

const ROUTES = [
  'calls',
  'metrics',
  'versions',
  'tests',
  'runs',
  'watches',
  'watches/new',
  'drafts',
  'goals',
  'coverage',
  'imports',
  'audit',
  'settings',
  'brief',
  'erasures',
];

/** What the server sends of the app itself, compressed: of the first page, and what each other route adds to it. */
export async function measureBytes(world: WebWorld): Promise<Figure[]> {
  const { places } = world;
  const empty = await loadedBy(world, places.empty);
  const first = await loadedBy(world, places.issues);
  const figures = [
    figure('script of the frame and the issues', 'kB', kb(first, '.js'), kb(empty, '.js'), FRAME_KB),
    figure('style', 'kB', kb(first, '.css'), kb(empty, '.css'), STYLE_KB),
    figure('font', 'kB', kb(first, '.woff2'), kb(empty, '.woff2'), FONT_KB),
  ];
  const [most, ...others] = (await addedByRoutes(world, places, first)).toSorted((a, b) => b.kb - a.kb);
  if (!most) throw new Error('There are no routes.');
  const name = `script that a route adds, the most of ${others.length + 1} (${most.route})`;
  const flow = kbBeyond(await loadedBy(world, places.of('flow')), first);
  return [
    ...figures,
    figure(name, 'kB', most.kb, null, ROUTE_KB),
    figure('script that the flow map adds', 'kB', flow, null, FLOW_KB),
  ];
}

async function addedByRoutes(world: WebWorld, places: Places, first: Loaded) {
  const added = [];
  for (const route of ROUTES) added.push({ route, kb: kbBeyond(await loadedBy(world, places.of(route)), first) });
  added.push({ route: 'a call', kb: kbBeyond(await loadedBy(world, places.longCall), first) });
  return added;
}

type Loaded = Map<string, number>;

/** Compressed bytes of each file, read from a window that has nothing cached. */
async function loadedBy(world: WebWorld, address: string): Promise<Loaded> {
  const { page, close } = await world.open();
  await page.goto(address);
  await untilLoaded(page);
  const files = await page.evaluate<[string, number][]>(
    `performance.getEntriesByType('resource').map(({ name, encodedBodySize }) => [new URL(name).pathname, encodedBodySize])`,
  );
  await close();
  return new Map(files.filter(([name]) => name.startsWith('/assets/')));
}

const kb = (loaded: Loaded, kind: string) =>
  [...loaded].reduce((sum, [name, size]) => (name.endsWith(kind) ? sum + size / 1000 : sum), 0);

const kbBeyond = (loaded: Loaded, first: Loaded) =>
  kb(new Map([...loaded].filter(([name]) => !first.has(name))), '.js');
