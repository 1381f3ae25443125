import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { holds } from '#contract/endpoints/holds.ts'
import { t } from '#contract/texts/t.ts'
import { messageOf } from '../../shared/api/api-error.ts'
import { callForFile } from '../../shared/api/client.ts'
import { downloadFile } from '../../shared/download.ts'
import { toastError, toastInfo } from '../../shared/toast.tsx'
import type { HoldSubject } from './use-holds.ts'

/** Downloads what people changed while a hold was set, as it was before each change. */
export function KeptStatesLink({ subject: { of, id } }: { subject: HoldSubject }) {
  const download = useMutation({
    mutationFn: () => callForFile(of === 'case' ? holds.keptStatesOfCase : holds.keptStates, { params: { id } }),
    onSuccess: (lines) => {
      if (lines.size === 0) toastInfo(t('Nothing was changed since the hold was set'))
      else downloadFile(`${of}-${id}-kept.jsonl`, lines)
    },
    onError: (error) => toastError(messageOf(error, t('Network error. Please try again.'))),
  })
  return (
    <div>
      <Button variant="default" size="compact-sm" loading={download.isPending} onClick={() => download.mutate()}>
        {t('Download what was changed on hold')}
      </Button>
    </div>
  )
}
