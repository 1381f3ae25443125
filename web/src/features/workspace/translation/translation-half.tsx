import { Button, Title } from '@mantine/core'
import { t } from '#contract/texts/t.ts'
import classes from '../languages/language-bar.module.css'
import { useDesk } from '../state/desk-context.ts'
import { usePermissions } from '../state/permissions.ts'
import { useWork } from '../state/work-context.ts'
import { TargetLanguagePicker } from '../languages/target-language-picker.tsx'
import { translationText } from '../exports/copy-text.ts'
import { describePendingText } from '../panel/describe-pending-text.ts'
import { TextActions } from '../panel/text-actions.tsx'
import { useSpeakers } from '../speakers/recording-speakers.ts'
import { languagePair } from './language-pair.ts'

/** The target language, and the actions on the translation as a whole. */
export function TranslationHalf({ onTargetChange }: { onTargetChange: (code: string) => void }) {
  const { recording, transcription, translation, target, jobs } = useDesk()
  const { translate, isBusy } = useWork()
  const { isOwner } = usePermissions()
  const { describe } = useSpeakers()
  const job = jobs.translate?.target_language === target ? jobs.translate : null
  return (
    <section className={classes.half} aria-labelledby="translation-head">
      <TargetLanguagePicker
        target={target}
        onChange={onTargetChange}
        finished={recording.translations.map(({ target_language }) => target_language)}
        isDisabled={isBusy}
      />
      <div className={classes.title} data-beside-picker>
        <Title order={2} id="translation-head">
          {t('Translation')}
        </Title>
        <p className={classes.note}>
          {translation ? languagePair(translation, transcription) : describePendingText(job, t('Translating'))}
        </p>
      </div>
      <div className={classes.actions}>
        {translation && (
          <TextActions
            kind="translation"
            getText={() => translationText(translation, transcription, describe)}
            recording={recording}
            targetLanguage={translation.target_language}
            repeatLabel={t('Retranslate')}
            isBusy={isBusy}
            onRepeat={isOwner ? () => translate.start({ force: true }) : undefined}
          />
        )}
        {!translation && isOwner && (
          <Button
            size="xs"
            px="xs"
            variant={transcription?.transcription ? 'filled' : 'default'}
            loading={translate.isStarting}
            disabled={isBusy}
            onClick={() => translate.start({ force: false })}
          >
            {t('Start AI Translation')}
          </Button>
        )}
      </div>
    </section>
  )
}
