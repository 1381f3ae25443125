import { useEffect, useMemo, useRef } from 'react'
import type { Job } from '#contract/entities/job.ts'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import { applyLineEdits, editableSegments, type EditableSegment } from '#contract/line-edits.ts'
import { keywordsInUse } from '#contract/keywords/defaults.ts'
import { createKeywordMatcher } from '#contract/keywords/find-keywords.ts'
import { createMarkFinder } from '#contract/match-marks.ts'
import type { Segment } from '#contract/transcription.ts'
import { useKeywords } from '../../../shared/keywords/use-keywords.ts'
import { useUser } from '../../../shared/session/session.ts'
import { useSettings } from '../../../shared/settings.ts'
import { buildLines } from '../state/build-lines.ts'
import { useDiarize } from '../diarization/use-diarize.ts'
import { useEditHistory } from '../state/edit-history.ts'
import type { LineEditing } from '../state/line-editing.ts'
import { useLineEditing } from '../editing/use-line-editing.ts'
import { listLineHits } from '../state/line-hits.ts'
import { useReviewedHits } from '../hits/use-reviewed-hits.ts'
import { partialLineLanguage } from '../languages/selected-languages.ts'
import { useTargetLanguage } from '../languages/use-target-language.ts'
import { useNotes } from '../notes/use-notes.ts'
import { useLineMarks } from '../review/use-line-marks.ts'
import { useRecordingSpeakers } from '../speakers/recording-speakers.ts'
import { useSpeakerCorrections } from '../speakers/use-speaker-corrections.ts'
import { useTranscribe } from '../transcription/use-transcribe.ts'
import type { RetryLines, Desk } from '../state/desk-context.ts'
import { useTranslate } from '../translation/use-translate.ts'
import { announceReadOnly } from '../state/permissions.ts'
import type { Work } from '../state/work-context.ts'

const noSegments: EditableSegment[] = []
const noPartial: Segment[] = []

/** Returns everything that the panels of the desk share. Playback and typing in a field do not change `desk.lines`. */
export function useDeskState(recording: RecordingDetails) {
  const history = useEditHistory()
  const correcting = useSpeakerCorrections(recording, history)
  const editing = useReadOnly(
    useLineEditing(recording, history, correcting.corrections.moved),
    recording.access === 'view',
  )
  const edited = useEditedTranscription(recording, editing.lineEdits)
  const { speakers, transcription, segments } = useRecordingSpeakers({ ...edited, editing: correcting })
  const [target, setTarget] = useTargetLanguage(recording)
  const shown = useMemo(() => ({ ...recording, transcription }), [recording, transcription])
  const work = useDeskWork(shown, target)
  const translation = recording.translations.find((result) => result.target_language === target) ?? null
  const jobs = useRunningJobs(work)
  const lines = useLines({ recording, segments, transcription, translation, work })
  const hits = useMemo(() => listLineHits(lines), [lines])
  const { reviewed: reviewedHits } = useReviewedHits(recording.id)
  const { notes } = useNotes(recording.id)
  const translatedId = translation?.transcription_id ?? null
  // The server can only complete a translation of the same version.
  const isOfOtherVersion = translatedId !== null && translatedId !== recording.transcription?.transcription_id
  const retryTranslation = useStableRetry(
    isOfOtherVersion || recording.access !== 'owner' ? undefined : work.translate.retry,
  )

  const desk = useMemo(
    (): Desk => ({
      recording,
      transcription,
      translation,
      target,
      jobs,
      lines,
      hits,
      reviewedHits,
      notes,
      editing,
      retryTranslation,
    }),
    [recording, transcription, translation, target, jobs, lines, hits, reviewedHits, notes, editing, retryTranslation],
  )
  return { desk, speakers, correcting, work, setTarget }
}

/** Keeps lines closed for readers: every correction starts by opening a line, or from a menu that readers do not have. */
function useReadOnly<Editing extends LineEditing>(editing: Editing, isReadOnly: boolean): Editing {
  return useMemo(() => (isReadOnly ? { ...editing, open: announceReadOnly } : editing), [editing, isReadOnly])
}

function useEditedTranscription({ transcription }: RecordingDetails, lineEdits: RecordingDetails['line_edits']) {
  return useMemo(
    () => ({
      found: transcription && applyLineEdits(transcription, lineEdits),
      lines: transcription ? editableSegments(transcription, lineEdits) : noSegments,
    }),
    [transcription, lineEdits],
  )
}

/** Returns the three kinds of work. Starts the translation after a transcription if the settings ask for it. */
function useDeskWork(recording: RecordingDetails, target: string): Work {
  const { settings } = useSettings()
  const translate = useTranslate(recording, target)
  const onSaved = () => {
    if (settings.translation.autoTranslate && recording.access === 'owner' && recording.transcription?.transcription)
      translate.start({ force: false })
  }
  const transcribe = useTranscribe({ recording, onSaved })
  const diarize = useDiarize(recording, transcribe.choice.languages)
  const isBusy = [transcribe, translate, diarize].some(({ job, isStarting }) => job !== null || isStarting)
  return { transcribe, translate, diarize, isBusy }
}

/** Returns a function that stays the same as long as single lines can be translated. */
function useStableRetry(retry: RetryLines | undefined): RetryLines | undefined {
  const latest = useRef(retry)
  useEffect(() => {
    latest.current = retry
  })
  const isPossible = retry !== undefined
  return useMemo(() => (isPossible ? (line) => latest.current?.(line) : undefined), [isPossible])
}

function useRunningJobs({ transcribe, translate, diarize }: Work): Desk['jobs'] {
  const [a, b, c] = [transcribe.job, translate.job, diarize.job]
  return useMemo(() => {
    const running = [a, b, c].filter((job) => job !== null)
    return Object.fromEntries(running.map((job) => [job.kind, job]))
  }, [a, b, c])
}

interface LineInputs extends Pick<Desk, 'recording' | 'transcription' | 'translation'> {
  segments: EditableSegment[]
  work: Work
}

function useLines({ recording, segments, transcription, translation, work }: LineInputs): Desk['lines'] {
  const { keywords: own } = useKeywords(useUser().id)
  const keywords = keywordsInUse(own)
  const find = useMemo(() => createKeywordMatcher(keywords), [keywords])
  const stored = useLineMarks(recording.id)
  const marks = useMemo(() => createMarkFinder(stored), [stored])
  // While a new version is being made, only the current one is shown, since their lines could not be told apart.
  const job = transcription ? null : (work.transcribe.job ?? work.diarize.job)
  const partial = partialLinesOf(job)
  const { languages } = work.transcribe.choice
  const { language, rightLanguage } = languages
  return useMemo(
    () =>
      buildLines({
        segments,
        transcription,
        translation,
        find,
        marks,
        partial,
        partialLanguageOf: (line) => partialLineLanguage(line, { language, rightLanguage }),
      }),
    [segments, transcription, translation, find, marks, partial, language, rightLanguage],
  )
}

function partialLinesOf(job: Job | null): Segment[] {
  const progress = job?.progress
  return progress && 'partial_segments' in progress ? progress.partial_segments : noPartial
}
