import { basename, join } from 'node:path'
import { z } from 'zod'
import { readTextFile } from '../read-text-file.ts'
import { damagedFile, notConvertible } from './conversion-error.ts'
import { readJson } from './json-file.ts'

/** Text tokens by id, in GPT-2's byte-level alphabet. */
type Tokens = Map<number, string>

/** The smallest vocabulary of a multilingual model; whisper.cpp recognizes multilingual models by it too. */
const multilingualTokens = 51_865
const endOfText = '<|endoftext|>'

/** Files that may hold the vocabulary, in order of preference. */
const readers: [name: string, read: (path: string) => Promise<Tokens | undefined>][] = [
  ['vocab.json', readTable],
  ['vocabulary.json', readTable],
  ['vocabulary.txt', readLines],
  ['tokenizer.json', readTokenizer],
]

/**
 * Returns the bytes of every text token by id, as a ggml file lists them: all tokens before `<|endoftext|>`; whisper.cpp derives the
 * special tokens after it.
 *
 * @throws AppError `model_unavailable` if the folder has no vocabulary, or not that of a Whisper with this many tokens
 */
export async function readWords(folder: string, tokenCount: number): Promise<Buffer[]> {
  const { path, tokens } = await readVocabulary(folder)
  const wordCount = countWords(tokenCount)
  const endAt = [...tokens].find(([, token]) => token === endOfText)?.[0] ?? tokens.size
  if (endAt !== wordCount) {
    throw notConvertible(
      `The vocabulary ${path} has ${endAt} words, but a Whisper of ${tokenCount} tokens has ${wordCount}.`,
      `${basename(path)} belongs to another model: download it from the page of this one.`,
    )
  }
  return Array.from({ length: wordCount }, (_, number) => {
    const word = toBytes(tokens.get(number))
    if (!word) throw damagedFile(path, `its token ${number} is not a word of Whisper`)
    return word
  })
}

/** Returns the number of text tokens of a Whisper: all before `<|endoftext|>`. */
export function countWords(tokenCount: number): number {
  return isMultilingual(tokenCount) ? 50_257 : 50_256
}

/** Whether a Whisper with this many tokens is multilingual. */
export function isMultilingual(tokenCount: number): boolean {
  return tokenCount >= multilingualTokens
}

async function readVocabulary(folder: string): Promise<{ path: string; tokens: Tokens }> {
  for (const [name, read] of readers) {
    const path = join(folder, name)
    const tokens = await read(path)
    if (tokens) return { path, tokens }
  }
  throw notConvertible(
    `There is no vocabulary in ${folder}.`,
    `Put ${readers.map(([name]) => name).join(' or ')} there, from the page of the model or of the one that it was trained from.`,
  )
}

/** Reads an array of tokens, or an object that maps tokens to their ids. */
async function readTable(path: string): Promise<Tokens | undefined> {
  const content = await readJson(path)
  if (content === undefined) return undefined
  const table = z.union([z.array(z.string()), z.record(z.string(), z.int())]).safeParse(content)
  if (!table.success) throw damagedFile(path, 'it is not a vocabulary')
  if (Array.isArray(table.data)) return new Map(table.data.entries())
  return byNumber(table.data)
}

async function readLines(path: string): Promise<Tokens | undefined> {
  const text = await readTextFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  return text === undefined ? undefined : new Map(text.replace(/\n$/, '').split('\n').entries())
}

const Tokenizer = z.object({
  model: z.object({ vocab: z.record(z.string(), z.int()) }),
  added_tokens: z.array(z.object({ id: z.int(), content: z.string() })).default([]),
})

async function readTokenizer(path: string): Promise<Tokens | undefined> {
  const content = await readJson(path)
  if (content === undefined) return undefined
  const tokenizer = Tokenizer.safeParse(content)
  if (!tokenizer.success) throw damagedFile(path, 'it is not the tokenizer of a Whisper')
  const tokens = byNumber(tokenizer.data.model.vocab)
  for (const { id, content: token } of tokenizer.data.added_tokens) tokens.set(id, token)
  return tokens
}

function byNumber(numbers: Record<string, number>): Tokens {
  return new Map(Object.entries(numbers).map(([token, number]) => [number, token]))
}

/** GPT-2's byte-level alphabet: printable Latin-1 characters map to themselves, other bytes to characters from U+0100 on. */
const byteOfLetter = new Map<string, number>()
for (let byte = 0, hidden = 0; byte < 256; byte += 1) {
  const isVisible = (byte >= 33 && byte <= 126) || (byte >= 161 && byte !== 173)
  byteOfLetter.set(String.fromCodePoint(isVisible ? byte : 256 + hidden), byte)
  if (!isVisible) hidden += 1
}

/** Returns undefined for a token with characters outside that alphabet. */
function toBytes(token: string | undefined): Buffer | undefined {
  if (token === undefined) return undefined
  const bytes = [...token].map((letter) => byteOfLetter.get(letter))
  return bytes.every((byte) => byte !== undefined) ? Buffer.from(bytes) : undefined
}
