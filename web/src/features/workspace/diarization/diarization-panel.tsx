import { Button, Collapse } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import IconUsersGroup from '@tabler/icons-react/dist/esm/icons/IconUsersGroup.mjs'
import { t } from '#contract/texts/t.ts'
import type { DiarizationResult } from '#contract/entities/job.ts'
import { baseName, downloadFile } from '../../../shared/download.ts'
import { Notice } from '../../../shared/ui/notice.tsx'
import { Panel } from '../../../shared/ui/panel.tsx'
import { useDesk } from '../state/desk-context.ts'
import { usePermissions } from '../state/permissions.ts'
import { useWork } from '../state/work-context.ts'
import { useSpeakers } from '../speakers/recording-speakers.ts'
import type { DescribeSpeaker } from '../speakers/describe-speaker.ts'
import { isSeparatedByChannel } from '../speakers/separation.ts'
import { Dialogue } from './dialogue.tsx'

/** Returns the content of a dialogue's export file: the result, with the name of each speaker. */
function dialogueExport({ num_speakers, dialogue_timeline }: DiarizationResult, describe: DescribeSpeaker) {
  return {
    num_speakers,
    dialogue_timeline: dialogue_timeline.map((line) => ({ ...line, name: describe(line.speaker).name })),
  }
}

/** Shows who said what and when (audio-workflow specification, section 2). */
export function DiarizationPanel() {
  const { recording, transcription } = useDesk()
  const { diarize, transcribe, isBusy } = useWork()
  const { isOwner } = usePermissions()
  const { diarization } = recording
  const isSeparated = transcription !== null && isSeparatedByChannel(transcription)
  const [isShown, shown] = useDisclosure(true)
  const { describe } = useSpeakers()

  function exportJson() {
    if (!diarization) return
    const content = JSON.stringify(dialogueExport(diarization, describe), null, 2)
    downloadFile(`${baseName(recording.name)}-dialogue.json`, content, 'application/json')
  }

  return (
    <Panel
      title={t('Speaker Diarization')}
      icon={<IconUsersGroup size={20} stroke={1.5} aria-hidden />}
      actions={
        diarization && (
          <Button.Group>
            <Button variant="default" size="xs" onClick={exportJson}>
              {t('Export JSON')}
            </Button>
            <Button variant="default" size="xs" onClick={shown.toggle} aria-expanded={isShown}>
              {isShown ? t('Hide') : t('Show')}
            </Button>
            {isOwner && (
              <Button
                variant="default"
                size="xs"
                loading={diarize.isStarting}
                disabled={isBusy}
                onClick={() => diarize.start()}
              >
                {t('Re-analyze')}
              </Button>
            )}
          </Button.Group>
        )
      }
    >
      {!diarization && (
        <Notice
          title={t('Who said what')}
          action={
            isOwner && (
              <Button variant="default" loading={diarize.isStarting} disabled={isBusy} onClick={() => diarize.start()}>
                {t('Start Diarization')}
              </Button>
            )
          }
        >
          {isSeparated
            ? t('Each channel is a speaker already: no voices have to be told apart to list what they said.')
            : t('The dialogue in order of time, speaker by speaker.')}
        </Notice>
      )}
      {diarization && (
        <Collapse expanded={isShown}>
          <Dialogue
            result={diarization}
            language={transcription?.detected_language ?? transcribe.choice.languages.language}
          />
        </Collapse>
      )}
    </Panel>
  )
}
