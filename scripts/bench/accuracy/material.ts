import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { decodeAudio } from '#engine/audio/decode.ts'
import type { DecodedAudio } from '#engine/audio/decoded-audio.ts'
import { sampleRate } from '#engine/audio/decoded-audio.ts'
import { bundledModelsDir } from '#engine/models/catalog.ts'
import { writeWav } from '#testing/audio.ts'

/** Where models/demo/training/testset.py writes. */
const folder = join(bundledModelsDir, 'demo', 'training', 'testset')

export const languages = ['en', 'ps', 'ur', 'fa', 'ar'] as const
export type Language = (typeof languages)[number]

const Utterance = z.object({
  language: z.enum(languages),
  text: z.string(),
  condition: z.enum(['clean', 'noise', 'telephone']),
  startMs: z.number(),
  endMs: z.number(),
})
export type Utterance = z.infer<typeof Utterance>

const Parallel = z.object({ en: z.string(), ps: z.string(), ur: z.string(), fa: z.string(), ar: z.string() })
const Sentences = z.object({
  singles: z.array(Parallel),
  written: z.array(Parallel),
  unknownWords: z.array(Parallel),
  unknownTexts: z.array(z.string()),
})
export type Parallel = z.infer<typeof Parallel>
export type Sentences = z.infer<typeof Sentences>

export async function readSentences(): Promise<Sentences> {
  return Sentences.parse(JSON.parse(await readFile(join(folder, 'translation.json'), 'utf8')))
}

export async function readUtterances(): Promise<Utterance[]> {
  return z.array(Utterance).parse(JSON.parse(await readFile(join(folder, 'index.json'), 'utf8')))
}

/** Audio kept around an utterance; testset.py leaves at least this much. */
const leadMs = 300
const tailMs = 700

/** The utterance with the pauses around it. */
export function cutUtterance(samples: Float32Array, { startMs, endMs }: Utterance): Float32Array {
  const at = (ms: number) => Math.round((ms * sampleRate) / 1000)
  return samples.subarray(at(startMs - leadMs), at(endMs + tailMs))
}

/** Chooses consecutive utterances: a call whose speech, packed, fills one window of 20 to 28 s. */
export function chooseForWindow(utterances: Utterance[], first: number): Utterance[] {
  const chosen: Utterance[] = []
  let packedMs = 0
  for (let k = 0; k < utterances.length; k += 1) {
    const next = utterances[(first + k) % utterances.length]
    if (!next) break
    // 450 ms: what the packer keeps around each piece and inserts between two (engine/audio/windows.ts).
    packedMs += next.endMs - next.startMs + 450
    if (packedMs > 28_000) break
    chosen.push(next)
  }
  return chosen
}

/** Decodes samples, as a WAV file, through the product's own decoder, in a folder that is removed afterwards. */
export async function withRecording<T>(samples: Float32Array, use: (decoded: DecodedAudio) => Promise<T>): Promise<T> {
  return withFolder(async (workDir) => {
    const path = join(workDir, 'call.wav')
    await writeWav(path, [samples], sampleRate)
    return use(await decodeAudio(path, { workDir }))
  })
}

/** All samples of one of the test set's files. */
export async function readTestAudio(name: Language | 'nonspeech'): Promise<Float32Array> {
  return withFolder(async (workDir) => {
    const { pcmPath } = await decodeAudio(join(folder, `${name}.ogg`), { workDir })
    const bytes = await readFile(pcmPath)
    return Float32Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readInt16LE(index * 2) / 32768)
  })
}

async function withFolder<T>(use: (workDir: string) => Promise<T>): Promise<T> {
  const workDir = await mkdtemp(join(tmpdir(), 'awaz-accuracy-'))
  try {
    return await use(workDir)
  } finally {
    await rm(workDir, { recursive: true, force: true })
  }
}

export function concatenate(parts: Float32Array[]): Float32Array {
  const joined = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}
