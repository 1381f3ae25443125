import { Badge, Button, Text } from '@mantine/core'
import IconLanguage from '@tabler/icons-react/dist/esm/icons/IconLanguage.mjs'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import type { TranslationResult } from '#contract/translation.ts'
import { languageName } from '../../../shared/recordings/languages.ts'
import { Notice } from '../../../shared/ui/notice.tsx'
import { Panel } from '../../../shared/ui/panel.tsx'
import { JobFailure } from '../panel/job-failure.tsx'
import { JobProgress } from '../panel/job-progress.tsx'
import { PartialText } from '../panel/partial-text.tsx'
import { TextActions } from '../panel/text-actions.tsx'
import { useSpeakers } from '../speakers/recording-speakers.ts'
import { PivotLanguageNote } from './pivot-language-note.tsx'
import { TranslatedText } from './translated-text.tsx'
import { translationText } from './translation-text.ts'
import { useTranslate } from './use-translate.ts'

interface TranslationPanelProps {
  recording: RecordingDetails
  /** The finished translation into `target`, or null. */
  translation: TranslationResult | null
  /** The selected language of the recording. */
  language: string
  target: string
}

/** Translates the transcript and shows the translation (audio-workflow specification, section 2). */
export function TranslationPanel({ recording, translation, language, target }: TranslationPanelProps) {
  const { describe } = useSpeakers()
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
            kind="translation"
            text={translationText(translation, recording.transcription, describe)}
            recording={recording}
            targetLanguage={translation.target_language}
            repeatLabel="Retranslate"
            isBusy={work.isStarting}
            onRepeat={() => work.start({ force: true })}
          />
        )
      }
    >
      {work.failure && !work.job && <JobFailure failure={work.failure} />}
      {work.job && (
        <JobProgress job={work.job} initialText="Initializing translation...">
          <PartialText text={work.job.progress?.partial_text ?? ''} language={work.job.target_language} />
        </JobProgress>
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
      {!work.job && translation && <TranslatedText translation={translation} onRetry={work.retry} />}
    </Panel>
  )
}
