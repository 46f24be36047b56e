import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    // Files share a process one after the other: what they import is read, compiled and warmed up once.
    isolate: false,
    // One more than the processors that CI has: tests that wait for another process leave theirs idle.
    maxWorkers: 3,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    globalSetup: ['test/support/servers.ts'],
  },
});
