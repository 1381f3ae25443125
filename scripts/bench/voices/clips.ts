import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { TranscriptionLanguage } from '#contract/languages.ts'
import { decodeAudio } from '#engine/audio/decode.ts'
import { realDataDir } from '#testing/real-data.ts'

/** The languages of the recordings. Dari is Persian to every model and to the product. */
export const corpora = ['en', 'ar', 'fa', 'prs'] as const
export type Corpus = (typeof corpora)[number]

export const corpusNames: Record<Corpus, string> = { en: 'English', ar: 'Arabic', fa: 'Persian', prs: 'Dari' }

/** A recording of one utterance with its transcript. */
export interface Clip {
  path: string
  corpus: Corpus
  /** The language in which it is transcribed. */
  language: TranscriptionLanguage
  transcript: string
  seconds: number
}

const Row = z.tuple([z.string(), z.enum(corpora), z.string(), z.coerce.number().positive()], z.string())

/** Returns the clips of real-data/speech in the order of its manifest, at most `perCorpus` for each language. */
export async function readClips({
  perCorpus = Number.POSITIVE_INFINITY,
  only = corpora,
}: { perCorpus?: number; only?: readonly Corpus[] } = {}): Promise<Clip[]> {
  const manifest = await readFile(join(realDataDir, 'speech', 'manifest.tsv'), 'utf8')
  const clips = manifest
    .split('\n')
    .slice(1)
    .filter((line) => line !== '')
    .map((line) => {
      const [file, corpus, transcript, seconds] = Row.parse(line.split('\t'))
      const language: TranscriptionLanguage = corpus === 'prs' ? 'fa' : corpus
      return { path: join(realDataDir, 'speech', file), corpus, language, transcript, seconds }
    })
  return only.flatMap((corpus) => clips.filter((clip) => clip.corpus === corpus).slice(0, perCorpus))
}

/** Returns the first channel of a recording in any format, as samples from -1 to 1 at 16 kHz. */
export async function readSamples(path: string): Promise<Float32Array> {
  return withFolder(async (workDir) => {
    const { pcmPath, channelCount } = await decodeAudio(path, { workDir })
    const bytes = await readFile(pcmPath)
    const block = channelCount * 2
    return Float32Array.from({ length: bytes.length / block }, (_, at) => bytes.readInt16LE(at * block) / 32_768)
  })
}

/** Runs `use` with an empty folder that is removed afterwards. */
export async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'awaz-voices-'))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
