import type { Job } from '#contract/entities/job.ts'
import { partialLineLanguage, type SelectedLanguages } from '../languages/selected-languages.ts'
import { JobProgress } from '../panel/job-progress.tsx'
import { PartialText } from '../panel/partial-text.tsx'
import { PartialLines } from './partial-lines.tsx'

interface TranscriptionJobProgressProps {
  job: Job
  /** Shown until the first progress arrives. */
  initialText: string
  /** The languages that the recording is transcribed in. */
  selected: SelectedLanguages
}

/** Progress of a transcription, or of a diarization that transcribes, with the text so far. */
export function TranscriptionJobProgress({ job, initialText, selected }: TranscriptionJobProgressProps) {
  return (
    <JobProgress job={job} initialText={initialText}>
      {job.progress && <PartialTranscript progress={job.progress} selected={selected} />}
    </JobProgress>
  )
}

interface PartialTranscriptProps {
  progress: NonNullable<Job['progress']>
  selected: SelectedLanguages
}

/** The text so far: line by line where the engine reports lines, else as a whole. */
function PartialTranscript({ progress, selected }: PartialTranscriptProps) {
  const detected = 'detected_language' in progress ? progress.detected_language : null
  const language = detected ?? selected.language
  if ('partial_segments' in progress && progress.partial_segments.length > 0) {
    return (
      <PartialLines
        lines={progress.partial_segments}
        latest={progress.latest_segment}
        languageOf={(line) => partialLineLanguage(line, selected) ?? (line.channel === undefined ? language : null)}
      />
    )
  }
  return <PartialText text={progress.partial_text} language={language} />
}
