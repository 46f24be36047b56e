import type { ChildProcess } from 'node:child_process';

const TOLD_TO_END = 130;
const children = new Map<ChildProcess, NodeJS.Signals>();

process.once('exit', () => {
  for (const [child, signal] of children) child.kill(signal);
});

/** Has the child end with this process: one that is stopped does not notice by itself that it is alone. */
export function killAtExit(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): void {
  children.set(child, signal);
  child.once('exit', () => children.delete(child));
}

/** Has this process exit, and so end its children, when it is told to end or who started it is gone. */
export function exitWhenTold(): void {
  const exit = () => process.exit(TOLD_TO_END);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, exit);
  process.once('disconnect', exit);
  // To listen for its end must not keep this process from ending.
  process.channel?.unref();
}
