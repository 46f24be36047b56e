import { join } from 'node:path';
import { readJson, writeWhole } from '../../src/files.ts';
import { isStillRunning, markProcess, type ProcessMark, sendSignal, waitForEnd } from './processes.js';
import type { Steps } from './steps.js';

/** Longer than our processes take to finish after their parent has gone. */
const LET_FINISH_MS = 40_000;

export interface NotedProcess extends ProcessMark {
  name: string;
}

/** Notes our processes, so that the start after a killed one knows which may still be ending. */
export function noteProcesses(dataFolder: string, processes: { name: string; pid: number }[]): void {
  const noted = processes.map(({ name, pid }) => ({ name, ...markProcess(pid) }));
  writeWhole(join(dataFolder, 'processes.json'), `${JSON.stringify(noted)}\n`);
}

/** Our processes that run now. */
export function runningProcesses(dataFolder: string): NotedProcess[] {
  const noted = readJson(join(dataFolder, 'processes.json'));
  return (Array.isArray(noted) ? (noted as NotedProcess[]) : []).filter(isStillRunning);
}

/** After a killed start its processes end by themselves, each finishing what it has in hand: they must be gone before others take their place. */
export async function endLeftovers(dataFolder: string, steps: Steps): Promise<void> {
  const running = runningProcesses(dataFolder);
  if (running.length === 0) return;
  const step = steps.begin('Earlier start');
  step.progress('its processes are finishing');
  for (const { pid } of running) sendSignal(pid, 'SIGTERM');
  for (const { pid } of running) if (!(await waitForEnd(pid, LET_FINISH_MS))) sendSignal(pid, 'SIGKILL');
  step.done('was killed; its processes have ended, its data goes on');
}
