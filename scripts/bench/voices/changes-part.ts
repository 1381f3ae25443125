import { join } from 'node:path'
import type { SpeechBackendCache } from '#engine/speech/speech-backend-cache.ts'
import { concatenate } from '../accuracy/material.ts'
import { seededRandom, silence, testRate, writeWav } from '#testing/audio.ts'
import { createDeck } from './call-plan.ts'
import { corpusNames, readClips, readSamples, withFolder } from './clips.ts'
import type { Corpus } from './clips.ts'
import type { BenchContext } from './context.ts'
import { createBackends, transcribeFile } from './product.ts'
import { overlapMs } from './reference.ts'
import { percent } from './report.ts'
import type { Cells } from './report.ts'

/** Dari stands for Persian too: the product transcribes both as `fa`, and there are only nine Persian clips. */
const spoken = [
  { corpus: 'en', language: 'en' },
  { corpus: 'ar', language: 'ar' },
  { corpus: 'prs', language: 'fa' },
] as const
const pauseMs = 400
const turnsPerPair = 12
const targetShare = 0.95
/** Single clips of each language. */
const maxSingleClips = 30

interface Turn {
  language: string
  startMs: number
  endMs: number
}

/** Measures recordings in which the language changes after each sentence, for each ordered pair of languages, and single clips with `auto`. */
export async function measureChanges(context: BenchContext): Promise<void> {
  const { model, report, onProgress } = context
  const backends = createBackends()
  const rows: Record<string, Cells> = {}
  const all = { turns: 0, right: 0, missing: 0 }
  try {
    const voices = await readVoices(context.clips)
    await withFolder(async (folder) => {
      for (const first of spoken) {
        for (const second of spoken) {
          if (first === second) continue
          const path = join(folder, 'changes.wav')
          const turns = await writeTurns(path, [first, second], voices)
          const { result } = await transcribeFile(path, { model, language: 'multi', backends })
          const main = result.detected_language
          const heard = turns.map(({ language, startMs, endMs }) => {
            const lines = result.segments.map((line) => ({
              language: line.language ?? main,
              ms: overlapMs({ startMs: line.start * 1000, endMs: line.end * 1000 }, { startMs, endMs }),
            }))
            const own = lines.filter((line) => line.language === language).reduce((sum, { ms }) => sum + ms, 0)
            const any = lines.reduce((sum, { ms }) => sum + ms, 0)
            return { isRight: own > any / 2, isMissing: any < (endMs - startMs) / 2 }
          })
          const right = heard.filter(({ isRight }) => isRight).length
          const missing = heard.filter(({ isMissing }) => isMissing).length
          rows[`${first.corpus}, ${second.corpus}`] = { turns: turns.length, right, missing }
          all.turns += turns.length
          all.right += right
          all.missing += missing
          onProgress(`${first.corpus}, ${second.corpus}: ${right} of ${turns.length} right, ${missing} missing`)
        }
      }
    })
    await measureSingleClips(context, backends)
  } finally {
    await backends.close()
  }
  report.heading('Turns of a recording whose language changes after each sentence')
  report.table(rows)
  const share = all.right / all.turns
  report.verdict(
    `turns in the right language: ${percent(share)}%, at least ${percent(targetShare)}%`,
    share >= targetShare,
  )
  report.verdict(`turns without text: ${all.missing}, expected none`, all.missing === 0)
}

/** Measures how often `auto` gets the language of a single clip right. */
async function measureSingleClips({ model, report, onProgress, clips }: BenchContext, backends: SpeechBackendCache) {
  const rows: Record<string, Cells> = {}
  const all = { clips: 0, right: 0 }
  for (const { path, corpus, language } of await readClips({ perCorpus: Math.min(clips, maxSingleClips) })) {
    const { result } = await transcribeFile(path, { model, language: 'auto', backends })
    const row = (rows[corpusNames[corpus]] ??= { clips: 0, right: 0 })
    const isRight = result.detected_language === language
    row.clips = Number(row.clips) + 1
    row.right = Number(row.right) + Number(isRight)
    all.clips += 1
    all.right += Number(isRight)
    if (!isRight) onProgress(`a clip in ${corpusNames[corpus]} was told as ${result.detected_language ?? 'silence'}`)
  }
  report.heading('Single clips with `auto`: language told right')
  report.table(rows)
  const share = all.right / all.clips
  report.verdict(
    `clips in the right language: ${percent(share)}%, at least ${percent(targetShare)}%`,
    share >= targetShare,
  )
}

async function readVoices(perCorpus: number): Promise<Map<Corpus, Float32Array[]>> {
  const voices = new Map<Corpus, Float32Array[]>()
  for (const { corpus, path } of await readClips({ perCorpus })) {
    voices.set(corpus, [...(voices.get(corpus) ?? []), await readSamples(path)])
  }
  return voices
}

async function writeTurns(
  path: string,
  languages: readonly (typeof spoken)[number][],
  voices: Map<Corpus, Float32Array[]>,
): Promise<Turn[]> {
  const decks = languages.map(({ corpus }) => createDeck(voices.get(corpus)?.length ?? 0, seededRandom(9)))
  const parts: Float32Array[] = [silence(pauseMs)]
  const turns: Turn[] = []
  let samples = silence(pauseMs).length
  for (let at = 0; at < turnsPerPair; at += 1) {
    const { corpus, language } = languages[at % languages.length] ?? spoken[0]
    const sound = voices.get(corpus)?.[decks[at % languages.length]?.draw() ?? 0] ?? silence(0)
    const startMs = (samples * 1000) / testRate
    turns.push({ language, startMs, endMs: startMs + (sound.length * 1000) / testRate })
    parts.push(sound, silence(pauseMs))
    samples += sound.length + silence(pauseMs).length
  }
  await writeWav(path, [concatenate(parts)])
  return turns
}
