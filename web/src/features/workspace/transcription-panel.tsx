import { Badge, Button, Tabs } from '@mantine/core'
import IconMicrophone2 from '@tabler/icons-react/dist/esm/icons/IconMicrophone2.mjs'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { audio } from '#contract/endpoints/audio.ts'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import { formatPercent } from '../../shared/format.ts'
import { languageName } from '../../shared/recordings/languages.ts'
import { toastError, toastSuccess } from '../../shared/toast.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { heardLanguages } from './heard-languages.ts'
import { JobFailure, JobProgress } from './job-progress.tsx'
import type { Player } from './player/use-player.ts'
import type { ScrollLink } from './scroll-link.ts'
import { SpeakerBlocks } from './speaker-blocks.tsx'
import { TextActions } from './text-actions.tsx'
import { TranscriptTimeline } from './transcript-timeline.tsx'
import { usePanelJob } from './use-panel-job.ts'
import classes from './workspace.module.css'

interface TranscriptionPanelProps {
  recording: RecordingDetails
  language: string
  /** The right channel's language, or that it is the same. */
  right: string
  player: Player
  searchField: RefObject<HTMLInputElement | null>
  link: ScrollLink
}

/** The saved id is said after 1 s, for 3 s, in its first 8 characters (audio-workflow specification, section 9). */
const savedDelayMs = 1000
const savedToastMs = 3000
const savedIdLength = 8

/** Transcribing the recording and reading what came of it (audio-workflow specification, section 2). */
export function TranscriptionPanel({ recording, language, right, player, searchField, link }: TranscriptionPanelProps) {
  const { transcription } = recording
  const setHasJustEnded = useSavedToast(transcription?.transcription_id ?? null)
  const work = usePanelJob({
    recording,
    kind: 'transcribe',
    spec: audio.transcribe,
    failureToast: 'Failed to transcribe audio. Please try again.',
    onDone: () => setHasJustEnded(true),
  })

  function start() {
    const languages = heardLanguages(recording, language, right)
    if (!recording.id || !languages) return toastError('Please upload an audio file first')
    work.start({ file_id: recording.id, ...languages, force: transcription !== null })
  }

  const startLabel = recording.is_stereo ? 'Start Dual Speaker Transcription' : 'Start Transcription'
  return (
    <Panel
      title="Transcription"
      icon={<IconMicrophone2 size={20} stroke={1.5} aria-hidden />}
      note={transcription?.detected_language && <DetectedBadge recording={recording} />}
      actions={
        transcription &&
        !work.job && (
          <TextActions
            what="transcription"
            text={transcription.transcription}
            recording={recording}
            againLabel="Retranscribe"
            isBusy={work.isStarting}
            onAgain={start}
          />
        )
      }
    >
      {work.failure && !work.job && <JobFailure failure={work.failure} />}
      {work.job && <JobProgress job={work.job} initialText="Initializing transcription..." language={language} />}
      {!work.job && !transcription && (
        <Notice
          title="Not transcribed yet"
          action={
            <Button size="md" loading={work.isStarting} onClick={start}>
              {startLabel}
            </Button>
          }
        >
          Choose the language that is spoken, then start. The words appear while they are found.
        </Notice>
      )}
      {!work.job && transcription && (
        <Result recording={recording} player={player} searchField={searchField} link={link} />
      )}
    </Panel>
  )
}

/** Says the saved id once the transcription that has just ended is here. Answers how to say that it ended. */
function useSavedToast(transcriptionId: string | null) {
  const [hasJustEnded, setHasJustEnded] = useState(false)
  const idBefore = useRef(transcriptionId)
  useEffect(() => {
    if (!hasJustEnded || !transcriptionId || transcriptionId === idBefore.current) return
    idBefore.current = transcriptionId
    const timer = setTimeout(() => {
      setHasJustEnded(false)
      toastSuccess(`Transcription saved: ${transcriptionId.slice(0, savedIdLength)}`, { durationMs: savedToastMs })
    }, savedDelayMs)
    return () => clearTimeout(timer)
  }, [hasJustEnded, transcriptionId])
  return setHasJustEnded
}

function DetectedBadge({ recording: { transcription } }: { recording: RecordingDetails }) {
  if (!transcription?.detected_language) return null
  const probability = transcription.language_probability
  return (
    <Badge title="Detected language and confidence">
      {languageName(transcription.detected_language)}
      {probability !== null && ` · ${formatPercent(probability)}`}
    </Badge>
  )
}

function Result({ recording, player, searchField, link }: Omit<TranscriptionPanelProps, 'language' | 'right'>) {
  const { transcription } = recording
  if (!transcription) return null
  const hasSpeakers = transcription.speaker_transcriptions.length > 0
  return (
    <>
      {transcription.warnings.length > 0 && (
        <ul className={classes.warnings} aria-label="Remarks">
          {transcription.warnings.map((warning) => (
            <li key={`${warning.code}-${warning.message}`}>{warning.message}</li>
          ))}
        </ul>
      )}
      <Tabs defaultValue="timeline" keepMounted={false}>
        <Tabs.List className={classes.tabs}>
          <Tabs.Tab value="timeline">Transcript Timeline</Tabs.Tab>
          <Tabs.Tab value="text">{hasSpeakers ? 'By speaker' : 'Text'}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="timeline">
          <TranscriptTimeline transcription={transcription} player={player} searchField={searchField} link={link} />
        </Tabs.Panel>
        <Tabs.Panel value="text">
          <SpeakerBlocks transcription={transcription} />
        </Tabs.Panel>
      </Tabs>
    </>
  )
}
