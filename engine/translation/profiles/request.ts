import type { LanguagePair } from '../prompt.ts'

/** A term and how it should be translated. */
export interface GlossaryEntry {
  source: string
  target: string
}

/** A line before the one to translate, with its translation if there is one. */
export interface EarlierLine {
  speaker: string | null
  text: string
  translation: string | null
}

/** The context of a line. Every part may be missing. */
export interface LineContext {
  speaker?: string | null
  /** Oldest first. */
  before?: EarlierLine[]
}

/** One request to a translation model. */
export interface TranslationRequest {
  /** A line, or with `isNumbered` several lines in the form `1. …`. */
  text: string
  pair: LanguagePair
  context?: LineContext
  glossary?: GlossaryEntry[]
  isNumbered?: boolean
  /** Whether the first completion was rejected: the prompt and the sampling then differ from the first try. */
  isRetry?: boolean
  /** Added to the sampling seed of a retry, so that another job samples a different completion; 0 by default. */
  seedOffset?: number
}

/** A message of a chat. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant'
  text: string
}

/** A chat that ends with the user's message, or a text for the model to continue. */
export type Prompt = { kind: 'chat'; messages: ChatMessage[] } | { kind: 'completion'; text: string }

/** Sampling parameters. A `temperature` of 0 always takes the most likely token. */
export interface Sampling {
  temperature: number
  topP: number
  topK: number
  /** 1 for none; undefined for the library's small default. */
  repeatPenalty: number | undefined
  seed: number
}
