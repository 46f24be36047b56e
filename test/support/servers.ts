import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** A PostgreSQL server on which tests may create databases; the URL names its maintenance database. */
    databaseServerUrl: string;
    /** A Temporal dev server with the search attributes of the product, or null where none could be had. */
    temporalAddress: string | null;
  }
}

/** One PostgreSQL and one Temporal server for the whole run. */
export default async function setup(project: TestProject) {
  project.provide('databaseServerUrl', process.env.EARSHOT_TEST_DATABASE_URL ?? '');
  project.provide('temporalAddress', process.env.EARSHOT_TEST_TEMPORAL ?? null);
}
