import { spawnSync } from 'node:child_process'
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import {
  findFeatureProblems,
  findModelImports,
  findMutualFolders,
  findWrongDirections,
  readFeatureOrder,
} from './import-direction.ts'
import { findMissingReferences } from './missing-references.ts'
import { findRawNames } from './raw-names.ts'
import { readCode } from './source-files.ts'
import { findUnusedSettings } from './unused-settings.ts'

const root = dirname(dirname(import.meta.dirname))

/** Writes a repository with these files and our own configuration of the linter, the compiler and knip. */
async function writeRepository(files: Record<string, string>): Promise<string> {
  const folder = await temporaryFolder()
  for (const name of ['.oxlintrc.json', 'knip.json', 'package.json', 'tsconfig.json']) {
    await cp(join(root, name), join(folder, name))
  }
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  return folder
}

function run(folder: string, tool: string, args: string[] = []) {
  const { status, stdout } = spawnSync(process.execPath, [join(root, 'node_modules', tool), ...args], {
    cwd: folder,
    encoding: 'utf8',
  })
  return { status, stdout }
}

const testWith = (body: string) => `import { expect, test } from 'vitest'\ntest('a', () => {\n${body}\n})\n`

test.each([
  [
    'import(no-cycle)',
    {
      'engine/a.ts': "import type { B } from './b.ts'\nexport interface A {\n  b: B\n}\n",
      'engine/b.ts': "import type { A } from './a.ts'\nexport interface B {\n  a: A\n}\n",
    },
  ],
  ['vitest(expect-expect)', { 'engine/a.test.ts': testWith('  String(1)').replace('expect, ', '') }],
  ['vitest(no-conditional-expect)', { 'engine/a.test.ts': testWith('  if (process.pid) expect(1).toBe(1)') }],
  ['vitest(no-focused-tests)', { 'engine/a.test.ts': testWith('  expect(1).toBe(1)').replace('test(', 'test.only(') }],
])('the linter fails on %s', async (rule, files) => {
  const { status, stdout } = run(await writeRepository(files), 'oxlint/bin/oxlint')
  expect(stdout).toContain(rule)
  expect(status).toBe(1)
})

test('knip fails on an unused export', async () => {
  const folder = await writeRepository({
    'server/main.ts': "import { used } from './a.ts'\n\nused()\n",
    'server/a.ts': 'export function used() {}\nexport function neverUsed() {}\n',
  })
  const { status, stdout } = run(folder, 'knip/bin/knip.js', ['--no-progress', '--include', 'exports'])
  expect(stdout).toContain('neverUsed')
  expect(status).toBe(1)
})

test.each([
  ['server/features/users/a.ts', "import mongoose from 'mongoose'", 'mongoose'],
  ['engine/a.ts', "import type { ObjectId } from 'mongodb'", 'mongodb'],
  ['engine/a.ts', "const { Types } = await import('mongoose')", 'mongoose'],
  ['engine/a.ts', "import { app } from '#server/app.ts'", 'server/app.ts'],
  ['engine/jobs/a.ts', "import { app } from '../../server/http/app.ts'", 'server/http/app.ts'],
  ['server/features/users/a.ts', "export { a } from '#engine/a.ts'", 'engine/a.ts'],
  ['server/http/a.ts', "import type { User } from '#server/features/users/user.ts'", 'server/features/users/user.ts'],
  ['server/data/a.ts', "import { route } from '../http/route.ts'", 'server/http/route.ts'],
  ['server/contract/a.ts', "import { readFile } from 'node:fs/promises'", 'node:fs/promises'],
  ['server/embedded-db/a.ts', "import { clock } from '#data/clock.ts'", 'server/data/clock.ts'],
  ['web/src/a.ts', "import { readConfig } from '#data/config.ts'", 'server/data/config.ts'],
  ['web/src/a.ts', "import { join } from 'node:path'", 'node:path'],
])('%s may not contain %s', (path, text, target) => {
  expect(findWrongDirections([{ path, text }])).toEqual([expect.stringContaining(`${path} imports ${target}`)])
})

test('imports along the direction are allowed', () => {
  const files = [
    { path: 'server/features/users/a.ts', text: "import { a } from '#data/users/users.ts'\nimport Koa from 'koa'" },
    { path: 'server/data/users/users.ts', text: "import mongoose from 'mongoose'\nimport { z } from 'zod'" },
    { path: 'engine/a.test.ts', text: "import { startServer } from '#testing/server.ts'" },
  ]
  expect(findWrongDirections(files)).toEqual([])
})

test('only server/data and tests import the models of the database', () => {
  const text = "import {\n  listUsers,\n  userModel,\n} from '#data/users/users.ts'"
  const paths = ['server/features/users/service.ts', 'engine/a.ts', 'scripts/bench/a.ts']
  const allowed = ['server/data/users/users.ts', 'server/features/users/a.api.test.ts', 'testing/a.ts']
  expect(findModelImports([...paths, ...allowed].map((path) => ({ path, text })))).toEqual(
    paths.map(
      (path) => `${path} imports userModel of server/data/users/users.ts: only server/data may, use a repository`,
    ),
  )
})

test('features import only features that come before them, and each stands in the order', () => {
  const order = readFeatureOrder(
    '# A\n\n## Order of features\n\n1. `audit`\n2. `users`, `mail`: accounts\n\n## Next\n\n3. `x`\n',
  )
  expect(order).toEqual([['audit'], ['users', 'mail']])
  const files = [
    { path: 'server/features/users/a.ts', text: "import { record } from '../audit/service.ts'" },
    { path: 'server/features/audit/a.ts', text: "import type { User } from '#server/features/users/user.ts'" },
    { path: 'server/features/mail/a.ts', text: "import { user } from '../users/user.ts'" },
    { path: 'server/features/other/a.ts', text: '' },
  ]
  expect(findFeatureProblems(files, order)).toEqual([
    'docs/architecture.md, "Order of features", does not name other',
    expect.stringContaining('server/features/audit/a.ts imports server/features/users/user.ts'),
    expect.stringContaining('server/features/mail/a.ts imports server/features/users/user.ts'),
  ])
})

test('two folders that import each other are found, once, tests excepted', () => {
  const files = [
    { path: 'web/src/features/workspace/desk/desk.tsx', text: "import { Hits } from '../hits/hits.tsx'" },
    { path: 'web/src/features/workspace/hits/hits.tsx', text: "import type { Desk } from '../desk/desk-context.ts'" },
    { path: 'web/src/features/workspace/notes/notes.tsx', text: "import { useDesk } from '../desk/desk-context.ts'" },
    { path: 'web/src/features/workspace/desk/desk.test.tsx', text: "import { Notes } from '../notes/notes.tsx'" },
  ]
  expect(findMutualFolders(files, 'web/src/features/workspace/')).toEqual([
    expect.stringMatching(
      /workspace\/desk and .*workspace\/hits import each other: .*desk\.tsx imports .*hits\.tsx imports/,
    ),
  ])
  expect(findMutualFolders(files, 'web/src/features/')).toEqual([])
})

test('a setting that nothing reads is found', () => {
  const files = readCode(root).map(({ path, text }) => {
    if (path === 'server/data/settings.ts') {
      return {
        path,
        text: text.replace(
          '  PORT: {',
          "  UNREAD: { schema: text, help: '' },\n  UNUSED_ONE: { schema: text, help: '' },\n  PORT: {",
        ),
      }
    }
    return path === 'server/data/config.ts'
      ? {
          path,
          text: text.replace('    host: values.HOST,', '    host: values.HOST,\n    unusedOne: values.UNUSED_ONE,'),
        }
      : { path, text }
  })
  expect(findUnusedSettings(files.filter(({ path }) => !path.startsWith('scripts/check/')))).toEqual([
    'the setting UNREAD is read nowhere',
    'the value unusedOne of the configuration is used nowhere',
  ])
})

test('mentions of what is not there are found', () => {
  const docs = [
    {
      path: 'docs/a.md',
      text: '[page](missing.md) [there](architecture.md) `server/main.ts` `engine/missing.ts` `npm run missing` `NO_SUCH_NAME`',
    },
  ]
  const code = [
    {
      path: 'engine/a.ts',
      text: "// See docs/look.md, scripts/start.ts, a.ts and no-such-name.ts.\nconst text = 'server/not-checked.ts'\n",
    },
  ]
  expect(findMissingReferences({ root, code, docs, scripts: ['check'], readers: '' })).toEqual([
    'docs/a.md links to missing.md, which is missing',
    'docs/a.md mentions engine/missing.ts, which is missing',
    'engine/a.ts mentions docs/look.md, which is missing',
    'engine/a.ts mentions no-such-name.ts, which is missing',
    'docs/a.md mentions npm run missing, which is missing',
    'docs/a.md mentions NO_SUCH_NAME, which nothing reads',
  ])
})

test.each([
  ['<li>{recording.name}</li>', ['shows recording.name as it is: use Isolated']],
  ['<p>\n  Of {displayName(user)} alone\n</p>', ['shows displayName(user) as it is: use Isolated']],
  ['<li title={recording.name} />', ['shows recording.name in a plain text: use isolateName']],
  ['<Icon label={`Remove ${item.name}`} />', ['shows item.name in a plain text: use isolateName']],
  ['toastInfo(`${name} removed`)', ['shows name in a plain text: use isolateName']],
  ['<bdi>{text}</bdi>', ['has a bdi of its own: use Isolated']],
  ['<bdi dir="ltr">{seconds} s</bdi>', []],
  ['<Isolated className={classes.name}>{recording.name}</Isolated>', []],
  ['<li title={isolateName(name)} aria-label={`Of ${name}`} key={name} />', []],
])('a name in %j', (text, found) => {
  const path = 'web/src/features/a/row.tsx'
  const line = 1 + text.slice(0, text.indexOf('{')).split('\n').length - 1
  expect(findRawNames([{ path, text }])).toEqual(found.map((problem) => `${path}:${line} ${problem}`))
  expect(findRawNames([{ path: path.replace('.tsx', '.test.tsx'), text }])).toEqual([])
})
