import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { editDistance } from '#contract/edit-distance.ts'
import { foldedWords } from '#engine/evaluate/fold-transcript.ts'
import type { SpeechModel } from '#engine/models/model-entry.ts'
import { writeWav } from '#testing/audio.ts'
import { lacks } from '#testing/needs.ts'
import { realModelsDir } from '#testing/real-data.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { buildCall } from './call-sound.ts'
import { readClips } from './clips.ts'
import type { Corpus } from './clips.ts'
import { measureLines } from './line-figures.ts'
import { findModel, transcribeFile, createBackends } from './product.ts'
import { spread } from './report.ts'
import { listSounds } from './sounds.ts'

describe.skipIf(lacks('whisperBase', 'whisperOnnx', 'recordings'))('Whisper base on recordings of people', () => {
  /** The form that runs on processors like this one (docs/models.md). */
  let model: SpeechModel
  /** The same weights for whisper.cpp, used for English only, because they take twice as long. */
  let ggmlModel: SpeechModel

  beforeAll(async () => {
    model = await findModel('whisper-base-onnx', realModelsDir)
    ggmlModel = await findModel('whisper-base', realModelsDir)
  })

  // A few points above what was measured on these clips (docs/accuracy.md has the figures for all clips).
  test.each<[Corpus, number, number]>([
    ['en', 2, 10],
    ['ar', 2, 80],
    ['prs', 2, 80],
  ])('%s: the first %i clips have a WER of at most %i percent', async (corpus, perCorpus, max) => {
    const backends = createBackends()
    try {
      let [words, errors] = [0, 0]
      for (const { path, language, transcript } of await readClips({ only: [corpus], perCorpus })) {
        const heardBy = corpus === 'en' ? ggmlModel : model
        const { result } = await transcribeFile(path, { model: heardBy, language, backends })
        words += foldedWords(transcript).length
        errors += editDistance(foldedWords(transcript), foldedWords(result.transcription))
      }
      expect((errors / words) * 100).toBeLessThanOrEqual(max)
    } finally {
      await backends.close()
    }
  })

  test('a call keeps its times, its turns and its speakers', async () => {
    const folder = await temporaryFolder()
    const clips = await readClips({ only: ['en'], perCorpus: 8 })
    const call = await buildCall({ name: 'call', folder, clips, minutes: 0.75, seed: 3 })
    const { lines } = await transcribeFile(call.path, { model, language: 'en' })
    const figures = measureLines(lines, call.utterances)
    const said = new Set(figures.starts.map(({ utterance }) => utterance))
    expect(said.size).toBeGreaterThanOrEqual(call.utterances.length - 1)
    const { median, max } = spread(figures.starts.map(({ errorMs }) => errorMs))
    expect({ median, max }).toSatisfy(() => median <= 100 && max <= 1500)
    expect(figures.wordErrors / figures.words).toBeLessThan(0.2)
    const { overLongPause, overTurn, outOfOrder, wrongSpeaker } = figures
    expect({ overLongPause, overTurn, outOfOrder, wrongSpeaker }).toEqual({
      overLongPause: [],
      overTurn: [],
      outOfOrder: [],
      wrongSpeaker: [],
    })
  })

  test.each(['en', 'ps'] as const)('transcribes no word in %s without speech', async (language) => {
    const folder = await temporaryFolder()
    const backends = createBackends()
    try {
      for (const { name, source } of await listSounds()) {
        const path = typeof source === 'string' ? source : join(folder, 'sound.wav')
        if (typeof source !== 'string') await writeWav(path, [source])
        const { result } = await transcribeFile(path, { model, language, backends })
        expect([name, result.transcription]).toEqual([name, ''])
      }
    } finally {
      await backends.close()
    }
  })

  test('a repetition in another process gives the same text', async () => {
    const clip = (await readClips({ only: ['prs'], perCorpus: 4 })).at(-1)
    const options = { model: ggmlModel, language: clip?.language ?? 'fa' }
    const first = await transcribeFile(clip?.path ?? '', options)
    const second = await transcribeFile(clip?.path ?? '', options)
    expect(first.result.transcription).not.toBe('')
    expect(second.result.segments).toEqual(first.result.segments)
  })
})
