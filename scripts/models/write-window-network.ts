// node scripts/bootstrap.mjs scripts/models/write-window-network.ts: writes the network run by the speech detector (models/vad/README.md).
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bundledModelsDir } from '#engine/models/catalog.ts'
import { writeOnnx } from '#engine/models/convert/onnx/write-onnx.ts'
import { buildWindowNetwork } from './window-network.ts'

const folder = join(bundledModelsDir, 'vad')
const network = buildWindowNetwork(await readFile(join(folder, 'silero_vad_v5.onnx')))
await writeOnnx(join(folder, 'silero_vad_v5_windows.onnx'), network, { onWeightBytes: () => undefined })
