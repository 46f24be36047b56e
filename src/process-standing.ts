import { statfs } from 'node:fs/promises';
import type { Config } from './config.ts';
import type { ProcessStanding } from './domain/installation/findings.ts';
import { PACKAGE } from './layout.ts';

/** What this process says of itself with each sign of life. */
export async function processStanding({
  dataFolder,
  models,
  mail,
}: Pick<Config, 'dataFolder' | 'models' | 'mail'>): Promise<ProcessStanding> {
  const disk = await statfs(dataFolder).catch(() => null);
  return {
    version: PACKAGE.version,
    clockMs: Date.now(),
    model: models.chat?.model ?? null,
    sendsMail: mail !== null,
    freeBytes: disk && disk.bavail * disk.bsize,
  };
}
