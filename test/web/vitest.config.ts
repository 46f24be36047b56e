import { defineConfig } from 'vitest/config';

/** `npm run test:web`: the browser tests of `npm test`, and the long ones. */
export default defineConfig({
  test: {
    include: ['test/web/**/*.test.ts', 'test/web/**/*.journey.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    globalSetup: ['test/support/servers.ts'],
  },
});
