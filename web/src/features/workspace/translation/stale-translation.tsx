import { Button } from '@mantine/core'
import { useDesk } from '../desk/desk-context.ts'
import { useWork } from '../desk/work-context.ts'

/** Marks a translation of an earlier version or of lines that changed since, and offers to translate just those. */
export function StaleTranslation() {
  const { transcription, translation, lines } = useDesk()
  const { translate, isBusy } = useWork()
  if (!translation || !transcription) return null
  const isOfOtherVersion =
    translation.transcription_id !== null && translation.transcription_id !== transcription.transcription_id
  const changedCount = lines.filter(({ isTranslationStale }) => isTranslationStale).length
  if (!isOfOtherVersion && changedCount === 0) return null
  const label = isOfOtherVersion
    ? 'Of an earlier version: translate this one'
    : `Translate ${changedCount === 1 ? 'the changed line' : `${changedCount} changed lines`}`
  return (
    <Button
      size="compact-sm"
      variant="light"
      color="amber"
      disabled={isBusy}
      onClick={() => translate.start({ force: false })}
    >
      {label}
    </Button>
  )
}
