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
import type { SpeakerTurn } from './speaker-turns.ts'
import { cutWindows } from './voice-window.ts'
import type { VoiceWindow } from './voice-window.ts'

export interface SpeechParams extends ChannelSource {
  /** In order. */
  spans: SpeechSpan[]
}

export interface TurnsParams extends SpeechParams {
  clustering: ClusterOptions
}

export interface MeetingParams extends SpeechParams {
  settings: MeetingSettings
}

/** The child's events: the completed share of the call's work, 0 to 1. */
export type SpeakerProgress = number

const windowsPerProgressEvent = 16

let networks: { embed: EmbedVoice; diarize: Diarize } | undefined

const methods = {
  /** Returns the energy of these spans above 4 kHz, in dB relative to their total energy. */
  measureBand: async ({ spans, ...source }: SpeechParams): Promise<number> => {
    const meter = createBandMeter()
    await readSpans(source, spans, (samples) => meter.add(samples))
    return meter.highDb()
  },

  /** Loads the networks. A damaged file ends the process. */
  load: (paths: NetworkPaths): void => {
    networks = { embed: loadEmbedding(paths), diarize: loadDiarization(paths) }
  },

  /** Returns the turns of the voices in these spans, found by clustering embeddings. Reads the file window by window. */
  findTurns: async ({ spans, clustering, ...source }: TurnsParams, emit: EmitEvent): Promise<SpeakerTurn[]> => {
    const cut = cutWindows(spans)
    const windows: VoiceWindow[] = []
    let done = 0
    await readSpans(source, cut, (samples, span) => {
      const vector = samples.length === 0 ? undefined : networks?.embed(samples)
      const embedding = vector && normalize(vector)
      if (embedding) windows.push({ ...span, embedding })
      done += 1
      if (done % windowsPerProgressEvent === 0) emit((done / cut.length) satisfies SpeakerProgress)
    })
    return buildTurns(spans, windows, clusterVoices(windows, clustering))
  },

  /** Returns the turns of the voices in wide-band audio of a room, diarized block by block. */
  findMeetingTurns: async ({ spans, settings, ...source }: MeetingParams, emit: EmitEvent): Promise<SpeakerTurn[]> => {
    const cut = cutBlocks(spans)
    const blocks: MeetingBlock[] = []
    await readSpans(source, cut, (samples, { startMs }) => {
      if (!networks || samples.length === 0) return
      // Not every speaker speaks in every block.
      const voiceCount = cut.length === 1 ? settings.voiceCount : undefined
      blocks.push(diarizeBlock(samples, startMs, { ...networks, settings: { ...settings, voiceCount } }))
      emit((blocks.length / cut.length) satisfies SpeakerProgress)
    })
    return clipToSpeech(joinBlocks(blocks, settings), spans)
  },
}

export type SpeakerMethods = typeof methods

serveChild(methods)
