import { importWithFailures } from '../../contract/import.ts';
import { readImportWarnings } from '../../db/calls/read-warnings.ts';
import {
  countNamesWaiting,
  countRedacted,
  readFailureReasons,
  readFailures,
  readImportGaps,
} from '../../db/imports/read-imports.ts';
import { remedyFor } from '../../domain/signals/remedies.ts';
import { lineOfRef, REASONS_MAX } from '../../temporal/import-calls.ts';
import { gapsOfAll } from '../ingest/gaps-tally.ts';
import { defineOperation } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';
import { importParent } from './parent.ts';
import { presentImport } from './present.ts';

const FAILURES_SHOWN = 100;

export const getImport = defineOperation({
  id: 'getImport',
  surface: 'app',
  method: 'GET',
  path: '/app/agents/{agentId}/imports/{importId}',
  scope: 'person',
  tag: 'Imports',
  summary: 'Read an import',
  description:
    'Its progress, what it waits for, the records that could not become calls, what was noted about the others, and which codes can be computed on none of its calls, with reasons.',
  parents: [importParent],
  response: importWithFailures,
  async run(context) {
    const row = context.parent(importParent);
    const scope = scopeOf(context.agent);
    const failures = await readFailures(context.em, scope, row.id, FAILURES_SHOWN);
    return {
      ...presentImport(row),
      reasons: await readFailureReasons(context.em, scope, row.id, REASONS_MAX),
      notComputable: gapsOfAll(await readImportGaps(context.em, scope, row.id)).map(({ reason, codes }) => ({
        reason,
        codes,
        remedy: remedyFor(reason),
      })),
      warnings: row.finishedAt === null ? [] : await readImportWarnings(context.em, scope, row.id),
      redacted: row.finishedAt === null ? {} : await countRedacted(context.em, scope, context.agent.id, row.id),
      namesWaiting: await countNamesWaiting(context.em, scope, context.agent.id, row.id),
      failures: failures.map(({ ref, reason }) => {
        const line = lineOfRef(ref);
        return { ref: line === null ? ref : `line ${line}`, reason };
      }),
    };
  },
});
