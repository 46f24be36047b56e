import { z } from 'zod';
import { listOf } from '../../contract/common.ts';
import { type VersionResource, version } from '../../contract/version.ts';
import { listVersions as readVersions, type VersionView } from '../../db/versions/read-versions.ts';
import { defineOperation } from '../operation.ts';
import { cursorParam, limitParam } from '../params.ts';
import { scopeOf } from '../scope-of.ts';

export const listVersions = defineOperation({
  id: 'listVersions',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}/versions',
  scope: 'read',
  tag: 'Versions',
  summary: 'List the versions of an agent',
  description:
    'Every version with captured configuration and every version that an analysed call ran on, newest first.',
  whenToUse: 'Call it to see whether a change of the agent made its calls better or worse, and which version is live.',
  query: { limit: limitParam(), cursor: cursorParam(z.int()) },
  response: listOf(version),
  async run(context, { query }) {
    const { agent } = context;
    const rows = await readVersions(context.em, scopeOf(agent), { beforeVersion: query.cursor, limit: query.limit });
    return context.page(
      rows,
      query.limit,
      (row) => presentVersion(row, agent.currentVersion),
      (row) => row.version,
    );
  },
});

function presentVersion(row: VersionView, currentVersion: number): VersionResource {
  return {
    object: 'version',
    version: row.version,
    isCurrent: row.version === currentVersion,
    configCaptured: row.configCaptured,
    detectedAt: row.detectedAt,
    configHash: row.configHash === null ? null : `sha256:${row.configHash.replace(/^sha256:/, '')}`,
    calls: row.calls,
    ...sharesOfVersion(row),
  };
}

export function sharesOfVersion({ contacts, resolved, transferred }: VersionView) {
  const share = (calls: number) => ({ value: contacts > 0 ? calls / contacts : null, n: contacts });
  return { gotItDone: share(resolved), handedOff: share(transferred) };
}
