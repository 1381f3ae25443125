import { Alert, Button } from '@mantine/core'
import type { QueryInput } from '#contract/endpoint.ts'
import type { retention } from '#contract/endpoints/retention.ts'
import { t } from '#contract/texts/t.ts'
import { toastFailure } from '../../shared/toast-failure.ts'
import { toastSuccess } from '../../shared/toast.tsx'
import { DialogActions } from '../../shared/ui/dialog-actions.tsx'
import { useChangeRetention, useDryRun, type RetentionChange } from './use-retention.ts'

interface SaveWithPreviewProps {
  change: RetentionChange
  /** The same days, for a dry run. */
  query: QueryInput<typeof retention.dryRun>
  onClose: () => void
}

/** Says how many recordings would be deleted within the hour, and saves. */
export function SaveWithPreview({ change, query, onClose }: SaveWithPreviewProps) {
  const save = useChangeRetention()
  const { data, isPlaceholderData, isError } = useDryRun({ ...query, per_page: 1 })
  const isKnown = data !== undefined && !isPlaceholderData
  function submit() {
    const onSuccess = () => {
      toastSuccess(t('Days saved'))
      onClose()
    }
    save.mutate(change, { onSuccess, onError: toastFailure })
  }
  return (
    <>
      <div aria-live="polite">
        {isError && <Alert color="red">{t('What would be deleted could not be counted.')}</Alert>}
        {isKnown && data.total > 0 && (
          <Alert
            color="red"
            title={t('{count, plural, one {# recording} other {# recordings}} would be deleted within the hour', {
              count: data.total,
            })}
          >
            {t('With these days, counted over all users and rules. Cancel to look at them first.')}
          </Alert>
        )}
        {isKnown && data.total === 0 && (
          <Alert color="gray">{t('With these days nothing would be deleted now.')}</Alert>
        )}
      </div>
      <DialogActions onCancel={onClose}>
        <Button
          loading={save.isPending}
          disabled={!isKnown}
          onClick={submit}
          {...(isKnown && data.total > 0 && { color: 'red' })}
        >
          {t('Save')}
        </Button>
      </DialogActions>
    </>
  )
}
