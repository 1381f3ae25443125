import { join } from 'node:path'
import { transcriptionLanguages } from '#contract/languages.ts'
import { decodeAudio } from '#engine/audio/decode.ts'
import type { SpeechBackendCache } from '#engine/speech/speech-backend-cache.ts'
import { transcribeRecording } from '#engine/speech/transcribe.ts'
import { seededRandom, silence, testRate, writeWav } from '#testing/audio.ts'
import { concatenate } from '../accuracy/material.ts'
import { createDeck } from './call-plan.ts'
import { corpusNames, readClips, readSamples, withFolder } from './clips.ts'
import type { Corpus } from './clips.ts'
import type { BenchContext } from './context.ts'
import { createBackends } from './product.ts'
import { percent } from './report.ts'
import type { Cells } from './report.ts'

const minRecordingMs = 61_000
const maxRecordings = 20
const targetShare = 0.95
/** Whisper often detects Pashto for Dari, which shares most sounds with it. */
const correct: Record<Corpus, string[]> = { en: ['en'], ar: ['ar'], fa: ['fa'], prs: ['fa', 'ps'] }

/** Measures language detection on recordings of a little over a minute, each built from clips of one language in random order. */
export async function measureLanguage(context: BenchContext): Promise<void> {
  const { report, onProgress } = context
  const rows: Record<string, Cells> = {}
  const shares: { corpus: Corpus; share: number; isOutside: boolean }[] = []
  const backends = createBackends()
  try {
    for (const corpus of context.corpora) {
      const detected = await detectLanguages(corpus, { ...context, backends })
      const share = detected.filter((language) => correct[corpus].includes(language)).length / detected.length
      const outside = detected.filter((language) => !transcriptionLanguages.some((code) => code === language))
      shares.push({ corpus, share, isOutside: outside.length > 0 })
      const counts = [...new Set(detected)].map((code) => `${code} ${detected.filter((one) => one === code).length}`)
      rows[corpusNames[corpus]] = {
        recordings: detected.length,
        detected: counts.join(', '),
        'correct, %': percent(share),
      }
      onProgress(`${corpusNames[corpus]}: ${counts.join(', ')}`)
    }
  } finally {
    await backends.close()
  }
  report.heading('Detected language of recordings of over a minute')
  report.table(rows)
  for (const { corpus, share, isOutside } of shares) {
    const text = `${corpusNames[corpus]} detected correctly: ${percent(share)}%, at least ${percent(targetShare)}%`
    report.verdict(text, share >= targetShare)
    if (isOutside) report.verdict(`${corpusNames[corpus]}: a language that is not enabled was detected`, false)
  }
}

async function detectLanguages(
  corpus: Corpus,
  { model, backends, clips: maxClips }: BenchContext & { backends: SpeechBackendCache },
): Promise<string[]> {
  const sounds: Float32Array[] = []
  for (const { path } of await readClips({ only: [corpus] })) sounds.push(await readSamples(path))
  const deck = createDeck(sounds.length, seededRandom(4))
  const detected: string[] = []
  while (detected.length < Math.min(maxClips, maxRecordings)) {
    const parts: Float32Array[] = []
    for (let samples = 0; samples < (minRecordingMs * testRate) / 1000;) {
      const sound = sounds[deck.draw()] ?? silence(0)
      parts.push(sound, silence(400))
      samples += sound.length + silence(400).length
    }
    detected.push(await detectLanguage(concatenate(parts), { model, backends }))
  }
  return detected
}

/** Detects the language of a recording and cancels its transcription, whose text is not needed. */
async function detectLanguage(
  samples: Float32Array,
  { model, backends }: Pick<BenchContext, 'model'> & { backends: SpeechBackendCache },
): Promise<string> {
  return withFolder(async (workDir) => {
    await writeWav(join(workDir, 'recording.wav'), [samples])
    const decoded = await decodeAudio(join(workDir, 'recording.wav'), { workDir })
    const stop = new AbortController()
    let detected: string | null = null
    try {
      const result = await transcribeRecording(decoded, {
        model,
        backends,
        language: 'auto',
        signal: stop.signal,
        onProgress: ({ detected_language }) => {
          detected = detected_language
          if (detected !== null) stop.abort()
        },
      })
      return result.detected_language ?? 'none'
    } catch (error) {
      if (detected !== null) return detected
      throw error
    }
  })
}
