import { expect, test } from 'vitest'
import type { ModelEntry } from './model-entry.ts'
import { cpuDevice, findThisProcessor, type ModelMeasurement } from './measurements.ts'
import { describeModelWork, listMeasuredSizes } from './work-estimate.ts'
import { readCatalog, bundledModelsDir } from './catalog.ts'

const host = { processors: 2, memoryBytes: 8e9 }

function measure(cpuSPerS: number, overrides: Partial<ModelMeasurement> = {}): ModelMeasurement {
  return {
    engine: 'whisper.cpp',
    processor: findThisProcessor(),
    measuredAt: '2026-11-26T00:00:00.000Z',
    loadS: 1,
    device: cpuDevice,
    realTimeFactor: cpuSPerS,
    cpuSPerS,
    tokensPerS: null,
    peakMemoryBytes: 300e6,
    words: 30,
    ...overrides,
  }
}

async function describe(id: string, measurements: Record<string, ModelMeasurement>) {
  const entries = await readCatalog(bundledModelsDir)
  const entry = entries.find((each): each is ModelEntry => each.id === id)
  if (!entry) throw new Error(`No model ${id}`)
  const measuredSizes = await listMeasuredSizes(entries, measurements, bundledModelsDir)
  return describeModelWork(entry, { measurements, measuredSizes, host })
}

test('what was measured here counts as measured', async () => {
  expect(await describe('whisper-base', { 'whisper-base': measure(0.1) })).toEqual({
    cpu_s_per_s: 0.1,
    is_measured: true,
    keeps_up: true,
    has_memory: true,
  })
})

test('other sizes are estimated from the nearest measured one by their multiplications', async () => {
  const measurements = { 'whisper-base': measure(0.1), 'whisper-small': measure(0.5) }
  const medium = await describe('whisper-medium', measurements)
  expect(medium).toMatchObject({ is_measured: false, keeps_up: true, has_memory: true })
  expect(medium?.cpu_s_per_s).toBeCloseTo(0.5 * (701.4 / 211.8), 2)
  expect((await describe('whisper-tiny', measurements))?.cpu_s_per_s).toBeCloseTo(0.1 * (23.6 / 54.4), 2)
  expect(await describe('whisper-large-v3', measurements)).toMatchObject({ keeps_up: false, has_memory: true })
})

test('nothing is known without a measurement of this processor, nor of a model that is no Whisper', async () => {
  const elsewhere = { 'whisper-base': measure(0.1, { processor: 'another' }) }
  expect(await describe('whisper-small', elsewhere)).toMatchObject({ cpu_s_per_s: null, keeps_up: null })
  expect(await describe('omnilingual-ctc-300m', { 'whisper-base': measure(0.1) })).toMatchObject({ cpu_s_per_s: null })
})

test('a model that takes more than half of the memory has not enough, and a translation model has no work', async () => {
  const measurements = { 'whisper-base': measure(0.1, { peakMemoryBytes: 5e9 }) }
  expect(await describe('whisper-base', measurements)).toMatchObject({ has_memory: false })
  expect(await describe('demo-translator', {})).toBeNull()
})
