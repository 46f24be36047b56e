import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { round } from '../measure.ts';

const EVERY_MS = 200;

/** Resident memory of a process in megabytes, by the kernel where it says so in a file, else by `ps`; 0 once it is gone. */
export function residentMb(pid: number | undefined): number {
  try {
    const status = `/proc/${pid}/status`;
    const kilobytes = existsSync(status)
      ? /VmRSS:\s+(\d+)/.exec(readFileSync(status, 'utf8'))?.[1]
      : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
    return round((Number(kilobytes ?? 0) * 1024) / 1e6, 1);
  } catch {
    return 0;
  }
}

/** Looks now and then at how much a process holds. @returns what ends it and says what was seen, in order. */
export function watchMemory(pid: number | undefined): () => number[] {
  const seen: number[] = [];
  const look = () => {
    const megabytes = residentMb(pid);
    if (megabytes > 0) seen.push(megabytes);
  };
  look();
  const timer = setInterval(look, EVERY_MS);
  return () => {
    clearInterval(timer);
    return seen;
  };
}
