import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { z } from 'zod';
import { UserFacingError } from '../../src/user-facing-error.js';

/** What `temporal-dev.yaml` says about the local Temporal service, apart from where it listens and stores. */
export interface TemporalDevFile {
  namespace: string;
  /** `name=value`, as the server's flag takes them. */
  pragmas: string[];
  searchAttributes: Record<string, string>;
  retentionDays: number;
}

const FILE = fileURLToPath(new URL('../../temporal-dev.yaml', import.meta.url));
const composeFile = z.object({
  services: z.object({ temporal: z.object({ command: z.array(z.string()) }) }),
  'x-earshot': z.object({ retention: z.string().regex(/^\d+d$/, 'must be a number of days, as in 90d') }),
});

/** @throws UserFacingError that names the line at fault. */
export function readTemporalDevFile(file: string = FILE): TemporalDevFile {
  const parsed = composeFile.safeParse(parse(readFileSync(file, 'utf8')));
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0] ?? { path: [], message: 'it is empty' };
    throw new UserFacingError(
      `${file} cannot be used: ${path.join('.') || 'the file'}: ${message}. Fix that, then start again.`,
    );
  }
  const { command } = parsed.data.services.temporal;
  return {
    namespace: valuesOf(command, '--namespace')[0] ?? 'default',
    pragmas: valuesOf(command, '--sqlite-pragma'),
    searchAttributes: Object.fromEntries(valuesOf(command, '--search-attribute').map((pair) => splitPair(pair, file))),
    retentionDays: Number.parseInt(parsed.data['x-earshot'].retention, 10),
  };
}

/** Both forms of a flag: `--name value` and `--name=value`. */
function valuesOf(command: string[], flag: string): string[] {
  return command.flatMap((word, at) => {
    if (word.startsWith(`${flag}=`)) return [word.slice(flag.length + 1)];
    const next = command[at + 1];
    return word === flag && next !== undefined ? [next] : [];
  });
}

function splitPair(pair: string, file: string): [string, string] {
  const [name, type] = pair.split('=');
  if (!name || !type) throw new UserFacingError(`${file} cannot be used: --search-attribute ${pair} is not NAME=TYPE.`);
  return [name, type];
}
