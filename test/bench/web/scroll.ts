import type { Page } from 'playwright-core';
import { type Figure, figure } from './figure.ts';
import { readHeap, readMainThread, watchMainThread } from './main-thread.ts';
import type { WebWorld, Window } from './world.ts';

const ROWS = 5_000;
const ROW_PX = 44;
const STEP_PX = 1_200;
const LONG_TASK_MS = 50;
const ROWS_IN_DOCUMENT = 200;
const HEAP_MB = 30;
const SVG_NODES = 1_500;
const TURNS_LAID_OUT = 200;
const QUIET_MS = 20_000;

/** Five thousand of a hundred thousand calls, down and down again. */
export async function measureScroll(world: WebWorld): Promise<Figure[]> {
  const ours = await open(world, world.places.calls);
  await ours.page.getByRole('row').nth(5).waitFor();
  const before = await readHeap(ours.devtools);
  const first = await scrollDown(ours.page);
  const after = await readHeap(ours.devtools);
  const second = await scrollDown(ours.page);
  const again = await readHeap(ours.devtools);
  await ours.close();
  const empty = await open(world, world.places.empty);
  await empty.page.evaluate(`document.querySelector('main').style.height = '${ROWS * ROW_PX}px'`);
  const bareBefore = await readHeap(empty.devtools);
  const bare = await scrollDown(empty.page);
  const bareAfter = await readHeap(empty.devtools);
  await empty.close();
  return [
    figure(
      'longest task while scrolling 5,000 rows',
      'ms',
      Math.max(first.longest, second.longest),
      bare.longest,
      LONG_TASK_MS,
    ),
    figure('rows in the document meanwhile', '', Math.max(first.rows, second.rows), null, ROWS_IN_DOCUMENT),
    figure('growth of the heap', 'MB', after - before, bareAfter - bareBefore, HEAP_MB),
    figure('growth of the heap in a second pass', 'MB', again - after, null, 1),
  ];
}

/** The browser leaves out what is far away: its children are in the document, for its own search, and cost nothing. */
const LAID_OUT = `[...document.querySelectorAll('ol[aria-label=Transcript] > li')]
  .filter((turn) => turn.firstElementChild.checkVisibility({ contentVisibilityAuto: true })).length`;

/** A long call is read like a short one: what is far away is not laid out. */
export async function measureLongCall(world: WebWorld): Promise<Figure[]> {
  const { page, close } = await open(world, world.places.longCall);
  await page.getByRole('list', { name: 'Transcript' }).waitFor();
  const nodes = await page.locator('svg[role=img] *').count();
  const turns = await page.evaluate<number>(LAID_OUT);
  await close();
  return [
    figure('nodes of the timeline of 400 turns', '', nodes, null, SVG_NODES),
    figure('turns of 400 that are laid out', '', turns, null, TURNS_LAID_OUT),
  ];
}

/** A page that nobody touches: what it asks for, and how often it is laid out anew. */
export async function measureIdle(world: WebWorld): Promise<Figure[]> {
  const [ours, empty] = [await quiet(world, world.places.issues), await quiet(world, world.places.empty)];
  return [
    figure('requests of an idle page in 20 s, beside the event stream', '', ours.requests, empty.requests, 0),
    figure('layouts of an idle page in 20 s', '', ours.layouts, empty.layouts, 0),
  ];
}

async function open(world: WebWorld, address: string): Promise<Window> {
  const window = await world.open();
  await watchMainThread(window.devtools);
  await window.page.goto(address);
  await window.page.getByRole('heading', { level: 1 }).waitFor();
  return window;
}

/** By the wheel, a screen at a time, waiting for rows that are on their way. */
async function scrollDown(page: Page): Promise<{ longest: number; rows: number }> {
  await page.evaluate(`
    scrollTo(0, 0);
    window.longest = 0;
    window.watching?.disconnect();
    window.watching = new PerformanceObserver((list) => list.getEntries().forEach(({ duration }) => { longest = Math.max(longest, duration); }));
    watching.observe({ type: 'longtask' });
  `);
  let rows = 0;
  for (let at = 0; at < ROWS * ROW_PX; at = await page.evaluate<number>('scrollY + innerHeight')) {
    await page.mouse.wheel(0, STEP_PX);
    rows = Math.max(rows, await page.evaluate<number>(`document.querySelectorAll('[role=row]').length`));
    await page.evaluate('new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))');
  }
  return { longest: await page.evaluate<number>('longest'), rows };
}

async function quiet(world: WebWorld, address: string): Promise<{ requests: number; layouts: number }> {
  const { page, devtools, close } = await open(world, address);
  await page.waitForTimeout(QUIET_MS / 4);
  let requests = 0;
  page.on('request', (request) => {
    if (!request.url().endsWith('/app/events')) requests += 1;
  });
  const before = await readMainThread(devtools);
  await page.waitForTimeout(QUIET_MS);
  const found = { requests, layouts: (await readMainThread(devtools)).layouts - before.layouts };
  await close();
  return found;
}
