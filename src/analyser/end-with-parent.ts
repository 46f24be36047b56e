import { Worker } from 'node:worker_threads';

const WATCH = `
  const { ppid } = process;
  setInterval(() => { if (process.ppid !== ppid) process.kill(process.pid, 'SIGKILL'); }, 1000);
`;

/**
 * Ends this process when its parent is gone. A thread looks, because a process that is caught in an endless loop hears
 * of nothing and would go on for ever.
 */
export function endWithParent(): void {
  process.on('disconnect', () => process.exit(0));
  new Worker(WATCH, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 16 } }).unref();
}
