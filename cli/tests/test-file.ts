import { createHash } from 'node:crypto';
import type { TestResource } from '../../src/contract/test.ts';

/** A test as a file of the user's repository: YAML, or JSON, which is YAML. */
export interface TestFile {
  path: string;
  text: string;
  /** Null: not on the server yet. */
  id: string | null;
  /** The revision of the server that the file was last the same as. */
  revision: number | null;
  /** Of the content as it was pulled or pushed: another content has changes that the server does not know. */
  digest: string | null;
  title: string;
  lane: TestResource['lane'];
  expect: TestResource['expect'];
  guard: boolean;
  /** As it stands in the file; the server says whether it is sound. */
  spec: unknown;
  /** Line of a field such as `spec.criteria[0].text`, or of what comes nearest above it. */
  lineOf(param: string): number;
}

/** What is wrong with a file, at a line. */
export interface FileProblem {
  path: string;
  line: number;
  message: string;
}

type Content = Pick<TestFile, 'title' | 'lane' | 'expect' | 'guard' | 'spec'>;

/** The same for the same content, however it is laid out. */
export function digestOf({ title, lane, expect, guard, spec }: Content): string {
  const canonical = JSON.stringify([title, lane, expect, guard, spec], (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return createHash('sha256').update(canonical).digest('hex').slice(0, 16);
}

/** Whether the file still says what was pulled or pushed. */
export const isUntouched = (file: TestFile) => file.digest === digestOf(file);
