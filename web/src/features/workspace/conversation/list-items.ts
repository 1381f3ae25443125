import type { SpeakerTranscription, TranscriptionResult } from '#contract/transcription.ts'
import type { DescribeSpeaker } from '../speakers/describe-speaker.ts'
import type { ConversationLine } from '../state/conversation-line.ts'
import { speakerOf } from './filter-lines.ts'
import type { LineOrder } from './view.ts'

/** A row of the list: a line, or the heading of a speaker's lines. */
export type ConversationItem =
  { id: string; line: ConversationLine; speaker: null } | { id: string; line: null; speaker: SpeakerTranscription }

interface ListItemsOptions {
  lines: ConversationLine[]
  order: LineOrder
  transcription: TranscriptionResult | null
  describe: DescribeSpeaker
}

/** Returns the rows in order. Sorted by speaker, each speaker's lines are under a heading; lines without a known speaker come last. */
export function listItems({ lines, order, transcription, describe }: ListItemsOptions): ConversationItem[] {
  const speakers = transcription?.speaker_transcriptions ?? []
  if (order === 'time' || speakers.length === 0) return lines.map(toItem)
  const bySpeaker = Map.groupBy(lines, (line) => speakerOf(line, describe))
  const known = speakers.flatMap((speaker): ConversationItem[] => {
    const own = bySpeaker.get(speaker.speaker) ?? []
    bySpeaker.delete(speaker.speaker)
    return [{ id: `speaker:${speaker.speaker}`, line: null, speaker }, ...own.map(toItem)]
  })
  return [...known, ...[...bySpeaker.values()].flat().map(toItem)]
}

function toItem(line: ConversationLine): ConversationItem {
  return { id: line.id, line, speaker: null }
}
