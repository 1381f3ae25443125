import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

// One project a kind of test: docs/architecture.md, "Tests". Files run in their own process, so that native code, sockets
// and child processes of one never reach another; two at a time, because the projects start engines of their own.
const node = {
  environment: 'node' as const,
  pool: 'forks' as const,
  testTimeout: 60_000,
  hookTimeout: 120_000,
}

export default defineConfig({
  test: {
    maxWorkers: 2,
    // No test and no process of one reads the settings of whoever runs it.
    env: { AWAZ_ENV_FILE: '' },
    projects: [
      {
        extends: true,
        test: {
          ...node,
          name: 'unit',
          include: ['{server,engine,scripts,testing}/**/*.test.ts'],
          exclude: ['**/*.{api,engine,real}.test.ts', 'node_modules/**'],
        },
      },
      { extends: true, test: { ...node, name: 'api', include: ['server/**/*.api.test.ts'] } },
      { extends: true, test: { ...node, name: 'coverage', include: ['testing/*.coverage.ts'] } },
      {
        extends: true,
        test: { ...node, name: 'engine', include: ['{engine,scripts}/**/*.engine.test.ts'], testTimeout: 180_000 },
      },
      {
        extends: true,
        test: {
          ...node,
          name: 'real',
          include: ['{engine,scripts}/**/*.real.test.ts'],
          testTimeout: 300_000,
          fileParallelism: false,
        },
      },
      {
        extends: './web/vite.config.ts',
        root: './web',
        test: {
          name: 'web',
          environment: 'happy-dom',
          // Typing is many renders, which takes its time on a machine that does other things too.
          testTimeout: 20_000,
          include: ['src/**/*.test.{ts,tsx}'],
          setupFiles: [join(import.meta.dirname, 'web/src/testing/setup.ts')],
          // Read by the test of colours; the others need no styles.
          css: { include: /app\/styles\.css/ },
        },
      },
      {
        extends: true,
        test: {
          ...node,
          name: 'e2e',
          include: ['web/e2e/**/*.test.ts'],
          testTimeout: 180_000,
          globalSetup: [join(import.meta.dirname, 'scripts/web/build-for-tests.ts')],
        },
      },
    ],
  },
})
