import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { foldedWords } from '#engine/evaluate/fold-transcript.ts'
import type { SpeechBackendCache } from '#engine/speech/speech-backend-cache.ts'
import { testRate, writeWav } from '#testing/audio.ts'
import { buildCall } from './call-sound.ts'
import { readClips, readSamples, withFolder } from './clips.ts'
import type { BenchContext } from './context.ts'
import { findLineFaults } from './line-faults.ts'
import { createBackends, transcribeFile } from './product.ts'
import { listSounds } from './sounds.ts'

const minutes = 60

/** Counts the invented and lost speech in an hour of clips in all languages, and the words transcribed from an hour without speech. */
export async function measureHour(context: BenchContext): Promise<void> {
  const backends = createBackends()
  try {
    await withFolder(async (temporary) => {
      const folder = context.keepDir ?? temporary
      await mkdir(folder, { recursive: true })
      await measureMixedClips(context, backends, folder)
      await measureSounds(context, backends, folder)
    })
  } finally {
    await backends.close()
  }
}

async function measureMixedClips(
  { model, corpora, seed, report }: BenchContext,
  backends: SpeechBackendCache,
  folder: string,
): Promise<void> {
  const clips = await readClips({ only: corpora })
  const { path, utterances } = await buildCall({ name: 'hour', folder, clips, minutes, seed })
  const { result, lines, cpuS, seconds } = await transcribeFile(path, { model, language: 'multi', backends })
  const { impossible, nobody, missing } = findLineFaults(lines, utterances, result.warnings)
  await writeFile(`${path}.json`, JSON.stringify({ result, faults: { impossible, nobody, missing } }, null, 1))
  report.heading(
    `An hour of mixed clips: ${utterances.length} utterances, ${lines.length} lines, CPU ${(cpuS / seconds).toFixed(3)}`,
  )
  report.verdict(`impossible lines: ${impossible.length}, expected none`, impossible.length === 0)
  report.verdict(`lines while nobody speaks: ${nobody.length}, expected none`, nobody.length === 0)
  report.verdict(`speech without text or warning: ${missing.length}, expected none`, missing.length === 0)
}

/** Counts the words transcribed from an hour of sounds in rotation, with a different sound on each channel. */
async function measureSounds(
  { model, report, onProgress }: BenchContext,
  backends: SpeechBackendCache,
  folder: string,
): Promise<void> {
  const sounds: Float32Array[] = []
  for (const { source } of await listSounds())
    sounds.push(typeof source === 'string' ? await readSamples(source) : source)
  const path = join(folder, 'hour-without-speech.wav')
  await writeWav(path, [fillHour(sounds, 0), fillHour(sounds, 7)])
  const words: string[] = []
  for (const language of ['auto', 'multi'] as const) {
    const { result } = await transcribeFile(path, { model, language, backends })
    const heard = result.segments.flatMap(({ text }) => foldedWords(text))
    if (heard.length > 0) onProgress(`an hour without speech (${language}): ${heard.join(' ')}`)
    words.push(...heard)
  }
  report.verdict(
    `words in an hour of noise, music, ringing and hold: ${words.length}, expected none`,
    words.length === 0,
  )
}

function fillHour(sounds: readonly Float32Array[], first: number): Float32Array {
  const hour = new Float32Array(minutes * 60 * testRate)
  for (let at = 0, index = first; at < hour.length; index += 1) {
    const sound = sounds[index % sounds.length] ?? hour
    hour.set(sound.subarray(0, hour.length - at), at)
    at += sound.length
  }
  return hour
}
