import { Button, Modal, TextInput, Group } from '@mantine/core'
import { useId, type CSSProperties } from 'react'
import { type CaseColour, type CaseDetails, caseColours } from '#contract/cases.ts'
import { cases } from '#contract/endpoints/cases.ts'
import { t } from '#contract/texts/t.ts'
import { validateInput } from '../../shared/form/form-errors.ts'
import { useMutationForm } from '../../shared/form/use-mutation-form.ts'
import { DialogActions } from '../../shared/ui/dialog-actions.tsx'
import { Form } from '../../shared/ui/form.tsx'
import { colourNames } from '../../shared/cases/describe-case.ts'
import { ErrorText } from './error-text.tsx'
import { useCreateCase, useUpdateCase } from './use-cases.ts'
import classes from './case-dialog.module.css'

interface CaseDialogProps {
  isOpen: boolean
  /** The case to change; a new one is created if omitted. */
  changed?: CaseDetails
  onClose: () => void
  onSaved?: (saved: CaseDetails) => void
}

/** Asks for the name and color of a case. */
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

/** The case colors as a group of radio buttons. */
function ColourField({ value, onChange }: { value: CaseColour; onChange: (colour: CaseColour) => void }) {
  const name = useId()
  return (
    <fieldset className={classes.field}>
      <legend className={classes.legend}>{t('Colour')}</legend>
      <Group gap="xs" align="stretch">
        {caseColours.map((colour) => (
          <label
            key={colour}
            className={classes.colour}
            style={{ '--case': `var(--awaz-case-${colour})` } as CSSProperties}
            title={colourNames[colour]}
          >
            <input
              type="radio"
              className={classes.input}
              name={name}
              value={colour}
              checked={colour === value}
              onChange={() => onChange(colour)}
              aria-label={colourNames[colour]}
            />
          </label>
        ))}
      </Group>
    </fieldset>
  )
}
