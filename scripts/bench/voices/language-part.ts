import { join } from 'node:path'
import { transcriptionLanguages } from '#contract/languages.ts'
import { decodeAudio } from '#engine/audio/decode.ts'
import type { SpeechEngine } from '#engine/speech/speech-engine.ts'
import { transcribeRecording } from '#engine/speech/transcribe.ts'
import { seededRandom, silence, testRate, writeWav } from '#testing/audio.ts'
import { concatenate } from '../accuracy/material.ts'
import { createDeck } from './call-plan.ts'
import { corpusNames, readClips, readSamples, withFolder } from './clips.ts'
import type { Corpus } from './clips.ts'
import type { BenchContext } from './context.ts'
import { startEngine } from './product.ts'
import { percent } from './report.ts'
import type { Cells } from './report.ts'

const shortestMs = 61_000
const mostRecordings = 20
const wantedShare = 0.95
/** Whisper takes much Dari for Pashto, which its speakers and neighbours share most sounds with. */
const right: Record<Corpus, string[]> = { en: ['en'], ar: ['ar'], fa: ['fa'], prs: ['fa', 'ps'] }

/** Recordings of a little over a minute, each of one language, clips in a random order: which language is told. */
export async function measureLanguage(context: BenchContext): Promise<void> {
  const { report, onProgress } = context
  const rows: Record<string, Cells> = {}
  const shares: { corpus: Corpus; share: number; isOutside: boolean }[] = []
  const engine = startEngine()
  try {
    for (const corpus of context.corpora) {
      const told = await tellLanguages(corpus, { ...context, engine })
      const share = told.filter((language) => right[corpus].includes(language)).length / told.length
      const outside = told.filter((language) => !transcriptionLanguages.some((code) => code === language))
      shares.push({ corpus, share, isOutside: outside.length > 0 })
      const counts = [...new Set(told)].map((code) => `${code} ${told.filter((one) => one === code).length}`)
      rows[corpusNames[corpus]] = { recordings: told.length, told: counts.join(', '), 'right, %': percent(share) }
      onProgress(`${corpusNames[corpus]}: ${counts.join(', ')}`)
    }
  } finally {
    await engine.close()
  }
  report.heading('Language of recordings of over a minute, told by the model')
  report.table(rows)
  for (const { corpus, share, isOutside } of shares) {
    const text = `${corpusNames[corpus]} told right: ${percent(share)}%, at least ${percent(wantedShare)}%`
    report.verdict(text, share >= wantedShare)
    if (isOutside) report.verdict(`${corpusNames[corpus]}: a language that is not enabled was told`, false)
  }
}

async function tellLanguages(
  corpus: Corpus,
  { model, engine, clips: most }: BenchContext & { engine: SpeechEngine },
): Promise<string[]> {
  const sounds: Float32Array[] = []
  for (const { path } of await readClips({ only: [corpus] })) sounds.push(await readSamples(path))
  const deck = createDeck(sounds.length, seededRandom(4))
  const told: string[] = []
  while (told.length < Math.min(most, mostRecordings)) {
    const parts: Float32Array[] = []
    for (let samples = 0; samples < (shortestMs * testRate) / 1000;) {
      const sound = sounds[deck.draw()] ?? silence(0)
      parts.push(sound, silence(400))
      samples += sound.length + silence(400).length
    }
    told.push(await tellLanguage(concatenate(parts), { model, engine }))
  }
  return told
}

/** Stops as soon as the language is known: what is said does not matter here. */
async function tellLanguage(
  samples: Float32Array,
  { model, engine }: Pick<BenchContext, 'model'> & { engine: SpeechEngine },
): Promise<string> {
  return withFolder(async (workDir) => {
    await writeWav(join(workDir, 'recording.wav'), [samples])
    const decoded = await decodeAudio(join(workDir, 'recording.wav'), { workDir })
    const stop = new AbortController()
    let told: string | null = null
    try {
      const result = await transcribeRecording(decoded, {
        model,
        engine,
        language: 'auto',
        signal: stop.signal,
        onProgress: ({ detected_language }) => {
          told = detected_language
          if (told !== null) stop.abort()
        },
      })
      return result.detected_language ?? 'none'
    } catch (error) {
      if (told !== null) return told
      throw error
    }
  })
}
