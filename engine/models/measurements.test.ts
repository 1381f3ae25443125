import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { readMeasurements, saveMeasurement } from './measurements.ts'
import type { ModelMeasurement } from './measurements.ts'

function measurement(cpuSPerS: number, processor = 'Xeon'): ModelMeasurement {
  return {
    engine: 'whisper.cpp 1.9.3',
    processor,
    measuredAt: '2026-11-22T05:00:00.000Z',
    loadS: 1,
    device: 'CPU, one thread',
    tokensPerS: null,
    realTimeFactor: cpuSPerS,
    cpuSPerS,
    peakMemoryBytes: 3e8,
    words: 20,
  }
}

test('the last measurement of each model is stored in the models folder', async () => {
  const folder = await temporaryFolder()
  await saveMeasurement(folder, 'base', measurement(0.3))
  await saveMeasurement(folder, 'base-onnx', measurement(0.1))
  await saveMeasurement(folder, 'base', measurement(0.2))
  expect(await readMeasurements(folder)).toEqual({ base: measurement(0.2), 'base-onnx': measurement(0.1) })
})

test('a missing or damaged file has none', async () => {
  const folder = await temporaryFolder()
  expect(await readMeasurements(folder)).toEqual({})
  await writeFile(join(folder, 'measured.json'), '{"base": 3}')
  expect(await readMeasurements(folder)).toEqual({})
})
