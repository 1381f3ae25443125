import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeBillOfMaterials } from './bill-of-materials.ts'
import { listPackages } from './contents.ts'

test('lists every package of the release once, with its licence and hash', async () => {
  const lockfile: unknown = JSON.parse(await readFile(join(import.meta.dirname, '../../package-lock.json'), 'utf8'))
  const packages = listPackages(lockfile, { arch: 'x64', hasOwnFfmpeg: false })
  const sources = [{ spec: 'whisper.rn@0.7.4', license: 'MIT', integrity: 'sha512-AQI=' }]
  const bill = makeBillOfMaterials({ lockfile, packages, version: '1.2.3', sources }) as {
    metadata: object
    components: { name: string; purl: string; licenses?: object[]; hashes?: object[] }[]
  }
  expect(bill.metadata).toEqual({ component: { type: 'application', name: 'awaz', version: '1.2.3' } })
  const names = new Set(bill.components.map(({ name }) => name))
  expect(packages.filter((path) => !names.has(path.slice(path.lastIndexOf('node_modules/') + 13)))).toEqual([])
  expect(bill.components.filter(({ licenses, hashes }) => !licenses || !hashes).map(({ name }) => name)).toEqual([])
  expect(new Set(bill.components.map(({ purl }) => purl)).size).toBe(bill.components.length)
  expect(bill.components.find(({ name }) => name === 'whisper.rn')).toMatchObject({
    purl: 'pkg:npm/whisper.rn@0.7.4',
    licenses: [{ license: { id: 'MIT' } }],
    hashes: [{ alg: 'SHA-512', content: '0102' }],
  })
  expect(bill.components.find(({ name }) => name === '@koa/router')?.purl).toMatch(/^pkg:npm\/%40koa\/router@/)
})

test('a choice of licences is an expression', () => {
  const lockfile = { packages: { 'node_modules/a': { version: '1.0.0', license: '(MIT OR Apache-2.0)' } } }
  const bill = makeBillOfMaterials({ lockfile, packages: ['node_modules/a'], version: '1', sources: [] })
  expect(bill).toMatchObject({ components: [{ licenses: [{ expression: '(MIT OR Apache-2.0)' }] }] })
})
