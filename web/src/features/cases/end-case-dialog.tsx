import { useNavigate } from 'react-router-dom'
import type { CaseDetails } from '#contract/cases.ts'
import { t } from '#contract/texts/t.ts'
import { toastSuccess } from '../../shared/toast.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { ConfirmDialog } from '../admin/confirm-dialog.tsx'
import { countOf } from '../../shared/format.ts'
import { useEndCase } from './use-cases.ts'

interface EndCaseDialogProps {
  shown: CaseDetails
  /** Null while the dialog is closed. */
  how: 'remove' | 'leave' | null
  onClose: () => void
}

/** Asks before a case is deleted or left, and names what is lost. */
export function EndCaseDialog({ shown, how, onClose }: EndCaseDialogProps) {
  const navigate = useNavigate()
  const end = useEndCase(shown.id, how ?? 'remove')
  const { name, recording_count: recordings, member_count: members } = shown
  const onSuccess = () => {
    toastSuccess(how === 'leave' ? t('You have left the case') : t('Case deleted'))
    void navigate('/cases')
  }
  const isLeaving = how === 'leave'
  return (
    <ConfirmDialog
      title={isLeaving ? t('Leave this case?') : t('Delete this case?')}
      confirmLabel={isLeaving ? t('Leave') : t('Delete case')}
      isOpen={how !== null}
      isBusy={end.isPending}
      onConfirm={() => end.mutate(undefined, { onSuccess })}
      onClose={onClose}
    >
      {isLeaving ? (
        <>
          You no longer see the recordings of <Isolated>{name}</Isolated>, and your own are taken out of it. What you
          corrected stays.
        </>
      ) : (
        <>
          <Isolated>{name}</Isolated>, its notes and its list of {countOf(members, 'member')} are lost. Of the
          recordings nothing is: {countOf(recordings, 'recording')} {recordings === 1 ? 'stays' : 'stay'} with{' '}
          {recordings === 1 ? 'its owner' : 'their owners'}, and the members no longer see those of others.
        </>
      )}
    </ConfirmDialog>
  )
}
