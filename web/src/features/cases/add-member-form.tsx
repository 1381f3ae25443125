import { Button, Select, TextInput } from '@mantine/core'
import type { MemberRole } from '#contract/cases.ts'
import { cases } from '#contract/endpoints/cases.ts'
import { t } from '#contract/texts/t.ts'
import { validateInput } from '../../shared/form/form-errors.ts'
import { useMutationForm } from '../../shared/form/use-mutation-form.ts'
import { toastSuccess } from '../../shared/toast.tsx'
import classes from './case-members.module.css'
import { roleChoices } from './describe-case.ts'
import { ErrorText } from './error-text.tsx'
import { useSetMember } from './use-cases.ts'

/** Adds a member by e-mail address. */
export function AddMemberForm({ caseId }: { caseId: string }) {
  const setMember = useSetMember(caseId)
  const initialValues: { email: string; role: MemberRole } = { email: '', role: 'view' }
  const { form, submit, isBusy, generalError } = useMutationForm({
    initialValues,
    validate: (values) => validateInput(cases.setMember.body, values),
    send: (values) => setMember.mutateAsync(values),
    onSuccess: (_, { email }) => {
      toastSuccess(t('{email} is a member now', { email }))
      form.reset()
    },
  })
  return (
    <form onSubmit={submit} noValidate className={classes.add} aria-label={t('Add a member')}>
      <TextInput
        label={t('Add a member')}
        placeholder={t('E-mail address')}
        type="email"
        autoComplete="off"
        {...form.getInputProps('email')}
      />
      <div className={classes.addRow}>
        <Select aria-label={t('Role of the new member')} data={roleChoices} {...form.getInputProps('role')} />
        <Button type="submit" variant="default" loading={isBusy}>
          {t('Add')}
        </Button>
      </div>
      {generalError && <ErrorText>{generalError}</ErrorText>}
    </form>
  )
}
