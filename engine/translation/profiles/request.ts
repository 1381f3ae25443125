import type { LanguagePair } from '../prompt.ts'

/** A term and how it is to be translated. */
export interface GlossaryEntry {
  source: string
  target: string
}

/** A line said before the one to translate, with its translation where there is one. */
export interface EarlierLine {
  speaker: string | null
  text: string
  translation: string | null
}

/** What is known around a line. Every part may be missing. */
export interface LineContext {
  speaker?: string | null
  /** Oldest first. */
  before?: EarlierLine[]
}

/** One question to a translation model. */
export interface TranslationRequest {
  /** A line, or several as `1. …` where `isNumbered` says so. */
  text: string
  pair: LanguagePair
  context?: LineContext
  glossary?: GlossaryEntry[]
  isNumbered?: boolean
  /** True where the first answer was no translation: the same line is asked for in another way. */
  isRetry?: boolean
  /** Which of its less likely answers a second try takes; 0 by default. */
  draw?: number
}

/** A message of a chat. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant'
  text: string
}

/** What a model reads: a chat that ends with the user's message, or the beginning of a text that it continues. */
export type Prompt = { kind: 'chat'; messages: ChatMessage[] } | { kind: 'completion'; text: string }

/** How an answer is drawn. `temperature` 0 takes the most likely token each time. */
export interface Sampling {
  temperature: number
  topP: number
  topK: number
  /** 1 for none; undefined for the small one of the library. */
  repeatPenalty: number | undefined
  seed: number
}
