import { Button, Modal, Text, Textarea } from '@mantine/core'
import type { ReactNode } from 'react'
import { useMutation } from '@tanstack/react-query'
import type { Hold } from '#contract/holds.ts'
import { t } from '#contract/texts/t.ts'
import { holds } from '#contract/endpoints/holds.ts'
import { messageOf } from '../../shared/api/api-error.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { Isolated } from '../../shared/ui/isolated.tsx'
import { ErrorNotice, LoadingNotice } from '../../shared/ui/notice.tsx'
import { validateInput } from '../../shared/form/form-errors.ts'
import { useMutationForm } from '../../shared/form/use-mutation-form.ts'
import { toastError, toastInfo, toastSuccess } from '../../shared/toast.tsx'
import { callForFile } from '../../shared/api/client.ts'
import { downloadFile } from '../../shared/download.ts'
import { HoldFacts } from './hold-facts.tsx'
import classes from './hold-dialog.module.css'
import { type HoldSubject, useChangeHold, useRecordingHolds } from './use-holds.ts'
import common from '../../shared/ui/common.module.css'
import { DialogActions } from '../../shared/ui/dialog-actions.tsx'

/** Downloads the states before each change that was made during a hold. */
function KeptStatesLink({ subject: { of, id } }: { subject: HoldSubject }) {
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

interface HoldFormProps {
  subject: HoldSubject
  /** Whether the form sets the hold; otherwise it lifts it. */
  isSet: boolean
  onClose: () => void
}

/** Sets or lifts a hold, with a reason for the audit trail. */
function HoldForm({ subject, isSet, onClose }: HoldFormProps) {
  const change = useChangeHold(subject)
  const { form, submit, isBusy, generalError } = useMutationForm({
    initialValues: { reason: '' },
    validate: (values) => validateInput(holds.set.body, values),
    send: ({ reason }) => change.mutateAsync({ isSet, reason }),
    onSuccess: () => {
      toastSuccess(isSet ? t('On legal hold') : t('Hold lifted'))
      onClose()
    },
  })
  return (
    <form onSubmit={submit} noValidate className={classes.form}>
      <Textarea
        label={isSet ? t('Reason') : t('Why the hold is lifted')}
        description={t('Recorded in the audit trail.')}
        placeholder={isSet ? t('Order of the court of 3 March, matter 1142') : t('Matter 1142 is closed')}
        required
        rows={2}
        maxLength={300}
        dir="auto"
        data-autofocus
        {...form.getInputProps('reason')}
      />
      {generalError && (
        <Text role="alert" c="var(--mantine-color-error)" fz="sm">
          {generalError}
        </Text>
      )}
      <DialogActions onCancel={onClose}>
        <Button type="submit" loading={isBusy} {...(!isSet && { color: 'red' })}>
          {isSet ? t('Put on hold') : t('Lift the hold')}
        </Button>
      </DialogActions>
    </form>
  )
}

interface HoldDialogProps {
  /** Null while the dialog is closed. */
  subject: HoldSubject | null
  /** The holds, if known; otherwise those of a recording are loaded. */
  known?: { holds: Hold[]; canHold: boolean } | undefined
  onClose: () => void
}

/** Shows the holds on a recording or case, and sets or lifts its own. */
export function HoldDialog({ subject, known, onClose }: HoldDialogProps) {
  return (
    <Modal opened={subject !== null} onClose={onClose} title={t('Legal hold')}>
      {subject && known && <HoldContent subject={subject} {...known} onClose={onClose} />}
      {subject && !known && <LoadedHold subject={subject} onClose={onClose} />}
    </Modal>
  )
}

function LoadedHold({ subject, onClose }: { subject: HoldSubject; onClose: () => void }) {
  const { data, error, refetch } = useRecordingHolds(subject.id)
  if (data) return <HoldContent subject={subject} holds={data.holds} canHold={data.can_hold} onClose={onClose} />
  if (!error) return <LoadingNotice label={t('Loading the holds')} />
  return <ErrorNotice message={messageOf(error, t('The holds could not be loaded.'))} onRetry={() => void refetch()} />
}

interface HoldContentProps {
  subject: HoldSubject
  holds: Hold[]
  canHold: boolean
  onClose: () => void
}

function HoldContent({ subject, holds, canHold, onClose }: HoldContentProps) {
  const own = holds.find(({ of }) => of === subject.of)
  return (
    <div className={classes.content}>
      <p className={common.wrap}>{describe(subject, holds)}</p>
      {holds.map((hold) => (
        <HoldFacts key={`${hold.of} ${hold.set_at}`} hold={hold} />
      ))}
      {holds.length > 0 && subject.name !== '' && <KeptStatesLink subject={subject} />}
      {!own && canHold && <HoldForm subject={subject} isSet onClose={onClose} />}
      {own?.can_lift && <HoldForm subject={subject} isSet={false} onClose={onClose} />}
    </div>
  )
}

function describe({ of, name }: HoldSubject, holds: Hold[]): ReactNode {
  const values = { name: name === '' ? '' : <Isolated className={classes.name}>{name}</Isolated> }
  if (of === 'case') {
    return holds.length > 0
      ? rich(
          '{name} is on legal hold. Nothing of the case and of its recordings, those added later included, can be deleted, by anybody, until the hold is lifted.',
          values,
        )
      : rich(
          '{name} is not on hold. On hold, nothing of the case and of its recordings, those added later included, can be deleted, by anybody, until the hold is lifted.',
          values,
        )
  }
  return holds.length > 0
    ? rich(
        '{name} is on legal hold. Nothing of the recording can be deleted, by anybody, until the hold is lifted.',
        values,
      )
    : rich(
        '{name} is not on hold. On hold, nothing of the recording can be deleted, by anybody, until the hold is lifted.',
        values,
      )
}
