import { z } from 'zod';
import { fileConfiguration } from '../contract/agent-settings.ts';
import { callRecord } from '../contract/record.ts';
import { runResult } from '../contract/run-result.ts';
import { testFile } from '../contract/test-file.ts';
import { keysOf } from '../domain/keys-of.ts';

/** What people write and pipelines read, as JSON Schemas for editors and validators. */
const PUBLISHED = {
  record: () => z.toJSONSchema(callRecord, { io: 'input' }),
  'agent-configuration': () => z.toJSONSchema(fileConfiguration, { io: 'input' }),
  test: () => z.toJSONSchema(testFile, { io: 'input' }),
  result: () => z.toJSONSchema(runResult, { io: 'output' }),
} as const;
export type SchemaName = keyof typeof PUBLISHED;
export const SCHEMA_NAMES = keysOf(PUBLISHED);

export const schemaOf = (name: SchemaName): object => PUBLISHED[name]();
