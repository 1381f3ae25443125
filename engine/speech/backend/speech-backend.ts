/**
 * What every speech engine can do, whichever it is and wherever it runs. Nothing above this folder may know which one works: what an
 * engine lacks is said by its capabilities.
 */
export interface SpeechBackend {
  readonly capabilities: BackendCapabilities
  /**
   * The segments heard in a window of at most 30 s, 16 kHz, -1 to 1.
   *
   * @throws AppError `unsupported_language` for a language the engine does not have, `job_cancelled` on abort, `internal` where the
   * engine died twice or reached a limit; ChildMethodError where it refused the window
   */
  transcribe(samples: Float32Array, options: TranscribeWindowOptions): Promise<HeardWindow>
  /** How probable each language is in up to 30 s of sound; fails as `transcribe` does. Always costs a full encoder run. */
  detectLanguages(samples: Float32Array, options?: { signal?: AbortSignal }): Promise<LanguageProbabilities>
  /** CPU time used so far, as of the last answer. */
  cpuMs(): number
  /** Ends the engine and waits until its process has exited. */
  close(): Promise<void>
}

export interface BackendCapabilities {
  /** Name and version, such as `whisper.cpp 1.9.3`. */
  engine: string
  /** Whether the caller chooses how many encoder positions a window gets. */
  hasAudioContext: boolean
  hasBeamSearch: boolean
  /** Whether it can draw lots; an engine that searches can where it does not say. */
  hasTemperature?: boolean
  /** Whether words have times of their own; where not, they share their segment's. */
  hasWordTimes: boolean
  /** Whether a list of names can be given along. */
  hasPrompt: boolean
  hasLanguageDetection: boolean
  /** Windows that it takes side by side; 1 where it does not say. */
  parallelWindows?: number
}

export interface TranscribeWindowOptions {
  /** ISO 639-1 code. */
  language: string
  decoding: Decoding
  /** Words that are likely to be heard, as running text; none by default. */
  prompt?: string
  /** Encoder positions of 20 ms, 1500 for all; by default what the window needs, see `audioContextFactor`. */
  audioContext?: number
  signal?: AbortSignal
}

/** How the decoder searches. Thresholds as in OpenAI's Whisper; a decoding that misses one is repeated at the next temperature. */
export interface Decoding {
  /** Hypotheses followed at temperature 0; 1 is greedy. */
  beamSize: number
  /** First temperature, 0 to 1. */
  temperature: number
  /** Added to the temperature for each repetition up to 1; 0 never repeats. */
  temperatureStep: number
  /** Samples drawn at temperatures above 0, of which the most probable counts. */
  bestOf: number
  /** Entropy of the last tokens below which a decoding counts as a loop. */
  entropyThreshold: number
  /** Mean log-probability below which a decoding counts as failed. */
  logProbabilityThreshold: number
  /** Probability of no speech above which a failed decoding counts as silence. */
  noSpeechThreshold: number
  /**
   * How many times its own length the encoder takes a window for, silence behind it, up to all positions. 1 is cheapest; Whisper was
   * trained on 30 s, and a language that it hardly knows is heard better nearer to that.
   */
  audioContextFactor: number
}

export interface HeardWindow {
  segments: HeardSegment[]
  /** False where the engine stopped before the window's end: what begins at the end of the last segment was not heard yet. */
  isComplete: boolean
  /** Host of the server that decoded it, such as `10.0.0.5:8000`; missing for engines of this machine. */
  server?: string
}

/** A stretch of text. Times are milliseconds of the window. */
export interface HeardSegment {
  startMs: number
  endMs: number
  text: string
  words: HeardWord[]
  /** Mean of the tokens' log-probabilities; null where the engine does not tell. */
  logProbability: number | null
  /** Probability that the window holds no speech, 0 to 1; null where the engine does not tell. */
  noSpeech: number | null
  /** Bytes of the text by bytes of the text deflated; loops are above 2.4 (OpenAI's Whisper). */
  compressionRatio: number
}

export interface HeardWord {
  startMs: number
  endMs: number
  /** Without blanks around it. */
  text: string
  /** Mean probability of its tokens, 0 to 1; null where the engine does not tell. */
  confidence: number | null
}

/** Probabilities by ISO 639-1 code, 1 in all. */
export type LanguageProbabilities = Record<string, number>
