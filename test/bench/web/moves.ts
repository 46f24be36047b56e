import type { Page } from 'playwright-core';
import { type Figure, figure, paired } from './figure.ts';
import { readMainThread, watchMainThread } from './main-thread.ts';
import { untilLoaded, type WebWorld } from './world.ts';

const ROUTE_CHANGE_MS = 50;
const LIST_KEY_MS = 100;
const KEY_MS = 200;
const KEYS = 30;
/** The events that the browser counts are at least so long; a quicker one is no more than that. */
const SHORTEST_MS = 16;

/** From a link to the rows, and from a key to what it changes. */
export async function measureMoves(world: WebWorld, rounds: number): Promise<Figure[]> {
  const change = await paired(
    rounds,
    async () => ({ ms: await changeRoute(world, 'Calls', '/calls?') }),
    async () => ({ ms: await changeRoute(world, 'Goals', '/goals?') }),
  );
  const keys = await pressKeys(world);
  return [
    figure('work from the answer to the rows of calls', 'ms', change.ours.ms, change.empty.ms, ROUTE_CHANGE_MS),
    figure('a key in the list, 75th percentile', 'ms', keys.list, null, LIST_KEY_MS),
    figure('a key elsewhere, 75th percentile', 'ms', keys.elsewhere, null, KEY_MS),
  ];
}

/** Work of the page's thread once the list is answered, until it is seen; the empty list is the frame alone. */
async function changeRoute(world: WebWorld, link: string, list: string): Promise<number> {
  const { page, devtools, close } = await world.open();
  await watchMainThread(devtools);
  await page.goto(world.places.issues);
  await untilLoaded(page);
  const answered = Promise.withResolvers<number>();
  await page.route(
    (url) => `${url.pathname}?`.includes(list),
    async (route) => {
      const response = await route.fetch();
      const { cpuMs } = await readMainThread(devtools);
      await route.fulfill({ response });
      answered.resolve(cpuMs);
    },
  );
  const places = page.getByRole('navigation', { name: 'Pages of the agent' });
  await places.getByRole('link', { name: link, exact: true }).click();
  const before = await answered.promise;
  await page.getByRole('heading', { level: 1, name: link }).waitFor();
  await untilLoaded(page);
  await page.evaluate('new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))');
  const { cpuMs } = await readMainThread(devtools);
  await close();
  return cpuMs - before;
}

async function pressKeys(world: WebWorld): Promise<{ list: number; elsewhere: number }> {
  const { page, close } = await world.open();
  await page.goto(world.places.calls);
  await page.getByRole('row').nth(5).waitFor();
  await page.evaluate(`
    window.keys = new Map();
    new PerformanceObserver((list) => list.getEntries().forEach(({ interactionId, duration }) => {
      if (interactionId > 0) keys.set(interactionId, Math.max(duration, keys.get(interactionId) ?? 0));
    })).observe({ type: 'event', durationThreshold: ${SHORTEST_MS} });
  `);
  const list = await slowest(page, () => page.keyboard.press('j'));
  const elsewhere = await slowest(page, async () => {
    await page.keyboard.press('Control+k');
    await page.keyboard.press('Escape');
  });
  await close();
  return { list, elsewhere };
}

/** The 75th percentile of what so many presses take. */
async function slowest(page: Page, press: () => Promise<void>): Promise<number> {
  await page.evaluate('keys.clear()');
  for (let at = 0; at < KEYS; at += 1) await press();
  await page.evaluate('new Promise((told) => setTimeout(told, 300))');
  const noted = await page.evaluate<number[]>('[...keys.values()]');
  const all = [...noted, ...Array.from({ length: Math.max(0, KEYS - noted.length) }, () => SHORTEST_MS)];
  return all.toSorted((a, b) => a - b)[Math.floor(all.length * 0.75)] ?? Number.NaN;
}
