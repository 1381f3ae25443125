import { useNavigate } from 'react-router-dom'
import type { CaseDetails } from '#contract/cases.ts'
import { t } from '#contract/texts/t.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { toastSuccess } from '../../shared/toast.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { ConfirmDialog } from '../admin/confirm-dialog.tsx'
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
  const { recording_count: recordings, member_count: members } = shown
  const name = <Isolated>{shown.name}</Isolated>
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
      {isLeaving
        ? rich(
            'You no longer see the recordings of {name}, and your own are taken out of it. What you corrected stays.',
            { name },
          )
        : rich(
            '{name}, its notes and its list of {members, plural, one {# member} other {# members}} are lost. Of the recordings nothing is: {recordings, plural, one {# recording stays with its owner} other {# recordings stay with their owners}}, and the members no longer see those of others.',
            { name, members, recordings },
          )}
    </ConfirmDialog>
  )
}
