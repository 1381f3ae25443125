import { access } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { AppError } from '#contract/app-error.ts'
import type { DecodedAudio } from '#engine/audio/decoded-audio.ts'
import type { SpeechSpan } from '#engine/audio/speech-span.ts'
import { ChildDied, ChildMethodError } from '#engine/child/child-error.ts'
import { startNativeChild, type NativeChild } from '#engine/child/native-child.ts'
import { retryOnceAfterCrash } from '#engine/child/retry-once-after-crash.ts'
import { bundledModelsDir } from '#engine/models/catalog.ts'
import { classifyBand } from './band.ts'
import type { ChannelSource } from './channel-source.ts'
import type { SpeakerMethods, SpeakerProgress } from './speaker-child.ts'
import type { SpeakerTurn, SpeakerTurns } from './speaker-turns.ts'

export interface FindSpeakersOptions {
  /** Number of speakers, if known. */
  voiceCount?: number
  /** Kills the child process; the call rejects with `job_cancelled`, or with the signal's reason if that is an AppError. */
  signal?: AbortSignal
  /** Called with the completed share of the work, 0 to 1. */
  onProgress?: (share: number) => void
  /** Default: the bundled networks. */
  networks?: SpeakerNetworks
}

/** The speech of one channel and the process that analyzes it. */
interface SpeakerSearch {
  child: NativeChild<SpeakerMethods>
  source: ChannelSource
  /** Never empty. */
  spans: SpeechSpan[]
  networks: SpeakerNetworks
  options: FindSpeakersOptions
}

/** A block of a meeting is one call into native code that takes about a minute of CPU time, during which the child sends nothing. */
const stallTimeoutMs = 15 * 60_000
/** Amount of speech from which the band is determined. */
const bandSpeechMs = 60_000

/** The networks for diarization, in sherpa-onnx's format, and thresholds tuned for them. */
interface SpeakerNetworks {
  /** Network for speaker embeddings of one or two seconds of audio. */
  embeddingPath: string
  /** Network for speaker segmentation of ten seconds in a room, including overlapping speech. */
  segmentationPath: string
  thresholds: {
    /** For telephone audio in recordings of more than ten minutes: minimum mean cosine between windows of one voice in a block. */
    telephoneBlocks: number
    /** For telephone audio: minimum similarity at which two voices are merged. See mergeSimilarVoices. */
    sameVoice: number
    /** For wide-band audio: maximum cosine distance within one voice in the diarization of sherpa-onnx. */
    room: number
    /** For wide-band audio in recordings of more than five minutes: minimum mean cosine between windows of one voice in two blocks. */
    roomBlocks: number
  }
}

export const bundledNetworks: SpeakerNetworks = {
  embeddingPath: join(bundledModelsDir, 'speakers', 'campplus-zh-en-fp16.onnx'),
  segmentationPath: join(bundledModelsDir, 'speakers', 'pyannote-segmentation-3.0-fp16.onnx'),
  thresholds: { telephoneBlocks: 0.74, sameVoice: 0.9, room: 0.8, roomBlocks: 0.5 },
}

/**
 * Diarizes one channel of a recording, in which `spans` are speech. All turns lie within the spans.
 *
 * Throws `model_unavailable` if a network is missing or damaged, `job_cancelled`, or `internal` if the child died twice. Leaves no process
 * running.
 */
export async function findSpeakers(
  decoded: DecodedAudio,
  channel: number,
  spans: SpeechSpan[],
  options: FindSpeakersOptions = {},
): Promise<SpeakerTurns> {
  if (spans.length === 0) return { turns: [], voiceCount: 0, band: 'telephone' }
  const { networks = bundledNetworks } = options
  await assertFilesExist(networks)
  const source = { pcmPath: decoded.pcmPath, channelCount: decoded.channelCount, channel }
  let hasDied = false
  let band: SpeakerTurns['band'] = 'telephone'
  const child = startNativeChild<SpeakerMethods>({
    name: 'The search for speakers',
    script: join(import.meta.dirname, 'speaker-child.ts'),
    stallTimeoutMs,
    prepare: async (call) => {
      band = classifyBand(await call('measureBand', { ...source, spans: takeFirstSpeech(spans) }))
      await call('load', { ...networks, band }).catch((error: unknown) => {
        // A damaged file ends the process, but so does a lack of memory: the first crash may be a coincidence.
        const isFirstCrash = error instanceof ChildDied && !hasDied
        hasDied = true
        if (isFirstCrash) throw error
        throw error instanceof ChildDied || error instanceof ChildMethodError ? damagedError(networks, error) : error
      })
    },
  })
  try {
    const found = await retryOnceAfterCrash(() => findTurns({ child, source, spans, networks, options }))
    options.onProgress?.(1)
    const turns = numberByAppearance(found)
    return { turns, voiceCount: new Set(turns.map(({ voice }) => voice)).size, band }
  } finally {
    await child.close()
  }
}

/** Segmentation networks merge voices in telephone audio, so windows of such audio are compared only by their embeddings. */
async function findTurns({ child, source, spans, networks, options }: SpeakerSearch): Promise<SpeakerTurn[]> {
  const { signal, voiceCount } = options
  const { telephoneBlocks, sameVoice, room, roomBlocks } = networks.thresholds
  const clustering = { blockThreshold: telephoneBlocks, sameVoice, voiceCount }
  const settings = { threshold: room, joinThreshold: roomBlocks, voiceCount }
  // The child emits nothing else.
  const onEvent = (share: unknown) => options.onProgress?.(share as SpeakerProgress)
  return child.call('findTurns', { ...source, spans, clustering, settings }, { signal, onEvent })
}

function takeFirstSpeech(spans: SpeechSpan[]): SpeechSpan[] {
  let remainingMs = bandSpeechMs
  return spans.flatMap(({ startMs, endMs }) => {
    const end = Math.min(endMs, startMs + remainingMs)
    remainingMs -= end - startMs
    return end > startMs ? [{ startMs, endMs: end }] : []
  })
}

function numberByAppearance(turns: SpeakerTurn[]): SpeakerTurn[] {
  const ordered = turns.toSorted((a, b) => a.startMs - b.startMs || a.endMs - b.endMs)
  const order = [...new Set(ordered.map(({ voice }) => voice))]
  return ordered.map((turn) => ({ ...turn, voice: order.indexOf(turn.voice) }))
}

async function assertFilesExist({ embeddingPath, segmentationPath }: SpeakerNetworks): Promise<void> {
  for (const path of [embeddingPath, segmentationPath]) {
    await access(path).catch((cause: unknown) => {
      throw new AppError('model_unavailable', `The diarization network ${basename(path)} is missing.`, {
        cause,
      })
    })
  }
}

function damagedError({ embeddingPath, segmentationPath }: SpeakerNetworks, cause: Error): AppError {
  const names = `${basename(embeddingPath)} or ${basename(segmentationPath)}`
  return new AppError('model_unavailable', `A diarization network cannot be read: ${names} is damaged.`, {
    help: 'Download the file again, or reinstall Awaz.',
    cause,
  })
}
