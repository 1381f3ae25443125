import { Button, Tabs } from '@mantine/core'
import IconMicrophone2 from '@tabler/icons-react/dist/esm/icons/IconMicrophone2.mjs'
import { useEffect, useRef, useState } from 'react'
import { audio } from '#contract/endpoints/audio.ts'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import type { TranscriptionResult } from '#contract/transcription.ts'
import { useLikelyNames } from '../../../shared/recordings/likely-names.ts'
import { toastError, toastSuccess } from '../../../shared/toast.tsx'
import { Notice } from '../../../shared/ui/notice.tsx'
import { Panel } from '../../../shared/ui/panel.tsx'
import { selectPartByPart, toLanguageRequest, type SelectedLanguages } from '../languages/selected-languages.ts'
import { JobFailure } from '../panel/job-failure.tsx'
import { TextActions } from '../panel/text-actions.tsx'
import { usePanelJob } from '../panel/use-panel-job.ts'
import { usePlayer } from '../player/player-context.ts'
import { useSpeakers } from '../speakers/recording-speakers.ts'
import { DetectedBadges } from './detected-badges.tsx'
import { LikelyNamesField } from './likely-names-field.tsx'
import { defaultSpeakerSettings, SpeakerOptions, toSpeakerRequest } from './speaker-options.tsx'
import { SpeakerTranscripts } from './speaker-transcripts.tsx'
import { transcriptText } from './transcript-text.ts'
import { TranscriptTimeline } from './transcript-timeline.tsx'
import { TranscriptWarnings } from './transcript-warnings.tsx'
import { TranscriptionJobProgress } from './transcription-job-progress.tsx'

interface TranscriptionPanelProps {
  recording: RecordingDetails
  selected: SelectedLanguages
  onSelect: (selected: SelectedLanguages) => void
}

/** The toast with the first 8 characters of the saved id appears after 1 s, for 3 s (audio-workflow specification, section 9). */
const savedDelayMs = 1000
const savedToastMs = 3000
const savedIdLength = 8

/** Transcribes the recording and shows the transcript (audio-workflow specification, section 2). */
export function TranscriptionPanel({ recording, selected, onSelect }: TranscriptionPanelProps) {
  const { transcription } = recording
  const [names, setNames] = useLikelyNames(recording.id)
  const [speakerSettings, setSpeakerSettings] = useState(defaultSpeakerSettings)
  const { describe } = useSpeakers()
  const setHasJustEnded = useSavedToast(transcription?.transcription_id ?? null)
  const work = usePanelJob({
    recording,
    kind: 'transcribe',
    spec: audio.transcribe,
    failureToast: 'Failed to transcribe audio. Please try again.',
    onDone: () => setHasJustEnded(true),
  })

  function start(languages: SelectedLanguages) {
    const request = toLanguageRequest(recording, languages)
    if (!recording.id || !request) return toastError('Please upload an audio file first')
    work.start({
      file_id: recording.id,
      ...request,
      ...(names.length > 0 && { names }),
      ...toSpeakerRequest(speakerSettings, { isStereo: recording.is_stereo }),
      force: transcription !== null,
    })
  }

  function startPartByPart(channel: number | undefined) {
    const languages = selectPartByPart(selected, channel)
    onSelect(languages)
    start(languages)
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
            kind="transcription"
            text={transcriptText(transcription, describe)}
            recording={recording}
            repeatLabel="Retranscribe"
            isBusy={work.isStarting}
            onRepeat={() => start(selected)}
          />
        )
      }
    >
      {work.failure && !work.job && <JobFailure failure={work.failure} />}
      {work.job && (
        <TranscriptionJobProgress job={work.job} initialText="Initializing transcription..." selected={selected} />
      )}
      {!work.job && (
        <>
          <LikelyNamesField names={names} onChange={setNames} />
          <SpeakerOptions settings={speakerSettings} onChange={setSpeakerSettings} isStereo={recording.is_stereo} />
        </>
      )}
      {!work.job && !transcription && (
        <Notice
          title="Not transcribed yet"
          action={
            <Button size="md" loading={work.isStarting} onClick={() => start(selected)}>
              {startLabel}
            </Button>
          }
        >
          Choose the language that is spoken, then start. The words appear while they are found.
        </Notice>
      )}
      {!work.job && transcription && (
        <Transcript transcription={transcription} isBusy={work.isStarting} onPartByPart={startPartByPart} />
      )}
    </Panel>
  )
}

/** Shows the saved id once the transcription that has just ended is loaded. Returns a function to call when one ends. */
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

interface TranscriptProps {
  transcription: TranscriptionResult
  isBusy: boolean
  onPartByPart: (channel: number | undefined) => void
}

function Transcript({ transcription, isBusy, onPartByPart }: TranscriptProps) {
  const { seek } = usePlayer()
  const hasSpeakers = transcription.speaker_transcriptions.length > 0
  return (
    <>
      <TranscriptWarnings warnings={transcription.warnings} onSeek={seek} onPartByPart={onPartByPart} isBusy={isBusy} />
      <Tabs defaultValue="timeline" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="timeline">Transcript Timeline</Tabs.Tab>
          <Tabs.Tab value="text">{hasSpeakers ? 'By speaker' : 'Text'}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="timeline">
          <TranscriptTimeline transcription={transcription} />
        </Tabs.Panel>
        <Tabs.Panel value="text">
          <SpeakerTranscripts transcription={transcription} />
        </Tabs.Panel>
      </Tabs>
    </>
  )
}
