import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { OnnxGraph } from './onnx-graph.ts'
import type { GraphWeight } from './onnx-graph.ts'
import { writeOnnx } from './write-onnx.ts'

async function write(weight: GraphWeight): Promise<string> {
  const folder = await temporaryFolder()
  const graph = new OnnxGraph()
  graph.weight(weight)
  const model = { graph, inputs: [], outputs: [] }
  await writeOnnx(join(folder, 'model.onnx'), model, { onWeightBytes: () => undefined })
  return folder
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

test('a weight that ends before its shape says is an error', async () => {
  await expect(write({ type: 'int8', dims: [4], read: () => [new Uint8Array(3)] })).rejects.toThrow(
    'The weight w0 is 1 bytes shorter than its shape.',
  )
})
