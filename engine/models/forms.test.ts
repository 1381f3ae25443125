import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findSpeechModel } from './catalog.ts'
import { describeForm, findBetterForm, findRunningForm } from './forms.ts'
import { findThisProcessor, saveMeasurement } from './measurements.ts'
import type { ModelMeasurement } from './measurements.ts'
import { speechEngineOf } from './speech-engines.ts'
import { demoSpeechPath, storeConfig, writeLocalCatalog } from './store/testing/models-folder.ts'

/** Returns a models folder with two formats of the same weights, and one format of different weights. */
async function installForms(given: { languages?: string[] } = {}): Promise<string> {
  const { modelsDir } = await storeConfig()
  for (const id of ['plain', 'fast', 'other']) await copyFile(demoSpeechPath, join(modelsDir, `${id}.bin`))
  await writeLocalCatalog(
    modelsDir,
    { id: 'plain', name: 'Plain', file: 'plain.bin' },
    { id: 'fast', name: 'Fast', file: 'fast.bin', weights: 'plain', ...given },
    { id: 'other', name: 'Other', file: 'other.bin' },
  )
  return modelsDir
}

const longAgo = '2020-01-01T00:00:00.000Z'

function measured(cpuSPerS: number, changes: Partial<ModelMeasurement> = {}): ModelMeasurement {
  return {
    engine: speechEngineOf({ sherpa: null }),
    processor: findThisProcessor(),
    // File times have more digits.
    measuredAt: new Date(Date.now() + 1000).toISOString(),
    loadS: 1,
    device: 'CPU, one thread',
    tokensPerS: null,
    realTimeFactor: cpuSPerS,
    cpuSPerS,
    peakMemoryBytes: 3e8,
    words: 20,
    ...changes,
  }
}

async function save(modelsDir: string, measurements: Record<string, ModelMeasurement>): Promise<void> {
  for (const [id, measurement] of Object.entries(measurements)) await saveMeasurement(modelsDir, id, measurement)
}

test('of several forms of the same weights the one that was measured as the cheapest runs, and both say why', async () => {
  const modelsDir = await installForms()
  await save(modelsDir, { plain: measured(0.2), fast: measured(0.12), other: measured(0.01) })
  const plain = await findSpeechModel('plain', modelsDir)
  expect((await findRunningForm(plain, modelsDir)).id).toBe('fast')
  expect(await describeForm(plain, modelsDir)).toBe(
    'Where it is chosen, Fast runs: 0.120 instead of 0.200 CPU s a second of sound on this processor.',
  )
  const fast = await findSpeechModel('fast', modelsDir)
  expect((await findRunningForm(fast, modelsDir)).id).toBe('fast')
  expect(await describeForm(fast, modelsDir)).toBe(
    'It runs where Plain is chosen: 0.120 instead of 0.200 CPU s a second of sound on this processor.',
  )
  expect(await describeForm(await findSpeechModel('other', modelsDir), modelsDir)).toBeNull()
})

test.each<[string, Record<string, ModelMeasurement>, { languages?: string[] }]>([
  ['when it was not measured', { plain: measured(0.2) }, {}],
  ['when the model itself was not measured', { fast: measured(0.1) }, {}],
  ['when it was measured on another processor', { plain: measured(0.2), fast: measured(0.1, { processor: 'x' }) }, {}],
  ['when another version of the engine ran it', { plain: measured(0.2), fast: measured(0.1, { engine: 'x 1' }) }, {}],
  ['when another version ran the model itself', { plain: measured(0.2, { engine: 'x 1' }), fast: measured(0.1) }, {}],
  ['when its file is newer', { plain: measured(0.2), fast: measured(0.1, { measuredAt: longAgo }) }, {}],
  ['when the file of the model is newer', { plain: measured(0.2, { measuredAt: longAgo }), fast: measured(0.1) }, {}],
  ['when it takes more CPU time', { plain: measured(0.2), fast: measured(0.3) }, {}],
  ['when it loses words of the sample', { plain: measured(0.2), fast: measured(0.1, { words: 17 }) }, {}],
  ['when it lacks a language', { plain: measured(0.2), fast: measured(0.1) }, { languages: ['en'] }],
])('another form does not run %s', async (_, measurements, given) => {
  const modelsDir = await installForms(given)
  await save(modelsDir, measurements)
  expect(await findBetterForm(await findSpeechModel('plain', modelsDir), modelsDir)).toBeUndefined()
})

test('a form that knows more languages says in whose place it runs', async () => {
  const modelsDir = await installForms({ languages: ['fa', 'en', 'ps'] })
  await save(modelsDir, { plain: measured(0.2), fast: measured(0.1) })
  expect(await describeForm(await findSpeechModel('fast', modelsDir), modelsDir)).toMatch(/^It runs where Plain/u)
})

test.each<[string, Record<string, ModelMeasurement>]>([
  ['nothing was measured', {}],
  ['the other form was measured before an update', { plain: measured(0.2), fast: measured(0.1, { engine: 'x 1' }) }],
])('each form says that it is to be verified where %s', async (_, measurements) => {
  const modelsDir = await installForms()
  await save(modelsDir, measurements)
  for (const id of ['plain', 'fast']) {
    expect(await describeForm(await findSpeechModel(id, modelsDir), modelsDir)).toBe(
      'Verify it: which form of its weights takes the least CPU time here is not known.',
    )
  }
  expect(await describeForm(await findSpeechModel('other', modelsDir), modelsDir)).toBeNull()
})
