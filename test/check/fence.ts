import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckResult } from './check.ts';
import type { SourceFile } from './rooms.ts';

const SYSTEM = 'src/db/system/';

/** Tables without row security: what is found before anybody's workspace is known, or is nobody's. */
export const OUTSIDE_ROW_SECURITY = [
  'workspaces',
  'people',
  'identities',
  'memberships',
  'one_time_links',
  'invitations',
  'sessions',
  'api_keys',
  'ingest_tokens',
  'buckets',
  'model_accounts',
  'outbox_entries',
  'processes_seen',
  'installation_keys',
  'hook_addresses',
  'left_usage',
];
const TABLES = OUTSIDE_ROW_SECURITY.join('|');
const WRITTEN = new RegExp(`\\b(left join|join|from|into|update|delete from) "?(${TABLES})\\b`, 'g');
const BUILT = new RegExp(`\\.(\\w+)\\(\\s*\\[?\\s*['"](${TABLES})(?: as \\w+)?['"]`, 'g');

/** Rows name people by their ids; their names may stand beside them. */
const isName = (verb: string | undefined, table: string | undefined) =>
  (verb === 'left join' || verb === 'leftJoin') && table === 'people';

/** Statements of the product that name a table outside of row security, elsewhere than in the functions made for it. */
export function checkFence(files: SourceFile[]): string[] {
  return files
    .filter(({ path }) => path.startsWith('src/db/') && !path.startsWith(SYSTEM) && !path.endsWith('/entities.ts'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(WRITTEN), ...text.matchAll(BUILT)]
        .filter(([, verb, table]) => !isName(verb, table))
        .map(([, , table]) => `${path} asks ${table}, which has no row security: let a function of ${SYSTEM} do it.`),
    );
}

export function outsideTheFence(project: string): CheckResult {
  const paths = globSync('src/db/**/*.ts', { cwd: project });
  const findings = checkFence(paths.map((path) => ({ path, text: readFileSync(join(project, path), 'utf8') })));
  return {
    ok: findings.length === 0,
    text: `${paths.length} files of the database stay within row security`,
    details: findings.join('\n'),
  };
}
