import { Badge, Button, Text } from '@mantine/core'
import IconLanguage from '@tabler/icons-react/dist/esm/icons/IconLanguage.mjs'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import type { TranslationResult } from '#contract/translation.ts'
import { languageName } from '../../../shared/recordings/languages.ts'
import { Notice } from '../../../shared/ui/notice.tsx'
import { Panel } from '../../../shared/ui/panel.tsx'
import { JobFailure, JobProgress } from '../panel/job-progress.tsx'
import { PivotLanguageNote } from './pivot-language-note.tsx'
import type { Player } from '../player/use-player.ts'
import type { ScrollLink } from '../timeline/scroll-link.ts'
import { useSpeakerDesk } from '../speakers/speaker-desk.ts'
import { translationText } from '../speakers/speaker-text.ts'
import { TextActions } from '../panel/text-actions.tsx'
import { TranslatedText } from './translated-text.tsx'
import { useTranslate } from './use-translate.ts'

interface TranslationPanelProps {
  recording: RecordingDetails
  /** The finished translation into `target`, or null. */
  translation: TranslationResult | null
  language: string
  target: string
  player: Player
  link: ScrollLink
}

/** Translating the transcript and reading it (audio-workflow specification, section 2). */
export function TranslationPanel(props: TranslationPanelProps) {
  const { recording, translation, language, target, player, link } = props
  const { describe } = useSpeakerDesk()
  const work = useTranslate(recording, language, target)
  const hasText = Boolean(recording.transcription?.transcription)
  return (
    <Panel
      title="Translation"
      icon={<IconLanguage size={20} stroke={1.5} aria-hidden />}
      note={
        translation && (
          <Badge>
            {languageName(translation.source_language)} → {languageName(translation.target_language)}
          </Badge>
        )
      }
      actions={
        translation &&
        !work.job && (
          <TextActions
            what="translation"
            text={translationText(translation, recording.transcription, describe)}
            recording={recording}
            targetLanguage={translation.target_language}
            againLabel="Retranslate"
            isBusy={work.isStarting}
            onAgain={() => work.start({ force: true })}
          />
        )
      }
    >
      {work.failure && !work.job && <JobFailure failure={work.failure} />}
      {work.job && (
        <JobProgress job={work.job} initialText="Initializing translation..." language={work.job.target_language} />
      )}
      {!work.job && !translation && (
        <Notice
          title={`Into ${languageName(target)}`}
          action={
            <Button
              size="md"
              variant={hasText ? 'filled' : 'default'}
              loading={work.isStarting}
              onClick={() => work.start({ force: false })}
            >
              Start AI Translation
            </Button>
          }
        >
          {hasText ? 'Every line is translated beside its original.' : <Text>Transcribe the recording first.</Text>}
        </Notice>
      )}
      {!work.job && translation && <PivotLanguageNote translation={translation} />}
      {!work.job && translation && (
        <TranslatedText translation={translation} player={player} link={link} onRetry={work.retry} />
      )}
    </Panel>
  )
}
