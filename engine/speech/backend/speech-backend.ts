/**
 * A speech recognition engine, local or remote. Code outside this folder must not depend on which engine it is: differences are expressed
 * as capabilities.
 */
export interface SpeechBackend {
  readonly capabilities: BackendCapabilities
  /**
   * Transcribes a window of at most 30 s, 16 kHz, -1 to 1.
   *
   * @throws AppError `unsupported_language` for a language that the engine does not support, `job_cancelled` on abort, `internal` if the
   * engine died twice or exceeded a limit; ChildMethodError if it rejected the window
   */
  transcribe(samples: Float32Array, options: TranscribeWindowOptions): Promise<TranscribedWindow>
  /** Detects the language of up to 30 s of audio; throws as `transcribe` does. Always takes a full encoder run. */
  detectLanguages(samples: Float32Array, options?: { signal?: AbortSignal }): Promise<LanguageProbabilities>
  /** Returns the CPU time used so far, as of the last result. */
  cpuMs(): number
  /** Stops the engine and waits for its process to exit. */
  close(): Promise<void>
}

export interface BackendCapabilities {
  /** Name and version, such as `whisper.cpp 1.9.3`. */
  engine: string
  /** Whether the caller can choose the audio context, the number of encoder positions of a window. */
  hasAudioContext: boolean
  hasBeamSearch: boolean
  /** Whether it can sample at a temperature; by default an engine with beam search can. */
  hasTemperature?: boolean
  /** Whether it returns word timestamps; otherwise the words share the time of their segment. */
  hasWordTimes: boolean
  /** Whether it accepts an initial prompt or hotwords. */
  hasPrompt: boolean
  hasLanguageDetection: boolean
  /** Whether it looks for `keywords` that may have been said instead of what it wrote; false by default. */
  hasNearlyHeard?: boolean
  /** Number of windows that it transcribes in parallel; 1 by default. */
  parallelWindows?: number
}

export interface TranscribeWindowOptions {
  /** ISO 639-1 code. */
  language: string
  decoding: Decoding
  /** Initial prompt: words that are likely to occur, as running text; none by default. */
  prompt?: string
  /** Words to look for where the text has other words that sound alike; none by default. They do not change the text. */
  keywords?: readonly string[]
  /** Encoder positions of 20 ms, at most 1500; by default derived from the window (see `audioContextFactor`). */
  audioContext?: number
  signal?: AbortSignal
}

/** Decoding parameters. Thresholds are as in OpenAI's Whisper; a decoding that fails one of them falls back to the next temperature. */
export interface Decoding {
  /** Beam size at temperature 0; 1 is greedy. */
  beamSize: number
  /** First temperature, 0 to 1. */
  temperature: number
  /** Increment of the temperature for each fallback up to 1; 0 disables fallbacks. */
  temperatureStep: number
  /** Number of candidates sampled at temperatures above 0; the most probable is used. */
  bestOf: number
  /** Entropy of the last tokens below which a decoding counts as a repetition loop. */
  entropyThreshold: number
  /** Mean log-probability below which a decoding counts as failed. */
  logProbabilityThreshold: number
  /** No-speech probability above which a failed decoding counts as silence. */
  noSpeechThreshold: number
  /**
   * Audio context of a window as a multiple of its length, padded with silence; 30 stands for all positions, as Whisper was trained. Less
   * is cheaper, but only suits models that were trained with less.
   */
  audioContextFactor: number
}

export interface TranscribedWindow {
  segments: TranscribedSegment[]
  /** False if the engine stopped early: the audio after the end of the last segment is not transcribed yet. */
  isComplete: boolean
  /** Host of the server that transcribed it, such as `10.0.0.5:8000`; absent for local engines. */
  server?: string
}

/** A segment returned by the engine. Times are milliseconds from the start of the window. */
export interface TranscribedSegment {
  startMs: number
  endMs: number
  text: string
  words: TranscribedWord[]
  /** Mean log-probability of the tokens; null if the engine does not report it. */
  meanLogProbability: number | null
  /** Probability that the window contains no speech, 0 to 1; null if the engine does not report it. */
  noSpeechProbability: number | null
  /** Length of the text divided by its compressed length; above 2.4 for repetition loops (OpenAI's Whisper). */
  compressionRatio: number
}

export interface TranscribedWord {
  startMs: number
  endMs: number
  /** Without surrounding whitespace. */
  text: string
  /** Mean probability of its tokens, 0 to 1; null if the engine does not report it. */
  confidence: number | null
  /** Keywords that may have been said starting at this word; omitted if there are none. */
  nearlyHeard?: NearlyHeard[]
}

/** A keyword that may have been said instead of words in the text. */
export interface NearlyHeard {
  keyword: string
  /** The number of words that it would replace. */
  count: number
  /** 0 to 1. */
  probability: number
}

/** Probabilities by ISO 639-1 code; they sum to 1. */
export type LanguageProbabilities = Record<string, number>
