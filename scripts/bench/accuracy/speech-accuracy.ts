import type { TranscriptionLanguageChoice } from '#contract/languages.ts'
import type { SpeechModel } from '#engine/models/model-entry.ts'
import type { SpeechBackendCache } from '#engine/speech/speech-backend-cache.ts'
import { transcribeRecording } from '#engine/speech/transcribe.ts'
import {
  chooseForWindow,
  concatenate,
  cutUtterance,
  languages,
  readTestAudio,
  readUtterances,
  withRecording,
} from './material.ts'
import type { Language, Utterance } from './material.ts'
import { ErrorCount, wordsOf } from './word-errors.ts'

export interface SpeechOptions {
  model: SpeechModel
  /** Holds the model from one call to the next; close it after the last. */
  backends: SpeechBackendCache
  /** Utterances per language, at most 100. */
  count: number
  onProgress: (done: string) => void
}

export interface LanguageFigures {
  language: Language
  given: ErrorCount
  auto: ErrorCount
  languageRight: number
  packed: ErrorCount
  packedWindows: number
  byCondition: Record<Utterance['condition'], ErrorCount>
}

const packedWindowCount = 10

/** Transcribes the test set: each utterance as a separate call with the language given and with `auto`, then packed calls. */
export async function measureSpeech(options: SpeechOptions): Promise<LanguageFigures[]> {
  const utterances = await readUtterances()
  const figures: LanguageFigures[] = []
  for (const language of languages) {
    const own = utterances.filter((utterance) => utterance.language === language).slice(0, options.count)
    const samples = await readTestAudio(language)
    const singles = await measureSingles(own, samples, options)
    const packed = await measurePacked(own, samples, options)
    figures.push({ language, ...singles, ...packed })
    options.onProgress(language)
  }
  return figures
}

async function measureSingles(utterances: Utterance[], samples: Float32Array, options: SpeechOptions) {
  const given = new ErrorCount()
  const auto = new ErrorCount()
  const byCondition = { clean: new ErrorCount(), noise: new ErrorCount(), telephone: new ErrorCount() }
  let languageRight = 0
  for (const utterance of utterances) {
    await withRecording(cutUtterance(samples, utterance), async (decoded) => {
      const withLanguage = await transcribe(decoded, utterance.language, options)
      given.add(utterance.text, withLanguage.transcription)
      byCondition[utterance.condition].add(utterance.text, withLanguage.transcription)
      const detected = await transcribe(decoded, 'auto', options)
      auto.add(utterance.text, detected.transcription)
      languageRight += detected.detected_language === utterance.language ? 1 : 0
    })
  }
  return { given, auto, languageRight, byCondition }
}

/** Measures calls of 20 to 28 s of speech, each transcribed as one window, whatever the model's catalogue entry allows. */
async function measurePacked(utterances: Utterance[], samples: Float32Array, options: SpeechOptions) {
  const packed = new ErrorCount()
  const model = { ...options.model, oneSpanPerWindow: false, maxWindowMs: 30_000 }
  for (let window = 0; window < packedWindowCount; window += 1) {
    const chosen = chooseForWindow(utterances, Math.floor((window * utterances.length) / packedWindowCount))
    const [first] = chosen
    if (!first) continue
    const call = concatenate(chosen.map((utterance) => cutUtterance(samples, utterance)))
    const result = await withRecording(call, (decoded) => transcribe(decoded, first.language, { ...options, model }))
    packed.add(chosen.map(({ text }) => text).join(' '), result.transcription)
  }
  return { packed, packedWindows: packed.texts }
}

/** Counts words transcribed in sound without speech, by the pipeline and by the model without it. */
export async function measureNonspeech(options: SpeechOptions): Promise<number> {
  const samples = await readTestAudio('nonspeech')
  const result = await withRecording(samples, (decoded) => transcribe(decoded, 'en', options))
  return wordsOf(result.transcription).length
}

type Decoded = Parameters<typeof transcribeRecording>[0]

function transcribe(decoded: Decoded, language: TranscriptionLanguageChoice, { model, backends }: SpeechOptions) {
  return transcribeRecording(decoded, { language, model, backends })
}
