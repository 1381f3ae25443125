import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { databaseRecordFolder } from './testing/records.ts'
import { EnduranceOrder } from './testing/endurance-order.ts'
import { isEndurance } from './testing/rounds.ts'

// One project per kind of test: docs/architecture.md, "Tests". The files of a project share one process per worker, which loads each module
// only once, so a test must not leave state in a module where another could see it, and must stop what it started.
const node = {
  environment: 'node' as const,
  pool: 'forks' as const,
  isolate: false,
  testTimeout: 60_000,
  hookTimeout: 120_000,
  setupFiles: [join(import.meta.dirname, 'testing/setup.ts')],
}

/** Workers spend a quarter of their time waiting for servers, models and browsers, so one more than there are cores keeps them busy. */
const maxWorkers = availableParallelism() + 1

/** In a complete run, the suites that run the application record what the project `coverage` checks afterwards. */
const recording: Record<string, string> =
  process.env.AWAZ_WHOLE_RUN === '1' ? { AWAZ_API_COVERAGE: '1', AWAZ_DB_RECORD_DIR: databaseRecordFolder } : {}

/** Suites that run a second time with recordings in the database. */
const withEitherStore = [
  'server/features/audio/*.api.test.ts',
  'server/features/recordings/recordings.api.test.ts',
  'server/features/users/removal.api.test.ts',
  'server/data/recordings/{expire,reconcile-audio-store,remove}*.api.test.ts',
]

export default defineConfig({
  test: {
    maxWorkers,
    tags: [{ name: 'rounds', description: 'Repeats one thing; npm run test:endurance runs all of its rounds.' }],
    ...(isEndurance && { sequence: { sequencer: EnduranceOrder } }),
    // No test, and no process that it starts, reads the settings of the user who runs it.
    env: {
      AWAZ_ENV_FILE: '',
      // The minimum that the setting allows: each product that a test starts hashes a password before it is ready.
      BCRYPT_COST: '10',
      // Workers and the processes that tests start share compiled modules.
      NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.awaz/compile-cache'),
    },
    // After this time vitest exits without waiting for what its global setups started. A product takes up to 10 s to stop, and longer on a
    // busy machine.
    teardownTimeout: 60_000,
    // The same as testing/setup.ts sets for vi.waitFor.
    expect: { poll: { timeout: 15_000 } },
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
      { extends: true, test: { ...node, name: 'api', env: recording, include: ['server/**/*.api.test.ts'] } },
      {
        extends: true,
        test: { ...node, name: 'gridfs', env: { AWAZ_TEST_AUDIO_STORE: 'gridfs' }, include: withEitherStore },
      },
      {
        extends: true,
        test: { ...node, name: 'coverage', include: ['testing/*.coverage.ts'], sequence: { groupOrder: 1 } },
      },
      {
        extends: true,
        test: {
          ...node,
          name: 'engine',
          env: recording,
          include: ['{engine,scripts}/**/*.engine.test.ts'],
          testTimeout: 180_000,
        },
      },
      {
        extends: true,
        test: {
          ...node,
          // Otherwise the weights loaded by one file would stay in memory alongside those of the next.
          isolate: true,
          name: 'real',
          include: ['{engine,scripts}/**/*.real.test.ts'],
          testTimeout: 300_000,
        },
      },
      {
        extends: './web/vite.config.ts',
        root: './web',
        test: {
          name: 'web',
          maxWorkers,
          isolate: false,
          environment: 'happy-dom',
          // Typing causes many renders, which take a while on a busy machine.
          testTimeout: 20_000,
          include: ['src/**/*.test.{ts,tsx}'],
          setupFiles: ['testing/setup.ts', 'web/src/testing/setup.ts'].map((path) => join(import.meta.dirname, path)),
          // Read by the color test; the other tests need no styles.
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
          globalSetup: ['scripts/web/build-for-tests.ts', 'web/e2e/stack-host.ts'].map((path) =>
            join(import.meta.dirname, path),
          ),
        },
      },
    ],
  },
})
