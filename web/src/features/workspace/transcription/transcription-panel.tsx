import { Button, Tabs } from '@mantine/core'
import IconMicrophone2 from '@tabler/icons-react/dist/esm/icons/IconMicrophone2.mjs'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { audio } from '#contract/endpoints/audio.ts'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import type { TranscriptionResult } from '#contract/transcription.ts'
import { useLikelyNames } from '../../../shared/recordings/likely-names.ts'
import { toastError, toastSuccess } from '../../../shared/toast.tsx'
import { Notice } from '../../../shared/ui/notice.tsx'
import { Panel } from '../../../shared/ui/panel.tsx'
import { DetectedBadges } from './detected-badges.tsx'
import { toLanguageRequest, selectPartByPart, type SelectedLanguages } from '../languages/selected-languages.ts'
import { JobFailure, JobProgress } from '../panel/job-progress.tsx'
import { LikelyNamesField } from './likely-names-field.tsx'
import type { Player } from '../player/use-player.ts'
import { TranscriptWarnings } from './transcript-warnings.tsx'
import type { ScrollLink } from '../timeline/scroll-link.ts'
import { SpeakerTranscripts } from './speaker-transcripts.tsx'
import { useSpeakerDesk } from '../speakers/speaker-desk.ts'
import { SpeakerOptions, speakerRequest, usualSpeakers } from './speaker-options.tsx'
import { transcriptText } from '../speakers/speaker-text.ts'
import { TextActions } from '../panel/text-actions.tsx'
import { TranscriptTimeline } from './transcript-timeline.tsx'
import { usePanelJob } from '../panel/use-panel-job.ts'
import classes from '../workspace.module.css'

interface TranscriptionPanelProps {
  recording: RecordingDetails
  picked: SelectedLanguages
  onPick: (picked: SelectedLanguages) => void
  player: Player
  searchField: RefObject<HTMLInputElement | null>
  link: ScrollLink
}

/** The saved id is said after 1 s, for 3 s, in its first 8 characters (audio-workflow specification, section 9). */
const savedDelayMs = 1000
const savedToastMs = 3000
const savedIdLength = 8

/** Transcribing the recording and reading what came of it (audio-workflow specification, section 2). */
export function TranscriptionPanel(props: TranscriptionPanelProps) {
  const { recording, picked, onPick } = props
  const { transcription } = recording
  const [names, setNames] = useLikelyNames(recording.id)
  const [speakers, setSpeakers] = useState(usualSpeakers)
  const { describe } = useSpeakerDesk()
  const setHasJustEnded = useSavedToast(transcription?.transcription_id ?? null)
  const work = usePanelJob({
    recording,
    kind: 'transcribe',
    spec: audio.transcribe,
    failureToast: 'Failed to transcribe audio. Please try again.',
    onDone: () => setHasJustEnded(true),
  })

  function start(wanted: SelectedLanguages) {
    const languages = toLanguageRequest(recording, wanted)
    if (!recording.id || !languages) return toastError('Please upload an audio file first')
    work.start({
      file_id: recording.id,
      ...languages,
      ...(names.length > 0 && { names }),
      ...speakerRequest(speakers, { isStereo: recording.is_stereo }),
      force: transcription !== null,
    })
  }

  function startPartByPart(channel: number | undefined) {
    const wanted = selectPartByPart(picked, channel)
    onPick(wanted)
    start(wanted)
  }

  const startLabel = recording.is_stereo ? 'Start Dual Speaker Transcription' : 'Start Transcription'
  return (
    <Panel
      title="Transcription"
      icon={<IconMicrophone2 size={20} stroke={1.5} aria-hidden />}
      note={transcription && <DetectedBadges transcription={transcription} />}
      actions={
        transcription &&
        !work.job && (
          <TextActions
            what="transcription"
            text={transcriptText(transcription, describe)}
            recording={recording}
            againLabel="Retranscribe"
            isBusy={work.isStarting}
            onAgain={() => start(picked)}
          />
        )
      }
    >
      {work.failure && !work.job && <JobFailure failure={work.failure} />}
      {work.job && <JobProgress job={work.job} initialText="Initializing transcription..." picked={picked} />}
      {!work.job && (
        <>
          <LikelyNamesField names={names} onChange={setNames} />
          <SpeakerOptions choice={speakers} onChange={setSpeakers} isStereo={recording.is_stereo} />
        </>
      )}
      {!work.job && !transcription && (
        <Notice
          title="Not transcribed yet"
          action={
            <Button size="md" loading={work.isStarting} onClick={() => start(picked)}>
              {startLabel}
            </Button>
          }
        >
          Choose the language that is spoken, then start. The words appear while they are found.
        </Notice>
      )}
      {!work.job && transcription && (
        <Result {...props} transcription={transcription} isBusy={work.isStarting} onPartByPart={startPartByPart} />
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

interface ResultProps extends Pick<TranscriptionPanelProps, 'player' | 'searchField' | 'link'> {
  transcription: TranscriptionResult
  isBusy: boolean
  onPartByPart: (channel: number | undefined) => void
}

function Result({ transcription, player, searchField, link, isBusy, onPartByPart }: ResultProps) {
  const hasSpeakers = transcription.speaker_transcriptions.length > 0
  return (
    <>
      <TranscriptWarnings
        warnings={transcription.warnings}
        onSeek={player.seek}
        onPartByPart={onPartByPart}
        isBusy={isBusy}
      />
      <Tabs defaultValue="timeline" keepMounted={false}>
        <Tabs.List className={classes.tabs}>
          <Tabs.Tab value="timeline">Transcript Timeline</Tabs.Tab>
          <Tabs.Tab value="text">{hasSpeakers ? 'By speaker' : 'Text'}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="timeline">
          <TranscriptTimeline transcription={transcription} player={player} searchField={searchField} link={link} />
        </Tabs.Panel>
        <Tabs.Panel value="text">
          <SpeakerTranscripts transcription={transcription} />
        </Tabs.Panel>
      </Tabs>
    </>
  )
}
