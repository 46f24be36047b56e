import { join } from 'node:path';
import { z } from 'zod';
import { readJson, writeWhole } from '../../src/files.ts';

/** What the command line of this machine signs in with: `.earshot/cli.json`, readable by its owner only. */
export interface LocalAccess {
  url: string;
  /** The write key `command line`. */
  key: string | null;
  /** The first person's refresh secret, which does not rotate. */
  session: string | null;
}

const stored = z.object({ url: z.string(), key: z.string().nullable(), session: z.string().nullable() });

export function readLocalAccess(dataFolder: string): LocalAccess | null {
  const parsed = stored.safeParse(readJson(join(dataFolder, 'cli.json')));
  return parsed.success ? parsed.data : null;
}

/** Secrets are shown once, when they are made: what is not new stays as it was. */
export function keepLocalAccess(dataFolder: string, { url, key, session }: LocalAccess): LocalAccess {
  const before = readLocalAccess(dataFolder);
  const access = { url, key: key ?? before?.key ?? null, session: session ?? before?.session ?? null };
  writeWhole(join(dataFolder, 'cli.json'), `${JSON.stringify(access)}\n`);
  return access;
}

/** Whether the API takes the key. A server that cannot say counts as yes: that is not the key's fault. */
export async function isAccepted({ url, key }: LocalAccess): Promise<boolean> {
  if (key === null) return false;
  try {
    const answer = await fetch(`${url}/v1/me`, { headers: { authorization: `Bearer ${key}` } });
    return answer.status !== 401;
  } catch {
    return true;
  }
}
