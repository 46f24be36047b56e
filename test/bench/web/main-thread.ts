import type { CDPSession } from 'playwright-core';

/** What the page's own thread has done since it was opened. */
export interface Done {
  /** Milliseconds of the processor: other work on the machine does not count. */
  cpuMs: number;
  heapMb: number;
  layouts: number;
}

/** Before anything is asked of it. */
export async function watchMainThread(devtools: CDPSession): Promise<void> {
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
}

export async function readMainThread(devtools: CDPSession): Promise<Done> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  return {
    cpuMs: of('TaskDuration') * 1000,
    heapMb: of('JSHeapUsedSize') / 1_000_000,
    layouts: of('LayoutCount') + of('RecalcStyleCount'),
  };
}

/** What is really held: without what only waits for a collection. */
export async function readHeap(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage');
  return (await readMainThread(devtools)).heapMb;
}
