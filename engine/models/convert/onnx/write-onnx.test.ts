import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mountSmallDisk } from '#testing/small-disk.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { OnnxGraph } from './onnx-graph.ts'
import type { GraphWeight } from './onnx-graph.ts'
import { writeOnnx } from './write-onnx.ts'

async function write(weight: GraphWeight, folder: string): Promise<void> {
  const graph = new OnnxGraph()
  graph.weight(weight)
  const model = { graph, inputs: [], outputs: [] }
  await writeOnnx(join(folder, 'model.onnx'), model, { onWeightBytes: () => undefined })
}

test('a model of more than 2 GiB is refused before anything is written', async () => {
  const folder = await temporaryFolder()
  const graph = new OnnxGraph()
  graph.weight({ type: 'float32', dims: [2 ** 29], read: () => [] })
  const model = { graph, inputs: [], outputs: [] }
  const writing = writeOnnx(join(folder, 'model.onnx'), model, { onWeightBytes: () => undefined })
  await expect(writing).rejects.toMatchObject({
    code: 'model_unavailable',
    message: expect.stringMatching(
      /model\.onnx would have 21474\d+ bytes, and a file in ONNX format has 2147483647 at most/u,
    ),
  })
  expect(await readdir(folder)).toEqual([])
})

test('the bytes of 2 GiB include the metadata', async () => {
  const folder = await temporaryFolder()
  const graph = new OnnxGraph()
  graph.weight({ type: 'int8', dims: [2 ** 31 - 500], read: () => [] })
  const model = { graph, inputs: [], outputs: [], metadata: { languages: 'x'.repeat(500) } }
  const writing = writeOnnx(join(folder, 'model.onnx'), model, { onWeightBytes: () => undefined })
  await expect(writing).rejects.toMatchObject({ code: 'model_unavailable' })
  expect(await readdir(folder)).toEqual([])
})

test('a disk that has room for a part of a weight only is an error', async ({ skip }) => {
  const folder = await temporaryFolder()
  if (!mountSmallDisk(folder, '2m')) skip()
  const weight: GraphWeight = { type: 'int8', dims: [3_000_000], read: () => [new Uint8Array(3_000_000)] }
  await expect(write(weight, folder)).rejects.toMatchObject({ code: 'ENOSPC' })
})

test('a weight that ends before its shape says is an error', async () => {
  const weight: GraphWeight = { type: 'int8', dims: [4], read: () => [new Uint8Array(3)] }
  await expect(write(weight, await temporaryFolder())).rejects.toThrow(
    'The weight w0 is 1 bytes shorter than its shape.',
  )
})
