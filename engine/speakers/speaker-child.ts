import type { SpeechSpan } from '#engine/audio/speech-span.ts'
import { serveChild } from '#engine/child/serve-child.ts'
import type { EmitEvent } from '#engine/child/protocol.ts'
import { normalize } from './average-linkage.ts'
import { createBandMeter } from './band.ts'
import { buildTurns } from './build-turns.ts'
import { readSpans } from './channel-source.ts'
import type { ChannelSource } from './channel-source.ts'
import { clusterVoices } from './cluster-voices.ts'
import type { ClusterOptions } from './cluster-voices.ts'
import { cutBlocks, diarizeBlock, joinBlocks, clipToSpeech } from './meeting-turns.ts'
import type { MeetingBlock, MeetingSettings } from './meeting-turns.ts'
import { loadDiarization, loadEmbedding } from './sherpa-speakers.ts'
import type { Diarize, EmbedVoice, NetworkPaths } from './sherpa-speakers.ts'
import type { SpeakerTurn, SpeakerTurns } from './speaker-turns.ts'
import { cutWindows } from './voice-window.ts'
import type { VoiceWindow } from './voice-window.ts'

export interface SpeechParams extends ChannelSource {
  /** In order. */
  spans: SpeechSpan[]
}

export interface TurnsParams extends SpeechParams {
  /** For telephone audio. */
  clustering: ClusterOptions
  /** For wide-band audio. */
  settings: MeetingSettings
}

export interface LoadParams extends NetworkPaths {
  band: SpeakerTurns['band']
}

/** The child's events: the completed share of the call's work, 0 to 1. */
export type SpeakerProgress = number

const windowsPerProgressEvent = 16

/** The networks that audio of each band needs; each network takes a second of CPU time to load. */
type Networks =
  | { band: 'telephone'; embed: EmbedVoice }
  // The diarization has an embedding network built in; ours is needed only for recordings with several blocks.
  | { band: 'wide'; diarize: Diarize; loadEmbed: () => EmbedVoice }

let networks: Networks | undefined

const methods = {
  /** Returns the energy of these spans above 4 kHz, in dB relative to their total energy. */
  measureBand: async ({ spans, ...source }: SpeechParams): Promise<number> => {
    const meter = createBandMeter()
    await readSpans(source, spans, (samples) => meter.add(samples))
    return meter.highDb()
  },

  /** Loads the networks for audio of this band. A damaged file ends the process. */
  load: ({ band, ...paths }: LoadParams): void => {
    networks =
      band === 'telephone'
        ? { band, embed: loadEmbedding(paths) }
        : { band, diarize: loadDiarization(paths), loadEmbed: () => loadEmbedding(paths) }
  },

  /** Returns the turns of the voices in these spans, for audio of the band for which the networks were loaded. */
  findTurns: async (params: TurnsParams, emit: EmitEvent): Promise<SpeakerTurn[]> => {
    if (!networks) throw new Error('No networks are loaded')
    return networks.band === 'telephone'
      ? findTelephoneTurns(params, networks.embed, emit)
      : findMeetingTurns(params, networks, emit)
  },
}

/** Clusters embeddings. Reads the file window by window. */
async function findTelephoneTurns(
  { spans, clustering, ...source }: TurnsParams,
  embed: EmbedVoice,
  emit: EmitEvent,
): Promise<SpeakerTurn[]> {
  const cut = cutWindows(spans)
  const windows: VoiceWindow[] = []
  let done = 0
  await readSpans(source, cut, (samples, span) => {
    const vector = samples.length === 0 ? undefined : embed(samples)
    const embedding = vector && normalize(vector)
    if (embedding) windows.push({ ...span, embedding })
    done += 1
    if (done % windowsPerProgressEvent === 0) emit((done / cut.length) satisfies SpeakerProgress)
  })
  return buildTurns(spans, windows, clusterVoices(windows, clustering))
}

/** Diarizes wide-band audio of a room block by block. */
async function findMeetingTurns(
  { spans, settings, ...source }: TurnsParams,
  { diarize, loadEmbed }: Extract<Networks, { band: 'wide' }>,
  emit: EmitEvent,
): Promise<SpeakerTurn[]> {
  const cut = cutBlocks(spans)
  const embed = cut.length > 1 ? loadEmbed() : undefined
  const blocks: MeetingBlock[] = []
  await readSpans(source, cut, (samples, { startMs }) => {
    if (samples.length === 0) return
    // Not every speaker speaks in every block.
    const voiceCount = cut.length === 1 ? settings.voiceCount : undefined
    blocks.push(diarizeBlock(samples, startMs, { embed, diarize, settings: { ...settings, voiceCount } }))
    emit((blocks.length / cut.length) satisfies SpeakerProgress)
  })
  return clipToSpeech(joinBlocks(blocks, settings), spans)
}

export type SpeakerMethods = typeof methods

serveChild(methods)
