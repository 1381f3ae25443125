import { screen, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { vi } from 'vitest'
import type { StoredTranslation } from '#contract/entities/recording.ts'
import { createKeywordMatcher } from '#contract/keywords/find-keywords.ts'
import { noKeywords, type Keywords } from '#contract/keywords/keywords.ts'
import { editableSegments, noLineEdits, type LineEdits } from '#contract/line-edits.ts'
import { noSpeakerCorrections, type SpeakerCorrections } from '#contract/speaker-corrections.ts'
import type { Segment, TranscriptionResult } from '#contract/transcription.ts'
import { buildLines } from '../features/workspace/state/build-lines.ts'
import { Conversation } from '../features/workspace/conversation/conversation.tsx'
import { DeskContext, type Desk } from '../features/workspace/state/desk-context.ts'
import { listLineHits } from '../features/workspace/state/line-hits.ts'
import type { Player } from '../features/workspace/player/use-audio-player.ts'
import { createDescriber } from '../features/workspace/speakers/describe-speaker.ts'
import { SpeakersContext } from '../features/workspace/speakers/recording-speakers.ts'
import { listVoices } from '../features/workspace/speakers/voices.ts'
import { noEditing } from './desk.tsx'
import { makePlayer, withPlayer } from './player.tsx'
import { defaultSettings, type Settings } from '../shared/settings.ts'
import { someUser } from './fake-server.ts'
import { renderAt } from './render.tsx'
import { makeRecording, makeSegment, makeTranscript } from './transcripts.ts'
import { makeTranslation } from './translations.ts'

export const pashto = makeSegment('وسله کور ته راوړه', { start: 1, end: 3, unsure: ['وسله'] })
export const certain = makeSegment('my brother is here', { start: 4, end: 6, speaker: 'Speaker B', channel: 1 })
export const doubtful = makeSegment('to the bridge', {
  start: 20,
  end: 22,
  speaker: 'Speaker B',
  channel: 1,
  confidence: 0.3,
})
const gap = { code: 'repetition', message: 'The model repeated itself.', start: 10, end: 14.2, channel: 1 }
/** Three lines, with a gap before the last. */
const call = makeTranscript([pashto, certain, doubtful], { warnings: [gap] })
export const callTranslation = makeTranslation([
  { ...pashto, translated_text: 'bring the weapon home' },
  { ...certain, translated_text: 'my brother is here' },
  { ...doubtful, translated_text: 'to the bridge' },
])

/** Renders a conversation: by default, a call of three lines and a gap. */
export function showConversation(options: Partial<ConversationOptions> = {}) {
  const seek = vi.fn()
  const all = { transcription: call, player: makePlayer(seek), ...options }
  const { user, unmount } = renderAt('/transcribe', <TestConversation {...all} />, someUser)
  return { user, seek, unmount }
}

/** Stores settings as if they had been chosen before. */
export function storeSettings(settings: Partial<Settings>): void {
  localStorage.setItem('awaz_settings', JSON.stringify({ ...defaultSettings, ...settings }))
}

export const list = () => screen.getByRole('list', { name: 'Transcript Timeline' })
export const rows = () => within(list()).getAllByRole('listitem')
export const row = (index: number) => rows()[index] ?? document.body

interface ConversationOptions {
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
  /** Another part of the desk. */
  other?: ReactNode
}

/** The conversation of a recording, on a desk without a server. */
function TestConversation(options: ConversationOptions) {
  const { transcription, corrections = noSpeakerCorrections, player = makePlayer() } = options
  const describe = createDescriber(transcription, corrections)
  const voices = transcription ? listVoices(transcription, describe) : []
  const speakers = { describe, voices, movedFrom: () => undefined, move: undefined }
  return withPlayer(
    <SpeakersContext value={speakers}>
      <DeskContext value={makeConversationDesk(options)}>
        <Conversation />
        {options.other}
      </DeskContext>
    </SpeakersContext>,
    player,
  )
}

function makeConversationDesk(options: ConversationOptions): Desk {
  const { transcription, translation = null, keywords, edits = noLineEdits, partial = [], desk } = options
  const find = createKeywordMatcher({ ...noKeywords(), ...keywords })
  const segments = transcription ? editableSegments(transcription, edits) : []
  const lines = buildLines({ segments, transcription, translation, find, partial })
  return {
    recording: makeRecording(transcription),
    transcription,
    translation,
    target: 'en',
    jobs: {},
    lines,
    hits: listLineHits(lines),
    reviewedHits: new Set(),
    notes: [],
    editing: noEditing,
    retryTranslation: undefined,
    ...desk,
  }
}
