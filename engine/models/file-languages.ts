import { open } from 'node:fs/promises'
import { hasExactInt8Here } from './cpu-features.ts'
import type { SpeechModel } from './model-entry.ts'
import { chooseFiles, readWhisperLanguages } from './sherpa-files.ts'

/** A Whisper of fewer words has no tokens for languages: whisper.cpp takes it for a model of English alone (`is_multilingual`). */
const minMultilingualVocabulary = 51_865
const vocabularyOffset = 4

/**
 * Returns those of the entry's languages that the model's file knows: an entry may promise more than its file holds. Only Whisper's files
 * tell; of all others the entry is believed. The file must have been verified.
 */
export async function languagesInFile(model: SpeechModel): Promise<string[]> {
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
