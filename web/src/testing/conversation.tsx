import type { StoredTranslation } from '#contract/entities/recording.ts'
import { createKeywordMatcher } from '#contract/keywords/find-keywords.ts'
import { noKeywords, type Keywords } from '#contract/keywords/keywords.ts'
import { editableSegments, noLineEdits, type LineEdits } from '#contract/line-edits.ts'
import { noSpeakerCorrections, type SpeakerCorrections } from '#contract/speaker-corrections.ts'
import type { Segment, TranscriptionResult } from '#contract/transcription.ts'
import { buildLines } from '../features/workspace/conversation/build-lines.ts'
import { Conversation } from '../features/workspace/conversation/conversation.tsx'
import { DeskContext, type Desk } from '../features/workspace/desk/desk-context.ts'
import type { Player } from '../features/workspace/player/use-audio-player.ts'
import { createDescriber } from '../features/workspace/speakers/describe-speaker.ts'
import { SpeakersContext } from '../features/workspace/speakers/recording-speakers.ts'
import { listVoices } from '../features/workspace/speakers/voices.ts'
import { noEditing } from './desk.tsx'
import { makePlayer, withPlayer } from './player.tsx'
import { makeRecording } from './transcripts.ts'

export interface ConversationOptions {
  /** Null before the first transcription. */
  transcription: TranscriptionResult | null
  translation?: StoredTranslation | null
  keywords?: Partial<Keywords>
  corrections?: SpeakerCorrections
  edits?: LineEdits
  /** The lines of a running transcription. */
  partial?: Segment[]
  player?: Player
  desk?: Partial<Desk>
}

/** The conversation of a recording, on a desk without a server. */
export function TestConversation(options: ConversationOptions) {
  const { transcription, corrections = noSpeakerCorrections, player = makePlayer() } = options
  const describe = createDescriber(transcription, corrections)
  const voices = transcription ? listVoices(transcription, describe) : []
  const speakers = { describe, voices, movedFrom: () => undefined, move: undefined }
  return withPlayer(
    <SpeakersContext value={speakers}>
      <DeskContext value={makeConversationDesk(options)}>
        <Conversation />
      </DeskContext>
    </SpeakersContext>,
    player,
  )
}

function makeConversationDesk(options: ConversationOptions): Desk {
  const { transcription, translation = null, keywords, edits = noLineEdits, partial = [], desk } = options
  const find = createKeywordMatcher({ ...noKeywords(), ...keywords })
  const segments = transcription ? editableSegments(transcription, edits) : []
  return {
    recording: makeRecording(transcription),
    transcription,
    translation,
    target: 'en',
    jobs: {},
    lines: buildLines({ segments, transcription, translation, find, partial }),
    hits: [],
    reviewedHits: new Set(),
    notes: [],
    editing: noEditing,
    retryTranslation: undefined,
    ...desk,
  }
}
