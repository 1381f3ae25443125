import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildWebIfStale } from './build.ts'

let root = ''

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'awaz-web-build-'))
  await put('web/src/main.tsx', 'export {}')
  await put('package-lock.json', '{}')
})

afterEach(() => rm(root, { recursive: true, force: true }))

async function put(path: string, content: string) {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), content)
}

test('keeps a built web app where no build tools are installed, whatever its sources say', async () => {
  await put('web/dist/index.html', 'built elsewhere')
  await put('web/dist/.build-stamp', 'of other sources')

  await buildWebIfStale(root)

  expect(await readFile(join(root, 'web/dist/index.html'), 'utf8')).toBe('built elsewhere')
})

test('keeps a built web app that came without its sources', async () => {
  await rm(join(root, 'web/src'), { recursive: true })
  await put('web/dist/index.html', 'built elsewhere')
  await put('node_modules/vite/bin/vite.js', 'process.exit(1)')

  await buildWebIfStale(root)

  expect(await readFile(join(root, 'web/dist/index.html'), 'utf8')).toBe('built elsewhere')
})

test('says what to do where the web app is neither built nor can be', async () => {
  await expect(buildWebIfStale(root)).rejects.toThrow(/The web app is not built.*npm ci/s)
})

test('builds again where its sources changed', async () => {
  await put('web/dist/index.html', 'old')
  await put('web/dist/.build-stamp', 'of other sources')
  // Stands in for vite, which would build the whole app: writes the requested files to the requested place.
  await put(
    'node_modules/vite/bin/vite.js',
    `import { mkdirSync, writeFileSync } from 'node:fs'
     const out = process.argv[process.argv.indexOf('--outDir') + 1]
     mkdirSync(out, { recursive: true }); writeFileSync(out + '/index.html', 'new')`,
  )

  await buildWebIfStale(root)

  expect(await readFile(join(root, 'web/dist/index.html'), 'utf8')).toBe('new')
})
