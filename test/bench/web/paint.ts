import { type Figure, figure, paired } from './figure.ts';
import { untilLoaded, type WebWorld } from './world.ts';

const SLOWDOWN = 4;
const FIRST_MS = 1_000;
const LARGEST_MS = 1_500;
const SHIFT = 0.05;
/** What still moves after the rows are there would count as well. */
const SETTLE_MS = 500;

/** Noted from the first byte on, because most of it is over before a test could ask. */
const NOTE = `
  window.noted = { first: 0, largest: 0, shift: 0 };
  const note = (type, take) => new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  note('paint', (entry) => { if (entry.name === 'first-contentful-paint') noted.first = entry.startTime; });
  note('largest-contentful-paint', (entry) => { noted.largest = entry.startTime; });
  note('layout-shift', (entry) => { if (!entry.hadRecentInput) noted.shift += entry.value; });
`;

interface Painted extends Record<string, number> {
  first: number;
  largest: number;
  shift: number;
}

/** From the request of an address until something, and the most, of it is seen, on a processor slowed four times. */
export async function measurePaint(world: WebWorld, rounds: number): Promise<Figure[]> {
  const { places } = world;
  const pages = [
    ['the issues', places.issues],
    ['the calls', places.calls],
    ['a call of 400 turns', places.longCall],
  ] as const;
  const figures: Figure[] = [];
  for (const [name, address] of pages) {
    const { ours, empty } = await paired(
      rounds,
      () => paint(world, address),
      () => paint(world, places.empty),
    );
    figures.push(
      figure(`first paint of ${name}`, 'ms', ours.first, empty.first, FIRST_MS),
      figure(`largest paint of ${name}`, 'ms', ours.largest, empty.largest, LARGEST_MS),
      figure(`shift of ${name}`, '', ours.shift, empty.shift, SHIFT),
    );
  }
  return figures;
}

async function paint(world: WebWorld, address: string): Promise<Painted> {
  const { page, devtools, close } = await world.open();
  await page.addInitScript(NOTE);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  await page.goto(address);
  await untilLoaded(page);
  await page.waitForTimeout(SETTLE_MS);
  const noted = await page.evaluate<Painted>('noted');
  await close();
  return noted;
}
