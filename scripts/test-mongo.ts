// npm run test:mongo: runs the suites that use the database on a real MongoDB server. Says which one, or that none is available.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { requireMongoServer } from './test-runs/mongo-server.ts'

const root = dirname(import.meta.dirname)
const server = await requireMongoServer()
try {
  console.log(`MongoDB ${server.version} at ${/\/\/(?:[^@/]*@)?([^/?]+)/.exec(server.uri)?.[1]}`)
  console.log('Left out: tests that set the clock or break the file of the embedded database. npm test runs them.')
  const projects = ['unit', 'api', 'engine'].flatMap((name) => ['--project', name])
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const { status } = spawnSync(process.execPath, [vitest, 'run', ...projects, ...process.argv.slice(2)], {
    cwd: root,
    env: { ...process.env, MONGODB_URI: server.uri },
    stdio: 'inherit',
  })
  process.exitCode = status ?? 1
} finally {
  await server.stop()
}
