import { Button, Collapse } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import IconUsersGroup from '@tabler/icons-react/dist/esm/icons/IconUsersGroup.mjs'
import { audio } from '#contract/endpoints/audio.ts'
import { defaultTranscriptionLanguage } from '#contract/languages.ts'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import { baseName, downloadFile } from '../../../shared/download.ts'
import { Notice } from '../../../shared/ui/notice.tsx'
import { Panel } from '../../../shared/ui/panel.tsx'
import { toLanguageRequest, type SelectedLanguages } from '../languages/selected-languages.ts'
import { JobFailure } from '../panel/job-failure.tsx'
import { usePanelJob } from '../panel/use-panel-job.ts'
import { useSpeakers } from '../speakers/recording-speakers.ts'
import { TranscriptionJobProgress } from '../transcription/transcription-job-progress.tsx'
import { Dialogue } from './dialogue.tsx'
import { dialogueExport } from './dialogue-export.ts'

interface DiarizationPanelProps {
  recording: RecordingDetails
  selected: SelectedLanguages
}

/** Who said what when (audio-workflow specification, section 2). */
export function DiarizationPanel({ recording, selected }: DiarizationPanelProps) {
  const { diarization } = recording
  const [isShown, shown] = useDisclosure(true)
  const work = usePanelJob({
    recording,
    kind: 'diarize',
    spec: audio.diarize,
    failureToast: 'Failed to perform speaker diarization. Please try again.',
    prefersHelp: true,
  })
  const { describe } = useSpeakers()

  function exportJson() {
    if (!diarization) return
    const content = JSON.stringify(dialogueExport(diarization, describe), null, 2)
    downloadFile(`${baseName(recording.name)}-dialogue.json`, content, 'application/json')
  }

  function start() {
    // Without languages the words of the transcript on screen are used, whatever is selected by now.
    const languages = recording.transcription
      ? {}
      : (toLanguageRequest(recording, selected) ?? { language: defaultTranscriptionLanguage })
    work.start({ file_id: recording.id, with_transcription: true, ...languages, force: diarization !== null })
  }
  return (
    <Panel
      title="Speaker Diarization"
      icon={<IconUsersGroup size={20} stroke={1.5} aria-hidden />}
      actions={
        diarization &&
        !work.job && (
          <Button.Group>
            <Button variant="default" size="xs" onClick={exportJson}>
              Export JSON
            </Button>
            <Button variant="default" size="xs" onClick={shown.toggle} aria-expanded={isShown}>
              {isShown ? 'Hide' : 'Show'}
            </Button>
            <Button variant="default" size="xs" loading={work.isStarting} onClick={start}>
              Re-analyze
            </Button>
          </Button.Group>
        )
      }
    >
      {work.failure && !work.job && <JobFailure failure={work.failure} />}
      {work.job && (
        <TranscriptionJobProgress job={work.job} initialText="Initializing diarization..." selected={selected} />
      )}
      {!work.job && !diarization && (
        <Notice
          title="Who said what"
          action={
            <Button variant="default" loading={work.isStarting} onClick={start}>
              Start Diarization
            </Button>
          }
        >
          The dialogue in order of time, speaker by speaker.
        </Notice>
      )}
      {!work.job && diarization && (
        <Collapse expanded={isShown}>
          <Dialogue result={diarization} language={recording.transcription?.detected_language ?? selected.language} />
        </Collapse>
      )}
    </Panel>
  )
}
