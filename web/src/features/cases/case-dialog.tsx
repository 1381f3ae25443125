import { Button, Modal, TextInput } from '@mantine/core'
import type { CaseColour, CaseDetails } from '#contract/cases.ts'
import { cases } from '#contract/endpoints/cases.ts'
import { t } from '#contract/texts/t.ts'
import { validateInput } from '../../shared/form/form-errors.ts'
import { useMutationForm } from '../../shared/form/use-mutation-form.ts'
import { DialogActions } from '../../shared/ui/dialog-actions.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { ErrorText } from './error-text.tsx'
import { ColourField } from './colour-field.tsx'
import { useCreateCase, useUpdateCase } from './use-cases.ts'

interface CaseDialogProps {
  isOpen: boolean
  /** The case to change; without one a new case is created. */
  changed?: CaseDetails
  onClose: () => void
  onSaved?: (saved: CaseDetails) => void
}

/** Asks for the name and the colour of a case. */
export function CaseDialog({ isOpen, ...props }: CaseDialogProps) {
  return (
    <Modal opened={isOpen} onClose={props.onClose} title={props.changed ? t('Edit case') : t('New case')}>
      <CaseForm {...props} />
    </Modal>
  )
}

function CaseForm({ changed, onClose, onSaved }: Omit<CaseDialogProps, 'isOpen'>) {
  const create = useCreateCase()
  const update = useUpdateCase(changed?.id ?? '')
  const initialValues: { name: string; colour: CaseColour } = {
    name: changed?.name ?? '',
    colour: changed?.colour ?? 'teal',
  }
  const { form, submit, isBusy, generalError } = useMutationForm({
    initialValues,
    validate: (values) => validateInput(cases.create.body, values),
    send: (values) => (changed ? update.mutateAsync(values) : create.mutateAsync(values)),
    onSuccess: (saved) => {
      onClose()
      onSaved?.(saved)
    },
  })
  return (
    <Form onSubmit={submit}>
      <TextInput label={t('Name')} maxLength={120} data-autofocus {...form.getInputProps('name')} />
      <ColourField value={form.getValues().colour} onChange={(colour) => form.setFieldValue('colour', colour)} />
      {generalError && <ErrorText>{generalError}</ErrorText>}
      <DialogActions onCancel={onClose} mt="xs">
        <Button type="submit" loading={isBusy}>
          {changed ? t('Save') : t('Create case')}
        </Button>
      </DialogActions>
    </Form>
  )
}
