import { Alert, Button, Checkbox, TextInput } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import type { SignInProvider } from '#contract/entities/sign-in-provider.ts'
import { t } from '#contract/texts/t.ts'
import { Form } from '../../../shared/ui/form.tsx'
import type { ProviderSource } from './provider-fields.tsx'
import classes from './providers.module.css'

interface FormSteps {
  onSaved: (provider: SignInProvider) => void
  onCancel: () => void
  /** Default: Cancel. */
  cancelLabel?: string
}

/** Props of a form that edits a provider, or creates one from initial values. */
export type ProviderFormProps<Provider, Values> = FormSteps & {
  /** Example address for this kind of provider, shown as a placeholder. */ example?: string
} & ({ provider: Provider; initial?: undefined } | { provider?: undefined; initial: Values })

interface FormFrameProps extends FormSteps {
  form: ProviderSource
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  isBusy: boolean
  /** What is wrong with the form as a whole. */
  error: string | undefined
  isNew: boolean
  /** What would be lost if the unsaved changes were saved. */
  warning?: string | false
  children: ReactNode
}

/** Name and buttons around the fields of a provider. */
export function FormFrame(props: FormFrameProps) {
  const { form, onSubmit, isBusy, error, isNew, warning, onCancel, cancelLabel = t('Cancel'), children } = props
  return (
    <Form onSubmit={onSubmit}>
      {error && (
        <Alert color="red" role="alert">
          {error}
        </Alert>
      )}
      <TextInput
        label={t('Name')}
        description={t('Shown on the button of the sign-in page.')}
        required
        maxLength={60}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Checkbox label={t('Offer it on the sign-in page')} {...form.getInputProps('is_enabled', { type: 'checkbox' })} />
      {children}
      {warning && (
        <Alert color="amber" role="status">
          {warning}
        </Alert>
      )}
      <div className={`${classes.actions} ${classes.stuck}`}>
        <Button variant="default" onClick={onCancel} disabled={isBusy}>
          {cancelLabel}
        </Button>
        <Button type="submit" loading={isBusy}>
          {isNew ? t('Add provider') : t('Save Changes')}
        </Button>
      </div>
    </Form>
  )
}
