import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { isShipped } from '../../scripts/release/contents.ts'
import { bundledNetworks } from './find-speakers.ts'

const { embeddingPath, segmentationPath } = bundledNetworks

test.each([
  [embeddingPath, '6b4863a9c2054c0112b0a92c2c2a78ba6689eb07c69f16ca3e04bee918ba03b5'],
  [segmentationPath, 'f64b5864278827a81a5c4fb6993664f89fbde3ea9b9ab218392e8dc21c799580'],
])('%s matches the checksum in its README', async (path, sha256) => {
  const weights = await readFile(path)
  expect(createHash('sha256').update(weights).digest('hex')).toBe(sha256)
  expect(await readFile(join(dirname(path), 'README.md'), 'utf8')).toContain(`${sha256}  ${basename(path)}`)
})

test('the release contains the weights with their licences and notice', () => {
  const names = [basename(embeddingPath), basename(segmentationPath), 'LICENSE.campplus', 'LICENSE.pyannote', 'NOTICE']
  expect(names.filter((name) => !isShipped(`models/speakers/${name}`))).toEqual([])
})
