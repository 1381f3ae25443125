import type { SpeechSpan } from '#engine/audio/speech-span.ts'
import { sampleRate } from '#engine/audio/decoded-audio.ts'
import { cutTree, listMerges, normalize } from './average-linkage.ts'
import type { VectorGroup } from './average-linkage.ts'
import type { ClusteringSettings, Diarize, EmbedVoice } from './sherpa-speakers.ts'
import type { SpeakerTurn } from './speaker-turns.ts'
import { sumByLabel } from './voice-groups.ts'
import { cutWindows } from './voice-window.ts'

export interface MeetingSettings extends ClusteringSettings {
  /** Minimum mean cosine between the windows of two voices in different blocks for them to be the same voice. */
  joinThreshold: number
}

/** Amount of audio diarized at once: memory grows with it, and so does the time during which the child sends nothing. */
const blockMs = 5 * 60_000
/** Maximum number of windows used to compare a voice of one block with those of other blocks. */
const maxVoiceWindows = 30

/** The voices of one block, numbered independently of other blocks. */
export interface MeetingBlock {
  turns: SpeakerTurn[]
  /** Embeddings by voice; undefined for a voice too short to compare. */
  groups: (VectorGroup | undefined)[]
}

/** Splits the speech of a recording at pauses, into blocks of at most about five minutes. */
export function cutBlocks(spans: readonly SpeechSpan[]): SpeechSpan[] {
  const blocks: SpeechSpan[] = []
  for (const { startMs, endMs } of spans) {
    const block = blocks.at(-1)
    if (block && endMs - block.startMs <= blockMs) block.endMs = endMs
    else blocks.push({ startMs, endMs })
  }
  return blocks
}

/**
 * Diarizes one block with sherpa-onnx, and embeds its voices so that they can be matched with those of other blocks. Without `embed`, for
 * a recording with only one block, the result has no groups.
 */
export function diarizeBlock(
  samples: Float32Array,
  startMs: number,
  { embed, diarize, settings }: { embed?: EmbedVoice; diarize: Diarize; settings: ClusteringSettings },
): MeetingBlock {
  const turns = diarize(samples, settings).map(({ start, end, speaker }) => ({
    startMs: startMs + Math.round(start * 1000),
    endMs: startMs + Math.round(end * 1000),
    voice: speaker,
  }))
  if (!embed) return { turns, groups: [] }
  const voiceCount = Math.max(0, ...turns.map(({ voice }) => voice + 1))
  const groups = Array.from({ length: voiceCount }, (_, voice) => {
    const windows = cutWindows(turns.filter((turn) => turn.voice === voice))
    const step = Math.max(1, Math.ceil(windows.length / maxVoiceWindows))
    const embeddings = windows.flatMap((window, index) => {
      if (index % step !== 0) return []
      const embedding = embed(samples.slice(toSamples(window.startMs - startMs), toSamples(window.endMs - startMs)))
      return (embedding && normalize(embedding)) ?? []
    })
    return sumByLabel(
      embeddings.map((sum) => ({ sum, size: 1 })),
      embeddings.map(() => 0),
    )[0]
  })
  return { turns, groups }
}

/** Returns one list of turns, in which a voice has the same number in all blocks. */
export function joinBlocks(
  blocks: readonly MeetingBlock[],
  { joinThreshold, voiceCount }: Pick<MeetingSettings, 'joinThreshold' | 'voiceCount'>,
): SpeakerTurn[] {
  if (blocks.length === 1) return blocks[0]?.turns ?? []
  const all = blocks.flatMap(({ groups }, block) => groups.map((group, voice) => ({ block, voice, group })))
  const known = all.flatMap(({ block, voice, group }) => (group ? [{ block, voice, group }] : []))
  const labels = cutTree(
    known.length,
    listMerges(known.map(({ group }) => group)),
    voiceCount === undefined ? { threshold: joinThreshold } : { minGroups: voiceCount },
  )
  const labelOf = new Map(known.map(({ block, voice }, index) => [`${block} ${voice}`, labels[index] ?? 0]))
  return blocks.flatMap(({ turns }, block) =>
    // A voice that is too short to compare is assigned to the first voice rather than counted as another voice.
    turns.map((turn) => ({ ...turn, voice: labelOf.get(`${block} ${turn.voice}`) ?? 0 })),
  )
}

/** Returns the parts of turns that lie within spans of speech. */
export function clipToSpeech(turns: readonly SpeakerTurn[], spans: readonly SpeechSpan[]): SpeakerTurn[] {
  const ordered = turns.toSorted((a, b) => a.startMs - b.startMs)
  let first = 0
  return ordered.flatMap((turn) => {
    while ((spans[first]?.endMs ?? Number.POSITIVE_INFINITY) <= turn.startMs) first += 1
    const parts: SpeakerTurn[] = []
    for (let at = first; (spans[at]?.startMs ?? turn.endMs) < turn.endMs; at += 1) {
      const { startMs = 0, endMs = 0 } = spans[at] ?? {}
      parts.push({ ...turn, startMs: Math.max(turn.startMs, startMs), endMs: Math.min(turn.endMs, endMs) })
    }
    return parts
  })
}

function toSamples(ms: number): number {
  return Math.round((ms * sampleRate) / 1000)
}
