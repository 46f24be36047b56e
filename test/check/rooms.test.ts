import { describe, expect, test } from 'vitest';
import { checkRooms } from './rooms.ts';

const findings = (path: string, text: string) => checkRooms([{ path, text }]);

describe('who may import whom', () => {
  test.each([
    ['src/domain/issues/group.ts', `import { z } from 'zod';`, 'zod'],
    [
      'src/domain/issues/group.ts',
      `import type { Row } from '../../db/issues/entities.ts';`,
      'src/db/issues/entities.ts (types)',
    ],
    ['src/domain/issues/group.ts', `export { x } from '../../config.ts';`, 'src/config.ts'],
    ['src/domain/signals/structure/x.ts', `import { does } from '../../acts/act.ts';`, 'src/domain/acts/act.ts'],
    ['src/temporal/import-calls.ts', `import '@temporalio/workflow';`, '@temporalio/workflow'],
    ['src/contract/call.ts', `import { rows } from '../db/entities.ts';`, 'src/db/entities.ts'],
    ['src/db/calls/calls.ts', `import { call } from '../../contract/call.ts';`, 'src/contract/call.ts'],
    [
      'workflows/import-calls/import-calls.ts',
      `import { createActivities } from '../../activities/index.ts';`,
      'activities/index.ts',
    ],
    [
      'workflows/import-calls/import-calls.ts',
      `import { createTemporal } from '../../src/temporal/client.ts';`,
      'src/temporal/client.ts',
    ],
    ['src/services/runs/reserve.ts', `import { run } from '../../contract/run.ts';`, 'src/contract/run.ts'],
    [
      'src/services/runs/reserve.ts',
      `import { start } from '../../operations/runs/start-run.ts';`,
      'src/operations/runs/start-run.ts',
    ],
    ['workflows/import-calls/import-calls.ts', `import { readFile } from 'node:fs/promises';`, 'node:fs/promises'],
    ['api/app.ts', `import { createPlatforms } from '../src/platforms/registry.ts';`, 'src/platforms/registry.ts'],
    ['api/app.ts', `const x = await import('../workflows/index.ts');`, 'workflows/index.ts'],
    ['cli/show-issues.ts', `import { openDatabase } from '../src/db/database.ts';`, 'src/db/database.ts'],
    ['cli/show-issues.ts', `import { issue } from '../src/contract/issue.ts';`, 'src/contract/issue.ts'],
    ['activities/store.ts', `import { buildApp } from '../api/app.ts';`, 'api/app.ts'],
    [
      'src/operations/runs/start.ts',
      `import type {\n  Worker,\n} from '@temporalio/worker';`,
      '@temporalio/worker (types)',
    ],
  ])('%s may not: %s', (path, text, named) => {
    expect(findings(path, text)).toEqual([expect.stringContaining(`imports ${named}: `)]);
  });

  test.each([
    ['src/domain/issues/group.ts', `import { CODES } from '../vocabulary.ts';`],
    ['workflows/import-calls/import-calls.ts', `import type { Activities } from '../../activities/index.ts';`],
    ['workflows/import-calls/import-calls.ts', `import { IMPORT } from '../../src/temporal/import-calls.ts';`],
    ['cli/show-issues.ts', `import type { Issue } from '../src/contract/issue.ts';`],
    ['cli/up.ts', `import { createInstance } from '../packages/embedded/instance.ts';`],
    ['src/platforms/retell/adapter.ts', `import type { Outbound } from '../../outbound/outbound.ts';`],
  ])('%s may: %s', (path, text) => expect(findings(path, text)).toEqual([]));

  test('a file in no room is named', () => {
    expect(findings('src/helpers/misc.ts', '')).toEqual([expect.stringContaining('belongs to no room')]);
  });
});

describe('what only one room does', () => {
  test.each([
    ['src/operations/issues/list.ts', 'const rows = sql`select 1`;', 'speaks SQL'],
    ['api/app.ts', 'const answer = await fetch(url);', 'opens connections'],
    ['src/operations/issues/list.ts', 'const port = process.env.PORT;', 'reads the environment'],
    ['activities/fetch-calls.ts', `import { request } from 'node:https';`, 'opens connections'],
    [
      'src/operations/tests/create-test.ts',
      `import { specFromCall } from '../../domain/tests/from-call.ts';`,
      'reads in its own process what others wrote',
    ],
  ])('%s: %s', (path, text, what) => expect(findings(path, text)).toEqual([expect.stringContaining(what)]));

  test('the type of a socket opens none', () => {
    expect(findings('api/sockets.ts', `import type { Socket } from 'node:net';`)).toEqual([]);
  });
});
