import { copyFile, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { findSpeechModel, findTranslationModel } from '../models/catalog.ts'
import { keepModelsLoaded, type LoadedModels } from './loaded-models.ts'

const translationModel = await findTranslationModel('demo-translator')
const speechModel = await findSpeechModel('demo-speech')
const toEnglish = { source: 'ps', target: 'en' }
const started: LoadedModels[] = []

afterEach(async () => {
  await Promise.all(started.splice(0).map((loaded) => loaded.close()))
})

function start(idleMs = 60_000): LoadedModels {
  const loaded = keepModelsLoaded({ threads: 1, idleMs })
  started.push(loaded)
  return loaded
}

/** Translates one text as a job does, and returns the completion and the translator. */
async function translateOnce(loaded: LoadedModels, signal?: AbortSignal) {
  return loaded.during(async () => {
    const translator = await loaded.translator(translationModel, { signal })
    const completion = await translator.complete('سلام زما ملګریه', toEnglish, { signal })
    return { translator, completion, pid: translator.pid() }
  })
}

test('keeps the translation model loaded for the next job', async () => {
  const loaded = start()
  const first = await translateOnce(loaded)
  const second = await translateOnce(loaded)
  expect(second.pid).toBe(first.pid)
  expect(second.completion).toMatchObject({ kind: 'completion', text: 'hello my friend' })
})

test('keeps one model in memory: speech unloads translation, and vice versa', async () => {
  const loaded = start()
  const { translator } = await translateOnce(loaded)
  const whisper = await loaded.during(() => loaded.speech.use(speechModel))
  expect(translator.pid()).toBeUndefined()
  expect(await loaded.during(() => loaded.speech.use(speechModel))).toBe(whisper)
  await translateOnce(loaded)
  await expect(whisper.detectLanguages(new Float32Array(16_000))).rejects.toMatchObject({ code: 'internal' })
})

test('describes the model in memory until it is unloaded', async () => {
  const loaded = start()
  expect([loaded.describe().model, loaded.has(translationModel.id)]).toEqual([null, false])
  await translateOnce(loaded)
  expect(loaded.describe().model).toMatchObject({ id: translationModel.id, kind: 'translation' })
  await loaded.during(() => loaded.speech.use(speechModel))
  expect(loaded.describe().model).toMatchObject({ id: speechModel.id, kind: 'speech' })
  expect([loaded.has(speechModel.id), loaded.has(translationModel.id)]).toEqual([true, false])
  await loaded.close()
  expect(loaded.has(speechModel.id)).toBe(false)
})

test('unloads the model after the idle time, and loads it again for the next job', async () => {
  const loaded = start(50)
  const { translator } = await translateOnce(loaded)
  await vi.waitFor(() => expect(translator.pid()).toBeUndefined())
  expect((await translateOnce(loaded)).completion).toMatchObject({ text: 'hello my friend' })
})

test('keeps the model of a job that takes longer than the idle time', async () => {
  const loaded = start(50)
  await translateOnce(loaded)
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
  const job = loaded.during(async () => {
    const translator = await loaded.translator(translationModel, {})
    await translator.complete('سلام زما ملګریه', toEnglish)
    const pid = translator.pid()
    await isOver
    return { before: pid, after: translator.pid() }
  })
  setTimeout(end, 300)
  const { before, after } = await job
  expect(after).toBe(before)
})

test('an idle time of zero frees the memory at the end of the job', async () => {
  const { translator } = await translateOnce(start(0))
  expect(translator.pid()).toBeUndefined()
})

test('a cancelled job leaves a working translator for the next one', async () => {
  const loaded = start()
  await translateOnce(loaded)
  await expect(translateOnce(loaded, AbortSignal.abort())).rejects.toMatchObject({ code: 'job_cancelled' })
  expect((await translateOnce(loaded)).completion).toMatchObject({ text: 'hello my friend' })
})

test('a replaced translation model is loaded again for the next job, and rejects further texts of the current one', async () => {
  const folder = await temporaryFolder()
  const path = join(folder, 'translator.gguf')
  await copyFile(translationModel.path, path)
  const model = { ...translationModel, path, sizeBytes: null, sha256: null }
  const loaded = start()
  const first = await loaded.translator(model, {})
  await first.complete('سلام زما ملګریه', toEnglish)
  expect(first.provenance()).toMatchObject({
    model_id: model.id,
    engine: 'llama.cpp',
    model_hash: translationModel.sha256,
  })

  const weights = await readFile(path)
  weights.writeUInt8((weights.at(-1) ?? 0) ^ 1, weights.length - 1)
  await writeFile(`${path}.new`, weights)
  await rename(`${path}.new`, path)
  await expect(first.complete('سلام زما ملګریه', toEnglish)).rejects.toThrow(
    'was replaced or removed while it was in use',
  )

  const second = await loaded.translator(model, {})
  expect(await second.complete('سلام زما ملګریه', toEnglish)).toMatchObject({ text: 'hello my friend' })
  expect(second.provenance().model_hash).not.toBe(first.provenance().model_hash)
  await rm(path)
  await expect(second.complete('سلام زما ملګریه', toEnglish)).rejects.toMatchObject({ code: 'model_unavailable' })
})
