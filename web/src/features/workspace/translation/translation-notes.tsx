import { useDesk } from '../desk/desk-context.ts'
import { usePermissions } from '../desk/permissions.ts'
import { useWork } from '../desk/work-context.ts'
import { NotTranslatedNote } from './not-translated-note.tsx'
import { PivotLanguageNote } from './pivot-language-note.tsx'
import { StaleTranslationNote } from './stale-translation-note.tsx'
import classes from './translation-notes.module.css'

/** What a reader of the translation should know, one line each: it is outdated, incomplete, or was made in two steps. */
export function TranslationNotes() {
  const { translation } = useDesk()
  const { translate, isBusy } = useWork()
  const { isOwner } = usePermissions()
  if (!translation || translate.job) return null
  return (
    <div className={classes.notes}>
      <StaleTranslationNote
        isDisabled={isBusy}
        onTranslate={isOwner ? () => translate.start({ force: false }) : undefined}
      />
      <NotTranslatedNote
        translation={translation}
        isDisabled={isBusy}
        onRetry={isOwner ? translate.retry : undefined}
      />
      <PivotLanguageNote translation={translation} />
    </div>
  )
}
