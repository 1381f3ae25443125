import { open } from 'node:fs/promises'
import { hasExactInt8Here } from './cpu-features.ts'
import type { SpeechModel } from './model-entry.ts'
import { chooseFiles, readWhisperLanguages } from './sherpa-files.ts'

/** A Whisper with a smaller vocabulary has no language tokens: whisper.cpp treats it as English-only (`is_multilingual`). */
const minMultilingualVocabulary = 51_865
const vocabularyOffset = 4

/**
 * Returns the languages of an entry that the model's file supports, because an entry may name more. Only Whisper files name their
 * languages; for all other files the entry is trusted. The file must have been verified.
 */
export async function readFileLanguages(model: SpeechModel): Promise<string[]> {
  const known = await readKnown(model)
  return known ? model.languages.filter((code) => known.has(code)) : model.languages
}

async function readKnown(model: SpeechModel): Promise<Set<string> | undefined> {
  const { sherpa, path } = model
  if (!sherpa) return (await readVocabularySize(path)) < minMultilingualVocabulary ? new Set(['en']) : undefined
  if (sherpa.family !== 'whisper') return undefined
  const { encoder } = chooseFiles({ ...model, sherpa }, { hasExactInt8: await hasExactInt8Here() })
  return encoder && readWhisperLanguages(encoder.path)
}

async function readVocabularySize(path: string): Promise<number> {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, vocabularyOffset)
    return buffer.readInt32LE()
  } finally {
    await file.close()
  }
}
