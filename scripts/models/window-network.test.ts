import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bundledModelsDir } from '#engine/models/catalog.ts'
import { writeOnnx } from '#engine/models/convert/onnx/write-onnx.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { buildWindowNetwork } from './window-network.ts'

const folder = join(bundledModelsDir, 'vad')

test('the network in the repository is made from the file of its authors', async () => {
  const written = join(await temporaryFolder(), 'windows.onnx')
  const network = buildWindowNetwork(await readFile(join(folder, 'silero_vad_v5.onnx')))
  await writeOnnx(written, network, { onWeightBytes: () => undefined })
  const made = await readFile(written)
  expect(made.equals(await readFile(join(folder, 'silero_vad_v5_windows.onnx')))).toBe(true)
})

test('a file of another network is refused', async () => {
  const other = await readFile(join(folder, 'silero_vad_v5_windows.onnx'))
  expect(() => buildWindowNetwork(other)).toThrow('Expected a graph with the branch then_branch')
})
