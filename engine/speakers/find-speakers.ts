import { access } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { AppError } from '#contract/app-error.ts'
import type { DecodedAudio } from '#engine/audio/decoded-audio.ts'
import type { SpeechSpan } from '#engine/audio/speech-span.ts'
import { ChildDied, ChildMethodError } from '#engine/child/child-error.ts'
import { startNativeChild } from '#engine/child/native-child.ts'
import type { NativeChild } from '#engine/child/native-child.ts'
import { bandOf } from './band.ts'
import type { ChannelSource } from './channel-source.ts'
import type { SpeakerMethods, SpeakerProgress } from './speaker-child.ts'
import { bundledNetworks } from './speaker-networks.ts'
import type { SpeakerNetworks } from './speaker-networks.ts'
import type { SpeakerTurn, SpeakerTurns } from './speaker-turns.ts'

export interface FindSpeakersOptions {
  /** How many people speak, where that is known. */
  voiceCount?: number
  /** Kills the child process; the call rejects with `job_cancelled`, or with the signal's reason where that is an AppError. */
  signal?: AbortSignal
  /** Called now and then with the share of the work that is done, 0 to 1. */
  onProgress?: (share: number) => void
  /** Those that come with Awaz by default. */
  networks?: SpeakerNetworks
}

/** The speech of one channel and the process that listens to it. */
interface SpeakerSearch {
  child: NativeChild<SpeakerMethods>
  source: ChannelSource
  /** Never empty. */
  spans: SpeechSpan[]
  networks: SpeakerNetworks
  options: FindSpeakersOptions
}

/** A block of a meeting is one call into native code, a minute of CPU time: meanwhile the child says nothing. */
const stallTimeoutMs = 15 * 60_000
/** Speech by which the band is told. */
const bandMs = 60_000

/**
 * Tells which voice speaks when in one channel of a recording, in which `spans` are speech. No turn lies outside of them.
 *
 * Fails with `model_unavailable` where a network is missing or damaged, with `job_cancelled`, or with `internal` where the child
 * died twice. No process is left running.
 */
export async function findSpeakers(
  decoded: DecodedAudio,
  channel: number,
  spans: SpeechSpan[],
  options: FindSpeakersOptions = {},
): Promise<SpeakerTurns> {
  if (spans.length === 0) return { turns: [], voiceCount: 0, band: 'telephone' }
  const { networks = bundledNetworks } = options
  await requireFiles(networks)
  let hasDied = false
  const child = startNativeChild<SpeakerMethods>({
    name: 'The search for speakers',
    script: join(import.meta.dirname, 'speaker-child.ts'),
    stallTimeoutMs,
    prepare: async (call) => {
      await call('load', networks).catch((error: unknown) => {
        // A damaged file ends the process, and so does a machine that is short of memory: the first time may be chance.
        const isFirstDeath = error instanceof ChildDied && !hasDied
        hasDied = true
        if (isFirstDeath) throw error
        throw error instanceof ChildDied || error instanceof ChildMethodError ? damaged(networks, error) : error
      })
    },
  })
  const source = { pcmPath: decoded.pcmPath, channelCount: decoded.channelCount, channel }
  const search = () => searchOnce({ child, source, spans, networks, options })
  try {
    return await search().catch((error: unknown) => {
      if (error instanceof ChildDied) return search()
      throw error
    })
  } finally {
    await child.close()
  }
}

async function searchOnce(search: SpeakerSearch): Promise<SpeakerTurns> {
  const { child, source, spans, options } = search
  const highDb = await child.call('measureBand', { ...source, spans: firstSpeech(spans) }, { signal: options.signal })
  const band = bandOf(highDb)
  const turns = numberByAppearance(await findTurns(search, band))
  options.onProgress?.(1)
  return { turns, voiceCount: new Set(turns.map(({ voice }) => voice)).size, band }
}

/** In sound from a telephone segmentation networks merge voices: there windows are compared by their vectors alone. */
async function findTurns(
  { child, source, spans, networks, options }: SpeakerSearch,
  band: SpeakerTurns['band'],
): Promise<SpeakerTurn[]> {
  const { signal, voiceCount } = options
  const { telephoneBlocks, sameVoice, room, roomBlocks } = networks.thresholds
  // Shares are all that the child emits.
  const onEvent = (share: unknown) => options.onProgress?.(share as SpeakerProgress)
  if (band === 'telephone') {
    const clustering = { blockThreshold: telephoneBlocks, sameVoice, voiceCount }
    return child.call('findTurns', { ...source, spans, clustering }, { signal, onEvent })
  }
  const settings = { threshold: room, joinThreshold: roomBlocks, voiceCount }
  return child.call('findRoomTurns', { ...source, spans, settings }, { signal, onEvent })
}

function firstSpeech(spans: SpeechSpan[]): SpeechSpan[] {
  let leftMs = bandMs
  return spans.flatMap(({ startMs, endMs }) => {
    const end = Math.min(endMs, startMs + leftMs)
    leftMs -= end - startMs
    return end > startMs ? [{ startMs, endMs: end }] : []
  })
}

function numberByAppearance(turns: SpeakerTurn[]): SpeakerTurn[] {
  const ordered = turns.toSorted((a, b) => a.startMs - b.startMs || a.endMs - b.endMs)
  const order = [...new Set(ordered.map(({ voice }) => voice))]
  return ordered.map((turn) => ({ ...turn, voice: order.indexOf(turn.voice) }))
}

async function requireFiles({ embeddingPath, segmentationPath }: SpeakerNetworks): Promise<void> {
  for (const path of [embeddingPath, segmentationPath]) {
    await access(path).catch((cause: unknown) => {
      throw new AppError('model_unavailable', `The network ${basename(path)}, which tells voices apart, is missing.`, {
        cause,
      })
    })
  }
}

function damaged({ embeddingPath, segmentationPath }: SpeakerNetworks, cause: Error): AppError {
  const names = `${basename(embeddingPath)} or ${basename(segmentationPath)}`
  return new AppError('model_unavailable', `A network that tells voices apart cannot be read: ${names} is damaged.`, {
    help: 'Fetch the file again, or reinstall Awaz.',
    cause,
  })
}
