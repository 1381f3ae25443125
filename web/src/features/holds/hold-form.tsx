import { Button, Textarea } from '@mantine/core'
import { holds } from '#contract/endpoints/holds.ts'
import { t } from '#contract/texts/t.ts'
import { validateInput } from '../../shared/form/form-errors.ts'
import { useMutationForm } from '../../shared/form/use-mutation-form.ts'
import { toastSuccess } from '../../shared/toast.tsx'
import classes from './hold-dialog.module.css'
import { useChangeHold, type HoldSubject } from './use-holds.ts'

interface HoldFormProps {
  subject: HoldSubject
  /** Whether the hold is set, else lifted. */
  isSet: boolean
  onClose: () => void
}

/** Sets or lifts a hold, with a reason for the audit trail. */
export function HoldForm({ subject, isSet, onClose }: HoldFormProps) {
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
        <p role="alert" className={classes.error}>
          {generalError}
        </p>
      )}
      <div className={classes.actions}>
        <Button variant="default" onClick={onClose}>
          {t('Cancel')}
        </Button>
        <Button type="submit" loading={isBusy} {...(!isSet && { color: 'red' })}>
          {isSet ? t('Put on hold') : t('Lift the hold')}
        </Button>
      </div>
    </form>
  )
}
